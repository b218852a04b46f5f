"""Vote among the 32 lanes of the CUDA warp under HIP, without a member mask.

Why: HIP before 6.2 has no `__ballot_sync`, `__any_sync` and `__all_sync`. Its own `__ballot`
and kin ask all 64 lanes of a gfx9 wavefront, which are two CUDA warps.

Safety: safe where the mask is shown to name all 32 lanes, no file uses another wave size
beside it and no second vote can be the partner of this one in another branch. The ballot is
taken of the wavefront and cut to the caller's half, so `__popc`, `__ffs` and 32-bit variables
around it stay right. Code that counts lanes by `warpSize` gets the vote of the whole
wavefront, unsafe: a ballot then has 64 bits and wants `__popcll`.

Never offered: where the mask has side effects, or the stack has the `_sync` form.

Source: HIP 5.2.3 amd_device_functions.h; CUDA C++ Programming Guide, warp vote functions;
cupy/cupy#9748.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.rewrite import rewritten
from fastpt_lab.rules.kit.vote import vote_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the vote of the caller's half of the wavefront."""
    forms = vote_forms(workspace)
    yield from rewritten(diagnostic, workspace, stack, forms, "Replace the votes under HIP")
