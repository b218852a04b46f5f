"""The HIP form of votes: the half of a 64-lane ballot that holds the caller's CUDA warp."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.rewrite import Form, operand

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.calls import Call

HALF = "(unsigned int)(__ballot({}) >> (__lane_id() & 32))"
"""A ballot of the 32 lanes that are the caller's CUDA warp; with 32-lane waves, of all."""

VOTES = ("__ballot_sync", "__any_sync", "__all_sync")
_PROOF = (
    "the lanes of the caller's own half of the wavefront vote, which are its CUDA warp;"
    " lanes that have left count as 0, as in CUDA"
)


def vote_forms(
    workspace: Workspace,
) -> dict[str, Callable[[Call, tuple[str, ...]], Form | None]]:
    """Return the HIP form of each vote."""

    def form(call: Call, arguments: tuple[str, ...]) -> Form | None:
        if len(arguments) != 2 or warp.has_effects(call.argument(0)):
            return None
        context = warp.context_of(call)
        doubts = tuple(
            doubt
            for doubt in (
                warp.mask_doubt(call, context, workspace),
                warp.wave_size_doubt(call.name.document, workspace),
                warp.divergence_doubt(call),
            )
            if doubt
        )
        if "warpSize" in context:
            return Form(_whole(call.name.word, arguments[1]), doubts, "")
        partial = (
            warp.mask_doubt(call, context, workspace) and "__activemask" not in arguments[0]
        )
        mask = f" & {operand(arguments[0])}" if partial else ""
        return Form(_half(call.name.word, arguments[1], mask), doubts, _PROOF)

    return dict.fromkeys(VOTES, form)


def _half(name: str, predicate: str, mask: str) -> str:
    if name == "__ballot_sync":
        ballot = HALF.format(predicate)
        return f"({ballot}{mask})" if mask else ballot
    # CUDA takes the predicate as int: 0.5 is no vote.
    asked = f"!int({predicate})" if name == "__all_sync" else predicate
    ballot = HALF.format(asked)
    votes = f"({ballot}{mask})" if mask else ballot
    return f"({votes} == 0)" if name == "__all_sync" else f"({votes} != 0)"


def _whole(name: str, predicate: str) -> str:
    """Return the vote of the whole wavefront, for code that counts lanes by warpSize."""
    return f"{name.removesuffix('_sync')}({predicate})"
