"""Compile single units fast: in parallel, with limits, without writing, and not twice."""

from __future__ import annotations

import os
import shlex
import signal
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.depfile import parse_depfile
from fastpt_lab.build.plan import host_compiler, is_host_unit
from fastpt_lab.build.results import Results
from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.host.process import Cancel, run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.build.plan import CheckPlan, CompilePass, Unit
    from fastpt_lab.core.command import CommandResult


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitResult:
    """What the compiler said of one unit.

    Attributes:
        original: the person's file.
        generated: the file that was compiled.
        status: `ok`, `error`, `timeout`, or `not-run` when the user cancelled or a compiler is
            missing; the log then says so.
        seconds: the compiler's wall clock, all passes; 0 where an earlier result still holds.
        log: the compiler's own output, device side first.
        command: one command line that shows the same errors.
        dependencies: files that were read, headers of the prepared copy left out.
        cached: an earlier result still holds.
    """

    original: Path
    generated: Path
    status: str
    seconds: float
    log: str
    command: tuple[str, ...]
    dependencies: tuple[str, ...] = ()
    cached: bool = False


CheckProgress = Callable[[UnitResult, int, int], None]
"""Called as each unit ends with its result, how many have ended, and how many there are."""


def check_units(
    units: Sequence[Unit],
    plan: CheckPlan,
    *,
    jobs: int = 0,
    timeout: float = 600.0,
    progress: CheckProgress | None = None,
    cancel: Cancel | None = None,
    reuse: bool = True,
) -> tuple[UnitResult, ...]:
    """Compile each unit without linking and return the results in the order of `units`.

    Args:
        units: what to compile.
        plan: how; from `plan.plan_check`.
        jobs: compilers at once; 0 is one a core.
        timeout: seconds for one unit, all its passes together.
        progress: told as units end; called from this thread's workers, one at a time.
        cancel: ends all compilers; units without a result are `not-run`.
        reuse: take earlier results that still hold.
    """
    if not units:
        return ()
    workers = jobs or os.cpu_count() or 1
    checker = _Checker(plan, timeout, cancel or Cancel(), reuse, max(1, workers // len(units)))
    results: list[UnitResult] = []
    with ThreadPoolExecutor(max_workers=workers) as pool:
        futures = [pool.submit(checker.check, unit) for unit in units]
        try:
            # In the order of the units: the order of a report must not depend on timing.
            for future in futures:
                results.append(future.result())
                if progress is not None:
                    progress(results[-1], len(results), len(units))
        except BaseException:
            # A keyboard interrupt must not leave compilers behind.
            checker.cancel.set()
            raise
    return tuple(results)


class _Checker:
    """Checks units of one plan; shared by the worker threads."""

    def __init__(
        self, plan: CheckPlan, timeout: float, cancel: Cancel, reuse: bool, width: int
    ) -> None:
        self.cancel = cancel
        self._plan = plan
        self._timeout = timeout
        self._reuse = reuse
        self._width = width
        self._results = Results(plan)

    def check(self, unit: Unit) -> UnitResult:
        """Return an earlier result, or compile."""
        # The folder's name is no part of what identifies the command.
        fixed = self._plan.passes(unit, Path(os.devnull))
        key = self._results.key(unit, fixed)
        kept = self._results.find(key) if self._reuse else None
        if kept is not None:
            return UnitResult(
                original=unit.original,
                generated=unit.generated,
                status=kept.status,
                seconds=0.0,
                log=kept.log,
                command=self._plan.command(unit),
                dependencies=kept.dependencies,
                cached=True,
            )
        if self.cancel.is_set():
            return self._not_run(unit, "cancelled before it was compiled")
        with tempfile.TemporaryDirectory(prefix="fastpt-check-") as folder:
            return self._compile(unit, key, Path(folder))

    def _compile(self, unit: Unit, key: str, folder: Path) -> UnitResult:
        passes = self._plan.passes(unit, folder)
        try:
            done = self._run_passes(passes, folder)
        except ToolMissingError as error:
            return self._not_run(unit, f"error: {error}")
        status = _status(done)
        log = "".join(_log(unit, run, result) for run, result in done)
        seconds = sum(result.seconds for _, result in done)
        files = _dependencies(len(done), folder)
        if status in ("ok", "error") and all(result.returncode >= 0 for _, result in done):
            self._results.keep(key, status=status, log=log, seconds=seconds, files=files)
        return UnitResult(
            original=unit.original,
            generated=unit.generated,
            status=status,
            seconds=seconds,
            log=log,
            command=self._plan.command(unit),
            dependencies=files,
        )

    def _run_passes(
        self, passes: Sequence[CompilePass], folder: Path
    ) -> list[tuple[CompilePass, CommandResult]]:
        """Run the passes and return those that count.

        As in a build, the host side is not reached when the device side failed; its result is
        then left out even if it was running beside, so that a log does not depend on timing.
        """
        host_stop = _Linked(self.cancel)

        def one(index: int) -> CommandResult:
            is_host = passes[index].side == "host"
            stop = host_stop if is_host else self.cancel
            result = self._run(passes[index], folder / f"{index}.d", stop)
            if not result.ok and not is_host:
                host_stop.set()
            return result

        with ThreadPoolExecutor(max_workers=self._width) as pool:
            results = list(pool.map(one, range(len(passes))))
        done = list(zip(passes, results, strict=True))
        device = [pair for pair in done if pair[0].side != "host"]
        return device if any(not result.ok for _, result in device) else done

    def _run(self, run_pass: CompilePass, depfile: Path, stop: Cancel) -> CommandResult:
        argv = (*run_pass.argv[:-1], "-MD", "-MF", str(depfile), run_pass.argv[-1])
        child = self._plan.toolchain.environment()
        return run(argv, cwd=self._plan.root, env=child, timeout=self._timeout, cancel=stop)

    def _not_run(self, unit: Unit, why: str) -> UnitResult:
        return UnitResult(
            original=unit.original,
            generated=unit.generated,
            status="not-run",
            seconds=0.0,
            log=f"{_program(unit)}: {why}\n",
            command=self._plan.command(unit),
        )


class _Linked(Cancel):
    """A wish to stop that is also fulfilled when another one is."""

    def __init__(self, other: Cancel) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        return super().is_set() or self._other.is_set()


def _status(done: Sequence[tuple[CompilePass, CommandResult]]) -> str:
    results = [result for _, result in done]
    if any(result.cancelled for result in results):
        return "not-run"
    if any(result.timed_out for result in results):
        return "timeout"
    return "ok" if all(result.ok for result in results) else "error"


def _program(unit: Unit) -> str:
    return Path(host_compiler()).name if is_host_unit(unit.generated) else "hipcc"


def _log(unit: Unit, run_pass: CompilePass, result: CommandResult) -> str:
    """Return a pass's output, with a line of our own where the compiler could not say why."""
    output = result.output
    if output and not output.endswith("\n"):
        output += "\n"
    why = ""
    if result.timed_out:
        why = f"did not end within {result.seconds:.0f} seconds and was ended"
    elif result.returncode < 0 and not result.cancelled:
        why = f"was ended by {_signal_name(-result.returncode)}; memory may be short"
    elif not result.ok and not result.cancelled and "error" not in output.lower():
        why = f"ended with exit code {result.returncode} and printed no error"
    if why:
        output += (
            f"{_program(unit)}: error: compiling {unit.generated} for {run_pass.side} {why}\n"
        )
    return output


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _dependencies(passes: int, folder: Path) -> tuple[str, ...]:
    """Return the files that the passes read; nothing unless each of them said so."""
    files: dict[str, None] = {}
    for index in range(passes):
        try:
            text = (folder / f"{index}.d").read_text("utf-8", errors="surrogateescape")
        except OSError:
            return ()
        files.update(dict.fromkeys(parse_depfile(text)))
    return tuple(files)


def command_line(command: Sequence[str]) -> str:
    """Return a command as one line that a shell understands."""
    return shlex.join(command)
