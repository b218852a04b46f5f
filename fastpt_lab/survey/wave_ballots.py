"""Ballots and masks: 64 bits that are kept, counted, compared or made as 32."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.condition import number
from fastpt_lab.survey.lanes import BALLOTS, CUDA_LANES, NARROW_TYPES, Lanes, Tag
from fastpt_lab.survey.wave_body import Body, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

_NARROW_COUNTS = {"__popc": "__popcll", "__ffs": "__ffsll", "__clz": "__clzll"}
_FULL_32 = (1 << 32) - 1


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
                    not _both_halves(lanes) and not _only_a_mask(lanes, index, close),
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
            return f"{name} is of type {kind}", f"unsigned long long {name}"
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


def _both_halves(lanes: Lanes) -> bool:
    """Return whether the function shifts something by 32: it may take the halves in turn."""
    return any(
        word.text == ">>"
        and lanes.value(index + 1, lanes.operand_after(index + 1)) == CUDA_LANES
        for index, word in enumerate(lanes.words)
    )


def _only_a_mask(lanes: Lanes, index: int, close: int) -> bool:
    """Return whether the ballot's variable only names lanes for later intrinsics.

    What a mask leaves out matters to HIP 6.2 and newer; the older have no mask.
    """
    if lanes.text(index - 1) != "=":
        return False
    name = lanes.text(index - 2)
    uses = [i for i in range(close, len(lanes.words)) if lanes.text(i) == name]
    return bool(uses) and all(
        lanes.text(i - 1) == "("
        and lanes.text(i - 2).endswith("_sync")
        and lanes.text(i + 1) in {",", ")"}
        for i in uses
    )


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
