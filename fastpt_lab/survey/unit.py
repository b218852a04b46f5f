"""One source as the survey reads it: its live code tokens, its functions, its constants."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import Directive, Kind, code_tokens, directives
from fastpt_lab.survey.branches import Live, Passes, live_parts
from fastpt_lab.survey.condition import Macros, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fastpt_lab.core.text import Document

_QUALIFIERS = frozenset({"__global__", "__device__", "__host__"})
_HEAD_STOPS = frozenset({";", "}", "{"})
_CONSTANT = re.compile(
    r"(?:(?:static|constexpr|const|inline|__device__|__constant__)\s+)+"
    r"(?:int|unsigned|unsigned\s+int|size_t|uint32_t|int32_t|auto)\s+"
    r"(?P<name>\w+)\s*(?:=\s*|\{\s*)(?P<value>[^;{}]+?)\s*\}?\s*;"
)
_ENUMERATOR = re.compile(r"enum\b[^;{}]*\{(?P<body>[^{}]*)\}")
_MACRO = re.compile(r"(?P<name>[A-Za-z_]\w*)(?P<call>\()?")


class Word(NamedTuple):
    """A code token with its text."""

    text: str
    start: int
    end: int
    kind: Kind


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body; offsets are indices into the unit's `words`.

    `head` is where its declaration begins, `opening` and `closing` are its braces.
    """

    name: str
    qualifiers: frozenset[str]
    head: int
    opening: int
    closing: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A source that was read once for all questions of the survey."""

    path: Path
    document: Document
    words: tuple[Word, ...]
    directives: tuple[Directive, ...]
    live: Live

    @property
    def text(self) -> str:
        """The text of the file."""
        return self.document.text


def read_unit(
    path: Path, document: Document, passes: Passes, *, host_only: bool = False
) -> Unit:
    """Scan a source; words of directives and of branches this stack skips are left out."""
    text = document.text
    live = live_parts(text, passes, host_only=host_only)
    every = directives(text)
    skipped = sorted(
        [(d.start, d.end) for d in every] + list(zip(live.starts, live.ends, strict=True))
    )
    words: list[Word] = []
    at = 0
    for start, end in (*skipped, (len(text), len(text))):
        if start > at:
            words += (
                Word(text[t.start : t.end], t.start, t.end, t.kind)
                for t in code_tokens(text, at, start)
            )
        at = max(at, end)
    return Unit(path, document, tuple(words), every, live)


def functions(unit: Unit) -> tuple[Function, ...]:
    """Return the functions with a body at namespace or class scope, in order."""
    found: list[Function] = []
    words = unit.words
    head = index = 0
    while index < len(words):
        word = words[index].text
        if word == "{":
            closing = closing_brace(words, index)
            name = _function_name(words, head, index)
            if name:
                quals = frozenset(w.text for w in words[head:index]) & _QUALIFIERS
                found.append(Function(name, quals, head, index, closing))
                index = closing
            elif not _is_scope(words, head, index):
                index = closing
            head = index + 1
        elif word in _HEAD_STOPS:
            head = index + 1
        index += 1
    return tuple(found)


def closing_brace(words: tuple[Word, ...], opening: int) -> int:
    """Return the index of the `}` of the `{` at `opening`, or of the last word."""
    depth = 0
    for index in range(opening, len(words)):
        word = words[index].text
        if word == "{":
            depth += 1
        elif word == "}":
            depth -= 1
            if depth == 0:
                return index
    return len(words) - 1


def _is_scope(words: tuple[Word, ...], head: int, opening: int) -> bool:
    return any(
        w.text in {"namespace", "struct", "class", "union", "extern"}
        for w in words[head:opening]
    )


def _function_name(words: tuple[Word, ...], head: int, opening: int) -> str:
    """Return the name of the function whose body opens there; "" if it is none.

    It is the identifier before the last bracketed list at depth 0 whose own word is not an
    attribute of the compiler, such as `__launch_bounds__(256)`.
    """
    depth, name = 0, ""
    for index in range(head, opening):
        word = words[index]
        if word.text == "(":
            if depth == 0 and index > head and words[index - 1].kind is Kind.IDENTIFIER:
                candidate = words[index - 1].text
                if not candidate.startswith("__") or candidate.endswith("_kernel"):
                    name = candidate
                if candidate in {"if", "for", "while", "switch", "catch"}:
                    return ""
            depth += 1
        elif word.text == ")":
            depth -= 1
        elif word.text == "=" and depth == 0 and index and words[index - 1].text != "operator":
            return ""
        elif word.text == ":" and depth == 0 and name:
            return name
    return name


def macro_bodies(unit: Unit) -> dict[str, tuple[bool, str, Directive]]:
    """Return the live macros: whether it is a call, the body, the directive; last one wins."""
    found: dict[str, tuple[bool, str, Directive]] = {}
    text = unit.text
    for directive in unit.directives:
        if directive.name != "define" or unit.live.dead(directive.start):
            continue
        match = _MACRO.match(text, directive.argument_start, directive.argument_end)
        if match:
            body = text[match.end("name") : directive.argument_end]
            found[match["name"]] = (match["call"] is not None, body, directive)
    return found


def constants(unit: Unit) -> dict[str, int]:
    """Return the integer constants that the live part of the file names."""
    texts = {
        name: body.strip() for name, (call, body, _) in macro_bodies(unit).items() if not call
    }
    for match in _CONSTANT.finditer(unit.text):
        if not unit.live.dead(match.start()):
            texts[match["name"]] = match["value"]
    for match in _ENUMERATOR.finditer(unit.text):
        for item in match["body"].split(","):
            name, equals, value = item.partition("=")
            if equals and not unit.live.dead(match.start()):
                texts[name.strip()] = value.strip()
    return resolve(texts)


def resolve(texts: Mapping[str, str]) -> dict[str, int]:
    """Return those of `texts` that have an integer value, the names in them resolved."""
    macros = Macros({name: text for name, text in texts.items() if text})
    found: dict[str, int] = {}
    for name, text in texts.items():
        if text and len(text) < _LONGEST_CONSTANT:
            value = evaluate(text, macros)
            if value is not None:
                found[name] = value
    return found


_LONGEST_CONSTANT = 80
