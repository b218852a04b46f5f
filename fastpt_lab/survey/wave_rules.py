"""The 32-lane assumptions of one function, each with its place, its certainty and the cure.

*Source*: AMD GCN and CDNA, and all DCU targets known (gfx906 to gfx938), run waves of 64 lanes;
HIP returns ballots as 64-bit numbers, and since ROCm 7 `warpSize` is no constant expression.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.condition import number
from fastpt_lab.survey.lanes import (
    BALLOTS,
    CUDA_LANES,
    LAYOUT_32,
    LAYOUT_WAVE,
    NARROW_TYPES,
    VOTES,
    Lanes,
    Tag,
)
from fastpt_lab.survey.simt_intrinsics import SHUFFLES, bare, is_warp_intrinsic

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_NARROW_COUNTS = {"__popc": "__popcll", "__ffs": "__ffsll", "__clz": "__clzll"}
_FULL_32 = (1 << 32) - 1
_HALF = CUDA_LANES // 2
_KINDS = {
    Tag.LANE_32: "a lane of 32",
    Tag.WARP_32: "the number of a warp of 32",
    Tag.WARPS_32: "a number of warps of 32",
}
_STEPS_DOWN = frozenset({">>=", "/="})
_STEPS_UP = frozenset({"<<=", "*="})


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


_HALVES = frozenset({"narrow-ballot", "broadcast", "vote", "short-loop"})
"""What is right where only the first 32 threads of the block take part."""


def wave_calls(lanes: Lanes) -> tuple[Call, ...]:
    """Return each call of a warp intrinsic: index, name without `_sync`, arguments.

    A member of a cooperative group is none: its width is its own.
    """
    return tuple(
        (index, bare(word.text), _arguments(lanes, index + 1))
        for index, word in enumerate(lanes.words)
        if word.text.startswith("__")
        and is_warp_intrinsic(word.text)
        and lanes.text(index + 1) == "("
        and lanes.text(index - 1) not in {".", "->"}
        and index + 1 in lanes.closers
    )


def _arguments(lanes: Lanes, opening: int) -> tuple[tuple[int, int], ...]:
    close = lanes.closers[opening]
    found: list[tuple[int, int]] = []
    start = opening + 1
    while start < close:
        end = lanes.statement_end(start)
        found.append((start, end))
        start = end + 1
    return tuple(found)


def _own(
    lanes: Lanes, index: int, arguments: tuple[tuple[int, int], ...]
) -> list[tuple[int, int]]:
    """Return the arguments of a warp intrinsic without its mask."""
    return list(arguments[1:] if lanes.text(index).endswith("_sync") else arguments)


def _whole_wave(lanes: Lanes, index: int, arguments: tuple[tuple[int, int], ...]) -> bool:
    """Return whether a shuffle has no width, or one that is not a constant of 32 or less."""
    own = _own(lanes, index, arguments)
    if len(own) < 3:
        return True
    width = lanes.value(*own[2])
    return width is None and "warpSize" in [w.text for w in lanes.words[slice(*own[2])]]


def _layout_32(body: Body) -> bool:
    return body.layout_32 or body.lanes.has(LAYOUT_32)


def narrow_ballot(body: Body) -> Iterator[Finding]:
    """A 64-bit ballot that is kept, counted or compared as 32 bits."""
    lanes = body.lanes
    for index, name, _ in body.calls:
        if name in BALLOTS:
            close = lanes.closers[index + 1]
            reason, cure = _narrowing(body, index, close)
            if reason:
                yield Finding(
                    "narrow-ballot",
                    True,
                    index,
                    close + 1,
                    f"{lanes.text(index)} gives 64 bits here and {reason}: the votes of lanes "
                    "32 to 63 are lost",
                    cure,
                )
    for index, word in enumerate(lanes.words):
        wide = _NARROW_COUNTS.get(word.text)
        if wide and lanes.text(index + 1) == "(" and index + 1 in lanes.closers:
            inner = lanes.text(index + 2)
            if Tag.BALLOT in lanes.names.get(inner, set()):
                yield Finding(
                    "narrow-ballot",
                    True,
                    index,
                    lanes.closers[index + 1] + 1,
                    f"{word.text} looks at 32 bits, and {inner} has 64: lanes 32 to 63 are lost",
                    f"{wide}({inner})",
                )


def _narrowing(body: Body, index: int, close: int) -> tuple[str, str]:
    """Return what makes 32 bits of the ballot at `index`, and the cure; "" if nothing does."""
    lanes = body.lanes
    before = lanes.text(index - 1)
    outer = lanes.text(index - 2)
    if before == "(" and outer in _NARROW_COUNTS:
        return f"{outer} counts 32", f"{_NARROW_COUNTS[outer]}(…)"
    if before in {")", "("} and _narrow_cast(lanes, index):
        return "a cast keeps 32", "unsigned long long"
    if before == "=":
        name = lanes.text(index - 2)
        kind = lanes.types.get(name, "")
        if kind in NARROW_TYPES:
            return f"{name} is {kind}", f"unsigned long long {name}"
    if before == "return" and body.result in NARROW_TYPES:
        return f"the function returns {body.result}", "unsigned long long"
    after, literal = lanes.text(close + 1), lanes.text(close + 2)
    if after in {"==", "!="} and number(literal) == _FULL_32:
        return f"is compared with {literal}", "~0ull"
    if (
        after in {"==", "!="}
        and lanes.text(close + 2) == "~"
        and number(lanes.text(close + 3)) == 0
        and not lanes.text(close + 3).lower().endswith("ll")
    ):
        return "is compared with 32 ones", "~0ull"
    return "", ""


def _narrow_cast(lanes: Lanes, index: int) -> bool:
    before = index - 1
    if lanes.text(before) == ")" and before in lanes.closers:
        inner = " ".join(w.text for w in lanes.words[lanes.closers[before] + 1 : before])
        return inner in NARROW_TYPES
    if lanes.text(before - 1) == ">":
        return lanes.text(before - 3) == "<" and lanes.text(before - 2) in NARROW_TYPES
    return lanes.text(before - 1) in NARROW_TYPES


def mask_literal(body: Body) -> Iterator[Finding]:
    """A 32-bit mask names half of a wave."""
    lanes = body.lanes
    for index, _, arguments in body.calls:
        if not lanes.text(index).endswith("_sync") or not arguments:
            continue
        start, end = arguments[0]
        text = "".join(w.text for w in lanes.words[start:end])
        value = lanes.value(start, end)
        wide = text.lower().rstrip(")").endswith("ll")
        full = value is not None and value & _FULL_32 == _FULL_32 and value >> 32 in {0, -1}
        if full and not wide:
            yield Finding(
                "mask-literal",
                False,
                start,
                end,
                f"the mask {text} names lanes 0 to 31 of 64; HIP wants 64 bits, and its older "
                "versions have no mask at all",
                "0xffffffffffffffffull",
            )


def short_loop(body: Body) -> Iterator[Finding]:
    """A reduction or scan by shuffles that covers 32 lanes."""
    lanes = body.lanes
    for index, word in enumerate(lanes.words):
        if word.text != "for" or index + 1 not in lanes.closers:
            continue
        close = lanes.closers[index + 1]
        variable, kind = _span_of_loop(lanes, index + 2, close)
        end = _body_end(lanes, close + 1)
        if variable and _shuffles_by(body, close + 1, end, variable):
            wave = body.wave_layout
            what = "begins at 16" if kind == "down" else "ends before 32"
            yield Finding(
                "short-loop",
                wave,
                index,
                close + 1,
                f"the loop {what}: it joins 32 lanes"
                + (
                    ", but lanes are counted by warpSize, which is 64"
                    if wave
                    else "; right only while each half of the wave is a warp of its own"
                ),
                "warpSize / 2" if kind == "down" else "warpSize",
            )


def unrolled(body: Body) -> Iterator[Finding]:
    """The same written out: the first shuffle steps by 16, and none by 32."""
    lanes = body.lanes
    steps: list[tuple[int, int]] = []
    for index, name, arguments in body.calls:
        own = _own(lanes, index, arguments)
        if (
            name in SHUFFLES
            and name != "__shfl"
            and len(own) > 1
            and _whole_wave(lanes, index, arguments)
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


def _body_end(lanes: Lanes, start: int) -> int:
    if lanes.text(start) == "{" and start in lanes.closers:
        return lanes.closers[start] + 1
    if lanes.text(start) in {"for", "if", "while"} and start + 1 in lanes.closers:
        return _body_end(lanes, lanes.closers[start + 1] + 1)
    index = start
    while index < len(lanes.words) and lanes.text(index) != ";":
        index = lanes.closers.get(index, index) + 1 if lanes.text(index) in "([{" else index + 1
    return index + 1


def _shuffles_by(body: Body, start: int, end: int, variable: str) -> bool:
    lanes = body.lanes
    for index, name, arguments in body.calls:
        if start <= index < end and name in SHUFFLES and _whole_wave(lanes, index, arguments):
            own = _own(lanes, index, arguments)
            if len(own) > 1 and any(w.text == variable for w in lanes.words[slice(*own[1])]):
                return True
    return False


def broadcast(body: Body) -> Iterator[Finding]:
    """A shuffle that names a lane of 32 in a wave of 64."""
    lanes = body.lanes
    wave = lanes.has(LAYOUT_WAVE)
    for index, name, arguments in body.calls:
        own = _own(lanes, index, arguments)
        if name != "__shfl" or len(own) < 2 or not _whole_wave(lanes, index, arguments):
            continue
        tags = lanes.tags(*own[1])
        source = lanes.value(*own[1])
        end = lanes.closers[index + 1] + 1
        if _layout_32(body) and not wave and not (Tag.THREAD in tags and not tags & LAYOUT_32):
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
    if not _layout_32(body) or lanes.has(LAYOUT_WAVE):
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
            "mixed-layout" if mixed else "lane-arithmetic",
            mixed,
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
        wave = "warpSize" in [w.text for w in lanes.words[step:close]]
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
            yield Finding(
                "last-lane", True, before, index + 2, "lane 31 is not the last one of 64",
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
        elif sizes.get(name, 1 << 30) <= CUDA_LANES:
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


def lane_bit(body: Body) -> Iterator[Finding]:
    """A 32-bit one shifted by a lane that goes up to 63."""
    lanes = body.lanes
    for index, word in enumerate(lanes.words):
        if word.text != "<<" or index == 0 or lanes.words[index - 1].kind is not Kind.NUMBER:
            continue
        literal = lanes.text(index - 1)
        end = lanes.operand_after(index + 1)
        if (
            number(literal) == 1
            and "l" not in literal.lower()
            and Tag.LANE_WAVE in lanes.tags(index + 1, end)
        ):
            yield Finding(
                "lane-bit", True, index - 1, end,
                f"{literal} has 32 bits and the lane goes up to 63", "1ull",
            )  # fmt: skip


def constant_warp_size(body: Body) -> Iterator[Finding]:
    """`warpSize` where the language wants a constant."""
    lanes = body.lanes
    for index, word in enumerate(lanes.words):
        if word.text != "warpSize":
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
                found.append((close + 1, _body_end(lanes, close + 1)))
    return found


RULES: tuple[Callable[[Body], Iterator[Finding]], ...] = (
    narrow_ballot, mask_literal, short_loop, unrolled, broadcast, vote, lane_arithmetic, stride,
    last_lane, scratch, lane_bit, constant_warp_size,
)  # fmt: skip
