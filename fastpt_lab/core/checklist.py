"""The nine points of a migration, each answered by what was really observed.

*Source*: the checklist of engineers who port to DTK: rocminfo sees the device; hipcc matches DTK;
`torch.version.hip` is not empty; a tensor is made, computed and copied back; the model is built
and loaded; the smallest forward pass; dtype, shape, device and contiguity are checked; a snapshot
is saved; no DTK libraries of two versions are mixed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.check import CheckStatus

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.check import Check
    from fastpt_lab.core.survey import Survey
    from fastpt_lab.core.verification import Rung

_RANK = {
    CheckStatus.FAIL: 0,
    CheckStatus.UNKNOWN: 1,
    CheckStatus.SKIP: 1,
    CheckStatus.WARN: 2,
    CheckStatus.OK: 3,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One point: `observed` says what the answer rests on, `next_step` what to do now."""

    number: int
    title: str
    status: CheckStatus
    observed: str
    next_step: str = ""


@dataclass(frozen=True, slots=True)
class _Fact:
    status: CheckStatus
    observed: str
    next_step: str


def checklist(
    *,
    checks: Iterable[Check] = (),
    rungs: Sequence[Rung] = (),
    survey: Survey | None = None,
    snapshot: str = "",
) -> tuple[Point, ...]:
    """Return the nine points; what nobody looked at is unknown, never ok.

    Args:
        checks: of `doctor`.
        rungs: of the device verification.
        survey: tells whether the entry points check their tensors.
        snapshot: where the environment record was saved, "" if it was not.
    """
    by_id = {check.id: check for check in checks}
    taken = {rung.id: rung for rung in rungs}
    doctor, verify = "Run doctor", "Run verify on the device"
    points = (
        ("rocminfo sees the device", _checks(by_id, ("device-agents",), doctor)),
        ("hipcc matches DTK", _checks(by_id, ("hipcc", "version-match"), doctor)),
        ("torch.version.hip is not empty", _checks(by_id, ("torch-hip",), doctor)),
        (
            "A tensor is made, computed on and copied back",
            _rungs(taken, ("one-element", "round-trip", "arange"), verify)
            or _checks(by_id, ("torch-tensor",), verify),
        ),
        (
            "The model is built and loaded",
            _rungs(taken, ("model-construction", "model-state"), verify),
        ),
        ("The smallest forward pass runs", _rungs(taken, _smallest(rungs), verify)),
        ("dtype, shape, device and contiguity are checked at the entry", _entry(survey)),
        ("A snapshot of the environment is saved", _snapshot(snapshot)),
        (
            "No DTK libraries of two versions are mixed",
            _checks(by_id, ("dtk-roots", "library-path", "torch-libraries"), doctor),
        ),
    )
    return tuple(_point(number, title, fact) for number, (title, fact) in enumerate(points, 1))


def _point(number: int, title: str, fact: _Fact | None) -> Point:
    if fact is None:
        fact = _Fact(CheckStatus.UNKNOWN, "not looked at yet", "Run verify on the device")
    done = fact.status is CheckStatus.OK
    return Point(
        number=number,
        title=title,
        status=fact.status,
        observed=fact.observed,
        next_step="" if done else fact.next_step,
    )


def _checks(by_id: dict[str, Check], wanted: tuple[str, ...], otherwise: str) -> _Fact:
    """Return the worst of the checks named; one that was not run makes it unknown."""
    found = [by_id[name] for name in wanted if name in by_id]
    if not found:
        return _Fact(CheckStatus.UNKNOWN, "not looked at yet", otherwise)
    worst = min(found, key=lambda check: _RANK[check.status])
    status = CheckStatus.UNKNOWN if worst.status is CheckStatus.SKIP else worst.status
    if status is CheckStatus.OK and len(found) < len(wanted):
        missing = ", ".join(name for name in wanted if name not in by_id)
        return _Fact(CheckStatus.UNKNOWN, f"not looked at yet: {missing}", otherwise)
    observed = worst.observed
    if status is CheckStatus.OK:
        observed = "; ".join(check.observed for check in found)
    return _Fact(status, observed, worst.next_step or otherwise)


def _rungs(taken: dict[str, Rung], wanted: tuple[str, ...], otherwise: str) -> _Fact | None:
    found = [taken[name] for name in wanted if name in taken]
    if not found:
        return None
    worst = min(found, key=lambda rung: _RANK[rung.status])
    if worst.status is not CheckStatus.OK:
        status = CheckStatus.UNKNOWN if worst.status is CheckStatus.SKIP else worst.status
        return _Fact(status, f"{worst.title}: {worst.detail}", worst.next_step or otherwise)
    if len(found) < len(wanted):
        missing = ", ".join(name for name in wanted if name not in taken)
        return _Fact(CheckStatus.UNKNOWN, f"not tried yet: {missing}", otherwise)
    return _Fact(CheckStatus.OK, "; ".join(rung.title for rung in found), "")


def _smallest(rungs: Sequence[Rung]) -> tuple[str, ...]:
    """Return the id of the first rung that calls the operator, the smallest shape comes first."""
    forward = (rung.id for rung in rungs if rung.id.startswith(("op-", "model-forward")))
    first = next(forward, None)
    return () if first is None else (first,)


def _entry(survey: Survey | None) -> _Fact:
    if survey is None:
        return _Fact(CheckStatus.UNKNOWN, "no survey was made", "Run survey")
    open_ = [lint for lint in survey.lints if lint.check == "unchecked-entry"]
    if open_:
        names = "; ".join(lint.diagnostic.message for lint in open_[:3])
        return _Fact(CheckStatus.WARN, names, "Add the checks that the survey suggests")
    if not survey.entry_points:
        step = "Survey the folder that holds the bindings"
        return _Fact(CheckStatus.UNKNOWN, "no operator bound to Python was found", step)
    count = survey.entry_points
    return _Fact(
        CheckStatus.OK, f"all {count} operators bound to Python check their tensors", ""
    )


def _snapshot(saved: str) -> _Fact:
    if saved:
        return _Fact(CheckStatus.OK, f"saved as {saved}", "")
    return _Fact(CheckStatus.UNKNOWN, "not saved yet", "Run snapshot")
