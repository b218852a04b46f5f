"""How far a result may be from the reference: by dtype and by the length of its sums.

The reference is float64 on the CPU, made from the *same rounded inputs*, so only the
arithmetic is measured. Elementwise results get the tolerances of `torch.testing.assert_close`
(torch 2.13). A sum of K products carries about sqrt(K) roundings of the type it is summed in:
float32 from K = 1024 fails the elementwise tolerance while its error is 4e-7 of the largest
value (matrix products of normal numbers, measured on a CPU).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

RELATIVE = {
    "float16": (1e-3, 1e-5),
    "bfloat16": (1.6e-2, 1e-5),
    "float32": (1.3e-6, 1e-5),
    "float64": (1e-7, 1e-7),
    "complex32": (1e-3, 1e-5),
    "complex64": (1.3e-6, 1e-5),
    "complex128": (1e-7, 1e-7),
}
"""`(rtol, atol)` of `assert_close`; every other dtype is compared exactly."""

_EPSILON = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-23,
    "float64": 2.0**-52,
}
_SUMMED_IN = {
    "float16": "float32",
    "bfloat16": "float32",
    "complex32": "float32",
    "complex64": "float32",
    "complex128": "float64",
}
ROUNDINGS = 4.0
"""A random walk of K roundings stays below four times sqrt(K) of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """|out - ref| <= atol + rtol * |ref|, and how it was chosen."""

    rtol: float
    atol: float
    policy: str


def tolerance(
    dtype: str,
    *,
    reduction_length: int = 1,
    scale: float = 1.0,
    accumulate: str | None = None,
    stored: str | None = None,
    runs: int = 1,
) -> Tolerance:
    """Return the tolerance of a result.

    Args:
        dtype: of the result, as `float16`.
        reduction_length: terms of the longest sum behind one element; 1 is elementwise.
        scale: the largest value of the reference.
        accumulate: the type it is summed in; half types are summed in float32.
        stored: the type that an intermediate result is rounded to on its way.
        runs: independent results that are compared: 2 for one device against another.
    """
    if dtype not in RELATIVE:
        return Tolerance(rtol=0.0, atol=0.0, policy=f"{dtype}: exact")
    rtol, atol = RELATIVE[dtype]
    words = f"{dtype}: rtol {rtol:g}, atol {atol:g} (assert_close)"
    if reduction_length > 1:
        summed = accumulate or _SUMMED_IN.get(dtype, dtype)
        extra = ROUNDINGS * _EPSILON[summed] * math.sqrt(reduction_length) * scale
        atol += extra
        words += (
            f" + {ROUNDINGS:g} eps({summed}) sqrt({reduction_length}) max|ref| {scale:.3g}"
            f" = {atol:.3g}"
        )
    if stored is not None:
        # The terms are rounded, not the sum: their errors add up as the terms themselves do.
        atol += ROUNDINGS * _EPSILON[stored] * scale
        words += f" + {ROUNDINGS:g} eps({stored}) max|ref| (stored between) = {atol:.3g}"
    if runs > 1:
        rtol, atol = rtol * runs, atol * runs
        words = f"{runs} x ({words})"
    return Tolerance(rtol=rtol, atol=atol, policy=words)


def given(
    chosen: Tolerance, dtype: str, *, rtol: float | None, atol: float | None
) -> Tolerance:
    """Return the tolerance with what the user set in place of the policy's."""
    if rtol is None and atol is None:
        return chosen
    relative = chosen.rtol if rtol is None else rtol
    absolute = chosen.atol if atol is None else atol
    policy = f"{dtype}: rtol {relative:g}, atol {absolute:g} (given)"
    return Tolerance(rtol=relative, atol=absolute, policy=policy)
