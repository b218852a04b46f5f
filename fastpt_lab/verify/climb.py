"""Climb the ladder in this process: a line before and after each rung; stop at the first fall.

Runs in a child of `ladder.py`. Each record is written before the next step is taken, so a
fault of the device that ends the process still leaves its place.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
import traceback
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.errors import FastptError
from fastpt_lab.verify.definition import Definition, read_definition
from fastpt_lab.verify.first_steps import device_name, drain, first_steps
from fastpt_lab.verify.golden_steps import compare_steps, record_steps
from fastpt_lab.verify.operator_steps import operator_steps
from fastpt_lab.verify.step import Outcome, Step, failure, rung_of
from fastpt_lab.verify.torch_build import describe_build

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.core.verification import Rung


class Climber:
    """Takes steps and reports each; what a step raises is its result.

    Args:
        report: tells the parent one record.
        device: `cuda` or `cpu`.
        resume: id of the step to begin with; those before are only taken where needed.
    """

    def __init__(self, report: Callable[..., None], device: str, resume: str) -> None:
        self._report = report
        self._device = device
        self._resume = resume

    def plan(self, steps: Sequence[Step]) -> None:
        """Say which steps there are."""
        self._report(event="plan", rungs=[[step.id, step.title] for step in steps])

    def take_all(self, steps: Sequence[Step]) -> bool:
        """Take steps until one fails; return whether none did."""
        return all(self._take(step) for step in steps)

    def _take(self, step: Step) -> bool:
        if step.id == self._resume:
            self._resume = ""
        if self._resume and not step.needed:
            skipped = Outcome(detail="passed before", status=CheckStatus.SKIP)
            self._report(event="end", rung=asdict(rung_of(step, skipped)), timing=None)
            return True
        self._report(event="begin", id=step.id, title=step.title)
        started = time.perf_counter()
        rung, outcome = self._run(step)
        rung = replace(rung, seconds=time.perf_counter() - started)
        timing = asdict(outcome.timing) if outcome and outcome.timing else None
        self._report(event="end", rung=asdict(rung), timing=timing)
        compared = outcome is not None and not step.stops
        return rung.status is not CheckStatus.FAIL or compared

    def _run(self, step: Step) -> tuple[Rung, Outcome | None]:
        try:
            outcome = step.run()
            # Launches are asynchronous: a fault shows at the next wait, so wait here.
            drain(self._device)
        except FastptError as error:
            failed = Outcome(
                detail=error.message, status=CheckStatus.FAIL, next_step=error.next_step
            )
            return rung_of(step, failed), None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the user's own code runs here
            traceback.print_exc()
            return failure(step, error), None
        return rung_of(step, outcome), outcome


def climb(options: str, report: Callable[..., None]) -> int:
    """Read the definition from standard input and climb.

    `options` is JSON: the fields of `LadderSpec` that the child needs.
    """
    wanted: dict[str, Any] = json.loads(options)
    device = wanted["device"]
    text = sys.stdin.read()
    sys.path[:0] = wanted["path"]
    climber = Climber(report, device, wanted["resume"])
    found: list[tuple[Definition, float]] = []
    below = first_steps(device, wanted["extension"])
    define = Step("definition", "run the definition", lambda: _define(text, found), needed=True)
    # Without a definition the climb ends below the operator: the minimal script.
    base = (*below, define) if text.strip() else below
    climber.plan(base)
    if not climber.take_all(below[:1]):
        return 0
    torch: Any = importlib.import_module("torch")
    build = describe_build(torch)
    report(event="build", build=build, device=device_name(torch, device))
    if device != "cpu" and not torch.cuda.is_available():
        report(event="no-device", reason=f"no device: {build} sees none")
        return 0
    if not climber.take_all(base[1:]) or not text.strip():
        return 0
    steps = _steps(wanted, found, build, device_name(torch, device))
    climber.plan((*base, *steps))
    climber.take_all(steps)
    return 0


def _steps(
    wanted: dict[str, Any], found: list[tuple[Definition, float]], build: str, name: str
) -> tuple[Step, ...]:
    definition, load = found[0]
    device = wanted["device"]
    if wanted["job"] == "verify":
        return operator_steps(definition, device, load)
    path = Path(wanted["golden"])
    if wanted["job"] == "record":
        facts = {
            "build": build,
            "device": name,
            "environment": json.loads(wanted["environment"]),
        }
        return record_steps(definition, device, facts, path)
    return compare_steps(definition, device, path)


def _define(text: str, found: list[tuple[Definition, float]]) -> Outcome:
    started = time.perf_counter()
    definition = read_definition(text)
    found.append((definition, time.perf_counter() - started))
    sizes = ", ".join(map(str, definition.sizes))
    return Outcome(
        detail=f"sizes {sizes}, real {definition.real}, sums of {definition.reduction}"
    )
