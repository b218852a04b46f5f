"""The templates of all messages that the sources can say to a user, read out of the sources.

An error, and what `say`, `said` and `later` are given, is said as such. What rules, checks and
the survey say goes many ways before a view shows it, so there every text of words counts.
"""

from __future__ import annotations

import ast
import itertools
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import fastpt_lab
from fastpt_lab.core import action, batch, check, errors, modes, port, survey
from fastpt_lab.fix import journal
from fastpt_lab.rules import RULES

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

PACKAGE = Path(fastpt_lab.__file__).parent
ERRORS = frozenset(
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.FastptError)
)
ROOMS = {
    "rules": ("rules/*.py", "rules/kit/*.py"),
    "checks": ("verify/*.py", "core/checklist.py"),
    "survey": ("survey/*.py",),
    "transcode": ("transcode/*.py", "core/parity.py", "core/modes.py"),
    "work": ("build/*.py", "host/*.py", "fix/*.py", "session/*.py", "commands/*.py"),
}
"""Whose texts are all said; the name is that of the catalogue's file."""
TABLES = {"survey": "survey/tables/*.toml"}
"""Tables whose texts are said too, by the room that says them."""
NOT_SHOWN = frozenset(
    ("id", "kind", "source", "fact", "effort", "gpufusion", "yes", "no", "unknown")
)
"""Keys of the tables whose texts no view shows: names, and where a fact is from."""
KEPT_ENGLISH = {
    "verify/snapshot.py": "a record that is sent to others",
    "verify/redact.py": "the same record",
    "verify/secret_patterns.py": "the same record",
    "transcode/gaps.py": "sources of facts, which no view shows",
    "survey/arch_guard.py": "what a branch hides: a test asks for it, and no view shows it",
    "survey/lanes.py": "names of tags, which no view shows",
    "survey/libraries.py": "facts of build files, which JSON alone gives",
    "transcode/dropin.py": "what torch's hipify prints, in torch's own words",
    "fix/compat_math.py": "code and comments of a header that is written",
    "fix/compat_warp.py": "the same header",
    "fix/compat_text.py": "the same header",
    "fix/threeway.py": "marks between the texts of a conflict, as git writes them",
    "build/precompiled.py": "is looked for in a compiler's messages",
    "build/probe.py": "the same",
    "build/results.py": "the same",
    "build/buildlog.py": "is written into the log",
    "commands/completion.py": "the scripts of shells",
}
NOT_SAID = {
    "no matching function for call to 'atomicAdd'": "is looked for in a compiler's message",
    "{}: {} in {} units": "evidence of a check, shown as a tool's output is",
    "{} uid={} gid={} /dev/{}": "the same",
    'option(USE_ROCM "Build for HIP instead of CUDA" OFF)': "is CMake, for a build file",
    "find_package(hip REQUIRED)": "the same",
    '"{}" if {} else {}': "is Python, for setup.py",
    "{}.extend([{}] if {} else [{}])": "the same",
    "error: {}": "is looked for in a compiler's message",
    "{}: error: compiling {} for {} {}\n": "an error as compilers print it, into their output",
    "did not end within {} seconds and was ended": "the same",
    "was ended by {}; memory may be short": "the same",
    "ended with exit code {} and printed no error": "the same",
    "what {} would write": "a mark between the texts of a conflict",
    "what the proposal would write": "the same",
    "prepare comes first": "an assertion",
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from fastpt_lab.host.taskchild import main; main(sys.argv[2])": "is Python, for a child",
    'source "$1" "$2"; printf "%s\\0" "$?" >"$3"; set +eu; "$4" -0 >>"$3"': "is shell",
    "FastPT Lab {}": "a name and its version",
    "fastpt-lab {}": "the same",
    "fastpt-lab {}\n": "the same",
    "torch {}": "the same",
    "hipified copy": "a name that code asks for",
}
WORDS = (
    *(member.value for kind in (batch.Outcome, port.EventKind) for member in kind),
    *(member.value for kind in (survey.Effort, survey.Fit) for member in kind),
    *(member.value for member in check.CheckStatus),
    *(member.value.upper() for member in check.CheckStatus),
    *(mode.purpose for mode in modes.Mode),
    *(member.value for kind in (action.TrialStatus, journal.State) for member in kind),
    *("error", "timeout", "not-run"),
    *("written", "unchanged", "skipped", "refused"),
    *("added", "changed", "removed"),
    *("Transcode", "Check", "Build", "Fix", "Diagnose"),
    *("transcode", "check", "build", "trial", "propose", "compare", "batch"),
    *("survey", "doctor", "verify", "snapshot", "clean", "diagnose", "undo", "redo", "status"),
    *("apply", "advise", "fix"),
    *("none", "small", "medium", "large", "yes", "no"),
)
"""Single words of values, which views say as they stand: outcomes, statuses, levels, commands."""

_NAMES = ("n", "dtype", "CMake", "FastPT")
"""Heads of tables that are names."""

