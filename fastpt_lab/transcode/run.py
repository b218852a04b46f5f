"""Transcode a project: the one entry of this room."""

from __future__ import annotations

import contextlib
import json
import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import NoSourcesError
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.config import cache_dir
from fastpt_lab.host.files import lock
from fastpt_lab.host.sourcetree import source_names
from fastpt_lab.transcode.custom import load_custom
from fastpt_lab.transcode.draft import Rules
from fastpt_lab.transcode.engine import ENGINE_VERSION
from fastpt_lab.transcode.headerindex import find_include_root, load_absent
from fastpt_lab.transcode.job import Job
from fastpt_lab.transcode.manifest import Manifest, Record, load_manifest, save_manifest
from fastpt_lab.transcode.mapping import load_tables
from fastpt_lab.transcode.outputs import remove_outputs
from fastpt_lab.transcode.pattern import HIDDEN_INTRINSICS
from fastpt_lab.transcode.result import TranscodeOptions, TranscodeResult
from fastpt_lab.transcode.settle import orphans, settle_all
from fastpt_lab.transcode.treecopy import copy_rest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.custom import CustomMapping

_TOP_FOLDERS_LEFT_OUT = ("third_party/",)
"""Not searched for originals unless they are named (torch 2.13's hipify leaves it out too)."""


LOCK_SECONDS = 60.0
"""How long to wait for another transcode of the same project."""


def load_rules(options: TranscodeOptions = TranscodeOptions()) -> Rules:  # noqa: B008 - frozen
    """Return what names become here: torch's tables, checked against the installed HIP.

    Raises:
        ToolMissingError: torch is not installed.
    """
    cache = cache_dir()
    tables = load_tables(cache)
    absent: dict[str, str] = {}
    root = find_include_root()
    if root is not None:
        absent = load_absent(root, cache, tables, HIDDEN_INTRINSICS)
    return Rules(tables=tables, absent=absent, defines=_numbers(options.defines))


def _numbers(defines: Iterable[str]) -> dict[str, int]:
    """Return the macros with a number among `NAME` (which is 1) and `NAME=VALUE`."""
    found = {}
    for define in defines:
        name, has_value, value = define.partition("=")
        with contextlib.suppress(ValueError):
            found[name] = int(value.rstrip("uUlL"), 0) if has_value else 1
    return found


def transcode(
    project: Project,
    paths: Sequence[Path] = (),
    options: TranscodeOptions = TranscodeOptions(),  # noqa: B008 - frozen
    progress: Callable[[int, int, str], None] | None = None,
    cancel: Cancel | None = None,
    texts: Mapping[Path, str] | None = None,
) -> TranscodeResult:
    """Transcode the originals at or below `paths`, and the project headers they include.

    Args:
        project: whose sources they are.
        paths: absolute; the whole project by default.
        options: see `TranscodeOptions`.
        progress: called with how many files are done, how many are known of, and a name.
        cancel: looked at before every file.
        texts: contents to use instead of those of files, for what is not saved yet.

    Raises:
        NoSourcesError: there is nothing to transcode.
        ToolMissingError: torch is not installed, or the foreign engine is not.
        LockedError: another process is transcoding into the same place.
        WriteError: an output cannot be written; those before it are whole.
        CancelledError: `cancel` was set.
    """
    out = output_root(project, options)
    if options.engine != "lab":
        from fastpt_lab.transcode.external import transcode_with

        return transcode_with(project, paths, options, out, cancel)
    state = out / ".fastpt"
    holder = contextlib.nullcontext() if options.dry_run else lock(state, wait=LOCK_SECONDS)
    with holder:
        sources, requested = _sources(project, paths, options)
        rules = load_rules(options)
        custom = load_custom(_custom_folders(project, requested), options.mappings)
        manifest = load_manifest(state)
        key = _key(rules, custom, options)
        fresh = manifest.key != key
        if fresh:
            manifest = _outputs_only(manifest, key)
        job = Job(
            root=project.root,
            out=out,
            sources=sources,
            rules=rules,
            custom=custom,
            options=options,
            manifest=manifest,
            texts=_as_bytes(project, texts or {}),
            cancel=cancel,
            progress=progress,
        )
        return _run(job, requested, state, fresh=fresh, whole=not paths)


