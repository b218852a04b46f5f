"""A proposal after the user has edited it: what it became, and what CUDA would see of it. Pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.core.action import NOT_TRIED, Applicability, CudaEffect
from fastpt_lab.core.guard import attribute_only, same_cuda_view
from fastpt_lab.host.sourcetree import SOURCE_SUFFIXES

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.text import Document, WorkspaceEdit

EDITED = " (edited)"
"""Ends the title of a fix that the user edited before accepting it."""

_SHOWS = (
    CudaEffect.NONE,
    CudaEffect.IDENTICAL,
    CudaEffect.ATTRIBUTE_ONLY,
    CudaEffect.DIFFERS,
)
"""The effect on several files is that on the one where it shows most."""


def revised(
    base: CodeAction, edit: WorkspaceEdit, read: Callable[[Path], Document | None]
) -> CodeAction:
    """Return `base` with the user's edit in place of its own: another action, never safe."""
    return replace(
        base,
        id=f"{base.id.removesuffix('-edited')}-edited",
        title=base.title.removesuffix(EDITED) + EDITED,
        edit=edit,
        applicability=Applicability.UNSAFE,
        cuda_effect=cuda_effect(edit, read),
        trial=NOT_TRIED,
    )


def cuda_effect(edit: WorkspaceEdit, read: Callable[[Path], Document | None]) -> CudaEffect:
    """Return what a CUDA compiler sees of an edit of the texts that `read` gives."""
    found = CudaEffect.NONE
    for part in edit.documents:
        before = read(part.path)
        if before is not None:
            after = before.apply(part.edits)
            found = max(found, effect_on(part.path, before.text, after.text), key=_SHOWS.index)
    return found


def effect_on(path: Path, before: str, after: str) -> CudaEffect:
    """Return what a CUDA compiler sees of one file's change; a build script has no CUDA view."""
    if path.suffix not in SOURCE_SUFFIXES:
        return CudaEffect.NONE
    if same_cuda_view(before, after):
        return CudaEffect.IDENTICAL
    if attribute_only(before, after):
        return CudaEffect.ATTRIBUTE_ONLY
    return CudaEffect.DIFFERS
