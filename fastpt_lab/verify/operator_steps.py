"""The rungs of the operator: small shapes, the real one, dtypes, layouts, streams, repeats."""

from __future__ import annotations

import importlib
import re
import time
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.verify.first_steps import drain
from fastpt_lab.verify.model_steps import model_steps
from fastpt_lab.verify.numerics import compare, dtype_name, reference_of, run_to_run, tensors_of
from fastpt_lab.verify.step import Outcome, Step
from fastpt_lab.verify.timing import measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.core.verification import NumericReport
    from fastpt_lab.verify.anytype import Torch, Value
    from fastpt_lab.verify.definition import Definition

REPEATS = 3
_HELD_UP_CYCLES = 100_000_000
_FAULT = re.compile(
    r"\b(?:CUDA|HIP)[ _](?:error|failure)|hipError|cudaError|VMFault", re.IGNORECASE
)
_ABOUT_LAYOUT = re.compile(r"contiguous|stride|layout", re.IGNORECASE)
_ABOUT_DTYPE = re.compile(
    r"dtype|scalar type|not implemented for|unsupported|half|bfloat16|double|float",
    re.IGNORECASE,
)


@dataclass(slots=True)
class Operator:
    """Runs the operator of a definition and compares what it gives.

    Attributes:
        load: seconds that running the definition took, imports included.
        first: seconds of the first call, None before it.
    """

    definition: Definition
    device: str
    load: float | None = None
    first: float | None = None

    @property
    def name(self) -> str:
        """The operator's own name."""
        return str(getattr(self.definition.op, "__name__", "op"))

    def call(self, inputs: tuple[Any, ...]) -> tuple[Any, ...]:
        """Run it and wait for the device."""
        torch: Any = importlib.import_module("torch")
        started = time.perf_counter()
        with torch.no_grad():
            out = tensors_of(self.definition.op(*inputs))
        drain(self.device)
        if self.first is None:
            self.first = time.perf_counter() - started
        return out

    def reports(
        self, inputs: tuple[Any, ...], out: tuple[Any, ...]
    ) -> tuple[NumericReport, ...]:
        """Compare every tensor that came out with its reference.

        Raises:
            RuntimeError: the two give back different numbers of tensors.
        """
        d = self.definition
        expected = tensors_of(reference_of(d.reference, inputs))
        if len(expected) != len(out):
            raise RuntimeError(
                f"op gave back {len(out)} tensors, reference {len(expected)}: compare the same"
            )
        return tuple(
            compare(
                one,
                other,
                name=self.name if len(out) == 1 else f"{self.name}[{number}]",
                reduction_length=d.reduction,
                accumulate=d.summed_in(dtype_name(one.dtype)),
                stored=d.stored_in(dtype_name(one.dtype)),
                rtol=d.rtol,
                atol=d.atol,
            )
            for number, (one, other) in enumerate(zip(out, expected, strict=True))
        )

    def at(self, size: int, dtype: str, change: Callable[[Any], Any] | None = None) -> Outcome:
        """Make the inputs, run, compare."""
        made = self.definition.make(size, dtype, self.device)
        inputs = tuple(change(item) for item in made) if change else made
        return judged(self.reports(inputs, self.call(inputs)))


def judged(reports: tuple[NumericReport, ...]) -> Outcome:
    """Return the outcome of a comparison: the first tensor that failed, or the largest error."""
    bad = next((r for r in reports if r.status is not CheckStatus.OK), None)
    if bad is None:
        worst = max(reports, key=lambda report: report.max_abs)
        detail = f"{worst.elements:,} elements, max error {worst.max_abs:.3g}"
        return Outcome(detail=detail, reports=reports)
    where = ""
    if bad.worst is not None:
        where = f"; at {list(bad.worst)} {bad.worst_out}, should be {bad.worst_reference}"
    hint = f"; {bad.pattern}" if bad.pattern else ""
    return Outcome(
        detail=f"{bad.name}: {bad.reason}{where}{hint}",
        status=CheckStatus.FAIL,
        next_step="Look at the kernel with this shape, dtype and layout; those before were right",
        reports=reports,
    )


def operator_steps(definition: Definition, device: str, load: float) -> tuple[Step, ...]:
    """Return the steps, a model's loading first where the definition has one."""
    op = Operator(definition, device, load)
    first, real = definition.dtypes[0], definition.real
    steps = list(model_steps(definition, device)) if definition.has_model else []
    for size in dict.fromkeys(definition.sizes):
        title = f"op with {rows(size)}, {first}"
        steps.append(Step(f"op-{size}", title, partial(op.at, size, first)))
    steps.append(Step("op-real", f"op with {rows(real)}, {first}", lambda: op.at(real, first)))
    for dtype in dict.fromkeys(definition.dtypes[1:]):
        title = f"op in {dtype}"
        steps.append(Step(f"dtype-{dtype}", title, partial(_dtype, op, real, dtype)))
    steps += [
        Step("layout-strided", "op with strided inputs", lambda: _strided(op, first)),
        Step("layout-empty", "op with no rows", lambda: _empty(op, first)),
        Step("second-stream", "op on a second stream", lambda: _stream(op, first)),
        Step("repeats", f"op {REPEATS} times", lambda: _repeats(op, first)),
        Step("timing", "first call and steady state", lambda: _timing(op, first)),
    ]
    return tuple(steps)


