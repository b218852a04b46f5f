"""The HIP form of one `__shfl*_sync`, and how far it is shown to be the same.

CUDA cuts the lane argument to five bits, and an index to the width (PTX ISA, `shfl.sync`,
operands b[4:0] and c). HIP 5.2.3's `__shfl` adds the index to the segment's first lane as it
is (amd_warp_functions.h), so an argument that is not shown to be small is cut here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.batch import Judged
from fastpt_lab.rules.kit.values import carried

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call

SHUFFLES = {
    "__shfl_sync": "__shfl",
    "__shfl_up_sync": "__shfl_up",
    "__shfl_down_sync": "__shfl_down",
    "__shfl_xor_sync": "__shfl_xor",
}
_WITHOUT_WIDTH = 3
_WITH_WIDTH = 4
_WIDTHS = (1, 2, 4, 8, 16, 32)


def judge(call: Call, workspace: Workspace, stack: Stack) -> Judged | None:
    """Return the HIP form of one shuffle and how far it is shown to be the same."""
    count = len(call.arguments)
    if count not in (_WITHOUT_WIDTH, _WITH_WIDTH) or warp.has_effects(call.argument(0)):
        return None
    context = warp.context_of(call)
    carry = carried(call, 1, context, SHUFFLES[call.name.word], stack)
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
    return value if value in _WIDTHS else None


def _doubts(
    call: Call, context: str, width: int | None, workspace: Workspace
) -> tuple[str, ...]:
    doubts = [
        warp.mask_doubt(call, context, workspace),
        warp.wave_size_doubt(call.name.document, workspace),
        warp.divergence_doubt(call),
        warp.parameter_doubt(call.argument(2), context, workspace),
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
