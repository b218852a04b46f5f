"""Port one repository of a batch on a copy; runs on a worker, with plain data in and out."""

from __future__ import annotations

import platform
import shutil
import tempfile
import threading
import time
from collections import Counter
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.batch import Depth, Outcome, PortedRepository
from fastpt_lab.core.errors import (
    CancelledError,
    FastptError,
    NoSourcesError,
    WorkerLostError,
    WriteError,
)
from fastpt_lab.core.survey import Effort
from fastpt_lab.session.batchcopy import copy_repository
from fastpt_lab.session.batchstate import Layout, digest_of_task
from fastpt_lab.session.options import OWN_ENGINE
from fastpt_lab.session.session import Session
from fastpt_lab.show.text import place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastpt_lab.core.report import Report
    from fastpt_lab.session.green import GreenStep

_LOOK_SECONDS = 0.3


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One repository to port; everything that travels to a worker.

    Attributes:
        name: of its folder below `out`.
        folder: the original.
        out: the batch's folder; on a cluster both are in a file system that all workers share.
        depth: a `Depth` by value.
        paths: files and folders to port, from the repository; all by default.
        options: the fields of `CheckOptions`.
        unsafe: also write fixes that need a look.
        rules: only these fix rules; all by default.
        stop: a file; the work ends when it is there.
    """

    name: str
    folder: str
    out: str
    depth: str
    paths: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    unsafe: bool = False
    rules: tuple[str, ...] = ()
    stop: str = ""


def port(values: Mapping[str, Any]) -> dict[str, Any]:
    """Port a repository and return a `PortedRepository` as JSON; its state is kept when done.

    The copy is made in a folder of this attempt alone and moved to its place when all is done, so
    that an attempt whose worker died leaves nothing, and two cannot meet.

    Args:
        values: the fields of a `Task`.

    Raises:
        WorkerLostError: this machine does not see the batch's folder.
        WriteError: it cannot write there.
        CancelledError: the stop file appeared.
    """
    task = Task(**values)
    layout = Layout(Path(task.out))
    started = time.monotonic()
    if not layout.out.is_dir():
        raise WorkerLostError(
            f"{platform.node()} does not see {layout.out}",
            next_step="Put the repositories and --out in a file system that all workers share",
        )
    with _own_folder(layout) as folder:
        copy = folder / Path(task.folder).name
        row = PortedRepository(
            name=task.name,
            folder=task.folder,
            outcome=Outcome.FAILED,
            worker=platform.node(),
        )
        try:
            digest = copy_repository(Path(task.folder), copy)
            row = replace(row, digest=digest_of_task(asdict(task), digest))
            row = _ported(task, copy, row)
        except NoSourcesError as error:
            row = replace(row, outcome=Outcome.NOTHING, reason=str(error))
        except (CancelledError, WriteError):
            raise
        except FastptError as error:
            row = replace(row, reason=_without(str(error), copy))
        row = replace(row, seconds=round(time.monotonic() - started, 3))
        if row.settled:
            layout.publish(task.name, folder)
        layout.save(row)
    return row.to_json()


def _ported(task: Task, copy: Path, row: PortedRepository) -> PortedRepository:
    """Survey, transcode, check and fix the copy, as far as the task says."""
    session = Session(root=copy, **task.options)
    paths = [copy / path for path in task.paths]
    with _stopped_by(session, Path(task.stop)):
        survey = session.survey(paths)
        row = replace(
            row,
            lines=survey.lines,
            sites={
                effort.value: survey.total(effort)
                for effort in (Effort.AUTOMATIC, Effort.REVIEW, Effort.NO_EQUIVALENT)
            },
        )
        if task.depth == Depth.TRANSCODE.value:
            report = session.transcode(paths)
            refused = [file for file in report.files if file.status == "refused"]
            return replace(
                row,
                outcome=Outcome.FAILED if refused else Outcome.TRANSCODED,
                reason=_without(refused[0].why, copy) if refused else "",
                files=len(report.files),
            )
        report = session.check(paths)
        before = _compiled(report)
        reason = ""
        if task.depth == Depth.FIX.value and not report.green:
            steps: list[GreenStep] = []
            report = session.until_green(
                paths,
                unsafe=task.unsafe,
                rules=task.rules,
                engines=(OWN_ENGINE,),
                on_step=steps.append,
            )
            reason = next((s.reason for s in reversed(steps) if s.applied is None), "")
            if report.applied:
                session.patch(output=copy.parent / "fixes.patch")
    return _row(row, report, before, _without(reason, copy))


def _row(row: PortedRepository, report: Report, before: int, reason: str) -> PortedRepository:
    """Return a row with what the last report says."""
    refused = next((file for file in report.files if file.status == "refused"), None)
    if refused is not None and not reason:
        reason = f"{place_of(refused.original, report)}: {refused.why}"
    first = report.first_error
    words = "" if first is None else f"{place(first.location, report.root)}: {first.message}"
    clean = report.green and refused is None
    nothing = clean and not report.units
    return replace(
        row,
        outcome=Outcome.NOTHING if nothing else Outcome.COMPILES if clean else Outcome.ERRORS,
        reason=_without(reason, report.root) if not clean else "",
        files=len(report.files),
        units=len(report.units),
        before=before,
        after=_compiled(report),
        rules=dict(Counter(edit.rule for edit in report.applied).most_common()),
        remaining=dict(Counter(error.code for error in report.errors()).most_common()),
        first_error=_without(words, report.root),
    )


def place_of(path: Path, report: Report) -> str:
    """Return a path of the project, from its root."""
    return path.relative_to(report.root).as_posix()


def _compiled(report: Report) -> int:
    return sum(unit.status == "ok" for unit in report.units)


def _without(words: str, copy: Path) -> str:
    """Return `words` without the folder of this attempt, which nobody will find later."""
    return words.replace(f"{copy}/", "").replace(str(copy), ".")


@contextmanager
def _own_folder(layout: Layout) -> Iterator[Path]:
    """Give a new folder for one attempt, and delete what is left in it."""
    try:
        layout.work.mkdir(exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix="attempt-", dir=layout.work))
    except OSError as error:
        raise WriteError(
            f"{layout.work} was not written: {error.strerror}", next_step="Free some space"
        ) from error
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _stopped_by(session: Session, stop: Path) -> Iterator[None]:
    """Cancel the session's work once the file `stop` is there.

    A file reaches a worker on any machine, and a thread that works cannot be ended from outside.
    """
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_LOOK_SECONDS):
            if stop.is_file():
                # Each piece of work begins with a wish of its own: it is told until the end.
                session.cancel()

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
