"""One step of the ladder before it is taken, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.verification import NumericReport, Rung, Timing
from fastpt_lab.verify.parsers.messages import parse_message

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a step saw; a step that raises has failed."""

    detail: str
    status: CheckStatus = CheckStatus.OK
    next_step: str = ""
    reports: tuple[NumericReport, ...] = ()
    timing: Timing | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """One step.

    `needed` steps are taken on resuming too: what they load is used by those above. A failed
    comparison of a step that does not stop lets the next be taken; an exception never does.
    """

    id: str
    title: str
    run: Callable[[], Outcome]
    needed: bool = False
    stops: bool = True


def rung_of(step: Step, outcome: Outcome) -> Rung:
    """Return the rung that a step became."""
    return Rung(
        id=step.id,
        title=step.title,
        status=outcome.status,
        detail=outcome.detail,
        next_step=outcome.next_step,
        reports=outcome.reports,
    )


def failure(step: Step, error: BaseException) -> Rung:
    """Return the rung of a step that raised: the error's first line, cause and next step."""
    text = str(error).strip() or type(error).__name__
    found = parse_message(f"{type(error).__name__}: {text}")
    cause = f": {found.cause}" if found else ""
    outcome = Outcome(
        detail=f"{type(error).__name__}: {text.splitlines()[0]}{cause}",
        status=CheckStatus.FAIL,
        next_step=found.next_step if found else "Run this step by hand and read the traceback",
    )
    return rung_of(step, outcome)
