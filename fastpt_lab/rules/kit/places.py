"""From a diagnostic to the identifier in an original that it is about, and to its equals."""

from __future__ import annotations

import bisect
import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.code import all_tokens
from fastpt_lab.core.guard import cuda_view, dead_under_hip, line_bounds, style_of
from fastpt_lab.core.scan import Kind, enclosing_directive

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.guard import Style
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document, Location
    from fastpt_lab.core.workspace import Workspace

_UNDECLARED = re.compile(
    r"use of undeclared identifier '([^']+)'"
    r"|unknown type name '([^']+)'"
    r"|call to function '([^']+)' that is neither visible"
    r"|'([^']+)' was not declared in this scope"
    r"|[‘']([^’']+)[’'] (?:was not declared|has not been declared|does not name a type)"
    r"|‘([^’]+)’(?:在此作用域中尚未声明|未声明|不是一个类型名|未命名一个类型)"
)
_NO_CODE = frozenset(
    {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "undef", "include", "error"}
)
_EXPANSION = re.compile(r"expanded from (?:macro|here)|in expansion of macro|在宏.*的展开中")


class Place(NamedTuple):
    """The text `document.text[start:end]` of the original at `path`."""

    path: Path
    document: Document
    start: int
    end: int

    @property
    def word(self) -> str:
        """The text itself."""
        return self.document.text[self.start : self.end]

    @property
    def line(self) -> int:
        """The one-based line, for people."""
        return self.document.position(self.start).line + 1


class Point(NamedTuple):
    """Where in an original a message points."""

    path: Path
    document: Document
    offset: int


def undeclared(diagnostic: Diagnostic) -> str | None:
    """Return the name that the compiler does not know, None for any other message."""
    match = _UNDECLARED.search(diagnostic.message)
    return next((name for name in match.groups() if name), None) if match else None


def point(location: Location | None, workspace: Workspace) -> Point | None:
    """Return the original that holds `location`, and the offset in it."""
    if location is None:
        return None
    document = workspace.document(location.path)
    if document is None:
        return None
    return Point(location.path, document, document.offset(location.range.start))


def documents(workspace: Workspace, word: str) -> Iterator[tuple[Path, Document]]:
    """Yield the originals that can be read and hold a word, which saves scanning the others."""
    for path in workspace.originals():
        document = workspace.document(path)
        if document is not None and word in document.text:
            yield path, document


def named_place(
    diagnostic: Diagnostic, workspace: Workspace, names: Collection[str]
) -> Place | None:
    """Return where one of `names` stands in the original: at the place, or in a macro's body.

    A compiler that shows the use of a macro names its definition in a note.
    """
    locations = [diagnostic.location]
    locations += [r.location for r in diagnostic.related if _EXPANSION.search(r.message)]
    for location in locations:
        found = point(location, workspace)
        if found is not None and (near := list(_on_line(*found, names))):
            return min(near, key=lambda p: _distance(p, found.offset))
    return None


def _distance(place: Place, offset: int) -> tuple[bool, int]:
    """Order places by whether they hold an offset, then by how near they begin to it."""
    return not place.start <= offset < place.end, abs(place.start - offset)


def _on_line(
    path: Path, document: Document, offset: int, names: Collection[str]
) -> Iterator[Place]:
    """Yield the names on the line of `offset`, or in the directive that holds it."""
    directive = enclosing_directive(document.text, offset)
    start, end = line_bounds(document.text, offset, offset)
    if directive is not None:
        start, end = directive.start, directive.end
    for place in occurrences(path, document, names):
        if start <= place.start < end:
            yield place


def occurrences(path: Path, document: Document, names: Collection[str]) -> Iterator[Place]:
    """Yield the identifiers of `names` that a HIP compiler reads as code."""
    text = document.text
    if not any(name in text for name in names):
        return
    dead = _dead(text)
    starts = [start for start, _ in dead]
    for token in all_tokens(text):
        if token.kind is not Kind.IDENTIFIER or text[token.start : token.end] not in names:
            continue
        index = bisect.bisect_right(starts, token.start) - 1
        if index >= 0 and token.start < dead[index][1]:
            continue
        directive = enclosing_directive(text, token.start)
        if directive is None or directive.name not in _NO_CODE:
            yield Place(path, document, token.start, token.end)


def live_names(document: Document) -> frozenset[str]:
    """Return all identifiers of a file that a HIP compiler reads, macro bodies included."""
    return _live_names(document.text)


@lru_cache(maxsize=64)
def _dead(text: str) -> tuple[tuple[int, int], ...]:
    return dead_under_hip(text)


@lru_cache(maxsize=1024)
def _live_names(text: str) -> frozenset[str]:
    dead = dead_under_hip(text)
    starts = [start for start, _ in dead]
    found: set[str] = set()
    for token in all_tokens(text):
        if token.kind is Kind.IDENTIFIER:
            index = bisect.bisect_right(starts, token.start) - 1
            if index < 0 or token.start >= dead[index][1]:
                found.add(text[token.start : token.end])
    return frozenset(found)


def style_for(document: Document, stack: Stack) -> Style:
    """Return the guard style of a file, as far as this stack's flags define its macros."""
    if cuda_view(document.text) == document.text:
        return style_of(document.text, ())
    defined = {flag[2:].partition("=")[0] for flag in stack.flags if flag.startswith("-D")}
    return style_of(document.text, defined | {"__HIPCC__", "__HIP__"})
