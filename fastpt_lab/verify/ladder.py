"""Climb from the import of torch to the real operator, in a child, one rung at a time.

The child is ended when a rung takes too long; when it dies, the rung that had begun is the one
that failed. The caller's own process never touches the device.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.errors import UnknownNameError, UsageError
from fastpt_lab.core.suggest import did_you_mean
from fastpt_lab.core.verification import LadderResult, NumericReport, Rung, Timing
from fastpt_lab.host.process import Cancel, decode_output, run
from fastpt_lab.verify.machine import RECORD, child_command
from fastpt_lab.verify.parsers.messages import parse_message
from fastpt_lab.verify.redact import Redactor

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from fastpt_lab.core.command import CommandResult

    OnStep = Callable[[str, str, Rung | None], None]

_WATCH_SECONDS = 0.1
_LOAD_FACTOR = 10.0
_LOADING = ("", "torch", "extension", "definition")
_TAIL = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class LadderSpec:
    """What to climb.

    Attributes:
        definition: the text that names op, reference and inputs (`definition.py`); "" climbs
            the rungs below the operator only.
        device: `cuda` (also the name of a HIP device in torch) or `cpu`.
        extension: module to import on a rung of its own, "" for none.
        path: folders to import from, before all others.
        root: folder to run in.
        resume: id of the rung to begin with.
        timeout: seconds for each rung; those that import get ten times as much.
        job: `verify`, or `record` and `compare` of a golden file.
        golden: that file.
        environment: a snapshot as JSON, kept in the record.
    """

    definition: str
    device: str = "cuda"
    extension: str = ""
    path: tuple[Path, ...] = ()
    root: Path | None = None
    resume: str = ""
    timeout: float = 120.0
    python: str = sys.executable
    env: Mapping[str, str] | None = None
    job: str = "verify"
    golden: Path | None = None
    environment: str = ""


@dataclass(slots=True)
class _Climb:
    """What the child has told so far."""

    on_step: OnStep | None
    redactor: Redactor
    rungs: dict[str, Rung] = field(default_factory=dict)
    plan: dict[str, str] = field(default_factory=dict)
    begun: str = ""
    build: str = ""
    device: str = ""
    no_device: str = ""
    timings: list[Timing] = field(default_factory=list)
    last: float = field(default_factory=time.monotonic)
    _buffer: bytes = b""
    _said: str = ""

    def feed(self, chunk: bytes) -> None:
        """Read what came; records may be cut anywhere."""
        self._buffer += chunk
        mark = RECORD.encode()
        while True:
            before, found, rest = self._buffer.partition(mark)
            if not found:
                # What is no record was printed by the code under test.
                self._said = (self._said + decode_output(before))[-_TAIL:]
                self._buffer = b""
                return
            line, end, after = rest.partition(b"\n")
            if not end:
                self._said = (self._said + decode_output(before))[-_TAIL:]
                self._buffer = mark + rest
                return
            self._said = (self._said + decode_output(before))[-_TAIL:]
            self._buffer = after
            self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            record: dict[str, Any] = json.loads(line)
        except ValueError:
            return
        self.last = time.monotonic()
        event = record.get("event")
        if event == "plan":
            self.plan = dict(record["rungs"])
        elif event == "build":
            self.build, self.device = record["build"], record["device"]
        elif event == "no-device":
            self.no_device = record["reason"]
        elif event == "begin":
            self.begun = record["id"]
            self._said = ""
            if self.on_step is not None:
                self.on_step(self.begun, record["title"], None)
        elif event == "end":
            self._end(_rung(record["rung"]), record.get("timing"))

    def _end(self, rung: Rung, timing: dict[str, Any] | None) -> None:
        clean = self.redactor.text
        done = replace(
            rung,
            detail=clean(rung.detail),
            next_step=clean(rung.next_step),
            output=clean(self._said.strip()),
        )
        self.rungs[done.id] = done
        self.begun = ""
        self._said = ""
        if timing:
            self.timings.append(Timing(**timing))
        if self.on_step is not None:
            self.on_step(done.id, done.title, done)

    def fallen(self, result: CommandResult, *, late: float | None) -> None:
        """The child is gone with a rung begun: that rung failed."""
        name = self.begun or next((n for n in self.plan if n not in self.rungs), "start")
        how = f"exit code {result.returncode}"
        if result.returncode < 0:
            how = f"signal {-result.returncode}"
        detail = f"no answer within {late:g} s" if late else f"the process was ended by {how}"
        found = parse_message(self._said)
        step = "Run this rung alone with HIP_LAUNCH_BLOCKING=1, or a smaller shape"
        self._end(
            Rung(
                id=name,
                title=self.plan.get(name, name),
                status=CheckStatus.FAIL,
                detail=f"{detail}: {found.message}: {found.cause}" if found else detail,
                next_step=found.next_step if found else step,
            ),
            None,
        )


def _rung(value: dict[str, Any]) -> Rung:
    reports = tuple(_report(report) for report in value.pop("reports"))
    return Rung(**{**value, "status": CheckStatus(value["status"])}, reports=reports)


def _report(value: dict[str, Any]) -> NumericReport:
    worst = value["worst"]
    return NumericReport(
        **{
            **value,
            "status": CheckStatus(value["status"]),
            "shape": tuple(value["shape"]),
            "worst": None if worst is None else tuple(worst),
            "histogram": tuple((edge, count) for edge, count in value["histogram"]),
        }
    )


def run_ladder(spec: LadderSpec, on_step: OnStep | None = None) -> LadderResult:
    """Climb, and return what was seen on every rung.

    Args:
        spec: what to climb.
        on_step: called before a rung with `(id, title, None)` and after it with the rung.

    Raises:
        UsageError: no device of this name.
        UnknownNameError: there is no rung to resume at.
    """
    if spec.device not in ("cuda", "cpu"):
        raise UsageError(
            f"no device {spec.device!r}",
            next_step="cuda is the device of a HIP or CUDA torch; cpu needs none",
        )
    env = dict(os.environ if spec.env is None else spec.env)
    state = _Climb(on_step, Redactor.of(env))
    cancel = Cancel()
    stopped = threading.Event()
    late = threading.Event()
    watch = threading.Thread(
        target=_watch, args=(state, spec.timeout, cancel, stopped, late), daemon=True
    )
    watch.start()
    try:
        result = run(_command(spec), cwd=spec.root, env=env, cancel=cancel,
                     on_output=state.feed, stdin=spec.definition.encode() or b"\n")  # fmt: skip
    finally:
        stopped.set()
        watch.join()
    finished = result.returncode == 0 and not state.begun and not late.is_set() and state.plan
    if not finished:
        state.fallen(result, late=spec.timeout if late.is_set() else None)
    fell = any(rung.status is CheckStatus.FAIL for rung in state.rungs.values())
    known = not spec.resume or spec.resume in state.plan or state.no_device or fell
    if not known:
        raise UnknownNameError(
            f"there is no rung {spec.resume!r}",
            next_step=did_you_mean(spec.resume, state.plan, "Rungs: " + ", ".join(state.plan)),
        )
    return _result(state)


def _command(spec: LadderSpec) -> tuple[str, ...]:
    options = {
        "device": spec.device,
        "resume": spec.resume,
        "extension": spec.extension,
        "job": spec.job,
        "golden": str(spec.golden or ""),
        "environment": spec.environment,
        "path": [str(folder) for folder in spec.path],
    }
    return child_command(spec.python, "child", "ladder", json.dumps(options))


def _watch(
    state: _Climb, limit: float, cancel: Cancel, stopped: threading.Event, late: threading.Event
) -> None:
    """End the child when its last record is older than the limit."""
    while not stopped.wait(_WATCH_SECONDS):
        allowed = limit * (_LOAD_FACTOR if state.begun in _LOADING else 1.0)
        if time.monotonic() - state.last > allowed:
            late.set()
            cancel.set()
            return


def _result(state: _Climb) -> LadderResult:
    failed = next(
        (rung.id for rung in state.rungs.values() if rung.status is CheckStatus.FAIL), ""
    )
    reason = state.no_device or (f"not reached: {failed} failed" if failed else "not reached")
    rungs = [
        state.rungs.get(name)
        or Rung(id=name, title=title, status=CheckStatus.SKIP, detail=reason)
        for name, title in state.plan.items()
    ]
    rungs += [rung for name, rung in state.rungs.items() if name not in state.plan]
    return LadderResult(
        rungs=tuple(rungs),
        build=state.build,
        device=state.device,
        resume=failed,
        timings=tuple(state.timings),
    )
