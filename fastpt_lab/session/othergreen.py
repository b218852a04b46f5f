"""Green for another transcoder too: the end of `until_green`, once the own engine's is reached."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.core.action import TrialStatus
from fastpt_lab.core.errors import CancelledError, FastptError, ToolMissingError
from fastpt_lab.core.report import EngineCheck
from fastpt_lab.session.green import GreenStep, in_order, may_be_written, why_not
from fastpt_lab.session.otherengine import OtherEngine
from fastpt_lab.session.trial import EditedPlaces, judge

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction, Trial
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.session.checking import CheckedUnit
    from fastpt_lab.session.trials import Trials
    from fastpt_lab.session.workbench import Workbench

_USEFUL = (TrialStatus.FIXED, TrialStatus.ADVANCED)


class OtherGreen:
    """Takes the first error that another engine's output has, until there is none.

    Only an edit with which the own engine's output still compiles is written: both are green
    at the end, or it is said which is not.
    """

    def __init__(
        self,
        workbench: Workbench,
        engine: str,
        cancel: Cancel,
        *,
        unsafe: bool,
        rules: Sequence[str],
        on_step: Callable[[GreenStep], None],
    ) -> None:
        self._workbench = workbench
        self._other = OtherEngine(workbench.project, workbench.checker, engine)
        self._cancel = cancel
        self._unsafe = unsafe
        self._rules = rules
        self._on_step = on_step

    def run(self, units: Mapping[Path, CheckedUnit], trials: Trials) -> EngineCheck:
        """Check and fix until the end.

        Args:
            units: by original, as they compiled with the own engine.
            trials: for the own engine's side of each edit.
        """
        engine, why = self._other.engine, ""
        try:
            while True:
                checked = self._other.check(units, {}, self._cancel)
                failing = [unit for unit in checked if unit.errors]
                if not failing:
                    return EngineCheck(engine=engine, status="ok", units=len(checked))
                why = self._turn(failing[0], units, trials)
                if why:
                    return EngineCheck(
                        engine=engine,
                        status="error",
                        units=len(checked),
                        failed=len(failing),
                        first_error=failing[0].errors[0],
                        why=why,
                    )
        except CancelledError:
            raise
        except ToolMissingError as error:
            return EngineCheck(engine=engine, status="not-run", why=error.message)
        except FastptError as error:
            return EngineCheck(engine=engine, status="error", why=error.message)

    def _turn(
        self, unit: CheckedUnit, units: Mapping[Path, CheckedUnit], trials: Trials
    ) -> str:
        """Write the first edit that helps; return why there is none, "" if one was written."""
        error = unit.errors[0]
        offered = [a for a in self._workbench.propose(unit.errors) if error.id in a.diagnostics]
        allowed = [
            a for a in offered if may_be_written(a, unsafe=self._unsafe, rules=self._rules)
        ]
        tried: list[CodeAction] = []
        for action in in_order(allowed):
            tried.append(self._tried(action, error, unit, units, trials))
            if tried[-1].trial.status in _USEFUL:
                applied = self._workbench.write([action])
                step = GreenStep(
                    error=error,
                    tried=tuple(tried),
                    applied=applied,
                    reason=action.title,
                    engine=self._other.engine,
                )
                self._on_step(step)
                return ""
        reason = why_not(offered, tried)
        self._on_step(
            GreenStep(
                error=error,
                tried=tuple(tried),
                applied=None,
                reason=reason,
                engine=self._other.engine,
            )
        )
        return reason

    def _tried(
        self,
        action: CodeAction,
        error: Diagnostic,
        unit: CheckedUnit,
        units: Mapping[Path, CheckedUnit],
        trials: Trials,
    ) -> CodeAction:
        """Return the action with what both engines' outputs came to with it."""
        assert action.edit is not None
        texts = trials.texts(action.edit)
        original = unit.result.original
        (after,) = self._other.check([original], texts, self._cancel)
        trial: Trial = judge(
            error,
            unit.errors,
            after.errors,
            EditedPlaces(action.edit, self._workbench.sources.document),
            root=self._workbench.project.root,
            seconds=after.result.seconds,
            compiled=after.result.status == "ok",
        )
        if trial.status in _USEFUL:
            own = trials.compile(action.edit, units[original], self._cancel)
            if own.errors:
                trial = replace(trial, status=TrialStatus.WORSE)
        return replace(action, trial=trial)
