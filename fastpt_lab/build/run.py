"""Run a project's real build in the background: streamed, limited, ended with all its children."""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from fastpt_lab.build.buildlog import CappedLog, prune_logs
from fastpt_lab.build.buildprogress import BuildProgress, plain_line, steps_of
from fastpt_lab.host.process import Cancel, decode_output, run

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.build.buildcommand import BuildPlan
    from fastpt_lab.core.command import CommandResult

LOG_LIMIT = 256 * 1024 * 1024
"""Bytes of a log that are kept on disk."""

_PROGRESS_SECONDS = 0.1
_LONGEST_LINE = 1 << 20

Watch = Callable[[bytes], bool]
"""Sees each piece of output as it comes; returning True ends the build there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRun:
    """A build that ended.

    Attributes:
        command: what ran last: the build, or the step before it that failed.
        status: `ok`, `failed`, `timeout`, `cancelled`, or `stopped` by the watch.
        returncode: as `subprocess` gives it.
        seconds: wall clock of all steps.
        log_path: the log on disk.
        log_bytes: what was printed, kept or not.
    """

    command: tuple[str, ...]
    cwd: Path
    status: str
    returncode: int
    seconds: float
    log_path: Path
    log_bytes: int


class RunningBuild:
    """A build in the background; from `start_build`."""

    def __init__(
        self, plan: BuildPlan, log: CappedLog, feed: _Feed, timeout: float | None
    ) -> None:
        self.plan = plan
        self.log_path = log.path
        self._log = log
        self._feed = feed
        self._timeout = timeout
        self._cancel = Cancel()
        self._future: Future[BuildRun] = Future()
        # Not the thread's own `join`: interrupted, it takes a running thread for ended
        # (CPython 3.10 to 3.12, `_wait_for_tstate_lock`).
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._work, name="fastpt-build", daemon=True)
        self._thread.start()
        # A kernel that is shut down must not leave a build behind.
        atexit.register(self._end)

    @property
    def progress(self) -> BuildProgress:
        """How far it is."""
        return self._feed.progress

    @property
    def running(self) -> bool:
        """Whether it has not ended yet."""
        return not self._ended.is_set()

    def cancel(self) -> None:
        """Ask it to end; it and all its children are gone when `wait` returns."""
        self._cancel.set()

    def wait(self, timeout: float | None = None) -> BuildRun | None:
        """Wait for the end, at most `timeout` seconds; return the run, None if it still runs.

        An interrupt while waiting cancels the build, waits for its children to end, and goes
        on as `KeyboardInterrupt`.

        Raises:
            ToolMissingError: the command could not be started.
            Exception: what a callback raised; the build was ended by it.
        """
        try:
            ended = self._ended.wait(timeout)
        except KeyboardInterrupt:
            self._end()
            raise
        return self._future.result() if ended else None

    def result(self) -> BuildRun:
        """Wait for the end and return the run; errors as those of `wait`."""
        run = self.wait()
        assert run is not None
        return run

    def _end(self) -> None:
        self.cancel()
        self._ended.wait()

    def _work(self) -> None:
        try:
            finished = self._steps()
            self._feed.close()
        except BaseException as error:  # noqa: BLE001 - handed on, not swallowed
            # Whoever waits gets it, as from an executor.
            self._future.set_exception(error)
        else:
            self._future.set_result(finished)
        finally:
            self._log.close()
            atexit.unregister(self._end)
            self._ended.set()

    def _steps(self) -> BuildRun:
        started = time.monotonic()
        environment = self.plan.environment()
        result: CommandResult | None = None
        for argv in (*self.plan.before, self.plan.argv):
            spent = time.monotonic() - started
            left = None if self._timeout is None else max(0.0, self._timeout - spent)
            result = run(
                argv,
                cwd=self.plan.cwd,
                env=environment,
                timeout=left,
                cancel=self._cancel,
                on_output=self._take,
                keep=0,
            )
            if not result.ok:
                break
        assert result is not None
        return BuildRun(
            command=result.argv,
            cwd=result.cwd,
            status=self._status(result),
            returncode=result.returncode,
            seconds=time.monotonic() - started,
            log_path=self.log_path,
            log_bytes=self._log.written,
        )

    def _take(self, data: bytes) -> None:
        self._log.write(data)
        if self._feed.take(data):
            self._cancel.set()

    def _status(self, result: CommandResult) -> str:
        if self._feed.stopped:
            return "stopped"
        if result.cancelled:
            return "cancelled"
        if result.timed_out:
            return "timeout"
        return "ok" if result.ok else "failed"


class _Feed:
    """Cuts output into lines and passes it on; all calls come from the build's thread."""

    def __init__(
        self,
        on_progress: Callable[[BuildProgress], None] | None,
        on_line: Callable[[str], None] | None,
        watch: Watch | None,
    ) -> None:
        self.progress = BuildProgress()
        self.stopped = False
        self._on_progress = on_progress
        self._on_line = on_line
        self._watch = watch
        self._rest = b""
        self._started = time.monotonic()
        self._told = 0.0

    def take(self, data: bytes) -> bool:
        """Pass on a piece of output; return whether the watch wants the build to end."""
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()[-_LONGEST_LINE:]
        for line in lines:
            self._line(decode_output(line))
        if self._watch is not None and not self.stopped:
            self.stopped = self._watch(data)
        return self.stopped

    def close(self) -> None:
        """Pass on a last line without an end."""
        if self._rest:
            self._line(decode_output(self._rest))
            self._rest = b""
        self._tell()

    def _line(self, line: str) -> None:
        steps = steps_of(line) or (self.progress.done, self.progress.total)
        self.progress = BuildProgress(
            done=steps[0],
            total=steps[1],
            line=plain_line(line),
            seconds=time.monotonic() - self._started,
        )
        if self._on_line is not None:
            self._on_line(line.rstrip("\r"))
        if time.monotonic() - self._told >= _PROGRESS_SECONDS:
            self._tell()

    def _tell(self) -> None:
        self._told = time.monotonic()
        if self._on_progress is not None:
            self._on_progress(self.progress)


def start_build(
    plan: BuildPlan,
    *,
    log_dir: Path,
    on_progress: Callable[[BuildProgress], None] | None = None,
    on_line: Callable[[str], None] | None = None,
    watch: Watch | None = None,
    timeout: float | None = None,
    log_limit: int = LOG_LIMIT,
) -> RunningBuild:
    """Start a build in the background and return at once.

    Args:
        plan: what runs; from `buildcommand.plan_build`.
        log_dir: gets `build-<time>.log`; old logs are removed, twenty stay.
        on_progress: told ten times a second at most, and at the end.
        on_line: each line, decoded, without its end.
        watch: sees the raw output, and may end the build: to stop at the first error.
        timeout: seconds for the whole build.
        log_limit: bytes of the log that are kept on disk.

    The callbacks run in the build's thread; what they raise ends the build and comes out of
    `wait`.
    """
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    log = CappedLog(log_dir / f"build-{stamp}.log", log_limit)
    prune_logs(log_dir)
    return RunningBuild(plan, log, _Feed(on_progress, on_line, watch), timeout)
