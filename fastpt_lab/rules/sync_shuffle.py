"""Exchange lanes without a member mask under HIP, in segments of 32 lanes as CUDA does.

Why: HIP before 6.2 has no `__shfl_sync`, `__shfl_up_sync`, `__shfl_down_sync` and
`__shfl_xor_sync`; from 6.2 they are there behind a switch, with a 64-bit mask.

Safety: safe where the mask is shown to name all 32 lanes, the width to be a constant of at
most 32, no file uses a wave size other than 32 beside it, and no second call can be the
partner of this one in another branch. The HIP form then computes CUDA's result for every
input: the width of 32 keeps each CUDA warp in its half of a 64-lane wavefront, and a lane
argument that is not shown to be small enough is cut to five bits, as the CUDA instruction
cuts it. Otherwise unsafe, with the reason.

Never offered: where the mask has side effects, where the stack has the `_sync` form, and for
values whose type the stack's `__shfl` does not take.

Source: PTX ISA `shfl.sync` (operands b[4:0] and c); HIP 5.2.3 amd_warp_functions.h, whose
`__shfl` does not wrap the lane number; ROCm/hip#3667.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.batch import Judged, offers
from fastpt_lab.rules.kit.calls import calls_of
from fastpt_lab.rules.kit.places import named_place, undeclared
from fastpt_lab.rules.kit.values import carried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call
    from fastpt_lab.rules.kit.proposal import Proposal

SHUFFLES = {
    "__shfl_sync": "__shfl",
    "__shfl_up_sync": "__shfl_up",
    "__shfl_down_sync": "__shfl_down",
    "__shfl_xor_sync": "__shfl_xor",
}
_WITHOUT_WIDTH = 3
_WITH_WIDTH = 4


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the shuffle without mask, at this place and at all places of the file."""
    name = undeclared(diagnostic)
    if name not in SHUFFLES or stack.has(name):
        return
    place = named_place(diagnostic, workspace, SHUFFLES)
    if place is None or stack.has(SHUFFLES[place.word]) is False:
        return
    judged = tuple(
        found
        for call in calls_of(place.path, place.document, SHUFFLES)
        if (found := judge(call, workspace, stack)) is not None
    )
    yield from offers(
        f"Drop the mask of {place.word} under HIP",
        "Drop the mask of the shuffles under HIP",
        place,
        judged,
        stack,
    )


def judge(call: Call, workspace: Workspace, stack: Stack) -> Judged | None:
    """Return the HIP form of one shuffle and how far it is shown to be the same."""
    count = len(call.arguments)
    if count not in (_WITHOUT_WIDTH, _WITH_WIDTH) or _has_effects(call.argument(0)):
        return None
    context = warp.context_of(call)
    carry = carried(call, 1, context, SHUFFLES[call.name.word], stack)
    if carry is None:
        return None
    width = _width(call, context, workspace)
    doubts = _doubts(call, context, width, workspace)
    # Code that counts lanes by warpSize means the whole wavefront, on either side.
    whole = "warpSize" in context
    edits = () if whole else _lane(call, context, width or warp.LANES, workspace)
    proof = (
        f"the mask {call.argument(0)} names all 32 lanes, and a width of {width} keeps each"
        " CUDA warp in its half of a 64-lane wavefront"
    )
    return Judged(
        call=call,
        replacements=(*_renamed(call), *edits, *carry),
        applicability=Applicability.UNSAFE if doubts else Applicability.SAFE,
        reasons=doubts or (proof,),
    )


def _width(call: Call, context: str, workspace: Workspace) -> int | None:
    """Return the width of a shuffle, None if it is not shown to fit in a CUDA warp."""
    if len(call.arguments) == _WITHOUT_WIDTH:
        return warp.LANES
    value = warp.constant(call.argument(3), context, call.name.document, workspace)
    return value if value in (1, 2, 4, 8, 16, 32) else None


def _doubts(
    call: Call, context: str, width: int | None, workspace: Workspace
) -> tuple[str, ...]:
    doubts = [
        warp.mask_doubt(call, context, workspace),
        warp.wave_size_doubt(call.name.document, workspace),
        warp.parameter_doubt(call.argument(2), context, workspace),
        warp.divergence_doubt(call),
    ]
    if width is None:
        doubts.append(f"the width {call.argument(3)} is not shown to be 32 or less under HIP")
    return tuple(doubt for doubt in doubts if doubt)


def _renamed(call: Call) -> tuple[Replacement, ...]:
    return (
        Replacement(call.name.start, call.name.end, SHUFFLES[call.name.word]),
        Replacement(call.open + 1, call.arguments[1][0], ""),
    )


def _lane(call: Call, context: str, width: int, workspace: Workspace) -> Iterator[Replacement]:
    """Yield the edits of the lane argument and of the width."""
    start, end = call.arguments[2]
    lane = call.argument(2)
    indexed = call.name.word == "__shfl_sync"
    limit = width if indexed else warp.LANES
    bound = warp.lane_bound(call, lane, context, workspace)
    width_text = "" if len(call.arguments) == _WITH_WIDTH else f", {warp.LANES}"
    if bound is not None and bound < limit:
        yield Replacement(end, end, width_text)
        return
    simple = lane.isidentifier() or lane.isdigit()
    if not simple:
        yield Replacement(start, start, "(")
    mask = limit - 1
    yield Replacement(end, end, ("" if simple else ")") + f" & {mask}{width_text}")


def _has_effects(mask: str) -> bool:
    return any(sign in mask for sign in ("++", "--", "=")) or (
        "(" in mask.strip("() ") and "__activemask" not in mask and "ballot" not in mask
    )
