"""What was generated, what is out of date, and what was written to the originals."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.fix.journal import JournalEntry
    from fastpt_lab.transcode.result import TranscodedFile, TranscodeResult


@dataclass(frozen=True, kw_only=True)
class Status:
    """The state of a project on disk.

    Attributes:
        files: every original that has an output or should have one.
        stale: those whose output would change with the next transcode.
        orphans: outputs whose originals are gone.
        entries: the journal, oldest first.
    """

    files: tuple[TranscodedFile, ...]
    stale: tuple[TranscodedFile, ...]
    orphans: tuple[Path, ...]
    entries: tuple[JournalEntry, ...]


def status_of(dry_run: TranscodeResult | None, entries: tuple[JournalEntry, ...]) -> Status:
    """Return the status from what a transcode would do now, and the journal."""
    files = dry_run.files if dry_run else ()
    with_output = tuple(f for f in files if f.generated != f.original)
    return Status(
        files=with_output,
        stale=tuple(f for f in with_output if f.status == "written"),
        orphans=dry_run.removed if dry_run else (),
        entries=entries,
    )
