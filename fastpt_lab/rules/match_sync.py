"""Find the lanes with an equal value by 32 shuffles under HIP.

Why: `__match_any_sync` and `__match_all_sync` came to HIP with 6.2.

Safety: never safe: 32 shuffles replace one instruction, and all named lanes must arrive
together. Bits of lanes that are not active stay 0. Values are compared by their bits, as in
CUDA: a NaN matches the same NaN, and -0 does not match 0.

Never offered: for `__match_all_sync`, whose third argument is a result: only advice.

Source: CUDA C++ Programming Guide, warp match functions; CUDA 13 crt/sm_70_rt.hpp, which
passes numbers to `match` by their bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.places import undeclared
from fastpt_lab.rules.kit.proposal import advice
from fastpt_lab.rules.kit.rewrite import Form, rewritten

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call
    from fastpt_lab.rules.kit.proposal import Proposal

_MATCH = (
    "[](auto v) {{ unsigned int b = (unsigned int)(__ballot(1) >> (__lane_id() & 32)), f = 0;"
    " int w[sizeof(v) / 4]; __builtin_memcpy(w, &v, sizeof(v));"
    " for (int l = 0; l < 32; ++l) {{ bool s = true;"
    " for (int x : w) s &= __shfl(x, l, 32) == x; f |= (unsigned int)s << l; }}"
    " return f & b; }}(+({value}))"
)
_DOUBT = "all lanes of the mask must arrive together, and one match costs 32 shuffles"


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the loop over the lanes, or advice for the form with two results."""

    def form(call: Call, arguments: tuple[str, ...]) -> Form | None:
        if len(arguments) != 2 or warp.has_effects(call.argument(0)):
            return None
        mask = warp.mask_doubt(call, warp.context_of(call), workspace)
        return Form(_MATCH.format(value=arguments[1]), tuple(filter(None, (mask, _DOUBT))), "")

    every = "Replace the warp matches under HIP"
    yield from rewritten(diagnostic, workspace, stack, {"__match_any_sync": form}, every)
    if undeclared(diagnostic) == "__match_all_sync":
        yield advice(
            "Compare with the first lane instead of __match_all_sync under HIP",
            "Broadcast lane 0's value with __shfl(v, 0, 32), vote with __ballot on equality and"
            " compare the caller's half with its active lanes; set the predicate from that.",
            "HIP before 6.2 has no __match_all_sync",
        )
