"""One run of this engine over a project: read what changed, resolve, write what differs."""

from __future__ import annotations

import os
import posixpath
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import CancelledError, FastptError
from fastpt_lab.core.sourcemap import Origin
from fastpt_lab.core.text import Document, digest_of
from fastpt_lab.host.files import read_source
from fastpt_lab.transcode.custom import FILE_NAME
from fastpt_lab.transcode.draft import draft
from fastpt_lab.transcode.engine import Verdict, finish
from fastpt_lab.transcode.includes import Resolver, rewritten
from fastpt_lab.transcode.manifest import Record, Stamp
from fastpt_lab.transcode.notes import NoteKind
from fastpt_lab.transcode.outputs import (
    collisions,
    heading,
    is_hand_written,
    output_name,
    relative_to_output,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fastpt_lab.host.files import SourceFile
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.transcode.custom import CustomMapping
    from fastpt_lab.transcode.draft import Draft, IncludeSite, Rules
    from fastpt_lab.transcode.engine import Transcoded
    from fastpt_lab.transcode.includes import Found
    from fastpt_lab.transcode.manifest import Manifest
    from fastpt_lab.transcode.result import TranscodeOptions

_KEPT_BYTES = 48 << 20
"""Texts kept between reading and writing; what exceeds it is read again (10,000-file trees)."""

_RACY_NS = 100_000_000
"""A file this young may change again within one tick of its time stamp."""


@dataclass(slots=True)
class _Read:
    """A source as read in this run."""

    source: SourceFile
    found: Draft


class Job:
    """The state of one run. Names are paths from the project's root, with `/`."""

    def __init__(
        self,
        *,
        root: Path,
        out: Path,
        sources: Mapping[str, os.stat_result],
        rules: Rules,
        custom: CustomMapping,
        options: TranscodeOptions,
        manifest: Manifest,
        texts: Mapping[str, bytes] | None = None,
        cancel: Cancel | None = None,
        progress: Callable[[int, int, str], None] | None = None,
    ) -> None:
        """Take everything that decides the outcome; nothing is read or written yet."""
        self.root = root
        self.out = out
        self._out = os.fspath(out)
        self.names = frozenset(sources)
        self.stats = dict(sources)
        self._outputs: dict[str, str] = {}
        self.rules = rules
        self.custom = custom
        self.options = options
        self.manifest = manifest
        self.records = manifest.files
        self._texts = texts or {}
        self._cancel = cancel
        self.progress = progress
        self._read: dict[str, _Read] = {}
        self._kept = 0
        self.changed_records = False
        dirs = [self._relative_dir(folder) for folder in options.include_dirs]
        self._resolver = Resolver(
            self.names, [d for d in dirs if d is not None], guess=not dirs
        )
        self._wanted: set[str] = set()
        self.refused: dict[str, str] = {}

    # -- reading ---------------------------------------------------------------------------

    def examine(self, requested: Iterable[str]) -> tuple[str, ...]:
        """Read what changed of `requested` and of all project files that they include."""
        todo = sorted(set(requested), reverse=True)
        seen = set(todo)
        done: list[str] = []
        while todo:
            name = todo.pop()
            self.check_cancel()
            record = self._record(name)
            done.append(name)
            if self.progress:
                self.progress(len(done), len(done) + len(todo), name)
            if record is None:
                continue
            for path, angled, mapped in record.includes:
                found = self._find(name, path, angled=angled, mapped=mapped)
                if found and found.path not in seen:
                    seen.add(found.path)
                    todo.append(found.path)
        return tuple(sorted(done))

    def _record(self, name: str) -> Record | None:
        """Return the record of `name`, made anew where the file changed; None if unreadable."""
        known = self.records.get(name)
        if name not in self._texts:
            stamp = Stamp.of(self.stats[name])
            if known is not None and known.stamp == stamp:
                return known
        try:
            source = self._source(name)
        except FastptError as error:
            self.refused[name] = error.message
            return None
        stamp = self._stamp(name)
        if known is not None and known.digest == source.document.digest:
            if stamp.mtime_ns:
                known.stamp, self.changed_records = stamp, True
            return known
        read = self._examine(name, source)
        record = _new_record(read, stamp, known)
        self.records[name] = record
        self.changed_records = True
        return record

    def _stamp(self, name: str) -> Stamp:
        if name in self._texts:
            return Stamp(-1, 0, 0)
        stamp = Stamp.of(self.stats[name])
        young = abs(time.time_ns() - stamp.mtime_ns) < _RACY_NS
        return stamp._replace(mtime_ns=0) if young else stamp

    def _source(self, name: str) -> SourceFile:
        if name in self._texts:
            return _in_memory(self.root / name, self._texts[name])
        return read_source(self.root / name)

    def _examine(self, name: str, source: SourceFile) -> _Read:
        found = draft(
            source.document.text,
            self.rules,
            suffix=posixpath.splitext(name)[1],
            custom=self.custom.for_file(name),
        )
        read = _Read(source, found)
        if self._kept + len(source.data) <= _KEPT_BYTES:
            self._kept += len(source.data)
            self._read[name] = read
        return read

    def reading(self, name: str) -> _Read:
        """Return the text and draft of `name`, read again if it was not kept."""
        return self._read.get(name) or self._examine(name, self._source(name))

    def check_cancel(self) -> None:
        """Raise CancelledError if the user asked to stop."""
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError(
                "the transcode was cancelled", next_step="Outputs written so far are whole"
            )

    # -- deciding --------------------------------------------------------------------------

    def decide(self, names: Iterable[str]) -> None:
        """Find which of `names` get an output, and which must be refused."""
        known = [name for name in names if name in self.records and name not in self.refused]
        self._spread(known)
        outputs = {name: self.output(name) for name in self._wanted}
        for name, others in collisions(outputs).items():
            self.refused[name] = (
                f"{name} and {', '.join(others)} would both be written to {outputs[name]}"
            )
        for name, output in outputs.items():
            if name in self.refused or self.is_up_to_date_file(name):
                continue
            if is_hand_written(self.out / output) and not self._is_our_copy(name, output):
                self.refused[name] = (
                    f"{output} was written by hand, and {name} would be transcoded to it"
                )
        if self.refused:
            self._spread(known)

    def _is_our_copy(self, name: str, output: str) -> bool:
        """Whether `output` is the copy of an original that needed no change until now."""
        known = self.records[name].output_digest
        separate = self.out != self.root
        return separate and digest_of((self.out / output).read_bytes()) == known

    def _spread(self, names: list[str]) -> None:
        """Collect the files that need an output; including one makes a file need one too."""
        includers: dict[str, list[tuple[str, str, str]]] = {}
        wanted = set()
        for name in names:
            record = self.records[name]
            if self._needs(name, record):
                wanted.add(name)
            for path, angled, mapped in record.includes:
                found = self._find(name, path, angled=angled, mapped=mapped)
                if found:
                    includers.setdefault(found.path, []).append((name, path, found.folder))
        wanted -= set(self.refused)
        todo = list(wanted)
        while todo:
            included = todo.pop()
            for name, path, folder in includers.get(included, ()):
                moved = posixpath.relpath(self.output(included), folder or ".") != path
                if moved and name not in wanted and name not in self.refused:
                    wanted.add(name)
                    todo.append(name)
        self._wanted = wanted

    def _needs(self, name: str, record: Record) -> bool:
        if name.endswith(".cu") or record.needs or self.options.dtk_macros:
            return True
        if any(
            mapped not in (None, path)
            and not self._find(name, path, angled=angled, mapped=mapped)
            for path, angled, mapped in record.includes
        ):
            return True
        output = self.output(name)
        return posixpath.dirname(output) != posixpath.dirname(name)

    def output(self, name: str) -> str:
        """Return the output's path from the output root."""
        known = self._outputs.get(name)
        if known is None:
            known = output_name(name, keep=self.options.keep_file_path)
            self._outputs[name] = known
        return known

    def has_output(self, name: str) -> bool:
        """Whether `name` gets a generated file in this run."""
        return name in self._wanted

    def resolve_in(self, name: str) -> Callable[[IncludeSite], Verdict]:
        """Return what decides on the includes of `name`."""

        def verdict(site: IncludeSite) -> Verdict:
            found = self._find(name, site.path, angled=site.angled, mapped=site.mapped)
            if found is None:
                return self._outside(site)
            wanted = found.path in self._wanted
            target = self.output(found.path) if wanted else found.path
            path = rewritten(found, target)
            if found.guessed and not site.angled:
                # No folder that was passed on has it, so only the place of the output is sure.
                path = relative_to_output(target, self.output(name))
            elif not wanted:
                return Verdict(None, NoteKind.INCLUDE_SYSTEM, f"{found.path} needs no change")
            return Verdict(
                path, NoteKind.INCLUDE_REWRITTEN, f"{site.path} becomes {path} ({found.path})"
            )

        return verdict

    def _find(self, name: str, path: str, *, angled: bool, mapped: str | None) -> Found | None:
        return self._resolver.find(name, path, angled=angled, known=mapped is not None)

    def _outside(self, site: IncludeSite) -> Verdict:
        if site.mapped is not None:
            message = f"{site.path} becomes {site.mapped}"
            return Verdict(site.mapped, NoteKind.INCLUDE_REWRITTEN, message)
        if site.angled:
            return Verdict(None, NoteKind.INCLUDE_SYSTEM, f"{site.path} is a system header")
        message = f"{site.path} is in no folder of the project that was searched"
        return Verdict(None, NoteKind.INCLUDE_NOT_FOUND, message)

    # -- making ----------------------------------------------------------------------------

    def made_from(self, name: str) -> str:
        """Return the digest of all that decides the output of `name`."""
        record = self.records[name]
        parts = [record.digest, self.output(name)]
        for path, angled, mapped in record.includes:
            found = self._find(name, path, angled=angled, mapped=mapped)
            if found:
                wanted = found.path in self._wanted
                parts.append(self.output(found.path) if wanted else found.path)
            else:
                parts.append("")
        return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))

    def make(self, name: str) -> tuple[Transcoded, bytes, int]:
        """Return the output of `name`: its text and notes, its bytes, and its mode."""
        read = self.reading(name)
        source = read.source
        newline = source.document.newline
        top = heading(
            source,
            relative_to_output(name, self.output(name)),
            newline=newline,
            dtk_macros=self.options.dtk_macros,
        )
        made = finish(
            source.document.text,
            read.found,
            heading=top,
            newline=newline,
            resolve=self.resolve_in(name),
        )
        return made, source.encode(made.text), source.mode

    def includes_of(self, name: str) -> list[str]:
        """Return the project files that `name` includes itself."""
        found = (
            self._find(name, path, angled=angled, mapped=mapped)
            for path, angled, mapped in self.records[name].includes
        )
        return sorted({place.path for place in found if place})

    def mapping_places(self) -> list[str]:
        """Return every place where a custom mapping lies, or would be found if it did."""
        folders = {name.rpartition("/")[0] for name in self.records}
        places = {str(self.root / folder / FILE_NAME) for folder in folders}
        places |= {str(self.root / FILE_NAME), str(Path.cwd() / FILE_NAME)}
        return sorted(places | {str(path) for path in self.custom.files})

    def own_names(self) -> frozenset[str]:
        """Return the names that look like CUDA's and are defined by the project itself."""
        return frozenset(name for r in self.records.values() for name in r.own_names)

    def forget(self, name: str) -> None:
        """Drop the text of `name`, which is not needed any more in this run."""
        self._read.pop(name, None)

    def is_up_to_date_file(self, name: str) -> bool:
        """Whether the output of `name` is on disk as it was written."""
        record = self.records[name]
        return bool(record.output_stamp) and record.output_stamp == self.output_stamp(name)

    def output_stamp(self, name: str) -> Stamp | None:
        """Return the stamp of the output of `name` as it is on disk, None if it is not."""
        try:
            return Stamp.of(os.stat(f"{self._out}/{self.output(name)}"))  # noqa: PTH116 - hot
        except OSError:
            return None

    def origin(self, name: str) -> Origin | None:
        """Return both texts of `name` and the map between them.

        It is exact, unless another transcoder has written the output since.
        """
        if name not in self._wanted:
            return None
        made, data, _ = self.make(name)
        original, output = self.root / name, self.out / self.output(name)
        if output.exists() and output.read_bytes() != data:
            from fastpt_lab.transcode.origin import aligned_origin

            return aligned_origin(original, output)
        before = self.reading(name).source.document
        return Origin(original, before, Document(made.text, before.encoding), made.source_map)

    def _relative_dir(self, folder: Path) -> str | None:
        full = folder if folder.is_absolute() else self.root / folder
        try:
            return full.resolve().relative_to(self.root).as_posix()
        except ValueError:
            return None


def _new_record(read: _Read, stamp: Stamp, known: Record | None) -> Record:
    found = read.found
    record = Record(stamp, read.source.document.digest)
    record.needs = bool(found.edits) or bool(found.added)
    record.includes = [(site.path, site.angled, site.mapped) for site in found.includes]
    record.own_names = sorted(found.own_names)
    record.custom_used = sorted(found.custom_used)
    if known is not None:
        # What was written is still ours to replace or remove.
        record.output = known.output
        record.output_stamp = known.output_stamp
        record.output_digest = known.output_digest
    return record


def _in_memory(path: Path, data: bytes) -> SourceFile:
    from fastpt_lab.host.files import SourceFile, decode_source

    document, bom = decode_source(data, path)
    return SourceFile(path=path, data=data, document=document, bom=bom, mode=0o644)
