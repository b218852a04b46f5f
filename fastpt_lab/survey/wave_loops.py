"""Loops over 32 lanes: reductions, scans and strides that leave half of a wave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.survey.lanes import CUDA_LANES, Lanes, Tag
from fastpt_lab.survey.simt_intrinsics import SHUFFLES
from fastpt_lab.survey.wave_body import Body, Finding, body_end, over_whole_wave, without_mask

if TYPE_CHECKING:
    from collections.abc import Iterator

_HALF = CUDA_LANES // 2
_STEPS_DOWN = frozenset({">>=", "/="})
_STEPS_UP = frozenset({"<<=", "*="})


def short_loop(body: Body) -> Iterator[Finding]:
    """A reduction or scan by shuffles that covers 32 lanes."""
    lanes = body.lanes
    for index, word in enumerate(lanes.words):
        if word.text not in {"for", "while"} or index + 1 not in lanes.closers:
            continue
        close = lanes.closers[index + 1]
        end = body_end(lanes, close + 1)
        if word.text == "for":
            variable, kind = _span_of_loop(lanes, index + 2, close)
        else:
            variable, kind = _halved(lanes, index, close, end), "down"
        if variable and _shuffles_by(body, close + 1, end, variable):
            yield _short(body, index, close + 1, kind)


def _short(body: Body, start: int, end: int, kind: str) -> Finding:
    what = "begins at 16" if kind == "down" else "ends before 32"
    message = f"the loop {what}: it joins 32 lanes" + (
        ", but lanes are counted by warpSize, which is 64"
        if body.wave_layout
        else "; right only while each half of the wave is a warp of its own"
    )
    certain = body.wave_layout and not _joins_halves(body)
    cure = "warpSize / 2" if kind == "down" else "warpSize"
    return Finding("short-loop", certain, start, end, message, cure)


def _joins_halves(body: Body) -> bool:
    """Return whether a shuffle steps by 32: the halves are joined apart from the loop."""
    for index, name, arguments in body.calls:
        own = without_mask(body.lanes, index, arguments)
        if name in SHUFFLES and len(own) > 1 and body.lanes.value(*own[1]) == CUDA_LANES:
            return True
    return False


def _halved(lanes: Lanes, index: int, close: int, end: int) -> str:
    """Return the variable that a `while` loop halves and that was 16 before it."""
    for at in range(close, end):
        if lanes.text(at) not in _STEPS_DOWN:
            continue
        name = lanes.text(at - 1)
        for before in range(index, 1, -1):
            if lanes.text(before) == "=" and lanes.text(before - 1) == name:
                value = lanes.value(before + 1, lanes.statement_end(before + 1))
                return name if value == _HALF else ""
    return ""


def unrolled(body: Body) -> Iterator[Finding]:
    """The same written out: the first shuffle steps by 16, and none by 32."""
    lanes = body.lanes
    steps: list[tuple[int, int]] = []
    for index, name, arguments in body.calls:
        own = without_mask(lanes, index, arguments)
        if (
            name in SHUFFLES
            and name != "__shfl"
            and len(own) > 1
            and over_whole_wave(lanes, index, arguments)
        ):
            value = lanes.value(*own[1])
            if value is not None:
                steps.append((index, value))
    values = {value for _, value in steps}
    if {16, 8, 4, 2, 1} <= values and CUDA_LANES not in values:
        first = next(index for index, value in steps if value == _HALF)
        wave = body.wave_layout
        yield Finding(
            "short-loop",
            wave,
            first,
            lanes.closers[first + 1] + 1,
            "the steps 16, 8, 4, 2, 1 join 32 lanes of 64"
            + (", but lanes are counted by warpSize" if wave else ""),
            "a first step of 32 where the wave has 64 lanes",
        )


def _span_of_loop(lanes: Lanes, start: int, close: int) -> tuple[str, str]:
    """Return the variable of a loop over half of 32 lanes, and whether it goes down or up."""
    first = lanes.statement_end(start)
    test = lanes.statement_end(first + 1)
    equals = next((i for i in range(start, first) if lanes.text(i) == "="), None)
    if equals is None or lanes.text(first) != ";":
        return "", ""
    variable = lanes.text(equals - 1)
    value = lanes.value(equals + 1, first)
    step = {w.text for w in lanes.words[test + 1 : close]}
    down = step & _STEPS_DOWN or ("=" in step and step & {">>", "/"})
    if value == _HALF and down:
        return variable, "down"
    up = step & _STEPS_UP or ("=" in step and step & {"<<", "*"})
    limit = lanes.value(first + 3, test)
    if (
        value == 1
        and up
        and lanes.text(first + 2) in {"<", "<="}
        and lanes.text(first + 1) == variable
    ):
        bound = limit if lanes.text(first + 2) == "<" else None if limit is None else 2 * limit
        if bound == CUDA_LANES:
            return variable, "up"
    return "", ""


def _shuffles_by(body: Body, start: int, end: int, variable: str) -> bool:
    lanes = body.lanes
    for index, name, arguments in body.calls:
        if (
            start <= index < end
            and name in SHUFFLES
            and over_whole_wave(lanes, index, arguments)
        ):
            own = without_mask(lanes, index, arguments)
            if len(own) > 1 and any(w.text == variable for w in lanes.words[slice(*own[1])]):
                return True
    return False


def stride(body: Body) -> Iterator[Finding]:
    """A loop from the lane of a wave that steps by 32, or from a lane of 32 by warpSize."""
    lanes = body.lanes
    for index, word in enumerate(lanes.words):
        if word.text != "for" or index + 1 not in lanes.closers:
            continue
        close = lanes.closers[index + 1]
        first = lanes.statement_end(index + 2)
        start_tags: set[Tag] = set()
        for at in range(index + 2, first):
            if lanes.text(at) == "=":
                start_tags = lanes.tags(at + 1, first)
        step = next((i for i in range(first, close) if lanes.text(i) == "+="), None)
        if step is None:
            continue
        amount = lanes.value(step + 1, close)
        wave = lanes.names_wave(step, close)
        limit = lanes.value(first + 3, lanes.statement_end(first + 1))
        if limit is not None and limit <= CUDA_LANES:
            continue
        wrong = (Tag.LANE_WAVE in start_tags and amount == CUDA_LANES) or (
            Tag.LANE_32 in start_tags and wave
        )
        if wrong:
            yield Finding(
                "stride",
                True,
                index,
                close + 1,
                "the loop begins at a lane of "
                + ("the wave and steps by 32" if not wave else "32 and steps by warpSize")
                + ": elements are counted "
                + ("twice" if not wave else "only in part"),
                "the same number in both places",
            )
