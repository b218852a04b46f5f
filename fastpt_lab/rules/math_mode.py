"""Set a cuBLAS math mode for CUDA only.

Why: hipBLAS has no math mode in most versions, and the transcoder's table leaves
`cublasMath_t`, `cublasSetMathMode` and `CUBLAS_TENSOR_OP_MATH` as they are.

Safety: safe for a call whose result is not used, and for the mode variable it takes: the mode
only allows cuBLAS to use tensor cores, and rocBLAS chooses its own instructions. Where the
status is used the call becomes `CUBLAS_STATUS_SUCCESS`. Unsafe if the mode is read back, or an
argument that is left out calls or assigns anything.

Never offered: for `cublasGetMathMode`, whose result is used to restore a mode, without a look.

Source: cuBLAS documentation, cublasMath_t; torch 2.13 hipify tables; hipBLAS 1 and 2 headers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.places import Place, named_place, occurrences, undeclared
from fastpt_lab.rules.kit.remove import edited, lost_effects, removal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_CALLS = ("cublasSetMathMode", "cublasGetMathMode")
_NAMES = (
    "cublasMath_t",
    *_CALLS,
    "CUBLAS_DEFAULT_MATH",
    "CUBLAS_TENSOR_OP_MATH",
    "CUBLAS_TF32_TENSOR_OP_MATH",
    "CUBLAS_PEDANTIC_MATH",
    "CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION",
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the function around the place without its math mode."""
    name = undeclared(diagnostic) or ""
    # A transcoder may have put HIP's prefix before a name that HIP has not.
    if not {name, re.sub("^HIP", "CU", re.sub("^hip", "cu", name))} & {*_NAMES}:
        return
    at = named_place(diagnostic, workspace, _NAMES)
    if at is None:
        return
    bounds = definition_around(at.document.text, at.start, at.end)
    if bounds is None:
        return
    text = at.document.text
    found = [
        place
        for place in occurrences(at.path, at.document, _NAMES)
        if bounds[0] <= place.start < bounds[1]
    ]
    replacements: set[Replacement] = set()
    variables: set[str] = set()
    doubts = ["the mode is read back here"] if any(p.word == _CALLS[1] for p in found) else []
    for place in found:
        replacements |= set(_left_out(place, variables))
    for out in replacements:
        opening = text.find("(", out.start, out.end)
        opening = opening if opening >= 0 else text.find("=", out.start, out.end)
        effects = lost_effects(opening + 1, out.end, text) if opening >= 0 else None
        doubts += [effects] if effects else []
    for place in occurrences(at.path, at.document, variables):
        if bounds[0] <= place.start < bounds[1] and not _inside(place, replacements):
            doubts.append(f"{place.word} is used elsewhere too")
    reason = "a math mode only allows cuBLAS other instructions; rocBLAS chooses its own"
    yield from edited(
        "Set the math mode for CUDA only",
        at,
        sorted(replacements),
        stack,
        reason,
        doubts=doubts,
    )


def _left_out(place: Place, variables: set[str]) -> Iterator[Replacement]:
    """Yield what becomes of the statement around a name, and note variables it declares."""
    out = removal(place)
    if out is None:
        return
    text = place.document.text[out.start : out.end]
    declared = re.match(r"(?:const\s+)?cublasMath_t\s+(\w+)\s*(?:=[^,;]*)?;", text)
    if declared:
        variables.add(declared[1])
        yield Replacement(out.start, out.end, "")
    elif place.word in _CALLS:
        call = call_of(place)
        if call is None:
            return
        alone = text[call.close + 1 - out.start :].strip() == ";"
        if place.start == out.start and alone:
            yield out
        else:
            yield Replacement(place.start, call.close + 1, "CUBLAS_STATUS_SUCCESS")


def _inside(place: Place, replacements: set[Replacement]) -> bool:
    return any(r.start <= place.start and place.end <= r.end for r in replacements)
