"""Lint Python: back-ends chosen by a platform's name, and device objects made at import.

*Source*: reports of ports: a DCU answers to `cuda` in torch, its `torch.version.cuda` is None, its
device is named otherwise, and an object on the device made at import breaks every process that
imports the module and has no card, or forks.
"""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.survey import Lint
from fastpt_lab.core.text import Location, Position, Range

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.text import Document

_NAMES = frozenset({"cuda", "nvidia", "rocm", "amd", "hip", "dcu", "hygon", "gpu"})
_CHOICES = frozenset({"platform", "backend", "vendor", "gpu_type", "device_vendor", "arch"})
_DEVICE_NAME = frozenset({"get_device_name", "get_device_properties"})
_MAKES = frozenset({"Stream", "Event", "CUDAGraph", "init", "synchronize", "set_device",
                    "current_stream", "empty_cache", "get_rng_state", "current_device"})  # fmt: skip
_FACTORIES = frozenset(
    {"zeros", "ones", "empty", "tensor", "randn", "rand", "full", "arange", "linspace", "eye",
     "Generator", "randint", "as_tensor"}
)  # fmt: skip


def python_tree(document: Document) -> ast.Module | None:
    """Return the syntax tree of a Python file, None if it is not Python 3."""
    try:
        return ast.parse(document.text)
    except (SyntaxError, ValueError, RecursionError):
        return None


_MAY_CHOOSE = re.compile(
    r"torch\.version|get_device|(?i:platform|backend|vendor|gpu_type|arch)"
)
_MAY_MAKE = re.compile(r"cuda|hip")
_MAY_MATTER = re.compile(rf"{_MAY_CHOOSE.pattern}|{_MAY_MAKE.pattern}|load(?:_inline)?\(")


def may_matter(text: str, extensions: frozenset[str]) -> bool:
    """Return whether a Python file has any word that a finding needs: most have none."""
    return bool(_MAY_MATTER.search(text)) or any(
        name.rpartition(".")[2] in text for name in extensions
    )


def python_lints(
    path: Path, document: Document, tree: ast.Module, *, imported: bool = True
) -> tuple[Lint, ...]:
    """Return the findings of one Python file in the order of the text.

    `imported` tells a module of a package from a script, which may use the device as it likes.
    """
    found: list[Lint] = []
    if _MAY_CHOOSE.search(document.text):
        found += _choices(path, document, tree)
    if _MAY_MAKE.search(document.text):
        found += _imports(path, document, tree, imported=imported)
    return tuple(sorted(found, key=lambda lint: _start(lint)))


def _start(lint: Lint) -> Position:
    place = lint.diagnostic.location
    return place.range.start if place else Position(0, 0)


def place_of(path: Path, document: Document, node: ast.AST) -> Location:
    """Return where a syntax node stands; `ast` counts UTF-8 bytes."""
    line = getattr(node, "lineno", 1) - 1
    end_line = (getattr(node, "end_lineno", None) or line + 1) - 1
    end_column = getattr(node, "end_col_offset", None)
    start = _position(document, line, getattr(node, "col_offset", 0))
    return Location(path, Range(start, _position(document, end_line, end_column or 0)))


def _position(document: Document, line: int, column: int) -> Position:
    content = document.line(line).encode("utf-8", "surrogatepass")
    return Position(line, len(content[:column].decode("utf-8", "ignore")))


def _lint(
    check: str, certain: bool, message: str, place: Location, suggestion: str = ""
) -> Lint:
    severity = Severity.WARNING if certain else Severity.INFORMATION
    return Lint(
        check=check,
        certain=certain,
        diagnostic=Diagnostic(
            severity=severity, message=message, source="python", location=place
        ),
        suggestion=suggestion,
    )


