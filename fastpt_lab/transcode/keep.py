"""Take back from a draft what a project keeps for CUDA alone, or has for HIP already."""

from __future__ import annotations

import bisect
import re
from typing import TYPE_CHECKING

from fastpt_lab.transcode.branches import kept_branches
from fastpt_lab.transcode.notes import NoteKind, Remark

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.transcode.branches import Kept
    from fastpt_lab.transcode.draft import Draft, Edit


_FOR_CLANG = frozenset({"<<<>>>", "{}", "half2"})
"""Edits by the draft's names that are no names: spellings which only hipcc needs otherwise."""


def keep_branches(text: str, found: Draft, *, device: bool) -> None:
    """Take back what stands in branches for CUDA alone, and what those for HIP have as HIP's.

    Args:
        text: the original.
        found: its draft, which is changed.
        device: whether hipcc compiles it, so that its own macros are known.
    """
    branches = kept_branches(text, device=device)
    cuda = [kept for kept in branches if kept.for_cuda]
    hip = [kept for kept in branches if not kept.for_cuda]
    starts = [kept.start for kept in cuda]

    def outside(start: int) -> bool:
        index = bisect.bisect_right(starts, start) - 1
        return index < 0 or start >= cuda[index].end

    kept_any = [edit for edit in found.edits if not outside(edit.start)]
    found.edits = [edit for edit in found.edits if outside(edit.start)]
    found.includes = [site for site in found.includes if outside(site.start)]
    found.unmapped = [remark for remark in found.unmapped if outside(remark.start)]
    for kept in cuda:
        if any(kept.start <= edit.start < kept.end for edit in kept_any):
            message = "this branch is for CUDA alone and was left as it is"
            found.remarks.append(
                Remark(NoteKind.KEPT_CUDA_BRANCH, message, kept.start, kept.end)
            )
    if hip:
        _keep_definitions(text, found, hip)


def _keep_definitions(text: str, found: Draft, hip: Sequence[Kept]) -> None:
    kept: list[Edit] = []
    for edit in found.edits:
        if any(branch.start <= edit.start < branch.end for branch in hip):
            if edit.name in _FOR_CLANG:
                continue
            line_start = text.rfind("\n", 0, edit.start) + 1
            line_end = text.find("\n", edit.end)
            line = text[line_start : line_end if line_end >= 0 else len(text)]
            if re.search(rf"(?<![\w$]){re.escape(edit.new)}(?![\w$])", line):
                message = f"{edit.name} is defined for HIP here and was left as it is"
                found.remarks.append(
                    Remark(NoteKind.KEPT_HIP_LINE, message, edit.start, edit.end)
                )
                continue
        kept.append(edit)
    found.edits = kept
