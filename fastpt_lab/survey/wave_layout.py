"""Lanes counted in 32 while the wave has 64: sources, votes, slots, the last lane, warpSize."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.lanes import CUDA_LANES, LAYOUT_32, LAYOUT_WAVE, VOTES, Lanes, Tag
from fastpt_lab.survey.simt_intrinsics import SHUFFLES
from fastpt_lab.survey.wave_body import (
    Body,
    Finding,
    counts_by_32,
    over_whole_wave,
    without_mask,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_KINDS = {
    Tag.LANE_32: "a lane of 32",
    Tag.WARP_32: "the number of a warp of 32",
    Tag.WARPS_32: "a number of warps of 32",
}


def broadcast(body: Body) -> Iterator[Finding]:
    """A shuffle that names a lane of 32 in a wave of 64."""
    lanes = body.lanes
    wave = lanes.has(LAYOUT_WAVE)
    for index, name, arguments in body.calls:
        own = without_mask(lanes, index, arguments)
        if name != "__shfl" or len(own) < 2 or not over_whole_wave(lanes, index, arguments):
            continue
        tags = lanes.tags(*own[1])
        source = lanes.value(*own[1])
        end = lanes.closers[index + 1] + 1
        if (
            counts_by_32(body)
            and not wave
            and not (Tag.THREAD in tags and not tags & LAYOUT_32)
        ):
            # A value that all lanes share is the same from any lane: only a run can tell.
            yield Finding(
                "broadcast",
                bool(tags & LAYOUT_32),
                index,
                end,
                "the source lane is counted in 32 and the shuffle goes over 64: the upper half "
                "reads from the lower",
                "a last argument of 32",
            )
        elif wave and source == CUDA_LANES - 1:
            yield Finding(
                "broadcast",
                True,
                index,
                end,
                "lane 31 is not the last one of 64",
                "warpSize - 1",
            )


def vote(body: Body) -> Iterator[Finding]:
    """A vote of the whole wave where warps of 32 are counted."""
    lanes = body.lanes
    if not counts_by_32(body) or lanes.has(LAYOUT_WAVE):
        return
    for index, name, _ in body.calls:
        if name in VOTES or name.startswith("__reduce"):
            yield Finding(
                "vote",
                False,
                index,
                lanes.closers[index + 1] + 1,
                f"{lanes.text(index)} asks 64 lanes, and this function counts warps of 32: two "
                "of them get one answer",
            )


def lane_arithmetic(body: Body) -> Iterator[Finding]:
    """`& 31`, `% 32`, `>> 5`, `/ 32` of a thread index beside warp intrinsics."""
    lanes = body.lanes
    if not body.exchanges:
        return
    mixed = lanes.has(LAYOUT_WAVE)
    for mark in lanes.marks:
        thread = mark.tag in LAYOUT_32
        if not thread and not (mark.tag is Tag.WARPS_32 and mixed):
            continue
        text = " ".join(w.text for w in lanes.words[mark.start : mark.end]).replace(" . ", ".")
        yield Finding(
            # A tile of 32 beside waves is legal: only a run can tell.
            "mixed-layout" if mixed else "lane-arithmetic",
            False,
            mark.start,
            mark.end,
            f"{text} is {_KINDS[mark.tag]}"
            + (
                ", the rest of the function by warpSize: 64 here"
                if mixed
                else "; a wave has 64"
            ),
            "warpSize",
        )


def last_lane(body: Body) -> Iterator[Finding]:
    """Lane 31 taken for the last lane of a wave."""
    lanes = body.lanes
    if not any(name in SHUFFLES for _, name, _ in body.calls):
        return
    for index, word in enumerate(lanes.words):
        if word.text != "==" or lanes.value(index + 1, lanes.operand_after(index + 1)) != 31:
            continue
        before = lanes.operand_before(index)
        if Tag.LANE_WAVE in lanes.tags(before, index):
            other = any(lanes.value(i, i + 1) == 63 for i in range(len(lanes.words)))
            yield Finding(
                "last-lane", not other, before, index + 2, "lane 31 is not the last one of 64",
                "warpSize - 1",
            )  # fmt: skip


def scratch(body: Body) -> Iterator[Finding]:
    """32 slots indexed by the lane of a 64-lane wave."""
    lanes = body.lanes
    sizes: dict[str, int] = {}
    for index, word in enumerate(lanes.words):
        if word.text != "[" or index not in lanes.closers:
            continue
        name, close = lanes.text(index - 1), lanes.closers[index]
        declared = lanes.words[index - 2].kind is Kind.IDENTIFIER if index > 1 else False
        if declared and lanes.text(index - 2) != "return":
            size = lanes.value(index + 1, close)
            if size is not None:
                sizes[name] = size
        elif sizes.get(name) == CUDA_LANES:
            tags = lanes.tags(index + 1, close)
            if Tag.LANE_WAVE in tags and not _guarded_by_extent(lanes, index):
                yield Finding(
                    "scratch",
                    True,
                    index - 1,
                    close + 1,
                    f"{name} has {sizes[name]} slots and a wave 64 lanes: lanes 32 to 63 are "
                    "outside",
                    f"{name}[64]",
                )


def _guarded_by_extent(lanes: Lanes, index: int) -> bool:
    """Return whether a comparison precedes on the way: `tid < n ? s[lane] : 0`, `if (…) …`."""
    at = index
    while at > 0 and lanes.text(at) not in {";", "{", "}"}:
        if lanes.text(at) in {"<", "<="}:
            return True
        at -= 1
    return False


def constant_warp_size(body: Body) -> Iterator[Finding]:
    """`warpSize` where the language wants a constant."""
    lanes = body.lanes
    for index, word in enumerate(lanes.words):
        if word.text != "warpSize" or "warpSize" in lanes.constants:
            continue
        start = index
        while start > 0 and lanes.text(start - 1) not in {";", "{", "}", ")"}:
            start -= 1
        head = [w.text for w in lanes.words[start:index]]
        opening = next((i for i in range(index, start, -1) if lanes.text(i) == "["), None)
        extent = (
            opening is not None
            and lanes.closers.get(opening, -1) > index
            and lanes.words[opening - 2].kind is Kind.IDENTIFIER
            and lanes.text(opening - 2) not in {"return", "new"}
            and "=" not in [w.text for w in lanes.words[start:opening]]
        )
        argument = lanes.text(index - 1) in {"<", ","} and lanes.text(index + 1) == ">"
        if extent or "constexpr" in head or (argument and lanes.text(index + 2) == "("):
            yield Finding(
                "constant-warp-size", True, index, index + 1,
                "warpSize is not a constant expression (ROCm 7; nor in CUDA)",
                "a macro of your own: 64 under HIP, 32 under CUDA",
            )  # fmt: skip
