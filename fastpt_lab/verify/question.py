"""A check before it is run: its id, its layer, and the function that answers it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Check, CheckStatus, Evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fastpt_lab.verify.machine import Machine


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One check.

    Attributes:
        title: what should be so, as it is shown where the check is not run.
        answer: looks at the machine; its `Verdict` becomes a `Check`.
        gate: whether the layers above need it answered: unknown then blocks like a failure.
    """

    id: str
    layer: str
    title: str
    answer: Callable[[Machine], Verdict]
    gate: bool = False

    def ask(self, machine: Machine) -> Check:
        """Run it."""
        found = self.answer(machine)
        return Check(
            id=self.id,
            layer=self.layer,
            status=found.status,
            observed=found.observed,
            expected=found.expected or self.title,
            evidence=found.evidence,
            why=found.why,
            next_step=found.next_step,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What a check found; the question adds its id and layer."""

    status: CheckStatus
    observed: str
    expected: str = ""
    evidence: tuple[Evidence, ...] = ()
    why: str = ""
    next_step: str = ""


def ok(observed: str, evidence: Iterable[Evidence] = ()) -> Verdict:
    """Return that all is as it should be."""
    return Verdict(status=CheckStatus.OK, observed=observed, evidence=tuple(evidence))


def warn(observed: str, why: str, step: str, evidence: Iterable[Evidence] = ()) -> Verdict:
    """Return something that works, and misleads or breaks later."""
    return Verdict(
        status=CheckStatus.WARN,
        observed=observed,
        why=why,
        next_step=step,
        evidence=tuple(evidence),
    )


def fail(observed: str, why: str, step: str, evidence: Iterable[Evidence] = ()) -> Verdict:
    """Return something that must be put right before going up."""
    return Verdict(
        status=CheckStatus.FAIL,
        observed=observed,
        why=why,
        next_step=step,
        evidence=tuple(evidence),
    )


def unknown(observed: str, step: str, evidence: Iterable[Evidence] = ()) -> Verdict:
    """Return that it could not be found out."""
    return Verdict(
        status=CheckStatus.UNKNOWN,
        observed=observed,
        why="Unknown is not ok",
        next_step=step,
        evidence=tuple(evidence),
    )


def skip(observed: str, why: str = "", step: str = "") -> Verdict:
    """Return that there is nothing to look at here."""
    return Verdict(status=CheckStatus.SKIP, observed=observed, why=why, next_step=step)
