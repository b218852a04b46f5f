"""The 32-lane assumptions of one function, each with its place, its certainty and the cure.

*Source*: AMD GCN and CDNA, and all DCU targets known (gfx906 to gfx938), run waves of 64 lanes;
HIP returns ballots as 64-bit numbers, and since ROCm 7 `warpSize` is no constant expression.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.survey.lanes import CUDA_LANES, LAYOUT_32, Lanes, Tag
from fastpt_lab.survey.wave_ballots import lane_bit, mask_literal, narrow_ballot
from fastpt_lab.survey.wave_body import Body, Finding, body_end
from fastpt_lab.survey.wave_layout import (
    broadcast,
    constant_warp_size,
    lane_arithmetic,
    last_lane,
    scratch,
    vote,
)
from fastpt_lab.survey.wave_loops import short_loop, stride, unrolled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RULES: tuple[Callable[[Body], Iterator[Finding]], ...] = (
    narrow_ballot, mask_literal, short_loop, unrolled, broadcast, vote, lane_arithmetic, stride,
    last_lane, scratch, lane_bit, constant_warp_size,
)  # fmt: skip

_HALVES = frozenset(
    {"narrow-ballot", "broadcast", "vote", "short-loop", "scratch", "lane-bit", "last-lane"}
)
"""What is right where only the first 32 threads, or lanes, take part."""


def findings(body: Body) -> tuple[Finding, ...]:
    """Return the findings of one function, in the order of the text.

    A block of at most 32 threads fills half a wave: there nothing is certain.
    """
    found = [finding for rule in RULES for finding in rule(body)]
    lanes = body.lanes
    guarded = _first_warp_spans(lanes) if any(f.certain for f in found) else []
    result: list[Finding] = []
    for finding in sorted(found, key=lambda f: (f.start, f.check)):
        inside = any(start <= finding.start < end for start, end in guarded)
        sure = finding.certain and not body.one_warp
        if inside and finding.check in _HALVES:
            sure = False
        result.append(finding if sure == finding.certain else replace(finding, certain=sure))
    return tuple(result)


def _first_warp_spans(lanes: Lanes) -> list[tuple[int, int]]:
    """Return the statements that only threads 0 to 31 of the block reach."""
    found: list[tuple[int, int]] = []
    for index, word in enumerate(lanes.words):
        if word.text != "if" or index + 1 not in lanes.closers:
            continue
        close = lanes.closers[index + 1]
        if any(w.text == "||" for w in lanes.words[index + 2 : close]):
            continue
        for at in range(index + 2, close):
            left = lanes.tags(lanes.operand_before(at), at)
            value = lanes.value(at + 1, lanes.operand_after(at + 1))
            below = lanes.text(at) == "<" and Tag.THREAD in left and not left & LAYOUT_32
            first = lanes.text(at) == "==" and value == 0 and left & {Tag.WARP_32}
            if first or (below and value is not None and value <= CUDA_LANES):
                found.append((close + 1, body_end(lanes, close + 1)))
    return found