def dotted(node: ast.AST) -> str:
    """Return `a.b.c` for such an expression; what is not a name is left out."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _choices(path: Path, document: Document, tree: ast.Module) -> Iterator[Lint]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            for part in ast.walk(node.test):
                if dotted(part) == "torch.version.cuda":
                    yield _lint(
                        "platform-choice",
                        True,
                        "chooses by torch.version.cuda, which is None in a HIP build though "
                        'torch.cuda and device "cuda" work',
                        place_of(path, document, part),
                        "torch.cuda.is_available(), or torch.version.hip where HIP differs",
                    )
        elif isinstance(node, ast.Compare):
            yield from _comparison(path, document, node)
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("get_device_capability"):
            yield _lint(
                "platform-choice",
                False,
                "a compute capability is NVIDIA's number: a DCU reports one that says nothing "
                "about its instructions",
                place_of(path, document, node),
                "try the operation, or ask torch.cuda.get_device_properties(0).gcnArchName",
            )


def _comparison(path: Path, document: Document, node: ast.Compare) -> Iterator[Lint]:
    sides = [node.left, *node.comparators]
    words = [
        s.value.lower()
        for s in sides
        if isinstance(s, ast.Constant) and isinstance(s.value, str)
    ]
    calls = [
        dotted(part.func) for s in sides for part in ast.walk(s) if isinstance(part, ast.Call)
    ]
    if words and any(call.rpartition(".")[2] in _DEVICE_NAME for call in calls):
        yield _lint(
            "platform-choice",
            True,
            f"chooses by the device's name ({words[0]!r}): a DCU has another one",
            place_of(path, document, node),
            "ask for the capability that the code needs",
        )
        return
    names = [dotted(s).rpartition(".")[2].lower() for s in sides]
    if set(words) & _NAMES and set(names) & _CHOICES:
        name = next(n for n in names if n in _CHOICES)
        yield _lint(
            "platform-choice",
            False,
            f"chooses by the word {words[0]!r} in {name}; a DCU may come as cuda, hip or rocm",
            place_of(path, document, node),
            "ask for a capability: torch.cuda.is_available(), torch.version.hip",
        )


def _imports(
    path: Path, document: Document, tree: ast.Module, *, imported: bool
) -> Iterator[Lint]:
    for node in _at_import(tree.body):
        what = _device_object(node)
        if what:
            yield _lint(
                "device-at-import",
                imported,
                f"{what} touches the device when the module is imported",
                place_of(path, document, node),
                "make it in a function, at first use",
            )


def _at_import(body: list[ast.stmt]) -> Iterator[ast.Call]:
    """Yield the calls that importing the module makes: function bodies aside."""
    for statement in body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            parts: list[ast.AST] = [*statement.decorator_list, *statement.args.defaults]
            parts += [d for d in statement.args.kw_defaults if d is not None]
        elif isinstance(statement, ast.ClassDef):
            yield from _at_import(statement.body)
            parts = [*statement.decorator_list]
        elif isinstance(statement, ast.If) and _is_main(statement.test):
            yield from _at_import(statement.orelse)
            continue
        elif isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try)):
            for field in ("body", "orelse", "finalbody"):
                yield from _at_import(getattr(statement, field, []))
            for handler in getattr(statement, "handlers", []):
                yield from _at_import(handler.body)
            parts = []
        else:
            parts = [statement]
        for part in parts:
            yield from (n for n in _outside_lambdas(part) if isinstance(n, ast.Call))


def _outside_lambdas(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Lambda):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _outside_lambdas(child)


def _is_main(test: ast.expr) -> bool:
    return isinstance(test, ast.Compare) and dotted(test.left) == "__name__"


def _device_object(node: ast.Call) -> str:
    """Return the words for a call that needs the device, "" for any other."""
    name = dotted(node.func)
    last = name.rpartition(".")[2]
    if isinstance(node.func, ast.Attribute) and last == "cuda" and name != "torch.cuda":
        return ".cuda()"
    if last == "to" and any(_is_device(argument) for argument in node.args):
        return ".to(…)"
    if name.startswith("torch.cuda.") and last in _MAKES:
        return f"{name}()"
    device = next((k.value for k in node.keywords if k.arg == "device"), None)
    if last in _FACTORIES and device is not None and _is_device(device):
        return f"{name}(…, device=…)"
    return ""


def _is_device(node: ast.expr) -> bool:
    if isinstance(node, ast.Call) and dotted(node.func) == "torch.device" and node.args:
        node = node.args[0]
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value.split(":")[0] in {"cuda", "hip"}
    )
