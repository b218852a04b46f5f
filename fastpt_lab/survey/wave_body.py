"""One device function as the wavefront rules see it: its words, its calls, its surroundings."""

from __future__ import annotations

from dataclasses import dataclass

from fastpt_lab.survey.lanes import LAYOUT_32, Lanes
from fastpt_lab.survey.simt_intrinsics import bare, is_warp_intrinsic

Call = tuple[int, str, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Finding:
    """Something at `words[start:end]` of one function."""

    check: str
    certain: bool
    start: int
    end: int
    message: str
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Body:
    """A function's words with what its surroundings say.

    Attributes:
        lanes: the words and what the names in them are.
        calls: the warp intrinsics called.
        result: the type that the function returns, as written.
        layout_32: whether a launch gives each warp of 32 a row of the block.
        one_warp: whether no launch seen gives a block more than 32 threads.
        wave_layout: whether the function, or one that calls it, counts lanes by warpSize.
        exchanges: whether it, or one that it calls, exchanges values between lanes.
    """

    lanes: Lanes
    calls: tuple[Call, ...] = ()
    result: str = ""
    layout_32: bool = False
    one_warp: bool = False
    wave_layout: bool = False
    exchanges: bool = True


def wave_calls(lanes: Lanes) -> tuple[Call, ...]:
    """Return each call of a warp intrinsic: index, name without `_sync`, arguments.

    A member of a cooperative group is none: its width is its own.
    """
    return tuple(
        (index, bare(word.text), arguments_of(lanes, index + 1))
        for index, word in enumerate(lanes.words)
        if word.text.startswith("__")
        and is_warp_intrinsic(word.text)
        and lanes.text(index + 1) == "("
        and lanes.text(index - 1) not in {".", "->"}
        and index + 1 in lanes.closers
    )


def arguments_of(lanes: Lanes, opening: int) -> tuple[tuple[int, int], ...]:
    """Return the start and end of each argument of the call that opens there."""
    close = lanes.closers[opening]
    found: list[tuple[int, int]] = []
    start = opening + 1
    while start < close:
        end = lanes.statement_end(start)
        found.append((start, end))
        start = end + 1
    return tuple(found)


def without_mask(
    lanes: Lanes, index: int, arguments: tuple[tuple[int, int], ...]
) -> list[tuple[int, int]]:
    """Return the arguments of a warp intrinsic without its mask."""
    return list(arguments[1:] if lanes.text(index).endswith("_sync") else arguments)


def over_whole_wave(lanes: Lanes, index: int, arguments: tuple[tuple[int, int], ...]) -> bool:
    """Return whether a shuffle has no width, or one that is not a constant of 32 or less."""
    own = without_mask(lanes, index, arguments)
    if len(own) < 3:
        return True
    width = lanes.value(*own[2])
    return width is None and lanes.names_wave(*own[2])


def counts_by_32(body: Body) -> bool:
    """Return whether the function, or a launch of it, counts in warps of 32."""
    return body.layout_32 or body.lanes.has(LAYOUT_32)


def body_end(lanes: Lanes, start: int) -> int:
    """Return the end of the statement that begins at `start`."""
    if lanes.text(start) == "{" and start in lanes.closers:
        return lanes.closers[start] + 1
    if lanes.text(start) in {"for", "if", "while"} and start + 1 in lanes.closers:
        return body_end(lanes, lanes.closers[start + 1] + 1)
    index = start
    while index < len(lanes.words) and lanes.text(index) != ";":
        index = lanes.closers.get(index, index) + 1 if lanes.text(index) in "([{" else index + 1
    return index + 1
