"""Reports about transcoded files, from what the transcoder gives back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.report import FileNote, FileReport
from fastpt_lab.core.text import Location

if TYPE_CHECKING:
    from fastpt_lab.transcode.result import TranscodedFile, TranscodeResult

_QUIET = frozenset({"include-rewritten", "include-system", "runtime-include"})
"""Kinds of notes about what simply worked; a report of a whole project leaves them out."""


def file_report(file: TranscodedFile) -> FileReport:
    """Return what a report shows of one file."""
    generated = None if file.generated == file.original else file.generated
    return FileReport(
        original=file.original,
        generated=generated,
        status=file.status,
        why=file.why,
        notes=tuple(
            FileNote(
                kind=note.kind.value,
                message=note.message,
                location=Location(file.original, note.range),
            )
            for note in file.notes
            if note.kind.value not in _QUIET
        ),
    )


def file_reports(result: TranscodeResult) -> tuple[FileReport, ...]:
    """Return what a report shows of all files."""
    return tuple(file_report(file) for file in result.files)
