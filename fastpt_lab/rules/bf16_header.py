"""Take bfloat16 from the header that the installed HIP has.

Why: `cuda_bf16.h` becomes `hip/hip_bf16.h`, which HIP before 5.5 does not ship; it has
`hip/hip_bfloat16.h` with a type of another name and conversions by constructor.

Safety: unsafe: widening is exact and rounding is to nearest even on both, but the bits of a
NaN may differ, and arithmetic intrinsics have no counterpart.

Never offered: where neither header is installed, and for pairs (`__nv_bfloat162`).

Source: HIP 5.2.3 hip/hip_bfloat16.h; ROCm/HIPIFY#2088.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import directives
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.places import Place, occurrences, point, undeclared
from fastpt_lab.rules.kit.proposal import advice
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MISSING = re.compile(r"'?(?:hip/hip_bf16|cuda_bf16)\.h'?(?:: No such file| file not found)")
_HEADER = re.compile(r"cuda_bf16\.hp?p?|hip/hip_bf16\.h")
_OLD = "hip/hip_bfloat16.h"
_TYPES = ("__nv_bfloat16", "nv_bfloat16", "__hip_bfloat16")
_WIDEN = ("__bfloat162float",)
_ROUND = ("__float2bfloat16", "__float2bfloat16_rn")
_PAIRS = re.compile(r"\b(?:__)?nv_bfloat162\b|\b__\w*bfloat162\w*\b(?<!__bfloat162float)")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the file with the header and names that are installed."""
    name = undeclared(diagnostic)
    missing = _MISSING.search(diagnostic.message) or name in (*_TYPES, *_WIDEN, *_ROUND)
    found = point(diagnostic.location, workspace)
    if not missing or found is None:
        return
    path, document, offset = found
    if stack.has_header("hip/hip_bf16.h"):
        return
    if not stack.has_header(_OLD) or _PAIRS.search(document.text):
        yield advice(
            "Use a HIP with hip/hip_bf16.h",
            "The installed HIP has no header for what this file uses of bfloat16; HIP 5.5 and"
            " later do. Or keep bfloat16 out of the HIP build with a guard.",
            f"{_OLD} is {'there' if stack.has_header(_OLD) else 'not there'}",
        )
        return
    at = Place(path, document, offset, offset + 1)
    replacements = [
        Replacement(d.start, d.end, f"#include <{_OLD}>")
        for d in directives(document.text)
        if d.name == "include" and _HEADER.search(document.text[d.start : d.end])
    ]
    for place in occurrences(at.path, document, (*_TYPES, *_WIDEN, *_ROUND)):
        replacements += _renamed(place)
    yield from edited(
        f"Take bfloat16 from {_OLD} under HIP",
        at,
        replacements,
        stack,
        f"{_OLD} is installed, hip/hip_bf16.h is not",
        doubts=("the bits of a NaN may differ after rounding to bfloat16",),
    )


def _renamed(place: Place) -> list[Replacement]:
    if place.word in _TYPES:
        return [Replacement(place.start, place.end, "hip_bfloat16")]
    call = call_of(place)
    if call is None or len(call.arguments) != 1:
        return []
    start, end = call.arguments[0]
    new = "static_cast<float>" if place.word in _WIDEN else "hip_bfloat16"
    argument = place.document.text[start:end]
    if new == "hip_bfloat16":
        # The constructor takes float alone: other numbers are converted as CUDA's function does.
        return [
            Replacement(place.start, place.end, new),
            Replacement(start, start, "static_cast<float>("),
            Replacement(end, end, ")"),
        ]
    return [Replacement(place.start, place.end, new)] if argument else []
