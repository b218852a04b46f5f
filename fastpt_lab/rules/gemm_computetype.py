"""Give BLAS calls the compute type that the installed header declares.

Why: cuBLAS still takes a data type as compute type; hipBLAS with `HIPBLAS_V2` wants
`hipblasComputeType_t`, and older headers want a data type where new code names a compute type.

Safety: safe where the header declares the enumerator: cuBLAS itself migrates `CUDA_R_32F` to
`CUBLAS_COMPUTE_32F`, and so on. Unsafe where the header could not be read.

Never offered: for the fast variants (`…_FAST_16F`) where the header has none.

Source: cublas_v2.h, `cublasMigrateComputeType` (CUDA 11 to 13); ggml-org/llama.cpp#27192.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement, place
from fastpt_lab.rules.kit.blas import BLAS_DATA, COMPUTE, mismatch_of, proposal, wanted
from fastpt_lab.rules.kit.places import named_place, occurrences, style_for, undeclared
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace

_MISSING = re.compile(r"(?:HIP|CU)BLAS_COMPUTE_(16F|32F|64F|32I)")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the call with its compute type in the declared spelling."""
    mismatch = mismatch_of(diagnostic)
    if mismatch is not None and mismatch.expected == COMPUTE:
        found = wanted(mismatch, diagnostic, workspace, stack)
        if found is not None:
            yield from proposal(found, stack)
        return
    missing = _MISSING.fullmatch(undeclared(diagnostic) or "")
    if missing is not None and mismatch is None:
        yield from _as_data_type(missing[1], diagnostic, workspace, stack)


def _as_data_type(
    width: str, diagnostic: Diagnostic, workspace: Workspace, stack: Stack
) -> Iterator[Proposal]:
    """Yield a data type in place of a compute type that this header does not know."""
    new = f"HIPBLAS_R_{width}"
    names = (f"CUBLAS_COMPUTE_{width}", f"HIPBLAS_COMPUTE_{width}")
    at = named_place(diagnostic, workspace, names)
    if at is None or new not in stack.enumerators(BLAS_DATA):
        return
    every = [Replacement(p.start, p.end, new) for p in occurrences(at.path, at.document, names)]
    edits = place(at.document, every, style_for(at.document, stack))
    if edits:
        yield Proposal(
            title=f"Name the compute type {new}, as the installed hipBLAS does",
            applicability=Applicability.SAFE,
            evidence=(
                f"the header declares {new} in {BLAS_DATA} and no compute type enumeration",
            ),
            files=(FileEdits(at.path, at.document, edits),),
        )
