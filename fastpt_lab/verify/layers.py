"""Run checks from the bottom up; a failed layer blocks those above."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Check, CheckStatus
from fastpt_lab.core.errors import UnknownNameError
from fastpt_lab.core.suggest import did_you_mean
from fastpt_lab.verify.application import APPLICATION
from fastpt_lab.verify.device import DEVICE
from fastpt_lab.verify.framework import FRAMEWORK
from fastpt_lab.verify.machine import Machine
from fastpt_lab.verify.redact import Redactor
from fastpt_lab.verify.runtime import RUNTIME

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fastpt_lab.verify.question import Question

LAYERS = ("device", "runtime", "framework", "application")
"""From the ground up; each stands on the one before."""

QUESTIONS: tuple[Question, ...] = (*DEVICE, *RUNTIME, *FRAMEWORK, *APPLICATION)
"""All checks, in the order in which they are run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """What keeps the layers above from being run."""

    layer: str
    checks: tuple[str, ...]


def doctor(
    *,
    layer: str | None = None,
    only: str | None = None,
    env: Mapping[str, str] | None = None,
    root: Path | None = None,
    timeout: float = 20.0,
    system: Path = Path("/"),
    python: str = sys.executable,
    on_check: Callable[[Check], None] | None = None,
) -> tuple[Check, ...]:
    """Ask the machine, layer by layer, and return what was seen, without secrets.

    Nothing is changed. A single layer or check that is asked for runs even where one below it
    fails.

    Args:
        layer: only this one of `LAYERS`.
        only: only the check of this id.
        env: the environment to look at, this process's by default.
        root: the user's project.
        timeout: seconds for each probe; compiling and importing torch get six times as much.
        system: where `/dev`, `/opt` and `/sys` are looked for.
        python: the interpreter whose torch is asked.
        on_check: called with each check as it is done.

    Raises:
        UnknownNameError: there is no such layer or check.
    """
    questions = _chosen(layer, only)
    machine = Machine(env=env, root=root, timeout=timeout, system=system, python=python)
    redactor = Redactor.of(machine.env)
    done: list[Check] = []
    block: Block | None = None
    for name in LAYERS:
        checks: list[Check] = []
        for question in (q for q in questions if q.layer == name):
            found = _skipped(question, block) if block else question.ask(machine)
            check = without_secrets(found, redactor)
            checks.append(check)
            if on_check is not None:
                on_check(check)
        block = block or _block(name, questions, checks)
        done.extend(checks)
    return tuple(done)


def _chosen(layer: str | None, only: str | None) -> tuple[Question, ...]:
    if layer is not None and layer not in LAYERS:
        raise UnknownNameError(
            f"there is no layer {layer!r}",
            next_step=did_you_mean(layer, LAYERS, "Layers: " + ", ".join(LAYERS)),
        )
    known = [question.id for question in QUESTIONS]
    if only is not None and only not in known:
        raise UnknownNameError(
            f"there is no check {only!r}",
            next_step=did_you_mean(only, known, "Checks: " + ", ".join(known)),
        )
    return tuple(
        question
        for question in QUESTIONS
        if layer in (None, question.layer) and only in (None, question.id)
    )


def _block(name: str, questions: Iterable[Question], checks: Iterable[Check]) -> Block | None:
    """A layer blocks by a failed check, or by a gate that could not be answered."""
    gates = {question.id for question in questions if question.gate}
    stopping = tuple(
        check.id
        for check in checks
        if check.status is CheckStatus.FAIL
        or (check.status is CheckStatus.UNKNOWN and check.id in gates)
    )
    return Block(layer=name, checks=stopping) if stopping else None


def _skipped(question: Question, block: Block) -> Check:
    return Check(
        id=question.id,
        layer=question.layer,
        status=CheckStatus.SKIP,
        observed=f"not run: blocked by {', '.join(block.checks)} ({block.layer})",
        expected=question.title,
        why=f"The {question.layer} layer stands on the {block.layer} layer",
        next_step=f"Settle {block.checks[0]} first",
    )


def without_secrets(check: Check, redactor: Redactor) -> Check:
    """Return a check whose every text went through the filter."""
    clean = redactor.text
    return replace(
        check,
        observed=clean(check.observed),
        expected=clean(check.expected),
        why=clean(check.why),
        next_step=clean(check.next_step),
        evidence=tuple(
            replace(
                item,
                command=tuple(clean(word) for word in item.command),
                output=clean(item.output),
            )
            for item in check.evidence
        ),
    )


def failed(checks: Iterable[Check]) -> bool:
    """Return whether any check failed: the exit code is then 1."""
    return any(check.status is CheckStatus.FAIL for check in checks)
