"""A compiler's columns to code points of the file it read.

clang counts bytes. gcc counts bytes up to 10 and terminal columns since 11
(`-fdiagnostics-column-unit`): a Chinese character is two, a tab reaches the next multiple of
eight. nvcc prints no column, but a caret under the source line. Which unit gcc used, and where
nvcc's caret stands, is read from the source line that they print.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from fastpt_lab.build.logs import snippet
from fastpt_lab.core.text import Position, Range

if TYPE_CHECKING:
    from fastpt_lab.core.text import Document

_NAME = re.compile(r"[^\W\d]\w*")
_TAB = 8


def in_code_points(span: Range, document: Document, *, source: str, raw: str = "") -> Range:
    """Return a printed range (zero-based, in the tool's unit) as one of characters.

    Args:
        span: the start in the tool's unit; the length in bytes of UTF-8.
        document: the text that the tool read.
        source: the tool, as in `Diagnostic.source`.
        raw: the lines that the tool printed, "" if they are not known.
    """
    line = span.start.line
    text = document.line(line).rstrip("\r\n")
    shown = _shown(raw)
    start = _start(span.start, document, source, shown)
    if start is None:
        return Range(Position(line, 0), Position(line, 0))
    length = span.end.character - span.start.character if span.end.line == line else 0
    if shown is not None and source == "nvcc":
        length = len(shown[0].encode())
    end = start + _characters(text[start:], length)
    if end - start <= 1 and (name := _NAME.match(text, start)):
        # A lone caret points at the first character of a name.
        end = name.end()
    return Range(Position(line, start), Position(line, end))


def _start(
    printed: Position, document: Document, source: str, shown: _Shown | None
) -> int | None:
    text = document.line(printed.line).rstrip("\r\n")
    if source == "nvcc" and printed.character == 0:
        return _by_caret(text, shown) if shown else None
    in_bytes = document.position_from_bytes(printed.line + 1, printed.character + 1).character
    if source != "gcc" or (text.isascii() and "\t" not in text):
        return in_bytes
    in_columns = _from_columns(text, printed.character)
    if shown is not None and shown[0]:
        # An old gcc counts bytes: the character under the caret tells.
        for candidate in (in_columns, in_bytes):
            if text[candidate : candidate + 1] == shown[0][0]:
                return candidate
    return in_columns


_Shown = tuple[str, str, int]
"""The marked text, the source line as printed, and the terminal column of the caret in it."""


def _shown(raw: str) -> _Shown | None:
    lines = raw.split("\n")
    for source, caret in itertools.pairwise(lines[1:]):
        if snippet.is_caret(caret):
            column = snippet.caret_column(caret)
            code = snippet.without_gutter(source)
            return snippet.marked(source, caret), code, column or 0
    return None


def _by_caret(text: str, shown: _Shown) -> int | None:
    """Return the place of the caret by the words of the line: nvcc changes its indentation."""
    _, code, column = shown
    words = code.strip()
    at = text.find(words) if words else -1
    if at < 0:
        return None
    return max(at + column - (len(code) - len(code.lstrip())), 0)


def _from_columns(text: str, column: int) -> int:
    reached = 0
    for index, character in enumerate(text):
        if reached >= column:
            return index
        reached += _TAB - reached % _TAB if character == "\t" else snippet.width(character)
    return len(text)


def _characters(text: str, size: int) -> int:
    """Return how many characters of `text` take `size` bytes of UTF-8."""
    if text.isascii():
        return min(size, len(text))
    return len(text.encode(errors="replace")[:size].decode(errors="ignore"))
