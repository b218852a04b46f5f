"""Tell in a few milliseconds that a project needs no transcode at all.

After a run over the whole project, `.fastpt/uptodate.json` holds what the directory said of
every source and output, and what is installed. While all of it still holds, nothing is read.
"""

from __future__ import annotations

import json
import os
from functools import cached_property

from fastpt_lab.core.errors import FastptError
from fastpt_lab.host.sourcetree import source_names
from fastpt_lab.transcode.installed import installation_key

# Not from typing, which takes longer to load than all of this takes to run.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.job import Job
    from fastpt_lab.transcode.manifest import Manifest
    from fastpt_lab.transcode.notes import Note
    from fastpt_lab.transcode.result import TranscodedFile, TranscodeOptions, TranscodeResult

    Stamped = list[Any]  # a size, a time in nanoseconds and an inode

_FORMAT = 2
_FILE = "uptodate.json"
_NO_OPTIONS: list[Any] = [[], [], "", [], False]


def nothing_changed(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    sources: Mapping[str, os.stat_result],
) -> TranscodeResult | None:
    """Return the result of a run that would change nothing; None if one has to be made."""
    stored = _holding(str(project.root), lambda: sources, _settings(options))
    if stored is None:
        return None
    asked = [project.relative(path) for path in project.sources(paths)] if paths else None
    names = _wanted(asked, stored)
    return _result(project, paths, options, names, stored) if names is not None else None


def totals_if_unchanged(root: str, below: Sequence[str]) -> dict[str, int] | None:
    """Return how many files a run without options would find unchanged, and how many skip.

    None means that a run has to be made, or that it has more to say than the two numbers.

    Args:
        root: of a project without a configuration, absolute, links resolved.
        below: files and folders from the root; none means all.
    """
    stored = _holding(root, lambda: source_names(root, ()), _NO_OPTIONS)
    if stored is None or stored["remarks"]:
        return None
    asked = [
        name for name in stored["sources"] if any(_is_below(name, place) for place in below)
    ]
    names = _wanted(asked if below else None, stored)
    if not names:
        return None
    unchanged = sum(name in stored["outputs"] for name in names)
    return {"skipped": len(names) - unchanged, "unchanged": unchanged}


def _is_below(name: str, place: str) -> bool:
    return name == place or name.startswith(f"{place}/")


def _holding(
    root: str, look: Callable[[], Mapping[str, os.stat_result]], settings: list[Any]
) -> dict[str, Any] | None:
    """Return the record of the last run if everything that it says still holds.

    `look` finds the sources; it is asked only where there is a record for these settings.
    """
    try:
        with open(f"{root}/.fastpt/{_FILE}", "rb") as stream:  # noqa: PTH123
            stored: dict[str, Any] = json.loads(stream.read())
        if stored["key"] != _key(settings):
            return None
        if stored["sources"] != {name: _stamp(info) for name, info in look().items()}:
            return None
        if stored["mappings"] != _stamps(stored["mappings"]):
            return None
        if stored["outputs"] != _outputs(root, stored["outputs"]):
            return None
        if not isinstance(stored["remarks"], list) or not isinstance(stored["includes"], dict):
            return None
        stored["looked_at"] = set(stored["looked_at"])
    except (
        *(OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError),
        FastptError,
    ):
        return None
    return stored


def remember(job: Job, remarks: tuple[str, ...]) -> None:
    """Record that the whole project of `job` is up to date."""
    from fastpt_lab.core.errors import WriteError
    from fastpt_lab.transcode.outputs import replace_bytes

    records = {name: r for name, r in job.records.items() if name in job.names}
    if not all(record.stamp.mtime_ns for record in records.values()):
        # Too young to be told from a later change by its time.
        return
    value = {
        "key": _key(_settings(job.options)),
        "sources": {name: _stamp(info) for name, info in job.stats.items()},
        "outputs": {
            name: [r.output, list(r.output_stamp)]
            for name, r in records.items()
            if r.output and r.output_stamp
        },
        "includes": {name: found for name in records if (found := job.includes_of(name))},
        "looked_at": sorted(records),
        "mappings": _stamps(job.mapping_places()),
        "remarks": remarks,
    }
    data = json.dumps(value, separators=(",", ":")).encode()
    path = job.root / ".fastpt" / _FILE
    try:
        if not path.exists() or path.read_bytes() != data:
            replace_bytes(path, data, 0o644)
    except WriteError:
        # Without it the next run is only slower.
        return


