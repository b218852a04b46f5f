"""Reduce over the 32 lanes of the CUDA warp by a butterfly of shuffles under HIP.

Why: `__reduce_add_sync` and its kind are instructions of sm_80; HIP has none of them.

Safety: never safe: the butterfly gives the same number only if all 32 lanes are there; CUDA's
instruction leaves out those that have returned.

Never offered: where the mask has side effects.

Source: CUDA C++ Programming Guide, warp reduce functions; RIKEN-RCCS/GEMMul8#5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.rewrite import Form, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call
    from fastpt_lab.rules.kit.proposal import Proposal

_STEPS = {
    # A signed sum may overflow, which CUDA's instruction lets wrap.
    "__reduce_add_sync": "v = (decltype(v))((unsigned int)v + (unsigned int)o)",
    "__reduce_min_sync": "v = o < v ? o : v",
    "__reduce_max_sync": "v = v < o ? o : v",
    "__reduce_and_sync": "v &= o",
    "__reduce_or_sync": "v |= o",
    "__reduce_xor_sync": "v ^= o",
}
_BUTTERFLY = (
    "[](auto v) {{ for (int m = 16; m; m >>= 1) {{ auto o = __shfl_xor(v, m, 32); {step}; }}"
    " return v; }}({value})"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the butterfly."""

    def form(call: Call, arguments: tuple[str, ...]) -> Form | None:
        if len(arguments) != 2 or warp.has_effects(call.argument(0)):
            return None
        doubts = (
            warp.mask_doubt(call, warp.context_of(call), workspace),
            "all 32 lanes must reach this: lanes that have returned would count as 0",
            warp.wave_size_doubt(call.name.document, workspace),
        )
        # The sum of small types would wrap where CUDA's int does not.
        text = _BUTTERFLY.format(step=_STEPS[call.name.word], value=f"+({arguments[1]})")
        return Form(text, tuple(doubt for doubt in doubts if doubt), "")

    forms = dict.fromkeys(_STEPS, form)
    every = "Replace the warp reductions under HIP"
    yield from rewritten(diagnostic, workspace, stack, forms, every)
