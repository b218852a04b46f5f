"""A session's real builds: the project's own command, its log read as it grows, a report."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError, WriteError
from fastpt_lab.core.report import Report
from fastpt_lab.session.surroundings import Surroundings

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.build.buildcommand import BuildPlan
    from fastpt_lab.build.run import BuildRun
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.session.building import LiveLog
    from fastpt_lab.session.events import Activity

_BUILD_ENDS = {
    "timeout": "the build was ended after its time limit",
    "cancelled": "the build was cancelled",
    "stopped": "the build was stopped at its first error",
}


class Builds(Surroundings):
    """A session as far as building; see `Session`."""

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