def forget(state: Path) -> None:
    """Drop the record before anything that it says is changed."""
    (state / _FILE).unlink(missing_ok=True)


def _settings(options: TranscodeOptions) -> list[Any]:
    return [
        [str(folder) for folder in options.include_dirs],
        list(options.defines),
        str(options.mappings or ""),
        list(options.include),
        options.dtk_macros,
    ]


def _key(settings: list[Any]) -> list[Any]:
    return [_FORMAT, os.getcwd(), settings, installation_key()]  # noqa: PTH109


def _stamp(info: os.stat_result) -> Stamped:
    return [info.st_size, info.st_mtime_ns, info.st_ino]


def _stamps(places: Iterable[str]) -> dict[str, Stamped]:
    """Return the stamps of files by path; an empty one for a file that is not there."""
    found: dict[str, Stamped] = {}
    for place in places:
        try:
            found[place] = _stamp(os.stat(place))  # noqa: PTH116 - in the hot loop
        except OSError:
            found[place] = []
    return found


def _outputs(base: str, outputs: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {
        name: [output, _stamp(os.stat(f"{base}/{output}"))]  # noqa: PTH116 - in the hot loop
        for name, (output, _) in outputs.items()
    }


def _wanted(asked: Iterable[str] | None, stored: Mapping[str, Any]) -> list[str] | None:
    """Return the names that a run would look at; None if one of them never was."""
    looked_at: set[str] = stored["looked_at"]
    if asked is None:
        return sorted(looked_at)
    seen = set(asked)
    todo = list(seen)
    while todo:
        for name in stored["includes"].get(todo.pop(), ()):
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return sorted(seen) if seen <= looked_at else None


def _result(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    names: Iterable[str],
    stored: Mapping[str, Any],
) -> TranscodeResult:
    from fastpt_lab.transcode.result import TranscodedFile, TranscodeResult

    full = _Later(project, paths, options)
    root = project.root
    files = []
    for name in names:
        original = root / name
        output = stored["outputs"].get(name)
        files.append(
            TranscodedFile(
                original=original,
                generated=root / output[0] if output else original,
                status="unchanged" if output else "skipped",
                why="nothing that it is made from changed"
                if output
                else "nothing in it has to change",
                read_notes=full.notes_of(original),
                read_origin=full.origin_of(original),
            )
        )
    return TranscodeResult(
        files=tuple(files), remarks=tuple(stored["remarks"]), root=root, out=root
    )


class _Later:
    """What the run that was not needed knows, read when somebody asks for notes or an origin."""

    def __init__(
        self, project: Project, paths: Sequence[Path], options: TranscodeOptions
    ) -> None:
        self._arguments = (project, paths, options)
        self._files: dict[Path, TranscodedFile] | None = None

    def notes_of(self, original: Path) -> Callable[[], tuple[Note, ...]]:
        return lambda: self._recorded(self._arguments[0].relative(original))

    def origin_of(self, original: Path) -> Callable[[], Origin | None]:
        return lambda: self._file(original).origin

    def _recorded(self, name: str) -> tuple[Note, ...]:
        from fastpt_lab.transcode.notes import from_rows

        record = self._manifest.files.get(name)
        return from_rows(record.notes, self._own_names) if record else ()

    @cached_property
    def _manifest(self) -> Manifest:
        from fastpt_lab.transcode.manifest import load_manifest

        return load_manifest(self._arguments[0].state_dir)

    @cached_property
    def _own_names(self) -> frozenset[str]:
        return frozenset(name for r in self._manifest.files.values() for name in r.own_names)

    def _file(self, original: Path) -> TranscodedFile:
        if self._files is None:
            from dataclasses import replace

            from fastpt_lab.transcode.full import transcode_all

            project, paths, options = self._arguments
            quiet = replace(options, dry_run=True)
            result = transcode_all(project, paths, quiet, project.root)
            self._files = {file.original: file for file in result.files}
        return self._files[original]
