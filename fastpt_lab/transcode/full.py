"""A run that looks at everything: what changed is read, resolved and written."""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import NoSourcesError
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.files import lock
from fastpt_lab.host.sourcetree import source_names
from fastpt_lab.transcode.custom import load_custom
from fastpt_lab.transcode.engine import ENGINE_VERSION
from fastpt_lab.transcode.job import Job
from fastpt_lab.transcode.leftovers import sweep
from fastpt_lab.transcode.manifest import Manifest, Record, load_manifest, save_manifest
from fastpt_lab.transcode.outputs import remove_outputs
from fastpt_lab.transcode.result import TranscodeResult
from fastpt_lab.transcode.ruleset import load_rules
from fastpt_lab.transcode.settle import orphans, settle_all
from fastpt_lab.transcode.uptodate import forget, remember

if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.custom import CustomMapping
    from fastpt_lab.transcode.draft import Rules
    from fastpt_lab.transcode.result import TranscodeOptions

_TOP_FOLDERS_LEFT_OUT = ("third_party/",)
"""Not searched for originals unless they are named (torch 2.13's hipify leaves it out too)."""

LOCK_SECONDS = 60.0
"""How long to wait for another transcode of the same project."""


def transcode_all(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    out: Path,
    *,
    sources: dict[str, os.stat_result] | None = None,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: Cancel | None = None,
    texts: Mapping[Path, str] | None = None,
) -> TranscodeResult:
    """Transcode into `out`; see `run.transcode`.

    `sources` are what `source_names` found just before, so that it need not look again. What
    has changed since is noticed by the next run: its stamp is older than the bytes read.
    """
    state = out / ".fastpt"
    holder = contextlib.nullcontext() if options.dry_run else lock(state, wait=LOCK_SECONDS)
    with holder:
        sources, requested = _sources(project, paths, options, sources)
        rules = load_rules(options.defines)
        custom = load_custom(_custom_folders(project, requested), options.mappings)
        manifest = load_manifest(state)
        keep = options.keep_file_path
        left = () if options.dry_run else sweep(out, sources, manifest, keep=keep)
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
        result = _run(job, requested, state, fresh=fresh, whole=not paths)
        return replace(result, remarks=(*left, *result.remarks))


def remove_all(place: Path) -> tuple[Path, ...]:
    """Remove every output that a transcode into `place` recorded; return them.

    Raises:
        LockedError: another process is transcoding there.
    """
    state = place / ".fastpt"
    with lock(state, wait=LOCK_SECONDS):
        manifest = load_manifest(state)
        outputs = [place / r.output for r in manifest.files.values() if r.output]
        removed = remove_outputs(place, outputs)
        forget(state)
        save_manifest(state, Manifest())
    return removed


def _sources(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    known: dict[str, os.stat_result] | None,
) -> tuple[dict[str, os.stat_result], list[str]]:
    """Return all the project's sources with their status, and the names that are asked for."""
    everything = known or source_names(str(project.root), project.exclude)
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
    beside = sorted({name.rpartition("/")[0] for name in requested})
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
        remove_outputs(job.out, removed)
        if changed or fresh or removed or job.changed_records:
            forget(state)
            save_manifest(state, job.manifest)
    remarks = list(job.custom.remarks)
    if job.options.keep_file_path and not job.options.dry_run:
        from fastpt_lab.transcode.treecopy import copy_rest

        remarks += copy_rest(job.root, job.out, frozenset(names))
    if whole:
        used = {name for r in job.records.values() for name in r.custom_used}
        remarks += job.custom.unused(used)
    if whole and not job.options.dry_run and job.out == job.root and not job.refused:
        remember(job, tuple(remarks))
    return TranscodeResult(
        files=files, removed=removed, remarks=tuple(remarks), root=job.root, out=job.out
    )
