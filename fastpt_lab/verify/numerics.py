"""Compare a device's result with a float64 reference made from the same rounded inputs."""

from __future__ import annotations

import importlib
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.errors import UsageError
from fastpt_lab.core.verification import NumericReport
from fastpt_lab.verify.tolerance import RELATIVE, Tolerance, given, tolerance

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.verify.anytype import Tensor, Value

EDGES = (0.0, 1e-4, 1e-3, 1e-2, 1e-1, 0.5, 1.0, 2.0, 10.0, 100.0, math.inf)
"""Upper edges of the histogram of error / tolerance."""


def dtype_name(dtype: object) -> str:
    """Return `float16` of `torch.float16` or of the word itself."""
    return str(dtype).removeprefix("torch.")


def to_reference(value: Tensor) -> Tensor:
    """Return a tensor on the CPU in the widest type of its kind; the numbers stay the same."""
    torch = importlib.import_module("torch")
    value = value.detach().cpu()
    if value.is_complex():
        return value.to(torch.complex128)
    return value.double() if value.is_floating_point() else value


def reference_of(function: Callable[..., Any], inputs: Sequence[Value]) -> Value:
    """Compute the reference: the same numbers, on the CPU, in float64."""
    torch = importlib.import_module("torch")
    wide = [to_reference(i) if isinstance(i, torch.Tensor) else i for i in inputs]
    with torch.no_grad():
        return function(*wide)


def tensors_of(value: Value) -> tuple[Tensor, ...]:
    """Return the tensors of what an operator gave back: one, or some in a sequence or dict.

    Raises:
        UsageError: there is none.
    """
    torch = importlib.import_module("torch")
    if isinstance(value, torch.Tensor):
        return (value,)
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        found = tuple(item for item in value if isinstance(item, torch.Tensor))
        if found:
            return found
    raise UsageError(
        f"the operator gave back {type(value).__name__}, no tensor",
        next_step="Return a tensor, or a tuple of tensors",
    )


def compare(
    out: Tensor,
    reference: Tensor,
    *,
    name: str = "out",
    dtype: object = None,
    reduction_length: int = 1,
    accumulate: object = None,
    stored: object = None,
    rtol: float | None = None,
    atol: float | None = None,
    scale: float | None = None,
    equal_nan: bool = False,
    runs: int = 1,
) -> NumericReport:
    """Compare one tensor with its reference; integers and booleans must be equal.

    Args:
        out: on any device.
        reference: see `reference_of`.
        name: of the tensor, for the report.
        dtype: what `out` must be, its own by default.
        reduction_length: terms of the longest sum behind one element.
        accumulate: dtype it is summed in, float32 for half types.
        stored: dtype that an intermediate result is rounded to.
        rtol: in place of the policy's.
        atol: in place of the policy's.
        scale: largest value of the reference, found by default.
        equal_nan: whether NaN is right where the reference has NaN.
        runs: independent results compared: 2 for one device against another.
    """
    wanted = dtype_name(dtype if dtype is not None else out.dtype)
    base = NumericReport(
        name=name,
        dtype=dtype_name(out.dtype),
        shape=tuple(out.shape),
        status=CheckStatus.FAIL,
        elements=out.numel(),
    )
    if dtype_name(out.dtype) != wanted:
        return replace(base, reason=f"dtype {dtype_name(out.dtype)} instead of {wanted}")
    if tuple(out.shape) != tuple(reference.shape):
        return replace(base, reason=f"shape {base.shape} instead of {tuple(reference.shape)}")
    left, right = to_reference(out), to_reference(reference)
    if left.is_floating_point() != right.is_floating_point() and not left.is_complex():
        left, right = left.double(), right.double()
    if wanted not in RELATIVE:
        return _exact(base, left, right)
    peak = float(right.abs().nan_to_num(0.0, 0.0, 0.0).max()) if right.numel() else 0.0
    chosen = tolerance(
        wanted,
        reduction_length=reduction_length,
        scale=peak if scale is None else scale,
        accumulate=None if accumulate is None else dtype_name(accumulate),
        stored=None if stored is None else dtype_name(stored),
        runs=runs,
    )
    return _close(
        base,
        left,
        right,
        given(chosen, wanted, rtol=rtol, atol=atol),
        equal_nan=equal_nan,
        kept=out.dtype,
    )


def _exact(base: NumericReport, left: Tensor, right: Tensor) -> NumericReport:
    wrong = left != right
    count = int(wrong.sum())
    first = _first(wrong)
    return replace(
        base,
        status=CheckStatus.FAIL if count else CheckStatus.OK,
        reason=f"{count:,} of {base.elements:,} differ" if count else "",
        mismatched=count,
        worst=_index(first, base.shape) if base.elements else None,
        worst_out=str(left.flatten()[first].item()) if base.elements else "",
        worst_reference=str(right.flatten()[first].item()) if base.elements else "",
        policy=f"{base.dtype}: exact",
        pattern=_pattern(wrong) if count else "",
    )


def _first(wrong: Tensor) -> int:
    places = wrong.flatten().nonzero()
    return int(places[0]) if len(places) else 0


