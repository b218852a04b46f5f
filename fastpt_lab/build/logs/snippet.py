"""How far a message's range reaches, from the caret line below its source line."""

from __future__ import annotations

import re
import unicodedata

_GUTTER = re.compile(r"\s*(?:\d+|[+-]{1,3})? \|(?: |$)")
_CARET = re.compile(r"[ \t~]*\^[~^ ]*$")


def is_gutter(text: str) -> bool:
    """Return whether a line is a source or caret line behind a gutter: `   12 | code`."""
    return _GUTTER.match(text) is not None


def without_gutter(text: str) -> str:
    """Return a source or caret line without the gutter."""
    match = _GUTTER.match(text)
    return text[match.end() :] if match else text


def is_caret(text: str) -> bool:
    """Return whether a line marks columns of the line above it."""
    return _CARET.match(without_gutter(text)) is not None


def width(character: str) -> int:
    """Return how many columns of a terminal a character takes."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def marked(source: str, caret: str) -> str:
    """Return the part of `source` under the caret and the tildes that follow it.

    Compilers align by terminal columns: a Chinese character is two (clang 15, gcc 12).
    """
    source, caret = without_gutter(source), without_gutter(caret)
    start = caret.find("^")
    if start < 0:
        return ""
    end = start + 1
    while end < len(caret) and caret[end] in "~^":
        end += 1
    if source.isascii():
        return source[start:end]
    column = 0
    part = []
    for character in source:
        if start <= column < end:
            part.append(character)
        column += width(character)
        if column >= end:
            break
    return "".join(part)


def caret_column(caret: str) -> int | None:
    """Return the zero-based terminal column of the caret, None without one."""
    found = without_gutter(caret).find("^")
    return found if found >= 0 else None
