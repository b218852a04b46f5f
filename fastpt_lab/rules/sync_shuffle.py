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

from fastpt_lab.rules.kit.batch import offers
from fastpt_lab.rules.kit.calls import calls_of
from fastpt_lab.rules.kit.places import named_place, undeclared
from fastpt_lab.rules.kit.shuffle import SHUFFLES, judge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


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