def _close(
    base: NumericReport,
    left: Tensor,
    right: Tensor,
    chosen: Tolerance,
    *,
    equal_nan: bool,
    kept: object,
) -> NumericReport:
    torch = importlib.import_module("torch")
    if not base.elements:
        return replace(base, status=CheckStatus.OK, policy=chosen.policy, rtol=chosen.rtol,
                       atol=chosen.atol)  # fmt: skip
    # What is beyond the dtype's largest value is rightly infinite in the result.
    right = torch.where(right.to(kept).isinf(), right.to(kept).to(right.dtype), right)
    error, ratio, wrong = _judge(left, right, chosen, equal_nan=equal_nan)
    finite = error[error.isfinite()]
    size = right.abs()[error.isfinite()]
    relative = finite[size > 0] / size[size > 0]
    count = int(wrong.sum())
    worst = int(ratio.flatten().argmax())
    nan = int((left.isnan() & ~right.isnan()).sum())
    inf = int((left.isinf() & ~right.isinf()).sum())
    return replace(
        base,
        status=CheckStatus.FAIL if count else CheckStatus.OK,
        reason=_reason(count, base.elements, nan, inf),
        mismatched=count,
        max_abs=float(finite.max()) if finite.numel() else math.nan,
        max_rel=float(relative.max()) if relative.numel() else 0.0,
        rms=float(finite.square().mean().sqrt()) if finite.numel() else math.nan,
        worst=_index(worst, base.shape),
        worst_out=f"{left.flatten()[worst].item():.9g}",
        worst_reference=f"{right.flatten()[worst].item():.9g}",
        nan=nan,
        inf=inf,
        rtol=chosen.rtol,
        atol=chosen.atol,
        policy=chosen.policy,
        histogram=_histogram(ratio),
        pattern=_pattern(wrong) if count else "",
    )


def _judge(
    left: Tensor, right: Tensor, chosen: Tolerance, *, equal_nan: bool
) -> tuple[Tensor, Tensor, Tensor]:
    """Return error, error / tolerance and what is wrong, element by element."""
    torch = importlib.import_module("torch")
    same = left == right
    both_nan = left.isnan() & right.isnan()
    error = (left - right).abs().masked_fill(same | both_nan, 0.0)
    allowed = chosen.atol + chosen.rtol * right.abs()
    ratio = torch.where(allowed > 0, error / allowed, torch.where(error > 0, math.inf, 0.0))
    # A comparison with NaN is false: what is not inside is wrong.
    right_nan = both_nan if equal_nan else torch.zeros_like(same)
    wrong = ~(same | right_nan | (error <= allowed))
    wrong |= (left.isinf() | right.isinf()) & ~same
    return error, ratio.masked_fill(wrong & ~(ratio > 1), math.inf), wrong


def _reason(count: int, elements: int, nan: int, inf: int) -> str:
    if not count:
        return ""
    parts = [f"{count:,} of {elements:,} beyond the tolerance"]
    parts += [f"{nan:,} NaN"] if nan else []
    parts += [f"{inf:,} infinite"] if inf else []
    return ", ".join(parts)


def _index(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    index = []
    for size in reversed(shape):
        index.append(flat % size)
        flat //= size
    return tuple(reversed(index))


def _histogram(ratio: Tensor) -> tuple[tuple[float, int], ...]:
    flat = ratio.flatten()
    found = []
    below = 0
    for edge in EDGES:
        up_to = flat.numel() if edge == math.inf else int((flat <= edge).sum())
        found.append((edge, up_to - below))
        below = up_to
    return tuple(found)


def _pattern(wrong: Tensor) -> str:
    """Say what the places of the mismatches have in common, along the last dimension."""
    if not wrong.dim():
        return ""
    length = wrong.shape[-1]
    places = wrong.reshape(-1, length).nonzero()[:, -1]
    lanes = places % 64
    if length > 32 and bool((lanes >= 32).all()):
        return "all in lanes 32 to 63 of a wave of 64: look for code that assumes 32 lanes"
    tail = length - length % 64
    if length % 64 and tail and bool((places >= tail).all()):
        return f"all in the tail beyond {tail}: look at the bound of the last block"
    rows = wrong.reshape(-1, length).any(dim=-1)
    if rows.numel() > 1 and int(rows.sum()) == 1 and int(wrong.sum()) > 1:
        return f"all in row {int(rows.nonzero()[0])}"
    return ""


def run_to_run(results: Sequence[Tensor]) -> float:
    """Return the largest difference between repeated results; NaN if one is NaN elsewhere."""
    first = to_reference(results[0])
    largest = 0.0
    for other in results[1:]:
        second = to_reference(other)
        if first.dtype.is_floating_point or first.is_complex():
            difference = (first - second).abs()
            same = (first == second) | (first.isnan() & second.isnan())
            difference = difference.masked_fill(same, 0.0)
        else:
            difference = (first != second).double()
        if difference.numel():
            worst = float(difference.max())
            largest = worst if math.isnan(worst) else max(largest, worst)
    return largest
