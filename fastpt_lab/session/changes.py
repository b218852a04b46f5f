"""What the originals gained so far: the bytes before the first change in force, and now."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.errors import FastptError
from fastpt_lab.fix.journal import ABSENT, Journal, State
from fastpt_lab.host.files import read_bytes

if TYPE_CHECKING:
    from pathlib import Path


class Change(NamedTuple):
    """One original: its bytes before the first change that is in force, and those on disk.

    A file that a change made has none before.
    """

    path: Path
    before: bytes | None
    now: bytes


def changes_in_force(root: Path) -> tuple[Change, ...]:
    """Return the originals that differ from what they were, by path.

    A later edit by hand is part of it; a file that is gone is left out.

    Raises:
        ConfigError: the journal is damaged.
    """
    journal = Journal(root)
    first: dict[Path, str] = {}
    for entry in journal.entries():
        if entry.state is State.APPLIED:
            for file in entry.files:
                first.setdefault(file.path, file.before)
    found = []
    for path, digest in sorted(first.items()):
        try:
            now = read_bytes(path)
        except FastptError:
            continue
        before = None if digest == ABSENT else journal.bytes_of(digest)
        if now != before:
            found.append(Change(path, before, now))
    return tuple(found)
