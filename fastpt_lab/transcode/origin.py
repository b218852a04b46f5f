"""Where a generated file came from, when this run did not make it."""

from __future__ import annotations

import posixpath
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.sourcemap import Origin
from fastpt_lab.host.files import read_source
from fastpt_lab.host.project import is_generated
from fastpt_lab.transcode.align import align
from fastpt_lab.transcode.names import base_name_variant, hip_path
from fastpt_lab.transcode.outputs import claim_of

if TYPE_CHECKING:
    from fastpt_lab.host.project import Project


def aligned_origin(original: Path, generated: Path) -> Origin | None:
    """Return the origin of a file on disk by comparing it with its original."""
    try:
        before, after = read_source(original).document, read_source(generated).document
    except FastptError:
        return None
    return Origin(original, before, after, align(before.text, after.text))


def foreign_origin(project: Project, path: Path) -> Origin | None:
    """Return where the output at `path` came from, whichever transcoder wrote it.

    This engine's outputs name their original. Others are looked for among the project's
    sources, by the name that torch's rule gives and by the variant seen with DTK.
    """
    if not is_generated(path):
        return None
    claim = claim_of(path)
    if claim is not None:
        original = Path(
            posixpath.normpath(posixpath.join(path.parent.as_posix(), claim.original))
        )
        return aligned_origin(original, path) if original.is_file() else None
    name = project.relative(path)
    try:
        sources = project.sources()
    except FastptError:
        return None
    for source in sources:
        relative = project.relative(source)
        if name in (hip_path(relative), base_name_variant(relative)):
            return aligned_origin(source, path)
    return None
