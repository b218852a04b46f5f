"""Values of the lane emulation: integers of C's widths, arrays, and what a lane never wrote."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.survey.simt_grammar import NotEmulatedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Scalar = int | float | None
"""One lane's number; None is a value that nobody wrote."""


@dataclass(slots=True)
class Array:
    """Memory that lanes point into; `faults` names writes outside of it."""

    name: str
    base: str
    data: list[Scalar]
    dims: tuple[int, ...] = ()
    faults: list[str] = field(default_factory=list)
    written: bool = False


class Pointer(NamedTuple):
    """An element of an array; `dims` are the extents of what one step jumps over."""

    array: Array
    offset: int
    dims: tuple[int, ...] = ()


Cell = Scalar | Pointer


class Vector(NamedTuple):
    """The value of one expression in every lane; `base` as in `simt_syntax.Type`."""

    base: str
    lanes: list[Cell]


_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64}
_RANGES = {
    base: (-(1 << (bits - 1)), 1 << (bits - 1)) if base[0] == "i" else (0, 1 << bits)
    for base, bits in _BITS.items()
}


def convert(value: Cell, base: str) -> Cell:
    """Return `value` as a C conversion to `base` gives it (two's complement)."""
    if value is None or base == "any" or value.__class__ is Pointer:
        return value
    assert not isinstance(value, Pointer)
    return fitted(value, base)


def fitted(value: float, base: str) -> float:
    """Return a number converted to `base`."""
    if base == "f":
        return float(value)
    if base == "any":
        return value
    if base == "bool":
        return int(value != 0)
    low, high = _RANGES[base]
    if value.__class__ is int and low <= value < high:
        return value
    whole = int(value) & ((1 << _BITS[base]) - 1)
    return whole - (1 << _BITS[base]) if whole >= high else whole


def common(left: str, right: str) -> str:
    """Return the type of an arithmetic operation (C++17 [expr], usual conversions)."""
    if "f" in (left, right):
        return "f"
    if "any" in (left, right):
        other = right if left == "any" else left
        return "any" if other == "any" else other
    first, second = promoted(left), promoted(right)
    wide = "64" in (first[1:], second[1:])
    rank = "64" if wide else "32"
    unsigned = any(base == "u" + rank for base in (first, second))
    return ("u" if unsigned else "i") + rank


def promoted(base: str) -> str:
    """Return the type after integral promotion."""
    return base if base in {"f", "any"} or base.endswith(("32", "64")) else "i32"


def _divide(left: float, right: float) -> int | float:
    if isinstance(left, float) or isinstance(right, float):
        return math.nan if right == 0 else left / right
    if right == 0:
        raise NotEmulatedError("a division by zero")
    return abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)


def _remainder(left: float, right: float) -> int | float:
    return left - right * _divide(int(left), int(right))


def _shift(left: float, right: float) -> tuple[int, int]:
    if not 0 <= right < 64:
        raise NotEmulatedError("a shift by more than the width")
    return int(left), int(right)


ARITHMETIC: dict[str, Callable[[int | float, int | float], int | float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _divide,
    "%": _remainder,
    "&": lambda a, b: int(a) & int(b),
    "|": lambda a, b: int(a) | int(b),
    "^": lambda a, b: int(a) ^ int(b),
    "<<": lambda a, b: operator.lshift(*_shift(a, b)),
    ">>": lambda a, b: operator.rshift(*_shift(a, b)),
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
COMPARISONS = frozenset({"<", ">", "<=", ">=", "==", "!="})


def combined(
    operation: str, left: Vector, right: Vector, active: Iterable[int], base: str
) -> list[Cell]:
    """Return the results of an operation in the lanes `active`, converted to `base`.

    The operands of arithmetic are converted to `base` first, those of a shift keep their types
    and those of a comparison take their common one. Unknown where a side is unknown.
    """
    operands = base
    if operation in COMPARISONS:
        operands = common(left.base, right.base)
    elif operation in {"<<", ">>"}:
        operands = "any"
    fold = ARITHMETIC[operation]
    first, second = left.lanes, right.lanes
    result: list[Cell] = [None] * len(first)
    for lane in active:
        one, two = first[lane], second[lane]
        if one is None or two is None:
            continue
        if one.__class__ is Pointer or two.__class__ is Pointer:
            result[lane] = _pointer_arithmetic(operation, one, two)
            continue
        assert not isinstance(one, Pointer)
        assert not isinstance(two, Pointer)
        result[lane] = fitted(fold(fitted(one, operands), fitted(two, operands)), base)
    return result


def _pointer_arithmetic(operation: str, left: Cell, right: Cell) -> Cell:
    if isinstance(right, Pointer):
        left, right = right, left
    if (
        operation not in {"+", "-"}
        or not isinstance(left, Pointer)
        or not isinstance(right, int)
    ):
        raise NotEmulatedError("this arithmetic of pointers")
    stride = math.prod(left.dims)
    return left._replace(offset=left.offset + (right if operation == "+" else -right) * stride)


def load(place: Pointer) -> Cell:
    """Return what an element holds; a read outside the array gives an unknown value."""
    if place.dims:
        return place
    if 0 <= place.offset < len(place.array.data):
        return place.array.data[place.offset]
    return None


def store(place: Pointer, value: Cell) -> None:
    """Write an element; outside the array this is counted as a fault."""
    if isinstance(value, Pointer):
        raise NotEmulatedError("a pointer kept in memory")
    place.array.written = True
    if 0 <= place.offset < len(place.array.data):
        kept = convert(value, place.array.base)
        place.array.data[place.offset] = None if isinstance(kept, Pointer) else kept
    else:
        place.array.faults.append(f"{place.array.name}[{place.offset}]")


def element(base: Cell, index: Cell) -> Pointer | None:
    """Return the place `base[index]`; None if either is unknown."""
    if base is None or index is None:
        return None
    if not isinstance(base, Pointer) or not isinstance(index, int):
        raise NotEmulatedError("this subscript")
    stride = math.prod(base.dims)
    return Pointer(base.array, base.offset + index * stride, base.dims[1:])
