"""Calls by name, with the offsets of their arguments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import call_arguments
from fastpt_lab.rules.kit.places import Place, occurrences

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from fastpt_lab.core.text import Document

_OPEN = re.compile(r"(?:\s|\\\r?\n|/\*.*?\*/)*\(", re.DOTALL)


class Call(NamedTuple):
    """`name(arguments)`: `open` and `close` are the offsets of the parentheses."""

    name: Place
    open: int
    arguments: tuple[tuple[int, int], ...]
    close: int

    def argument(self, index: int) -> str:
        """Return the text of an argument."""
        start, end = self.arguments[index]
        return self.name.document.text[start:end]

    @property
    def text(self) -> str:
        """The whole call."""
        return self.name.document.text[self.name.start : self.close + 1]


def call_of(name: Place) -> Call | None:
    """Return the call of the function whose name stands at `name`, None if it is not one."""
    text = name.document.text
    opening = _OPEN.match(text, name.end)
    if opening is None:
        return None
    arguments = call_arguments(text, opening.end() - 1)
    if arguments is None:
        return None
    return Call(name, opening.end() - 1, arguments.arguments, arguments.close)


def call_around(at: Place) -> Call | None:
    """Return the innermost call that `at` is written in an argument of, in one statement."""
    text = at.document.text
    start = max(text.rfind(mark, 0, at.start) for mark in ";{}")
    names = re.finditer(r"[A-Za-z_]\w*(?=\s*\()", text[start + 1 : at.start])
    found: Call | None = None
    for match in names:
        name = at._replace(start=start + 1 + match.start(), end=start + 1 + match.end())
        call = call_of(name)
        if call is not None and any(s <= at.start < e for s, e in call.arguments):
            found = call
    return found


def calls_of(path: Path, document: Document, names: Collection[str]) -> Iterator[Call]:
    """Yield the calls of `names` that a HIP compiler reads."""
    for place in occurrences(path, document, names):
        call = call_of(place)
        if call is not None:
            yield call