def rows(number: int) -> str:
    """Return "1 row", "1,000 rows"."""
    return f"{number:,} row" if number == 1 else f"{number:,} rows"


def _line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0][:200]


def _dtype(op: Operator, size: int, dtype: str) -> Outcome:
    try:
        return op.at(size, dtype)
    except (RuntimeError, TypeError, ValueError) as error:
        return refusal_of_dtype(error)


def refusal_of_dtype(error: RuntimeError | TypeError | ValueError) -> Outcome:
    """Return that the operator does not take a dtype; any other error is raised again.

    Raises:
        RuntimeError: or what else it was.
    """
    if _FAULT.search(str(error)) or not _ABOUT_DTYPE.search(str(error)):
        raise error
    return Outcome(detail=f"not supported by the op: {_line(error)}", status=CheckStatus.SKIP)


def _at_twice_the_stride(value: Value) -> Value:
    torch: Any = importlib.import_module("torch")
    if not isinstance(value, torch.Tensor) or not value.dim():
        return value
    shape = (*value.shape[:-1], value.shape[-1] * 2)
    wide = torch.empty(shape, dtype=value.dtype, device=value.device)
    wide[..., ::2] = value
    return wide[..., ::2]


def _strided(op: Operator, dtype: str) -> Outcome:
    """A clear refusal is as good as a right result; a wrong result is neither."""
    try:
        return op.at(op.definition.sizes[-1], dtype, _at_twice_the_stride)
    except (RuntimeError, TypeError, ValueError) as error:
        if _FAULT.search(str(error)) or not _ABOUT_LAYOUT.search(str(error)):
            raise
        return Outcome(detail=f"refused at the entry: {_line(error)}")


def _empty(op: Operator, dtype: str) -> Outcome:
    try:
        made = op.definition.make(0, dtype, op.device)
    except (RuntimeError, ValueError, IndexError) as error:
        return Outcome(
            detail=f"inputs(0) makes nothing: {_line(error)}", status=CheckStatus.SKIP
        )
    try:
        out = op.call(made)
    except (RuntimeError, TypeError, ValueError) as error:
        # A launch of no blocks is `invalid configuration argument`: the check is missing.
        if _FAULT.search(str(error)):
            raise
        return Outcome(detail=f"refused at the entry: {_line(error)}")
    return judged(op.reports(made, out))


def _stream(op: Operator, dtype: str) -> Outcome:
    """Hold a second stream up, fill the inputs behind that, and call the operator there.

    A kernel that is launched on the default stream does not wait, and reads the NaN that the
    inputs held before.
    """
    if op.device == "cpu":
        return Outcome(detail="the CPU has no streams", status=CheckStatus.SKIP)
    torch: Any = importlib.import_module("torch")
    made = op.definition.make(op.definition.sizes[-1], dtype, op.device)
    late = tuple(_unset(torch, item) for item in made)
    drain(op.device)
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        torch.cuda._sleep(_HELD_UP_CYCLES)
        for item, value in zip(late, made, strict=True):
            if isinstance(item, torch.Tensor):
                item.copy_(value)
        out = op.call(late)
    return judged(op.reports(made, out))


def _unset(torch: Torch, value: Value) -> Value:
    if not isinstance(value, torch.Tensor):
        return value
    if value.is_floating_point() or value.is_complex():
        return torch.full_like(value, float("nan"))
    return torch.zeros_like(value)


def _repeats(op: Operator, dtype: str) -> Outcome:
    made = op.definition.make(op.definition.real, dtype, op.device)
    runs = [op.call(made) for _ in range(REPEATS)]
    largest = [run_to_run([run[i] for run in runs]) for i in range(len(runs[0]))]
    compared = [op.reports(made, run) for run in runs]
    # The first run that is wrong is the one to show: races hit some runs only.
    bad = (r for r in compared if any(one.status is not CheckStatus.OK for one in r))
    reports = tuple(
        replace(report, run_to_run=difference)
        for report, difference in zip(next(bad, compared[-1]), largest, strict=True)
    )
    result = judged(reports)
    worst = max(largest)
    note = "equal in every bit" if worst == 0 else f"differ by up to {worst:.3g}"
    return replace(result, detail=f"{REPEATS} runs {note}; {result.detail}")


def _timing(op: Operator, dtype: str) -> Outcome:
    made = op.definition.make(op.definition.real, dtype, op.device)
    torch: Any = importlib.import_module("torch")

    def call() -> None:
        with torch.no_grad():
            op.definition.op(*made)

    first = op.first
    timing = measure(call, name=f"{op.name} {dtype}", device=op.device, load=op.load)
    # After the rungs below, the first call of this measurement is none any more.
    timing = replace(timing, first=timing.first if first is None else first)
    return Outcome(
        detail=f"first call {timing.first * 1e3:.3g} ms, then {timing.median * 1e6:.4g} µs, "
        f"spread {timing.spread * 1e6:.2g} µs ({timing.count} calls, {timing.clock})",
        timing=timing,
    )
