"""Values of the lane emulation: integers of C's widths, arrays, and what a lane never wrote."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.survey.simt_syntax import NotEmulatedError

if TYPE_CHECKING:
    from collections.abc import Callable

Scalar = int | float | None
"""One lane's number; None is a value that nobody wrote."""


@dataclass(slots=True)
class Array:
    """Memory that lanes point into; `faults` counts writes outside of it."""

    name: str
    base: str
    data: list[Scalar]
    dims: tuple[int, ...] = ()
    faults: list[str] = field(default_factory=list)


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


def convert(value: Cell, base: str) -> Cell:
    """Return `value` as a C conversion to `base` gives it (two's complement)."""
    if value is None or isinstance(value, Pointer) or base == "any":
        return value
    if base == "f":
        return float(value)
    if base == "bool":
        return int(value != 0)
    bits = _BITS[base]
    whole = int(value) & ((1 << bits) - 1)
    if base[0] == "i" and whole >> (bits - 1):
        whole -= 1 << bits
    return whole


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


def arithmetic(operation: str, left: Cell, right: Cell, base: str) -> Cell:
    """Return one lane's result, converted to `base`; unknown if a side is unknown."""
    if left is None or right is None:
        return None
    if isinstance(left, Pointer) or isinstance(right, Pointer):
        return _pointer_arithmetic(operation, left, right)
    if operation not in COMPARISONS and operation not in {"<<", ">>"}:
        left, right = convert(left, base), convert(right, base)
        assert not isinstance(left, Pointer)
        assert not isinstance(right, Pointer)
    if left is None or right is None:
        return None
    return convert(ARITHMETIC[operation](left, right), base)


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
