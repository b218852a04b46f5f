"""The reading half of a run: what changed is read, its includes are resolved, the rest is known."""

from __future__ import annotations

import posixpath
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import CancelledError, FastptError
from fastpt_lab.host.files import read_source
from fastpt_lab.transcode.custom import FILE_NAME
from fastpt_lab.transcode.draft import draft
from fastpt_lab.transcode.gaps import NVTX_HEADER
from fastpt_lab.transcode.includes import Resolver
from fastpt_lab.transcode.manifest import Record, Stamp

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping

    from fastpt_lab.host.files import SourceFile
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.transcode.custom import CustomMapping
    from fastpt_lab.transcode.draft import Draft, Rules
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


class Reader:
    """What is known of the sources. Names are paths from the project's root, with `/`."""

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
        self.names = frozenset(sources)
        self.stats = dict(sources)
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
        self._own: frozenset[str] | None = None
        self.changed_records = False
        dirs = [self._relative_dir(folder) for folder in options.include_dirs]
        self._resolver = Resolver(
            self.names, [d for d in dirs if d is not None], guess=not dirs
        )
        self._resolved: dict[str, tuple[Found | None, ...]] = {}
        self.refused: dict[str, str] = {}
        self._brings_nvtx = any(posixpath.basename(name) == NVTX_HEADER for name in self.names)

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
            for found in self.resolved(name):
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
        self._own = None
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
            brings_nvtx=self._brings_nvtx,
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

    def resolved(self, name: str) -> tuple[Found | None, ...]:
        """Return for each include of `name` the project file that it means, if any."""
        known = self._resolved.get(name)
        if known is None:
            known = tuple(
                self._resolver.find(name, path, angled=angled, known=mapped is not None)
                for path, angled, mapped in self.records[name].includes
            )
            self._resolved[name] = known
        return known

    def includes_of(self, name: str) -> list[str]:
        """Return the project files that `name` includes itself."""
        return sorted({found.path for found in self.resolved(name) if found})

    def mapping_places(self) -> list[str]:
        """Return every place where a custom mapping lies, or would be found if it did."""
        folders = {name.rpartition("/")[0] for name in self.records}
        places = {str(self.root / folder / FILE_NAME) for folder in folders}
        places |= {str(self.root / FILE_NAME), str(Path.cwd() / FILE_NAME)}
        return sorted(places | {str(path) for path in self.custom.files})

    def own_names(self) -> frozenset[str]:
        """Return the names that look like CUDA's and are defined by the project itself."""
        if self._own is None:
            # Asked for the notes of every file: gathered once, or all is quadratic.
            self._own = frozenset(n for r in self.records.values() for n in r.own_names)
        return self._own

    def forget(self, name: str) -> None:
        """Drop the text of `name`, which is not needed any more in this run."""
        self._read.pop(name, None)

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
