"""Write warp intrinsics without their 32-bit mask where HIP asserts a 64-bit one.

Why: since HIP 6.2 the `_sync` intrinsics exist and assert that the mask has 64 bits. A wider
literal would compile and change the meaning: the default width becomes 64 lanes, and lanes
that the block does not have are named.

Safety: as for `sync-shuffle` and `sync-vote`, whose forms are used: they are there in every
HIP, keep to 32 lanes and take no mask.

Never offered: for a mask that is a variable of the wrong type elsewhere than in the call.

Source: HIP 6.2 amd_warp_sync_functions.h, "The mask must be a 64-bit integer"; ROCm/hip#3667;
pytorch_scatter#498.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.batch import offers
from fastpt_lab.rules.kit.calls import calls_of
from fastpt_lab.rules.kit.places import Place, occurrences, point
from fastpt_lab.rules.kit.rewrite import judged_calls
from fastpt_lab.rules.kit.shuffle import SHUFFLES, judge
from fastpt_lab.rules.kit.vote import VOTES, vote_forms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = "The mask must be a 64-bit integer"
_EVERY = "Write the warp intrinsics without a mask under HIP"


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the form without mask of the call that the notes lead to."""
    if _MESSAGE not in diagnostic.message:
        return
    place = _call_site(diagnostic, workspace)
    if place is None:
        return
    shuffles = (judge(c, workspace, stack) for c in calls_of(*place[:2], SHUFFLES))
    votes = judged_calls(*place[:2], vote_forms(workspace))
    judged = (*(j for j in shuffles if j is not None), *votes)
    title = f"Write {place.word} without a mask under HIP"
    yield from offers(title, _EVERY, place, judged, stack)


def _call_site(diagnostic: Diagnostic, workspace: Workspace) -> Place | None:
    """Return the first call of the instantiation that stands in an original."""
    for related in diagnostic.related:
        found = point(related.location, workspace)
        if found is None:
            continue
        path, document, offset = found
        for place in occurrences(path, document, (*SHUFFLES, *VOTES)):
            if place.start <= offset < place.end:
                return place
    return None
