"""Compile one unit, pass by pass, and say what came of it."""

from __future__ import annotations

import os
import signal
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.build.depfile import parse_depfile
from fastpt_lab.build.precompiled import Precompiler, is_unusable
from fastpt_lab.build.results import Results
from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.host.executors import compilers
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
        seconds: the compiler's wall clock, all passes, without the making of a shared header
            set; 0 where an earlier result still holds.
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


class WantedSet(NamedTuple):
    """A precompiled header set that a check would use: its includes, and one of the passes."""

    includes: tuple[str, ...]
    run_pass: CompilePass


class _Done(NamedTuple):
    """A pass that ran, and the files that it read, none where it did not say."""

    run_pass: CompilePass
    result: CommandResult
    files: tuple[str, ...]


class UnitChecker:
    """Checks units of one plan; `compile` and `make_set` are called from several threads.

    `width` is the number of passes of one unit that may run at once.
    """

    def __init__(self, plan: CheckPlan, *, timeout: float, cancel: Cancel, reuse: bool) -> None:
        self.width = 1
        self._plan = plan
        self._timeout = timeout
        self._cancel = cancel
        self._reuse = reuse
        self._results = Results(plan)
        self._sets = Precompiler(plan, self._results.state, cancel)
        self._later: set[str] = set()

    def earlier(self, unit: Unit) -> UnitResult | None:
        """Return a result of an earlier check that still holds."""
        kept = self._results.find(self._key(unit)) if self._reuse else None
        if kept is None:
            return None
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

    def wanted_sets(self, units: Sequence[Unit]) -> list[WantedSet]:
        """Return the header sets that surely pay for these units, each once.

        The host side of units that begin alike is not among them: it may never be reached. Its
        set is made by the first unit that gets there.
        """
        if not self._reuse:
            return []
        uses: Counter[str] = Counter()
        wanted: dict[str, WantedSet] = {}
        for unit in units:
            includes = self._sets.includes(unit)
            for run_pass in self._plan.passes(unit, Path(os.devnull)) if includes else ():
                if run_pass.hip:
                    key = self._sets.key(includes, run_pass)
                    uses[key] += 1
                    wanted[key] = WantedSet(includes, run_pass)
        shared = {key for key, count in uses.items() if count > 1}
        seen = {key for key in wanted if self._sets.seen(key)}
        host = {key for key, each in wanted.items() if each.run_pass.side == "host"}
        self._later = (shared & host) - seen
        return [wanted[key] for key in wanted if key in (shared | seen) - self._later]

    def prune(self) -> None:
        """Remove results that are too old to matter."""
        self._results.prune()

    def make_set(self, wanted: WantedSet) -> None:
        """Make a header set if it is not there."""
        self._sets.make(wanted.includes, wanted.run_pass, self._timeout)

    def compile(self, unit: Unit) -> UnitResult:
        """Compile a unit and keep the result."""
        if self._cancel.is_set():
            return self._not_run(unit, "cancelled before it was compiled")
        with tempfile.TemporaryDirectory(prefix="fastpt-check-") as folder:
            try:
                done = self._run_passes(unit, Path(folder))
            except ToolMissingError as error:
                return self._not_run(unit, f"error: {error}")
        status = _status([each.result for each in done])
        log = "".join(_log(each.run_pass, each.result) for each in done)
        seconds = sum(each.result.seconds for each in done)
        complete = all(each.files for each in done)
        files = tuple(dict.fromkeys(f for each in done for f in each.files)) if complete else ()
        decided = all(each.result.returncode >= 0 for each in done)
        if status in ("ok", "error") and decided:
            key = self._key(unit)
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

    def _key(self, unit: Unit) -> str:
        # The folder for output is no part of what identifies the command.
        return self._results.key(unit, self._plan.passes(unit, Path(os.devnull)))

    def _run_passes(self, unit: Unit, folder: Path) -> list[_Done]:
        """Run the passes and return those that count.

        As in a build, the host side is not reached when the device side failed; its result is
        then left out even if it was running beside, so that a log does not depend on timing.
        """
        passes = self._plan.passes(unit, folder)
        includes = self._sets.includes(unit) if self._reuse else ()
        host_stop = _Linked(self._cancel)

        def one(index: int) -> _Done | None:
            run_pass = passes[index]
            is_host = run_pass.side == "host"
            stop = host_stop if is_host else self._cancel
            if is_host and host_stop.is_set() and len(passes) > 1:
                return None
            done = self._run(run_pass, includes, folder / f"{index}.d", stop)
            if not done.result.ok and not is_host:
                host_stop.set()
            return done

        with compilers(self.width) as pool:
            done = [each for each in pool.map(one, range(len(passes))) if each is not None]
        device = [each for each in done if each.run_pass.side != "host"]
        return device if any(not each.result.ok for each in device) else done

    def _run(
        self, run_pass: CompilePass, includes: tuple[str, ...], depfile: Path, stop: Cancel
    ) -> _Done:
        if includes and run_pass.hip and self._sets.key(includes, run_pass) in self._later:
            self._sets.make(includes, run_pass, self._timeout)
        found = self._sets.find(includes, run_pass) if includes and run_pass.hip else None
        if found is not None:
            result = self._start(found.apply(run_pass), depfile, stop)
            if not is_unusable(result) or stop.is_set():
                files = _files(depfile)
                return _Done(run_pass, result, (*files, *found.dependencies) if files else ())
            self._sets.reject(includes, run_pass)
        result = self._start(run_pass.argv, depfile, stop)
        if includes and run_pass.hip:
            self._sets.mark_seen(self._sets.key(includes, run_pass))
        return _Done(run_pass, result, _files(depfile))

    def _start(self, argv: Sequence[str], depfile: Path, stop: Cancel) -> CommandResult:
        words = (*argv[:-1], "-MD", "-MF", str(depfile), argv[-1])
        child = self._plan.toolchain.environment(scratch=depfile.parent)
        return run(words, cwd=self._plan.root, env=child, timeout=self._timeout, cancel=stop)

    def _not_run(self, unit: Unit, why: str) -> UnitResult:
        command = self._plan.command(unit)
        return UnitResult(
            original=unit.original,
            generated=unit.generated,
            status="not-run",
            seconds=0.0,
            log=f"{Path(command[0]).name}: {why}\n",
            command=command,
        )


class _Linked(Cancel):
    """A wish to stop that is also fulfilled when another one is."""

    def __init__(self, other: Cancel) -> None:
        super().__init__()
        self._other = other

    def is_set(self) -> bool:
        return super().is_set() or self._other.is_set()


def _status(results: Sequence[CommandResult]) -> str:
    if any(result.cancelled for result in results):
        return "not-run"
    if any(result.timed_out for result in results):
        return "timeout"
    return "ok" if all(result.ok for result in results) else "error"


def _log(run_pass: CompilePass, result: CommandResult) -> str:
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
        program = Path(run_pass.base[0]).name
        output += f"{program}: error: compiling {run_pass.source} for {run_pass.side} {why}\n"
    return output


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _files(depfile: Path) -> tuple[str, ...]:
    try:
        return parse_depfile(depfile.read_text("utf-8", errors="surrogateescape"))
    except OSError:
        return ()