def output_root(project: Project, options: TranscodeOptions) -> Path:
    """Return the folder that outputs' paths are relative to."""
    if options.out is not None:
        return options.out if options.out.is_absolute() else Path.cwd() / options.out
    if options.keep_file_path:
        return project.root.with_name(project.root.name + "_dtk")
    return project.root


def clean(project: Project, out: Path | None = None) -> tuple[Path, ...]:
    """Remove every output that a transcode into `out` (the project) recorded; return them.

    Raises:
        LockedError: another process is transcoding there.
    """
    place = out or project.root
    with lock(place / ".fastpt"):
        manifest = load_manifest(place / ".fastpt")
        outputs = [place / r.output for r in manifest.files.values() if r.output]
        removed = remove_outputs(outputs)
        save_manifest(place / ".fastpt", Manifest())
    return removed


def _sources(
    project: Project, paths: Sequence[Path], options: TranscodeOptions
) -> tuple[dict[str, os.stat_result], list[str]]:
    """Return all the project's sources with their status, and the names that are asked for."""
    everything = source_names(project)
    if paths:
        asked = {project.relative(path): path for path in project.sources(paths)}
        for name, path in asked.items():
            everything.setdefault(name, path.stat())
        requested = sorted(asked)
    else:
        requested = [name for name in everything if not name.startswith(_TOP_FOLDERS_LEFT_OUT)]
    if options.include:
        requested = [
            name
            for name in requested
            if any(fnmatchcase(name, glob) for glob in options.include)
        ]
    if not requested:
        raise NoSourcesError(
            f"there is nothing to transcode in {project.root}",
            next_step="Name the folder that holds the .cu files",
        )
    return everything, requested


def _custom_folders(project: Project, requested: Iterable[str]) -> list[Path]:
    """Return where a custom mapping may lie: here, at the root, and beside the sources."""
    beside = sorted({os.path.dirname(name) for name in requested})  # noqa: PTH120 - hot loop
    return [Path.cwd(), project.root, *(project.root / folder for folder in beside if folder)]


def _key(rules: Rules, custom: CustomMapping, options: TranscodeOptions) -> str:
    parts = [
        ENGINE_VERSION,
        rules.tables.digest,
        sorted(rules.absent.items()),
        sorted(rules.defines.items()),
        custom.digest,
        [str(folder) for folder in options.include_dirs],
        options.dtk_macros,
        options.keep_file_path,
    ]
    return digest_of(json.dumps(parts).encode())


def _outputs_only(manifest: Manifest, key: str) -> Manifest:
    """Forget all but which outputs are ours."""
    kept = Manifest(key)
    for name, old in manifest.files.items():
        if old.output:
            record = Record(old.stamp._replace(size=-1), "")
            record.output = old.output
            record.output_stamp = old.output_stamp
            record.output_digest = old.output_digest
            kept.files[name] = record
    return kept


def _as_bytes(project: Project, texts: Mapping[Path, str]) -> dict[str, bytes]:
    from fastpt_lab.host.files import read_source

    return {
        project.relative(path): read_source(path).encode(text)
        if path.is_file()
        else text.encode()
        for path, text in texts.items()
    }


def _run(
    job: Job, requested: Sequence[str], state: Path, *, fresh: bool, whole: bool
) -> TranscodeResult:
    names = job.examine(requested)
    job.decide(names)
    files, changed = settle_all(job, names, state)
    removed = orphans(job, names)
    if not job.options.dry_run:
        remove_outputs(removed)
        if changed or fresh or removed or job.changed_records:
            save_manifest(state, job.manifest)
    remarks = list(job.custom.remarks)
    if job.options.keep_file_path and not job.options.dry_run:
        remarks += copy_rest(job.root, job.out, frozenset(names))
    if whole:
        used = {name for r in job.records.values() for name in r.custom_used}
        remarks += job.custom.unused(used)
    return TranscodeResult(
        files=files, removed=removed, remarks=tuple(remarks), root=job.root, out=job.out
    )
