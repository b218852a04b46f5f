"""Take a change back from a file that was edited since, where the two do not touch."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.errors import ConflictError, StaleEditError
from fastpt_lab.fix.threeway import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.fix.threeway import ThreeWay


class ThreeWayError(ConflictError):
    """An undo or redo meets edits of the same lines; nothing was written."""

    def __init__(self, conflicts: Sequence[ThreeWay], verb: str) -> None:
        names = ", ".join(conflict.path.name for conflict in conflicts)
        super().__init__(
            f"{names} was edited since, in the lines that {verb} would change",
            next_step="Compare the three texts, edit the file by hand, or undo later edits first",
            details=shown(conflicts, f"what {verb} would write"),
        )
        self.conflicts = tuple(conflicts)


class StaleThreeWayError(StaleEditError):
    """A proposal meets edits that were made since; nothing was written."""

    def __init__(self, conflicts: Sequence[ThreeWay]) -> None:
        names = ", ".join(conflict.path.name for conflict in conflicts)
        super().__init__(
            f"{names} changed since this was proposed",
            next_step="Check again; the proposals will be made anew",
            details=shown(conflicts, "what the proposal would write"),
        )
        self.conflicts = tuple(conflicts)


class _Hunk(NamedTuple):
    start: int
    end: int
    lines: list[bytes]


def merge(base: bytes, ours: bytes, theirs: bytes) -> bytes | None:
    """Return `ours` with the change from `base` to `theirs`, None if both changed the same.

    Lines that touch count as the same, so that a guard's directives stay beside their text.
    """
    if ours == base:
        return theirs
    if ours == theirs or theirs == base:
        return ours
    lines = base.splitlines(keepends=True)
    mine = list(_hunks(lines, ours.splitlines(keepends=True)))
    other = list(_hunks(lines, theirs.splitlines(keepends=True)))
    if any(a.start <= b.end and b.start <= a.end for a in mine for b in other):
        return None
    merged: list[bytes] = []
    at = 0
    for hunk in sorted((*mine, *other)):
        merged += lines[at : hunk.start] + hunk.lines
        at = hunk.end
    return b"".join(merged + lines[at:])


def _hunks(old: list[bytes], new: list[bytes]) -> Iterator[_Hunk]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag != "equal":
            yield _Hunk(i1, i2, new[j1:j2])
