"""Port many repositories in one run: what is done already is kept, the rest is handed out."""

from __future__ import annotations

import secrets
import threading
import time
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.batch import BatchReport, Depth, Outcome, PortedRepository, in_order
from fastpt_lab.core.errors import CancelledError, FastptError, UsageError
from fastpt_lab.core.version import __version__
from fastpt_lab.host.executors import cluster, compilers, cores, processes
from fastpt_lab.host.files import lock
from fastpt_lab.session.batchcopy import digest_of_repository
from fastpt_lab.session.batchstate import Layout, digest_of_task, name_of
from fastpt_lab.session.batchwork import Task, port
from fastpt_lab.session.events import Events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from concurrent.futures import Executor, Future

    from fastpt_lab.core.batch import Repository
    from fastpt_lab.session.events import Activity, Listener

_TICK_SECONDS = 0.5
_GRACE_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """How a batch is run.

    Attributes:
        depth: how far each repository is taken.
        unsafe: also write fixes that need a look.
        rules: only these fix rules; all by default.
        jobs: repositories at once on this machine; 0 is one a core.
        scheduler: address of a Dask scheduler, whose workers then do it; "" is this machine.
    """

    depth: Depth = Depth.FIX
    unsafe: bool = False
    rules: tuple[str, ...] = ()
    jobs: int = 0
    scheduler: str = ""


class Batch:
    """Ports copies of repositories below one folder, and writes a report of them all.

    Args:
        repositories: what to port; their folders are read and never written.
        out: the folder for copies, state and reports; a second run there goes on.
        options: how.

    Raises:
        UsageError: `out` and a repository lie in one another, or a repository is there twice.
    """

    def __init__(
        self, repositories: Sequence[Repository], out: Path, options: BatchOptions
    ) -> None:
        self._layout = Layout(out.resolve())
        self._options = options
        self._events = Events()
        self._ended = threading.Event()
        self._stop_file = self._layout.out / f".stop-{secrets.token_hex(4)}"
        self._tasks = tuple(self._task(repository) for repository in repositories)
        _refuse_twice(self._tasks)

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each `progress` event; return what ends that."""
        return self._events.subscribe(listener)

    def cancel(self) -> None:
        """End the run; what is done stays done, and a later run goes on."""
        self._ended.set()

    def run(self) -> BatchReport:
        """Port every repository that is not done yet, and write the reports.

        An interrupt from the keyboard ends it like `cancel`: the report then says so.

        Raises:
            LockedError: another run uses the same folder.
            ToolMissingError, UsageError: the cluster cannot be used.
            WriteError: the folder cannot be written.
        """
        from fastpt_lab.session.batchreport import write_reports

        started = time.monotonic()
        layout = self._layout
        layout.prepare_folders()
        with lock(layout.state, wait=0.0):
            layout.sweep()
            done, left = self._look()
            rows = [*done, *self._port_all(left, len(done))]
            report = BatchReport(
                out=layout.out,
                made=datetime.now(timezone.utc).isoformat(timespec="seconds"),
                tool=f"FastPT Lab {__version__}",
                depth=self._options.depth,
                rows=in_order(rows),
                seconds=time.monotonic() - started,
                cancelled=self._ended.is_set(),
            )
            write_reports(report)
            layout.sweep()
        return report

    def _task(self, repository: Repository) -> Task:
        folder, out = repository.folder, self._layout.out
        if out.is_relative_to(folder) or folder.is_relative_to(out):
            raise UsageError(
                f"{out} and {folder} lie in one another",
                next_step="Name an --out beside the repositories",
            )
        at_once = self._options.jobs or cores()
        threads = 1 if self._options.scheduler else max(1, cores() // at_once)
        return Task(
            name=name_of(repository),
            folder=str(folder),
            out=str(out),
            depth=self._options.depth.value,
            paths=repository.paths,
            options={"jobs": threads, **repository.options},
            unsafe=self._options.unsafe,
            rules=self._options.rules,
            stop=str(self._stop_file),
        )

    def _look(self) -> tuple[list[PortedRepository], list[Task]]:
        """Return what needs no work, done or hopeless, and the tasks that are left."""
        done: list[PortedRepository] = []
        left: list[Task] = []
        with self._events.activity("compare") as progress, compilers(0) as threads:
            looked = threads.map(self._kept, self._tasks)
            for number, (task, row) in enumerate(
                zip(self._tasks, looked, strict=True), start=1
            ):
                progress(number, len(self._tasks), task.folder)
                if row is None:
                    left.append(task)
                else:
                    done.append(row)
        return done, left

    def _kept(self, task: Task) -> PortedRepository | None:
        """Return the state that still holds, or why there can be none; else None."""
        try:
            files = digest_of_repository(Path(task.folder))
        except FastptError as error:
            return _failed(task, str(error))
        known = self._layout.find(task.name)
        if known is None or not known.settled:
            return None
        same = known.digest == digest_of_task(asdict(task), files)
        return replace(known, kept=True) if same else None

    def _port_all(self, tasks: Sequence[Task], done: int) -> list[PortedRepository]:
        if not tasks:
            return []
        with self._executor(len(tasks)) as executor, self._events.activity("batch") as progress:
            futures = {executor.submit(port, asdict(task)): task for task in tasks}
            try:
                self._collect(futures, done, progress)
            except KeyboardInterrupt:
                self._ended.set()
            if self._ended.is_set():
                self._stop(futures)
            return [_row(task, future) for future, task in futures.items()]

    def _collect(
        self, futures: dict[Future[dict[str, Any]], Task], done: int, progress: Activity
    ) -> None:
        """Wait until all have ended or the user ends it, and tell how far it is."""
        total = done + len(futures)
        running = set(futures)
        progress(done, total)
        while running and not self._ended.is_set():
            ready, running = wait(running, timeout=_TICK_SECONDS, return_when=FIRST_COMPLETED)
            last = next(iter(ready or running))
            progress(total - len(running), total, Path(futures[last].folder).name)

    def _stop(self, futures: dict[Future[dict[str, Any]], Task]) -> None:
        """End what waits and what runs, wherever it runs."""
        self._stop_file.touch()
        for future in futures:
            future.cancel()
        wait(futures, timeout=_GRACE_SECONDS)
        self._stop_file.unlink(missing_ok=True)

    @contextmanager
    def _executor(self, tasks: int) -> Iterator[Executor]:
        if self._options.scheduler:
            with cluster(self._options.scheduler) as executor:
                yield executor
        else:
            with processes(min(tasks, self._options.jobs or cores())) as executor:
                yield executor


def _refuse_twice(tasks: Sequence[Task]) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.name in seen:
            raise UsageError(f"{task.folder} is listed twice", next_step="Remove one of them")
        seen.add(task.name)


def _row(task: Task, future: Future[dict[str, Any]]) -> PortedRepository:
    """Return what a task ended with, however it ended."""
    if not future.done() or future.cancelled():
        return _failed(task, "", outcome=Outcome.NOT_RUN)
    error = future.exception()
    if error is None:
        return PortedRepository.from_json(future.result())
    if isinstance(error, CancelledError):
        return _failed(task, "", outcome=Outcome.NOT_RUN)
    # The class says more than Dask's words for a task whose workers died: KilledWorker.
    kind = "" if isinstance(error, FastptError) else f"{type(error).__name__}: "
    return _failed(task, f"{kind}{error}")


def _failed(task: Task, reason: str, *, outcome: Outcome = Outcome.FAILED) -> PortedRepository:
    return PortedRepository(name=task.name, folder=task.folder, outcome=outcome, reason=reason)
