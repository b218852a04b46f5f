"""Positions, ranges and edits over one immutable text.

Lines and characters are zero-based and count code points; a range excludes its end (LSP 3.17
`Position` and `Range`, with the encoding fixed to UTF-32). This module is the only converter
between lines, bytes (clang), UTF-16 units (JavaScript) and code points.
"""

from __future__ import annotations

import bisect
import hashlib
import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.errors import OverlappingEditsError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

_NEWLINE = re.compile(r"\r\n|\n|\r")


def digest_of(data: bytes) -> str:
    """Return `sha256:` and the hexadecimal SHA-256 of `data`."""
    return "sha256:" + hashlib.sha256(data).hexdigest()


class Position(NamedTuple):
    """A gap between two characters of a document."""

    line: int
    character: int


class Range(NamedTuple):
    """The text from `start` up to, but not including, `end`."""

    start: Position
    end: Position


class Location(NamedTuple):
    """A range in a file."""

    path: Path
    range: Range

    @classmethod
    def at(cls, path: Path, line: int, character: int = 0) -> Location:
        """Return the empty range at a zero-based place."""
        here = Position(line, character)
        return cls(path, Range(here, here))


@dataclass(frozen=True, slots=True, kw_only=True)
class TextEdit:
    """Replace `range` by `new_text`; an empty range inserts, an empty text deletes."""

    range: Range
    new_text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextDocumentEdit:
    """Edits of the file at `path` whose bytes had `digest` when the edits were made.

    An empty `digest` says that there is no such file yet: the edit makes it.
    """

    path: Path
    digest: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkspaceEdit:
    """Edits of several files that are made together or not at all."""

    documents: tuple[TextDocumentEdit, ...]


@dataclass(frozen=True)
class Document:
    """A text, the line starts found in it, and where it came from.

    Attributes:
        text: the decoded text, line endings as in the file, without a byte order mark.
        encoding: the codec that gives the file's bytes back; compilers count its bytes.
        digest: `digest_of` the file's bytes, or "" for a text that is not a file's.
    """

    text: str
    encoding: str = "utf-8"
    digest: str = field(default="", compare=False)

    @cached_property
    def _starts(self) -> list[int]:
        # Not splitlines(): it also breaks at form feeds and U+2028, where compilers do not.
        return [0, *(match.end() for match in _NEWLINE.finditer(self.text))]

    @property
    def line_count(self) -> int:
        """The number of lines; a text that ends in a newline has an empty last line."""
        return len(self._starts)

    @cached_property
    def newline(self) -> str:
        r"""The line ending that most lines have; `\n` if there is none."""
        if "\r" not in self.text:
            return "\n"
        crlf = self.text.count("\r\n")
        lf = self.text.count("\n") - crlf
        cr = self.text.count("\r") - crlf
        return max((("\n", lf), ("\r\n", crlf), ("\r", cr)), key=lambda pair: pair[1])[0]

    def offset(self, position: Position) -> int:
        """Return the index into `text` of `position`; a place past the end is the end."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self.text)
        following = position.line + 1
        limit = self._starts[following] if following < len(self._starts) else len(self.text)
        return min(self._starts[position.line] + max(position.character, 0), limit)

    def position(self, offset: int) -> Position:
        """Return the position of index `offset` of `text`."""
        offset = min(max(offset, 0), len(self.text))
        line = bisect.bisect_right(self._starts, offset) - 1
        return Position(line, offset - self._starts[line])

    def line(self, number: int) -> str:
        """Return line `number`, its line ending included; "" past the end."""
        return self.text[
            self.offset(Position(number, 0)) : self.offset(Position(number + 1, 0))
        ]

    def line_range(self, number: int) -> Range:
        """Return the range of line `number`, its line ending included."""
        return self.range_of(
            self.offset(Position(number, 0)), self.offset(Position(number + 1, 0))
        )

    def range_of(self, start: int, end: int) -> Range:
        """Return the range between two indices of `text`."""
        return Range(self.position(start), self.position(end))

    def slice(self, span: Range) -> str:
        """Return the text of `span`."""
        return self.text[self.offset(span.start) : self.offset(span.end)]

    def position_from_bytes(self, line: int, column: int) -> Position:
        """Return the place that a compiler calls `line`:`column`: one-based, in bytes.

        clang counts bytes of the file, a tab as one (clang 15); gcc 11 and later count terminal
        columns, which `build/columns.py` turns into bytes first. A column inside a multi-byte
        character, or past the end of the line, is moved to the nearest place before it.
        """
        content = self.line(line - 1).rstrip("\r\n")
        if content.isascii():
            return Position(line - 1, min(max(column - 1, 0), len(content)))
        data = content.encode(self.encoding, errors="surrogateescape")[: max(column - 1, 0)]
        return Position(line - 1, len(data.decode(self.encoding, errors="ignore")))

    def bytes_from_position(self, position: Position) -> tuple[int, int]:
        """Return the one-based line and byte column that a compiler prints for `position`."""
        before = self.line(position.line)[: position.character]
        return (
            position.line + 1,
            len(before.encode(self.encoding, errors="surrogateescape")) + 1,
        )

    def utf16_from_position(self, position: Position) -> tuple[int, int]:
        """Return zero-based line and UTF-16 column, as JavaScript counts."""
        before = self.line(position.line)[: position.character]
        return position.line, len(before.encode("utf-16-le", errors="surrogatepass")) // 2

    def position_from_utf16(self, line: int, column: int) -> Position:
        """Return the position of a zero-based line and UTF-16 column."""
        units = self.line(line).encode("utf-16-le", errors="surrogatepass")[: 2 * column]
        return Position(line, len(units.decode("utf-16-le", errors="ignore")))

    def apply(self, edits: Iterable[TextEdit]) -> Document:
        """Return the document with `edits`, whose ranges all refer to `self`, made.

        Raises:
            OverlappingEditsError: two edits share text, or insert at one position.
        """
        parts: list[str] = []
        taken = 0
        last: Range | None = None
        for edit in sorted(edits, key=lambda e: e.range):
            start, end = self.offset(edit.range.start), self.offset(edit.range.end)
            if start < taken or end < start or edit.range == last:
                raise OverlappingEditsError(
                    f"the edit at line {edit.range.start.line + 1} overlaps the one before it",
                    next_step="Apply them one after the other",
                )
            parts += (self.text[taken:start], edit.new_text)
            taken, last = end, edit.range
        return Document("".join(parts) + self.text[taken:], self.encoding)
