"""The three texts of a conflict, and how they are shown: base, what is there, what was wanted."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.host.files import decode_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_MAX_LINES = 60
"""Of one file: a view that fills the screen tells no more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreeWay:
    """The three texts of a conflict, as bytes.

    Attributes:
        path: the file.
        base: what was there when the change was made or proposed.
        ours: what is there now.
        theirs: what was wanted instead of `base`.
    """

    path: Path
    base: bytes
    ours: bytes
    theirs: bytes


def shown(conflicts: Sequence[ThreeWay], wanted: str) -> str:
    """Return the places where both sides differ from the base, with conflict markers.

    Args:
        conflicts: one a file.
        wanted: what the third text is, as in "what undo wants".
    """
    return "\n".join(line for one in conflicts for line in _file(one, wanted))


def _file(texts: ThreeWay, wanted: str) -> Iterator[str]:
    base, ours, theirs = (
        decode_source(data, texts.path)[0].text.splitlines()
        for data in (texts.base, texts.ours, texts.theirs)
    )
    yield f"{texts.path.name}:"
    lines = [line for place in _places(base, ours, theirs) for line in _block(place, wanted)]
    yield from lines[:_MAX_LINES]
    if len(lines) > _MAX_LINES:
        yield f"… {len(lines) - _MAX_LINES} more lines"


def _block(place: tuple[int, list[str], list[str], list[str]], wanted: str) -> Iterator[str]:
    number, base, ours, theirs = place
    yield f"<<<<<<< line {number}: what is there now"
    yield from ours
    yield "||||||| what was there when it was proposed or made"
    yield from base
    yield f"======= {wanted}"
    yield from theirs
    yield ">>>>>>>"


def _places(
    base: list[str], ours: list[str], theirs: list[str]
) -> Iterator[tuple[int, list[str], list[str], list[str]]]:
    """Yield each run of base lines that either side changed: line of `ours`, three texts.

    Changes that touch are one place.
    """
    sides = [
        [op for op in _matcher(base, side).get_opcodes() if op[0] != "equal"]
        for side in (ours, theirs)
    ]
    spans: list[list[int]] = []
    for _, start, end, _, _ in sorted(
        (op for ops in sides for op in ops), key=lambda o: o[1:3]
    ):
        if spans and start <= spans[-1][1]:
            spans[-1][1] = max(spans[-1][1], end)
        else:
            spans.append([start, end])
    for start, end in spans:
        mine, other = (_span(ops, start, end) for ops in sides)
        yield mine[0] + 1, base[start:end], ours[slice(*mine)], theirs[slice(*other)]


def _span(
    changes: Sequence[tuple[str, int, int, int, int]], start: int, end: int
) -> tuple[int, int]:
    """Return which lines of a side stand for the base lines from `start` to `end`."""
    before = sum((j2 - j1) - (i2 - i1) for _, i1, i2, j1, j2 in changes if i2 < start)
    within = sum(
        (j2 - j1) - (i2 - i1) for _, i1, i2, j1, j2 in changes if start <= i1 and i2 <= end
    )
    return start + before, end + before + within


def _matcher(old: list[str], new: list[str]) -> difflib.SequenceMatcher[str]:
    return difflib.SequenceMatcher(None, old, new, autojunk=False)