Found = dict[str, str]
"""The file that says a template, by the template."""


def _subclasses(trees: Iterable[ast.Module]) -> frozenset[str]:
    """Return the names of all expected failures, those that other rooms derive included."""
    known = set(ERRORS)
    while True:
        more = {
            node.name
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            and any(isinstance(base, ast.Name) and base.id in known for base in node.bases)
        }
        if more <= known:
            return frozenset(known)
        known |= more


def _joined(parts: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys("".join(chosen) for chosen in itertools.product(*parts)))


def alternatives(node: ast.expr) -> list[str]:
    """Return the templates that an expression can give, `{}` for each value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return _joined(
            alternatives(part.value)
            if isinstance(part, ast.FormattedValue) and part.format_spec is None
            else [part.value if isinstance(part, ast.Constant) else "{}"]
            for part in node.values
        )
    if isinstance(node, ast.IfExp):
        return alternatives(node.body) + alternatives(node.orelse)
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        found = [text for value in node.values for text in alternatives(value)]
        # What has more than one word is looked up by itself, as a value.
        return list(dict.fromkeys("{}" if " " in text else text for text in found))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = alternatives(node.left), alternatives(node.right)
        return ["{}"] if left == right == ["{}"] else _joined([left, right])
    return ["{}"]


def _within(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the expressions whose texts are values of a template, not parts of it."""
    if isinstance(node, ast.JoinedStr):
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _within(part.value)
    elif isinstance(node, ast.IfExp):
        yield node.test
        yield from _within(node.body)
        yield from _within(node.orelse)
    elif isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
        for value in node.values:
            words = any(" " in text for text in alternatives(value))
            yield from [value] if words else _within(value)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        yield from _within(node.left)
        yield from _within(node.right)
    elif isinstance(node, ast.Call) and _name(node) == "many":
        yield node
    elif not isinstance(node, ast.Constant):
        yield from ast.iter_child_nodes(node)


_TYPES = frozenset(
    ("unsigned", "signed", "int", "char", "short", "long", "float", "double", "const", "void")
)
_CODE = re.compile(
    r"\\[bswdS(]|\(\?|</|=>|^#|&&|\|\||\]\(|::memory|__builtin_bit|\)\*?\(|\[\^"
    r"|^<[a-z]|\*\(|\w\|\w|\w\[\[|_cast<|\w\(\"|^const \w+ |<redacted|^\^|^//|\?\? "
    r'|\{"|^--|^\('
)
"""Signs of C++, HTML, regular expressions and options, which are no words to a person."""


def prose(text: str) -> bool:
    """Whether a template is words to a person: more than one, and no code."""
    bare = text.replace("{}", "")
    words = re.findall(r"(?<![\w/.<_-])[A-Za-z][a-z']+(?![\w/_])", bare)
    if " " not in text.strip() or not words or "{" in bare or "}" in bare:
        return False
    statement = re.search(r";\s*$", text)
    return not (set(re.findall(r"\w+", bare)) <= _TYPES or statement or _CODE.search(bare))


_NOT_SAYING = frozenset(
    (
        *("compile", "search", "match", "fullmatch", "sub", "findall", "finditer", "heard"),
        *("startswith", "endswith", "split", "partition", "rpartition", "replace"),
        *("removeprefix", "removesuffix", "strip", "rstrip", "lstrip", "get", "getenv"),
        *("Literal", "TypeVar", "cast", "field"),
    )
)
"""Functions whose arguments are patterns and names."""


def _name(call: ast.Call) -> str:
    if isinstance(call.func, ast.Attribute):
        return call.func.attr
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _silent(tree: ast.Module, failures: frozenset[str]) -> set[ast.AST]:
    """Return the nodes that say nothing: docstrings, patterns, what is compared, errors."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        parts: list[ast.AST] = []
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            parts = [node.value]
        elif isinstance(node, ast.Call) and _name(node) in _NOT_SAYING | failures:
            parts = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, ast.Compare):
            plain = (ast.Constant, ast.Tuple, ast.Set, ast.List)
            parts = [part for part in (node.left, *node.comparators) if isinstance(part, plain)]
        elif isinstance(node, ast.Subscript):
            parts = [node.slice]
        elif isinstance(node, ast.AnnAssign):
            parts = [node.annotation]
        found.update(inner for part in parts for inner in ast.walk(part))
    return found


def _texts(node: ast.AST, silent: set[ast.AST]) -> Iterator[str]:
    """Yield every template of words in a tree."""
    if node in silent:
        return
    if isinstance(node, ast.Call) and _name(node) == "many":
        yield from _counts(node)
        return
    strings = isinstance(node, (ast.JoinedStr, ast.IfExp, ast.Constant)) or (
        isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add)
    )
    if strings:
        found = [text.strip(" ;,") for text in alternatives(node)]
        if any(map(prose, found)) or isinstance(node, (ast.JoinedStr, ast.Constant)):
            yield from filter(prose, found)
            for inner in _within(node):
                yield from _texts(inner, silent)
            return
    for inner in ast.iter_child_nodes(node):
        yield from _texts(inner, silent)


def _heads(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what a view gives to `table` and `page`, which say it."""
    if isinstance(node, ast.Assign):
        names = [t.id.lower() for t in node.targets if isinstance(t, ast.Name)]
        if any(name.strip("_") == "head" for name in names) and isinstance(
            node.value, ast.Tuple
        ):
            yield from node.value.elts
    elif isinstance(node, ast.Call) and _name(node) in ("table", "_table"):
        yield from node.args[:1] if _name(node) == "table" else ()
        yield from (
            head for part in node.args if isinstance(part, ast.Tuple) for head in part.elts
        )
    elif isinstance(node, ast.Call) and _name(node) == "page":
        yield from (k.value for k in node.keywords if k.arg == "label")


