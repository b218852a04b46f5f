"""Transcode a project with two engines, apart from it, and compare what they made."""

from __future__ import annotations

import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.parity import EngineParity, FileParity
from fastpt_lab.host.files import read_source
from fastpt_lab.transcode.compare import compare
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.result import TranscodedFile, TranscodeOptions


def compare_engines(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    engine: str,
    *,
    progress: Callable[[int, int, str], None] | None = None,
    cancel: Cancel | None = None,
) -> EngineParity:
    """Return where this engine's outputs differ from those of `engine`; write nothing there.

    Raises:
        FastptError: as `transcode` does, for either engine.
    """
    with tempfile.TemporaryDirectory(prefix="fastpt-parity-") as name:
        folder = Path(name).resolve()
        ours, own_seconds = _timed(
            project, paths, replace(options, engine="lab", out=folder / "lab"), progress, cancel
        )
        theirs, seconds = _timed(
            project,
            paths,
            replace(options, engine=engine, out=folder / engine),
            progress,
            cancel,
        )
        files = [
            _compared(original, ours.get(original), theirs.get(original))
            for original in sorted({*ours, *theirs})
        ]
    return EngineParity(
        engine=engine,
        root=project.root,
        files=tuple(files),
        seconds=seconds,
        own_seconds=own_seconds,
    )


def _timed(
    project: Project,
    paths: Sequence[Path],
    options: TranscodeOptions,
    progress: Callable[[int, int, str], None] | None,
    cancel: Cancel | None,
) -> tuple[dict[Path, TranscodedFile], float]:
    started = time.monotonic()
    result = transcode(project, paths, options, progress, cancel)
    return {file.original: file for file in result.files}, time.monotonic() - started


def _compared(
    original: Path, mine: TranscodedFile | None, other: TranscodedFile | None
) -> FileParity:
    for file in (mine, other):
        if file is not None and file.status == "refused":
            return FileParity(original=original, remark=file.why)
    ours, theirs = (
        read_source(file.generated if file is not None else original).document.text
        for file in (mine, other)
    )
    before = read_source(original).document.text
    notes = mine.notes if mine is not None else ()
    return FileParity(original=original, places=compare(before, ours, theirs, notes))
