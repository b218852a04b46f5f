"""What the transcoder wants a person to know about a place of an original."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fastpt_lab.core.text import Range


class NoteKind(str, Enum):
    """Why a place is worth a look.

    UNMAPPED: no table knows the CUDA name, so it stays.
    MISSING_HERE: it was mapped, and the installed HIP headers do not have the HIP name.
    KEPT_CUDA_BRANCH: a branch that the project keeps for CUDA was left as it is.
    KEPT_HIP_LINE: a line of a HIP branch defines a CUDA name by its HIP one, and stays.
    INCLUDE_REWRITTEN, INCLUDE_SYSTEM, INCLUDE_NOT_FOUND: what became of an `#include`.
    RUNTIME_INCLUDE: the HIP runtime header was added, as nvcc adds CUDA's by itself.
    VERSION_BRANCH: a condition on a CUDA version, with its value on this stack.
    CUSTOM_MAPPING: something about the custom mapping file itself.
    EDITED_OUTPUT: the generated file was edited by hand; the edited copy was kept.
    """

    UNMAPPED = "unmapped"
    MISSING_HERE = "missing-here"
    KEPT_CUDA_BRANCH = "kept-cuda-branch"
    KEPT_HIP_LINE = "kept-hip-line"
    INCLUDE_REWRITTEN = "include-rewritten"
    INCLUDE_SYSTEM = "include-system"
    INCLUDE_NOT_FOUND = "include-not-found"
    RUNTIME_INCLUDE = "runtime-include"
    VERSION_BRANCH = "version-branch"
    CUSTOM_MAPPING = "custom-mapping"
    EDITED_OUTPUT = "edited-output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One remark; `range` is the place in the original."""

    kind: NoteKind
    message: str
    range: Range


class Remark(NamedTuple):
    """A note by its offsets, before anyone asks for lines."""

    kind: NoteKind
    message: str
    start: int
    end: int
