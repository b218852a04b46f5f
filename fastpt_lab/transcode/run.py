"""Transcode a project: the one entry of this room.

The parts that do the work are loaded when there is work: a run that finds nothing changed is
over before they would be.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.host.sourcetree import source_names
from fastpt_lab.transcode.result import TranscodeOptions
from fastpt_lab.transcode.uptodate import nothing_changed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.result import TranscodeResult


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
    sources = source_names(str(project.root), project.exclude)
    if out == project.root and not texts:
        done = nothing_changed(project, paths, options, sources)
        if done is not None:
            return done
    from fastpt_lab.transcode.full import transcode_all

    return transcode_all(
        project,
        paths,
        options,
        out,
        sources=sources,
        progress=progress,
        cancel=cancel,
        texts=texts,
    )


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
    from fastpt_lab.transcode.full import remove_all

    return remove_all(out or project.root)