def _counts(call: ast.Call) -> Iterator[str]:
    """Yield "{} error", and "{} errors" where a function says both in English."""
    for word in alternatives(call.args[1]):
        if word != "{}":
            yield f"{{}} {word}"
            ending = {"ry": "ies", "ch": "ches"}.get(word[-2:], f"{word[-1]}s")
            stem = word[:-2] if word.endswith("ch") else word[:-1]
            yield from [] if _name(call) == "counted" else [f"{{}} {stem}{ending}"]


def _said(node: ast.AST, failures: frozenset[str]) -> Iterator[str]:
    """Yield the templates that a call says outright."""
    if not isinstance(node, ast.Call):
        return
    name = _name(node)
    if name in failures:
        told = node.args[:1] + [k.value for k in node.keywords if k.arg == "next_step"]
    elif name in ("say", "said", "later"):
        told = node.args[:1]
    elif name in ("count", "counted") and len(node.args) > 1:
        yield from _counts(node)
        return
    else:
        return
    for argument in told:
        yield from alternatives(argument)


def _trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text("utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def templates(exceptions: Collection[str] = tuple(NOT_SAID)) -> dict[str, Found]:
    """Return every template of words by the file of the catalogue that has it.

    What several files say is in the first of them. `exceptions` are no messages.
    """
    trees = _trees()
    failures = _subclasses(trees.values())
    found: dict[str, Found] = {"errors": {}, "views": {}, **{room: {} for room in ROOMS}}
    for name, tree in trees.items():
        view = name.startswith("show/")
        shown = view or name.startswith("commands/")
        for node in ast.walk(tree):
            counts = isinstance(node, ast.Call) and _name(node) in ("count", "counted")
            if counts and not shown:
                continue
            room = "views" if view or counts else "errors"
            for text in _said(node, failures):
                words = any(letter.isalpha() for letter in text.replace("{}", ""))
                if words or (view and text.strip(" {}")):
                    found[room].setdefault(text, name)
            for head in _heads(node) if shown else ():
                for text in (told.lstrip("#") for told in alternatives(head)):
                    if text.strip(" {}") and text not in _NAMES:
                        found["views"].setdefault(text, name)
    found["views"].update(dict.fromkeys(WORDS, "values"))
    for room, patterns in ROOMS.items():
        for pattern in patterns:
            for name in sorted(
                p.relative_to(PACKAGE).as_posix() for p in PACKAGE.glob(pattern)
            ):
                if name not in KEPT_ENGLISH:
                    silent = _silent(trees[name], failures | {"say", "said", "later"})
                    for text in _texts(trees[name], silent):
                        if text not in exceptions:
                            found[room].setdefault(text, name)
    for room, pattern in TABLES.items():
        found[room].update(shown_in_tables(pattern))
    found["manual"] = {
        text: f"rules/{rule.name.replace('-', '_')}.py"
        for rule in RULES.values()
        for text in (rule.summary, rule.why, rule.safety, rule.never_offered)
        if text
    }
    return _first_only(found)


def shown_in_tables(pattern: str) -> Found:
    """Return the texts of tables that views show: all but single names such as NCCL."""
    found: Found = {}
    for path in sorted(PACKAGE.glob(pattern)):
        entries = itertools.chain.from_iterable(
            value if isinstance(value, list) else [value]
            for value in tomllib.loads(path.read_text("utf-8")).values()
        )
        for entry in entries:
            for key, text in entry.items():
                words = isinstance(text, str) and re.search(r"(?:^|\s)[a-z]+(?![\w+])", text)
                if key not in NOT_SHOWN and words:
                    found.setdefault(text, path.relative_to(PACKAGE).as_posix())
    return found


def _first_only(found: dict[str, Found]) -> dict[str, Found]:
    seen: set[str] = set()
    out: dict[str, Found] = {}
    for room, texts in found.items():
        out[room] = {text: path for text, path in texts.items() if text not in seen}
        seen |= set(texts)
    return out
