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
    effect = CudaEffect.IDENTICAL
    for part in edit.documents:
        before = read(part.path)
        # A build script has no CUDA view.
        if before is None or part.path.suffix not in SOURCE_SUFFIXES:
            continue
        after = before.apply(part.edits)
        if same_cuda_view(before.text, after.text):
            continue
        if not attribute_only(before.text, after.text):
            return CudaEffect.DIFFERS
        effect = CudaEffect.ATTRIBUTE_ONLY
    return effect
