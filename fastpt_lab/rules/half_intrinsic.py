"""Compute half intrinsics that HIP does not have through float.

Why: HIP 5 lacks `__hmax`, `__hmin` and their kind.

Safety: unsafe: maximum and minimum through float give the same number, but the sign of a zero
and the bits of a NaN may differ.

Never offered: where the stack has the function, and for bfloat16 arguments.

Source: CUDA math API, half comparison functions; HIP 5.2.3 amd_hip_fp16.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.rewrite import fixed_form, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_DOUBTS = ("the sign of a zero and the bits of a NaN may differ from CUDA's",)
_PAIR = (
    "[](__half2 a, __half2 b) {{ return __floats2half2_rn("
    "FUNCTION(__low2float(a), __low2float(b)), FUNCTION(__high2float(a), __high2float(b))); }}"
    "({a0}, {a1})"
)


def _pair(function: str) -> str:
    return _PAIR.replace("FUNCTION", function)


_FORMS = {
    "__hmax": fixed_form(
        "__float2half(fmaxf(__half2float({a0}), __half2float({a1})))", 2, doubts=_DOUBTS
    ),
    "__hmin": fixed_form(
        "__float2half(fminf(__half2float({a0}), __half2float({a1})))", 2, doubts=_DOUBTS
    ),
    "__hmax2": fixed_form(_pair("fmaxf"), 2, doubts=_DOUBTS),
    "__hmin2": fixed_form(_pair("fminf"), 2, doubts=_DOUBTS),
}


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the computation through float."""
    every = "Compute the half functions through float under HIP"
    yield from rewritten(diagnostic, workspace, stack, _FORMS, every)
