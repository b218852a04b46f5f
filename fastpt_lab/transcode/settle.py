"""Bring the outputs of a run up to date: write what differs, keep what is right, find orphans."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.text import digest_of
from fastpt_lab.transcode.manifest import Stamp
from fastpt_lab.transcode.notes import NoteKind, from_rows, rows_of
from fastpt_lab.transcode.outputs import claim_of, keep_edited_copy, replace_bytes
from fastpt_lab.transcode.result import TranscodedFile

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.transcode.job import Job
    from fastpt_lab.transcode.manifest import Record
    from fastpt_lab.transcode.notes import Note

_NOTHING = "-"
"""`Record.made_from` of an original that was looked at and needs no output."""


def settle_all(
    job: Job, names: Sequence[str], state: Path
) -> tuple[tuple[TranscodedFile, ...], bool]:
    """Settle each of `names`; return the files, and whether a record changed."""
    files = []
    changed = False
    for number, name in enumerate(names):
        job.check_cancel()
        if job.progress:
            job.progress(number, len(names), name)
        record = job.records.get(name)
        before = _essence(record)
        status, why = _settle(job, name, record, state)
        changed = changed or _essence(record) != before
        files.append(_file(job, name, status, why))
        job.forget(name)
    return tuple(files), changed


def orphans(job: Job, names: Sequence[str]) -> tuple[Path, ...]:
    """Return outputs that no original needs any more, and drop their records.

    An orphan that was edited since it was written is left where it is.
    """
    looked_at = set(names)
    found = []
    for name, record in list(job.records.items()):
        if not record.output:
            continue
        gone = name not in job.names and not (job.root / name).exists()
        unneeded = name in looked_at and name not in job.refused and not job.has_output(name)
        if not gone and not unneeded:
            continue
        path = job.out / record.output
        if path.exists() and digest_of(path.read_bytes()) == record.output_digest:
            found.append(path)
        record.output, record.output_stamp, record.output_digest = "", None, ""
        if gone:
            del job.records[name]
    return tuple(sorted(found))


def _essence(record: Record | None) -> tuple[object, ...]:
    if record is None:
        return ()
    return record.made_from, record.output, record.output_stamp, len(record.notes)


def _settle(job: Job, name: str, record: Record | None, state: Path) -> tuple[str, str]:
    """Bring the output of `name` up to date; return its status and why."""
    if name in job.refused or record is None:
        return "refused", job.refused.get(name, "it could not be read")
    if not job.has_output(name):
        return _skip(job, name, record)
    made_from = job.made_from(name)
    if record.made_from == made_from and job.is_up_to_date_file(name):
        return "unchanged", "nothing that it is made from changed"
    made, data, mode = job.make(name)
    path = job.out / job.output(name)
    why = _reason(record, made_from, path)
    notes = rows_of(made.original, made.remarks)
    same = _has_bytes(path, data)
    if not job.options.dry_run:
        if not same and _was_edited(path, record):
            copy = keep_edited_copy(path, state)
            message = f"{path.name} had been edited by hand; that copy is now {copy}"
            notes.insert(0, [NoteKind.EDITED_OUTPUT.value, message, 0, 0, 0, 0])
        info = path.stat() if same else replace_bytes(path, data, mode)
        record.output = job.output(name)
        record.output_stamp = Stamp.of(info)
        record.output_digest = digest_of(data)
        record.made_from = made_from
    record.notes = notes
    return ("unchanged", "its output is the same") if same else ("written", why)


def _skip(job: Job, name: str, record: Record) -> tuple[str, str]:
    """Handle a file that needs no change: it is used itself, or copied to a separate output."""
    if record.made_from != _NOTHING:
        made, _, _ = job.make(name)
        record.notes = rows_of(made.original, made.remarks)
        record.made_from = _NOTHING
    if job.out != job.root and not job.options.dry_run:
        source = job.reading(name).source
        target = job.out / name
        if not _has_bytes(target, source.data):
            replace_bytes(target, source.data, source.mode)
        record.output_digest = record.digest
    return "skipped", "nothing in it has to change"


def _reason(record: Record, made_from: str, path: Path) -> str:
    if not record.output:
        return "it has not been transcoded here before"
    if not path.exists():
        return "its output was gone"
    if record.made_from in ("", _NOTHING):
        return "the tables, the options, the engine or the original changed"
    if record.made_from != made_from:
        return "it, or the name of a header that it includes, changed"
    return "its output was changed by something else"


def _was_edited(path: Path, record: Record) -> bool:
    """Whether a person edited an output of ours, so that its bytes exist nowhere else."""
    if not record.output_digest or claim_of(path) is None:
        return False
    return digest_of(path.read_bytes()) != record.output_digest


def _has_bytes(path: Path, data: bytes) -> bool:
    try:
        return path.stat().st_size == len(data) and path.read_bytes() == data
    except OSError:
        return False


def _file(job: Job, name: str, status: str, why: str) -> TranscodedFile:
    original = job.root / name
    has_output = job.has_output(name) and status != "refused"
    return TranscodedFile(
        original=original,
        generated=job.out / job.output(name) if has_output else original,
        status=status,
        why=why,
        read_notes=_notes_reader(job, name),
        read_origin=_origin_reader(job, name, has_output=has_output),
    )


def _notes_reader(job: Job, name: str) -> Callable[[], tuple[Note, ...]]:
    record = job.records.get(name)

    def read() -> tuple[Note, ...]:
        return from_rows(record.notes, job.own_names()) if record else ()

    return read


def _origin_reader(job: Job, name: str, *, has_output: bool) -> Callable[[], Origin | None]:
    def read() -> Origin | None:
        return job.origin(name) if has_output else None

    return read
