"""What a run on the device gave: rungs climbed, numbers compared, times measured."""

from __future__ import annotations

from dataclasses import dataclass

from fastpt_lab.core.check import CheckStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class NumericReport:
    """One tensor compared with its reference.

    Attributes:
        name: of the tensor, `layer_norm[0]`.
        reason: why it failed; "" when ok.
        elements, mismatched: counts.
        max_abs, max_rel, rms: errors over the finite elements.
        worst: index of the element that is furthest beyond its tolerance; () for a scalar,
            None where nothing was compared.
        worst_out, worst_reference: the two values there, as text.
        nan, inf: elements that are NaN or infinite and should not be.
        rtol, atol: an element passes if |out - ref| <= atol + rtol * |ref|.
        policy: how the two were chosen, in words.
        histogram: `(upper edge, count)` of error / tolerance; the edge 1 is the tolerance.
        pattern: where the mismatches lie, if that tells something.
        run_to_run: largest difference between repeated runs, None if run once.
    """

    name: str
    dtype: str
    shape: tuple[int, ...]
    status: CheckStatus
    reason: str = ""
    elements: int = 0
    mismatched: int = 0
    max_abs: float = 0.0
    max_rel: float = 0.0
    rms: float = 0.0
    worst: tuple[int, ...] | None = None
    worst_out: str = ""
    worst_reference: str = ""
    nan: int = 0
    inf: int = 0
    rtol: float = 0.0
    atol: float = 0.0
    policy: str = ""
    histogram: tuple[tuple[float, int], ...] = ()
    pattern: str = ""
    run_to_run: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Timing:
    """Times of one operator, apart, because each has another cause; all in seconds.

    Attributes:
        load: importing or building the extension, None if not measured.
        first: the first call: code objects, library look-ups, allocator.
        median, spread: of the steady state; the spread is the interquartile range.
        count: calls measured.
        clock: `device events` or `host`.
    """

    name: str
    load: float | None
    first: float
    median: float
    spread: float
    count: int
    clock: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One step of the ladder.

    Attributes:
        seconds: wall clock, the wait for the device included.
        detail: what was seen.
        output: what was printed meanwhile, redacted.
    """

    id: str
    title: str
    status: CheckStatus
    seconds: float = 0.0
    detail: str = ""
    next_step: str = ""
    reports: tuple[NumericReport, ...] = ()
    output: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderResult:
    """A climb.

    Attributes:
        rungs: in order, those not reached as SKIP.
        build: which build of torch ran it, in words.
        device: its name, "" where there is none.
        resume: id of the rung that failed, "" if none did.
    """

    rungs: tuple[Rung, ...]
    build: str = ""
    device: str = ""
    resume: str = ""
    timings: tuple[Timing, ...] = ()

    @property
    def status(self) -> CheckStatus:
        """FAIL if a rung failed, SKIP if nothing above the import of torch was done, else OK."""
        found = {rung.status for rung in self.rungs}
        for status in (CheckStatus.FAIL, CheckStatus.UNKNOWN):
            if status in found:
                return status
        if not any(r.id != "torch" and r.status is CheckStatus.OK for r in self.rungs):
            return CheckStatus.SKIP
        return CheckStatus.OK


@dataclass(frozen=True, slots=True, kw_only=True)
class GoldenReport:
    """A record of one machine compared with a run on another.

    Attributes:
        source, target: build and device of the record, and of this run.
        tensors: one report each.
        policy: what both errors together may be.
        problem: what ended the run before all was compared, "" if nothing.
        skipped: why nothing was compared, "" if something was.
        changes: what differs between the two environments.
    """

    source: str
    tensors: tuple[NumericReport, ...]
    target: str = ""
    policy: str = ""
    problem: str = ""
    skipped: str = ""
    changes: tuple[str, ...] = ()

    @property
    def status(self) -> CheckStatus:
        """FAIL if a tensor failed or the run ended early, SKIP if nothing was compared."""
        if self.problem:
            return CheckStatus.FAIL
        if not self.tensors:
            return CheckStatus.SKIP
        bad = any(report.status is not CheckStatus.OK for report in self.tensors)
        return CheckStatus.FAIL if bad else CheckStatus.OK
