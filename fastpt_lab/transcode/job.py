"""One run of this engine over a project: decide what gets an output, and make it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fastpt_lab.core.sourcemap import Origin
from fastpt_lab.core.text import Document, digest_of
from fastpt_lab.transcode.engine import Verdict, finish
from fastpt_lab.transcode.includes import relative_path
from fastpt_lab.transcode.manifest import Stamp
from fastpt_lab.transcode.notes import NoteKind
from fastpt_lab.transcode.outputs import (
    collisions,
    heading,
    is_hand_written,
    leading_out,
    output_name,
)
from fastpt_lab.transcode.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from fastpt_lab.transcode.draft import IncludeSite
    from fastpt_lab.transcode.engine import Transcoded
    from fastpt_lab.transcode.includes import Found
    from fastpt_lab.transcode.manifest import Record


_LONGEST_NAME = 255
"""Bytes of a file's name (Linux: NAME_MAX)."""


class Job(Reader):
    """A reader that also decides and makes; one for each run."""

    def __init__(self, **arguments: Any) -> None:  # noqa: ANN401 - the reader's own
        """Take what a `Reader` takes."""
        super().__init__(**arguments)
        self._out = os.fspath(self.out)
        self._outputs: dict[str, str] = {}
        self._wanted: set[str] = set()

    def decide(self, names: Iterable[str]) -> None:
        """Find which of `names` get an output, and which must be refused."""
        known = [name for name in names if name in self.records and name not in self.refused]
        self._spread(known)
        outputs = {name: self.output(name) for name in self._wanted}
        for name, others in collisions(outputs).items():
            self.refused[name] = (
                f"{name} and {', '.join(others)} would both be written to {outputs[name]}"
            )
        linked = leading_out(self.out, {o.rpartition("/")[0] for o in outputs.values()})
        for name, output in outputs.items():
            if output.rpartition("/")[0] in linked:
                self.refused[name] = (
                    f"{output} would be written through a link that leads out of the project"
                )
            if len(os.fsencode(output.rpartition("/")[2])) > _LONGEST_NAME:
                self.refused[name] = "the name of its output would be longer than a name can be"
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
            for (path, _, _), found in zip(record.includes, self.resolved(name), strict=True):
                if found:
                    includers.setdefault(found.path, []).append((name, path, found.folder))
        wanted -= set(self.refused)
        todo = list(wanted)
        while todo:
            included = todo.pop()
            for name, path, folder in includers.get(included, ()):
                moved = relative_path(self.output(included), folder) != path
                if moved and name not in wanted and name not in self.refused:
                    wanted.add(name)
                    todo.append(name)
        self._wanted = wanted

    def _needs(self, name: str, record: Record) -> bool:
        if name.endswith(".cu") or record.needs or self.options.dtk_macros:
            return True
        if any(
            found is None and mapped not in (None, path)
            for (path, _, mapped), found in zip(
                record.includes, self.resolved(name), strict=True
            )
        ):
            return True
        return self.output(name).rpartition("/")[0] != name.rpartition("/")[0]

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
        """Return what decides on the includes of `name`, asked in their order."""
        resolved = iter(self.resolved(name))

        def verdict(site: IncludeSite) -> Verdict:
            found = next(resolved)
            return self._outside(site) if found is None else self._inside(name, site, found)

        return verdict

    def _inside(self, name: str, site: IncludeSite, found: Found) -> Verdict:
        wanted = found.path in self._wanted
        target = self.output(found.path) if wanted else found.path
        if found.guessed and not site.angled:
            # No folder that was passed on has it, so only the place of the output is sure.
            path = relative_path(target, self.output(name).rpartition("/")[0])
        elif wanted:
            # As torch writes it: the path from the folder that the search found it in.
            path = relative_path(target, found.folder)
        else:
            return Verdict(None, NoteKind.INCLUDE_SYSTEM, f"{found.path} needs no change")
        message = f"{site.path} becomes {path} ({found.path})"
        return Verdict(path, NoteKind.INCLUDE_REWRITTEN, message)

    def _outside(self, site: IncludeSite) -> Verdict:
        if site.mapped is not None:
            message = f"{site.path} becomes {site.mapped}"
            return Verdict(site.mapped, NoteKind.INCLUDE_REWRITTEN, message)
        if site.angled:
            return Verdict(None, NoteKind.INCLUDE_SYSTEM, f"{site.path} is a system header")
        message = f"{site.path} is in no folder of the project that was searched"
        return Verdict(None, NoteKind.INCLUDE_NOT_FOUND, message)

    def made_from(self, name: str) -> str:
        """Return the digest of all that decides the output of `name`."""
        record = self.records[name]
        parts = [record.digest, self.output(name)]
        for found in self.resolved(name):
            if found is None:
                parts.append("")
            else:
                wanted = found.path in self._wanted
                parts.append(self.output(found.path) if wanted else found.path)
        return digest_of("\0".join(parts).encode("utf-8", "surrogateescape"))

    def make(self, name: str) -> tuple[Transcoded, bytes, int]:
        """Return the output of `name`: its text and notes, its bytes, and its mode."""
        read = self.reading(name)
        source = read.source
        newline = source.document.newline
        top = heading(
            source,
            relative_path(name, self.output(name).rpartition("/")[0]),
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
