"""The warp intrinsics and math functions of the lane emulation.

*Source*: CUDA C++ Programming Guide, warp vote, match and shuffle functions; for 64 lanes the
HIP programming manual: a vote and a ballot cover the whole wave, a shuffle without a width
takes the wave's own. Masks name lanes and do not change the result of a converged wave.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fastpt_lab.survey.simt_grammar import NotEmulatedError
from fastpt_lab.survey.simt_values import Cell, Pointer, Vector, convert

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

SHUFFLES = frozenset({"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"})
_VOTES = frozenset({"__any", "__all", "__ballot", "__activemask", "__match_any", "__uni"})
_REDUCES = frozenset({"__reduce_add", "__reduce_max", "__reduce_min"})
_FOLDS: dict[str, Callable[[list[int | float]], int | float]] = {
    "__reduce_add": sum,
    "__reduce_max": max,
    "__reduce_min": min,
}
_NOTHING = frozenset(
    {"__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "assert", "printf"}
)
_LOW = {"__popc": 32, "__popcll": 64, "__ffs": 32, "__ffsll": 64, "__clz": 32, "__clzll": 64}


def bare(name: str) -> str:
    """Return the name of an intrinsic without `_sync`."""
    return name.removesuffix("_sync")


def is_warp_intrinsic(name: str) -> bool:
    """Return whether `name` exchanges something between the lanes of a wave."""
    plain = bare(name)
    return plain in SHUFFLES or plain in _VOTES or plain in _REDUCES


def wave_call(
    name: str, arguments: Sequence[Vector], active: Sequence[int], wave: int
) -> Vector | None:
    """Return the result of a warp intrinsic in waves of `wave` lanes; None if it is none."""
    plain = bare(name)
    if not is_warp_intrinsic(name):
        return None
    rest = list(arguments[1:]) if name.endswith("_sync") else list(arguments)
    if plain in SHUFFLES:
        return _shuffle(plain, rest, active, wave)
    lanes: list[Cell] = [None] * _size(arguments, active)
    for members in _waves(active, wave):
        for lane, value in zip(members, _vote(plain, rest, members, wave), strict=True):
            lanes[lane] = value
    if plain in {"__ballot", "__activemask", "__match_any"}:
        return Vector("u64" if wave > 32 else "u32", lanes)
    base = rest[0].base if plain in _REDUCES and rest else "i32"
    return Vector(base, lanes)


def _size(arguments: Sequence[Vector], active: Sequence[int]) -> int:
    return len(arguments[0].lanes) if arguments else active[-1] + 1


def _waves(active: Sequence[int], wave: int) -> list[list[int]]:
    found: dict[int, list[int]] = {}
    for lane in active:
        found.setdefault(lane // wave, []).append(lane)
    return list(found.values())


def _shuffle(
    name: str, arguments: Sequence[Vector], active: Sequence[int], wave: int
) -> Vector:
    if len(arguments) < 2:
        raise NotEmulatedError(f"this call of {name}")
    value, where = arguments[0], arguments[1]
    result: list[Cell] = [None] * len(value.lanes)
    running = set(active)
    for lane in active:
        width = arguments[2].lanes[lane] if len(arguments) > 2 else wave
        step = where.lanes[lane]
        if not isinstance(width, int) or not isinstance(step, int) or width < 1:
            continue
        own = lane % wave
        group = own - own % min(width, wave)
        source = _source(name, own, step, group, min(width, wave))
        target = lane - own + source
        result[lane] = value.lanes[target] if target in running else None
    return Vector(value.base, result)


def _source(name: str, own: int, step: int, group: int, width: int) -> int:
    if name == "__shfl":
        return group + step % width
    source = {"__shfl_up": own - step, "__shfl_down": own + step, "__shfl_xor": own ^ step}[
        name
    ]
    if name == "__shfl_xor":
        return source if source < group + width else own
    return source if group <= source < group + width else own


def _vote(name: str, arguments: Sequence[Vector], members: list[int], wave: int) -> list[Cell]:
    values = [arguments[0].lanes[lane] for lane in members] if arguments else []
    if any(value is None or isinstance(value, Pointer) for value in values):
        return [None] * len(members)
    numbers = [value for value in values if isinstance(value, (int, float))]
    if name in _REDUCES:
        return [_FOLDS[name](numbers)] * len(members)
    if name == "__match_any":
        return [
            sum(
                1 << (lane % wave) for lane, v in zip(members, numbers, strict=True) if v == own
            )
            for own in numbers
        ]
    if name == "__activemask":
        return [sum(1 << (lane % wave) for lane in members)] * len(members)
    if name == "__ballot":
        bits = sum(1 << (m % wave) for m, v in zip(members, numbers, strict=True) if v)
        return [bits] * len(members)
    if name == "__uni":
        raise NotEmulatedError("__uni")
    return [int(any(numbers) if name == "__any" else all(numbers))] * len(members)


def _bits(name: str, value: int) -> int:
    width = _LOW[name]
    whole = value & ((1 << width) - 1)
    if name.startswith("__popc"):
        return whole.bit_count()
    if name.startswith("__ffs"):
        return (whole & -whole).bit_length()
    return width - whole.bit_length()


_MATH: dict[str, Callable[..., float]] = {
    "fmax": max, "fmin": min, "max": max, "min": min, "abs": abs, "fabs": abs,
    "sqrt": lambda x: math.sqrt(x) if x >= 0 else math.nan,
    "rsqrt": lambda x: 1 / math.sqrt(x) if x > 0 else math.nan,
    "exp": lambda x: math.exp(min(x, 700.0)), "log": lambda x: math.log(x) if x > 0 else math.nan,
    "tanh": math.tanh, "fma": lambda a, b, c: a * b + c, "floor": math.floor, "ceil": math.ceil,
    "pow": lambda a, b: a**b,
}  # fmt: skip


def plain_call(name: str, arguments: Sequence[Vector], active: Sequence[int]) -> Vector | None:
    """Return the result of a function that looks at its own lane alone; None if not known."""
    if name in _NOTHING:
        return Vector("any", [])
    size = _size(arguments, active)
    lanes: list[Cell] = [None] * size
    if name in {"__ldg", "__float2half", "__half2float", "float", "__ldcs"}:
        return arguments[0]
    stem = name.removeprefix("__")
    function = _MATH.get(stem) or _MATH.get(stem.removesuffix("f"))
    for lane in active:
        values = [argument.lanes[lane] for argument in arguments]
        if any(value is None for value in values):
            continue
        numbers = [value for value in values if isinstance(value, (int, float))]
        if len(numbers) != len(values):
            return None
        if name in _LOW:
            lanes[lane] = _bits(name, int(numbers[0]))
        elif function is not None:
            lanes[lane] = function(*numbers)
        else:
            return None
    base = "i32" if name in _LOW else arguments[0].base if arguments else "any"
    return Vector(base, [convert(value, base) for value in lanes])
