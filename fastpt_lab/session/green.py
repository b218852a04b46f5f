"""Repeat check, trial, write while the first error advances; say why it stopped."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, Applicability, TrialStatus

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.report import AppliedEdit
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.session.checking import CheckedUnit
    from fastpt_lab.session.trials import Trials
    from fastpt_lab.session.workbench import Checked, Workbench

_USEFUL = (TrialStatus.FIXED, TrialStatus.ADVANCED)


@dataclass(frozen=True, slots=True, kw_only=True)
class GreenStep:
    """One turn of the loop: the first error met, what was tried, and what was written.

    `engine` made the output that has the error.
    """

    error: Diagnostic
    tried: tuple[CodeAction, ...]
    applied: AppliedEdit | None
    reason: str
    engine: str = "lab"


def may_be_written(action: CodeAction, *, unsafe: bool, rules: Sequence[str] = ()) -> bool:
    """Return whether the user allowed this action to be written without naming it."""
    if action.kind is not ActionKind.EDIT or action.edit is None:
        return False
    if rules and action.rule not in rules:
        return False
    return action.applicability >= (Applicability.UNSAFE if unsafe else Applicability.SAFE)


def in_order(actions: Sequence[CodeAction]) -> list[CodeAction]:
    """Return actions in the order in which they are worth a compile.

    Safe ones first, of those the one that answers most errors, then the one with most places.
    """
    return sorted(actions, key=lambda a: (-a.applicability, -len(a.diagnostics), -_places(a)))


def _places(action: CodeAction) -> int:
    return sum(len(d.edits) for d in action.edit.documents) if action.edit else 0


class GreenLoop:
    """Takes one unit after the other until nothing fails, or nothing helps.

    An action is written only if a compile has just shown its error gone, so the loop cannot
    turn in a circle, and that compile's other errors are the next to be met: a fix costs one
    compile. After each unit everything is checked again.
    """

    def __init__(
        self,
        workbench: Workbench,
        cancel: Cancel,
        *,
        unsafe: bool,
        rules: Sequence[str],
        on_step: Callable[[GreenStep], None],
    ) -> None:
        self._workbench = workbench
        self._cancel = cancel
        self._unsafe = unsafe
        self._rules = rules
        self._on_step = on_step

    def run(self, checked: Checked, check: Callable[[], Checked], trials: Trials) -> Checked:
        """Fix and check again until the end, from what was `checked`; return the last check."""
        while (error := checked.report.first_error) is not None:
            written = self._fix_unit(checked.units[error.id], trials)
            if not written:
                break
            checked = check()
        return checked

    def _fix_unit(self, unit: CheckedUnit, trials: Trials) -> bool:
        """Fix a unit's first error until it has none; return whether anything was written."""
        written = False
        current: CheckedUnit | None = unit
        while current is not None and current.errors:
            current = self._turn(current, trials)
            written = written or current is not None
        return written

    def _turn(self, unit: CheckedUnit, trials: Trials) -> CheckedUnit | None:
        """Write the first action that helps; return the unit as it then is, None if none does."""
        error = unit.errors[0]
        offered = [a for a in self._workbench.propose(unit.errors) if error.id in a.diagnostics]
        allowed = [
            a for a in offered if may_be_written(a, unsafe=self._unsafe, rules=self._rules)
        ]
        tried: list[CodeAction] = []
        for action in in_order(allowed):
            (outcome,) = trials.run([(action, error, unit)], self._cancel)
            tried.append(outcome.action)
            if outcome.action.trial.status in _USEFUL:
                applied = self._workbench.write([outcome.action])
                self._say(error, tried, applied, outcome.action.title)
                return outcome.unit
        self._say(error, tried, None, why_not(offered, tried))
        return None

    def _say(
        self,
        error: Diagnostic,
        tried: Sequence[CodeAction],
        applied: AppliedEdit | None,
        reason: str,
    ) -> None:
        self._on_step(
            GreenStep(error=error, tried=tuple(tried), applied=applied, reason=reason)
        )


def why_not(offered: Sequence[CodeAction], tried: Sequence[CodeAction]) -> str:
    """Return why nothing was written of what was offered and tried."""
    if tried:
        words = ", ".join(f"{a.rule}: {a.trial.status.value}" for a in tried)
        return f"no proposal advances the first error ({words})"
    if not offered:
        return "no rule has a fix for this error"
    if any(a.applicability is Applicability.UNSAFE and a.edit for a in offered):
        return "the fix needs a look: pass --unsafe, or accept it by its id"
    return "what is offered is advice, and no edit"
