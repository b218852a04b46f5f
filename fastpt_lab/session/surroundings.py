"""A session's view of what lies around the loop: survey, build, environment, report."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError, ToolMissingError, WriteError
from fastpt_lab.core.report import Report
from fastpt_lab.core.version import __version__
from fastpt_lab.host.files import decode_source
from fastpt_lab.session.base import BaseSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fastpt_lab.build.buildcommand import BuildPlan
    from fastpt_lab.build.run import BuildRun
    from fastpt_lab.core.check import Check
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.port import FileDiff, PortRecord
    from fastpt_lab.core.survey import Survey
    from fastpt_lab.core.verification import GoldenReport, LadderResult, Rung
    from fastpt_lab.session.building import LiveLog
    from fastpt_lab.session.events import Activity
    from fastpt_lab.verify.snapshot import Snapshot

_BUILD_ENDS = {
    "timeout": "the build was ended after its time limit",
    "cancelled": "the build was cancelled",
    "stopped": "the build was stopped at its first error",
}


class Surroundings(BaseSession):
    """What a session knows beside the loop; the last of each is kept for the report."""

    _survey: Survey | None = None
    _checks: tuple[Check, ...] = ()
    _snapshot: Snapshot | None = None
    _snapshot_path: str = ""
    _rungs: tuple[Rung, ...] = ()

    def survey(self, paths: Iterable[str | Path] = ()) -> Survey:
        """Say what the project uses, how much work it is, and which route fits.

        Args:
            paths: files and folders; the whole project by default.

        Raises:
            CancelledError, ConfigError: as `survey.survey.survey` does.
        """
        from fastpt_lab.survey.facts import probe_facts
        from fastpt_lab.survey.survey import survey
        from fastpt_lab.transcode.ruleset import load_rules

        with self._work("survey") as progress:
            names: dict[str, str] = {}
            with suppress(ToolMissingError):
                # Without torch there are no tables; what maps to what stays unknown.
                names = dict(load_rules().tables.words)
            self._survey = survey(
                self.project,
                stack_facts=probe_facts(),
                paths=self._resolve(paths),
                names=names,
                progress=lambda done, total, path: progress(done, total, path.name),
                cancel=self._cancel,
            )
            return self._survey

    def plan_build(self, command: Sequence[str] = (), *, lab_engine: bool = False) -> BuildPlan:
        """Return the project's own build, or the given command, and the environment of it.

        Raises:
            UsageError: no build file is there, and no command was given.
        """
        from fastpt_lab.build.buildcommand import plan_build
        from fastpt_lab.build.toolchain import find_toolchain
        from fastpt_lab.transcode.dropin import build_environment

        toolchain = None
        with suppress(FastptError):
            toolchain = find_toolchain(self.options.compiler, architectures=self.options.arch)
        plan = plan_build(self.root, toolchain, command)
        if not lab_engine:
            return plan
        own = build_environment(os.environ)
        changed = {n: v for n, v in own.items() if os.environ.get(n) != v}
        return replace(plan, env_changes=(*plan.env_changes, *changed.items()))

    def build(
        self,
        command: Sequence[str] = (),
        *,
        timeout: float | None = None,
        stop_at_first: bool = False,
        lab_engine: bool = False,
        on_first: Callable[[Diagnostic], None] | None = None,
    ) -> Report:
        """Run the project's real build to its end and report; an interrupt ends it at once.

        Args:
            command: words to run instead of the project's own build.
            timeout: seconds.
            stop_at_first: end the build when its first error appears.
            lab_engine: CUDAExtension's own hipify call uses this project's engine.
            on_first: told of the first error the moment it appears, from another thread.

        Raises:
            UsageError: there is nothing to build.
            ToolMissingError: the command cannot be started.
        """
        from fastpt_lab.build.run import start_build
        from fastpt_lab.session.building import LiveLog

        with self._work("build") as progress:
            plan, stood_in = self._off_device(
                self.plan_build(command, lab_engine=lab_engine), progress
            )
            log = LiveLog(
                root=self.root,
                cwd=plan.cwd,
                origin=self.origin,
                read=self.read,
                on_first=on_first or (lambda _: None),
                stop=stop_at_first,
            )
            # A compiler may be silent for minutes: say what runs before it says anything.
            progress(0, 0, " ".join(plan.argv))
            running = start_build(
                plan,
                log_dir=self.project.state_dir / "logs",
                on_progress=lambda p: progress(p.done, p.total, p.line),
                watch=log.watch,
                timeout=timeout,
            )
            try:
                while (run := running.wait(0.2)) is None:
                    if self._cancel.is_set():
                        running.cancel()
            except KeyboardInterrupt:
                # All its processes have ended; whoever looks on is to know how.
                self._publish(self._build_report(running.result(), log, stood_in))
                raise
            return self._publish(self._build_report(run, log, stood_in))

    def _off_device(
        self, plan: BuildPlan, progress: Activity
    ) -> tuple[BuildPlan, tuple[str, ...]]:
        """Let a build take the HIP route where torch is no HIP build; say what stands in."""
        from fastpt_lab.build.offdevice import off_device_build
        from fastpt_lab.build.toolchain import find_toolchain
        from fastpt_lab.build.torchfiles import find_torch

        torch = find_torch()
        if torch is None or torch.is_hip:
            return plan, ()
        try:
            toolchain = find_toolchain(self.options.compiler, architectures=self.options.arch)
        except FastptError:
            # Without hipcc the project's own build says what is missing.
            return plan, ()
        return off_device_build(
            plan,
            toolchain,
            torch,
            progress=lambda text: progress(0, 0, text),
            cancel=self._cancel,
        )

    def _build_report(self, run: BuildRun, log: LiveLog, stood_in: Sequence[str]) -> Report:
        # The build has its own transcode; what it made is looked up afresh.
        from fastpt_lab.core.port import EventKind

        self._workbench.origins.update(None)
        found = log.close()
        ends = _BUILD_ENDS.get(run.status)
        failed = run.status != "ok"
        words = ends or (f"the build failed with exit code {run.returncode}" if failed else "")
        advice = [f"log: {self.project.relative(run.log_path)}"]
        report = Report(
            command="build",
            root=self.root,
            seconds=run.seconds,
            diagnostics=found,
            actions=self._workbench.propose(found),
            advice=tuple(filter(None, (words, *advice, *stood_in))),
            failed=failed,
        )
        self._story.happened(EventKind.BUILT, words or "the build succeeded")
        if not failed:
            self._stamp(run)
        return report

    def _stamp(self, run: BuildRun) -> None:
        """Leave in the build folders what they were built with, for the doctor to compare."""
        from fastpt_lab.verify.cache import stamp_builds, stamp_of
        from fastpt_lab.verify.machine import Machine
        from fastpt_lab.verify.torchinfo import ask_torch

        # Asking torch takes seconds, so the beginning is reckoned first.
        began = time.time() - run.seconds - 1.0
        stamp = stamp_of(ask_torch(Machine(root=self.root))[1])
        if stamp is not None:
            with suppress(WriteError):
                stamp_builds(stamp, since=began, env=os.environ, root=self.root)

    def doctor(
        self,
        *,
        layer: str | None = None,
        only: str | None = None,
        timeout: float | None = None,
    ) -> tuple[Check, ...]:
        """Ask the machine from the device up; nothing is changed.

        Raises:
            UnknownNameError: there is no such layer or check.
        """
        from fastpt_lab.verify.layers import doctor

        with self._work("doctor") as progress:
            checks = doctor(
                layer=layer,
                only=only,
                root=self.root,
                timeout=timeout or 20.0,
                on_check=lambda check: progress(0, 0, check.id),
            )
            if layer is None and only is None:
                self._checks = checks
            return checks

    def explain_output(self, text: str) -> tuple[Check, ...]:
        """Read what a tool printed, maybe on another machine, as the doctor would there."""
        from fastpt_lab.verify.pasted import explain_output

        return explain_output(text)

    def snapshot(self, output: str | Path | None = None) -> Snapshot:
        """Record the environment, without secrets; write it where `output` says.

        Raises:
            WriteError: it cannot be written.
        """
        from fastpt_lab.verify.snapshot import save_snapshot, snapshot

        with self._work("snapshot"):
            self._snapshot = snapshot(root=self.root)
            if output is not None:
                path = Path(output).expanduser().absolute()
                save_snapshot(self._snapshot, path)
                self._snapshot_path = str(output)
            return self._snapshot

    def verify(
        self,
        definition: str = "",
        *,
        device: str = "cuda",
        extension: str = "",
        resume: str = "",
        record: str | Path | None = None,
        compare: str | Path | None = None,
        timeout: float | None = None,
    ) -> LadderResult | GoldenReport:
        """Climb from the import of torch to the operator at its real size, one rung at a time.

        Args:
            definition: names op, reference and inputs (`verify/definition.py`); "" climbs only
                the rungs that need none.
            device: `cuda`, which is also a HIP device's name in torch, or `cpu`.
            extension: module to import on a rung of its own.
            resume: rung to begin with.
            record: write a golden file instead, if all numbers are right.
            compare: compare with a golden file instead.
            timeout: seconds for each rung.

        Raises:
            UsageError, UnknownNameError, PathMissingError, ConfigError: see `verify/`.
        """
        from fastpt_lab.core.port import EventKind
        from fastpt_lab.verify.golden import compare_golden, record_golden
        from fastpt_lab.verify.ladder import LadderSpec, run_ladder

        with self._work("verify") as progress:
            spec = LadderSpec(
                definition=definition,
                device=device,
                extension=extension,
                path=(self.root,),
                root=self.root,
                resume=resume,
                timeout=timeout or 120.0,
            )

            def say(_: str, title: str, rung: Rung | None) -> None:
                progress(0, 0, title if rung is None else f"{title}: {rung.status.value}")

            if compare is not None:
                return compare_golden(Path(compare).expanduser(), spec, on_step=say)
            if record is not None:
                return record_golden(Path(record).expanduser(), spec, on_step=say)
            result = run_ladder(spec, say)
            self._rungs = result.rungs
            self._story.happened(EventKind.VERIFIED, f"the ladder: {result.status.value}")
            return result

    def port_record(self) -> PortRecord:
        """Return the whole port as one value: what is known, and the environment as it is now.

        A survey, the doctor's checks and a snapshot are made where this session has none yet.
        """
        from fastpt_lab.core.checklist import checklist
        from fastpt_lab.core.port import PortRecord

        if self._survey is None:
            self.survey()
        if not self._checks:
            self.doctor()
        taken = self._snapshot or self.snapshot()
        return PortRecord(
            root=self.root,
            made=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            tool=f"fastpt-lab {__version__}",
            survey=self._survey,
            stack=self.report.stack if self.report else (),
            transcoded=self.report.files if self.report else (),
            events=self._story.events(),
            diffs=self._diffs(),
            report=self.report,
            checks=self._checks,
            rungs=self._rungs,
            snapshot=taken.facts(),
            checklist=checklist(
                checks=self._checks,
                rungs=self._rungs,
                survey=self._survey,
                snapshot=self._snapshot_path,
            ),
        )

    def _diffs(self) -> tuple[FileDiff, ...]:
        """Return how each original differs from what it was before its first change."""
        from difflib import unified_diff

        from fastpt_lab.core.port import FileDiff
        from fastpt_lab.session.changes import changes_in_force

        found = []
        for path, *sides in changes_in_force(self.root):
            before, now = (decode_source(data or b"", path)[0].text for data in sides)
            name = self.project.relative(path)
            lines = unified_diff(
                _lines(before), _lines(now), f"a/{name}", f"b/{name}", lineterm=""
            )
            found.append(FileDiff(path=path, diff="\n".join(lines)))
        return tuple(found)


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").split("\n")
