"""Take changes back, make them again, and tidy up after a crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.errors import ConflictError, FastptError, PathMissingError
from fastpt_lab.core.text import digest_of
from fastpt_lab.fix.journal import ABSENT, FileChange, Journal, JournalEntry, State
from fastpt_lab.fix.merge import ThreeWayError, merge
from fastpt_lab.fix.threeway import ThreeWay
from fastpt_lab.host.files import inside, lock, read_bytes, refuse_links
from fastpt_lab.host.remove import write_or_remove
from fastpt_lab.host.temporary import remove_leftovers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def undo(
    root: Path, *, id: str | None = None, path: Path | None = None, every: bool = False
) -> tuple[JournalEntry, ...]:
    """Take back the last change, the one called `id`, those of a file, or all of them.

    Args:
        root: the project.
        id: the entry to take back; any may be, not only the last.
        path: take back the last change of this file, with `every` all of them.
        every: take back all changes, newest first.

    Returns:
        The entries that were taken back; empty if there was nothing to undo.

    Raises:
        UnknownNameError: there is no entry `id`.
        ConflictError: the entry is not in force, or (as `ThreeWayError`, with the three texts)
            the file was edited in the same lines since. Nothing was written for that entry.
    """
    journal = Journal(root)
    with lock(journal.folder):
        recover_locked(journal)
        if id is not None:
            entry = journal.entry(id)
            if entry.state is not State.APPLIED:
                raise ConflictError(
                    f"{id} is not in force: it is {entry.state.value}",
                    next_step="`fastpt-lab status` shows what can be undone",
                )
            return (_take_back(journal, entry),)
        in_force = [e for e in journal.entries() if e.state is State.APPLIED]
        if path is not None:
            wanted = inside(root, path)
            in_force = [e for e in in_force if wanted in e.paths]
        chosen = reversed(in_force if every else in_force[-1:])
        return tuple(_take_back(journal, entry) for entry in chosen)


def redo(root: Path, *, id: str | None = None) -> JournalEntry | None:
    """Make the change again that was taken back last, or the one called `id`.

    Returns:
        The entry, or None if nothing was taken back.

    Raises:
        UnknownNameError: there is no entry `id`.
        ConflictError: it was not taken back, or the file was edited in the same lines since.
    """
    journal = Journal(root)
    with lock(journal.folder):
        recover_locked(journal)
        undone = [e for e in journal.entries() if e.state is State.UNDONE]
        if id is not None:
            entry = journal.entry(id)
            if entry.state is not State.UNDONE:
                raise ConflictError(
                    f"{id} was not undone: it is {entry.state.value}",
                    next_step="`fastpt-lab status` shows what can be redone",
                )
        elif not undone:
            return None
        else:
            entry = max(undone, key=lambda e: e.turn)
        return _make_again(journal, entry)


def recover(root: Path) -> tuple[str, ...]:
    """Finish or take back what a crash left half done; return a line for each thing done."""
    journal = Journal(root)
    refuse_links(journal.folder)
    if not journal.folder.is_dir():
        return _swept([p for f in journal.folders for p in remove_leftovers(f)])
    with lock(journal.folder):
        return recover_locked(journal)


def recover_locked(journal: Journal) -> tuple[str, ...]:
    """Do the work of `recover` where the journal's lock is already held."""
    done: list[str] = []
    left = [p for f in journal.folders for p in remove_leftovers(f)]
    for entry in journal.entries():
        if entry.state not in (State.APPLYING, State.UNDOING):
            continue
        for change in entry.files:
            inside(journal.root, change.path)
            left += remove_leftovers(change.path.parent)
        now = {change: _digest(change.path) for change in entry.files}
        if entry.state is State.APPLYING and all(d == c.after for c, d in now.items()):
            journal.mark(entry, State.APPLIED)
            done.append(f"{entry.id} was complete and is in force")
            continue
        behind = [change for change, digest in now.items() if digest == change.after]
        write_or_remove(
            [
                (c.path, None if c.before == ABSENT else journal.bytes_of(c.before))
                for c in behind
                if c.before != c.after
            ]
        )
        state = State.ABORTED if entry.state is State.APPLYING else State.UNDONE
        journal.mark(entry, state)
        names = ", ".join(change.path.name for change in behind) or "no file"
        done.append(f"{entry.id} was interrupted: {names} taken back, it is {state.value}")
    return (*done, *_swept(left))


def _swept(left: Sequence[Path]) -> tuple[str, ...]:
    count = len(left)
    return (f"{count} half-written files of an interrupted run were removed",) if left else ()


def _digest(path: Path) -> str:
    try:
        return digest_of(read_bytes(path))
    except FastptError:
        return ABSENT


def _take_back(journal: Journal, entry: JournalEntry) -> JournalEntry:
    return _switch(journal, entry, State.UNDONE)


def _make_again(journal: Journal, entry: JournalEntry) -> JournalEntry:
    return _switch(journal, entry, State.APPLIED)


def _switch(journal: Journal, entry: JournalEntry, to: State) -> JournalEntry:
    """Write the other side of every file of an entry, later edits elsewhere kept."""
    undoing = to is State.UNDONE
    plan = _plan(journal, entry, undoing=undoing)
    started = journal.mark(entry, State.UNDOING if undoing else State.APPLYING, plan)
    new = [(c.path, before if undoing else after) for c, before, after in plan]
    old = [(c.path, after if undoing else before) for c, before, after in plan]
    try:
        write_or_remove(new)
    except FastptError:
        written = [o for o, n in zip(old, new, strict=True) if _now(n[0]) == n[1] != o[1]]
        write_or_remove(written)
        journal.mark(entry, entry.state)
        raise
    return journal.mark(started, to)


def _plan(
    journal: Journal, entry: JournalEntry, *, undoing: bool
) -> list[tuple[FileChange, bytes | None, bytes]]:
    """Return each file's bytes before and after, with what was edited since.

    Raises:
        ThreeWayError: both sides changed the same lines.
        ConflictError: a file is gone.
    """
    plan: list[tuple[FileChange, bytes | None, bytes]] = []
    conflicts: list[ThreeWay] = []
    for change in entry.files:
        base, wanted = (
            (change.after, change.before) if undoing else (change.before, change.after)
        )
        ours = _now(change.path)
        if ours is None and change.before == ABSENT:
            # Whoever removed a file that we made has taken it back already.
            plan.append((change, None, journal.bytes_of(change.after)))
            continue
        texts = ThreeWay(
            path=change.path,
            base=journal.bytes_of(base),
            ours=_present(change.path),
            theirs=journal.bytes_of(wanted),
        )
        merged = merge(texts.base, texts.ours, texts.theirs)
        if merged is None:
            conflicts.append(texts)
        elif undoing:
            plan.append((change, None if wanted == ABSENT else merged, texts.ours))
        else:
            plan.append((change, texts.ours, merged))
    if conflicts:
        raise ThreeWayError(conflicts, "undo" if undoing else "redo")
    return plan


def _now(path: Path) -> bytes | None:
    try:
        return read_bytes(path)
    except PathMissingError:
        return None


def _present(path: Path) -> bytes:
    found = _now(path)
    if found is None:
        raise ConflictError(f"{path.name} is gone", next_step="Bring the file back, then undo")
    return found
