"""The first half of the loop: transcode, check, read a log; and the journal."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fastpt_lab.core.errors import CancelledError, NoSourcesError, UnknownNameError
from fastpt_lab.core.port import EventKind
from fastpt_lab.core.report import Report
from fastpt_lab.core.suggest import did_you_mean
from fastpt_lab.session.builds import Builds
from fastpt_lab.transcode.run import clean, transcode

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.parity import EngineParity
    from fastpt_lab.fix.journal import JournalEntry
    from fastpt_lab.session.checking import CheckedUnit
    from fastpt_lab.session.status import Status
    from fastpt_lab.session.workbench import Checked
    from fastpt_lab.transcode.result import TranscodeOptions


class Checks(Builds):
    """A session as far as finding out and taking back; see `Session`."""

    def __init__(
        self,
        path: str | Path = ".",
        *,
        root: str | Path | None = None,
        **options: Any,  # noqa: ANN401 - the fields of CheckOptions
    ) -> None:
        super().__init__(path, root=root, **options)
        self._units: Mapping[str, CheckedUnit] = {}
        self._paths: tuple[Path, ...] = ()

    def transcode(
        self,
        paths: Iterable[str | Path] = (),
        **options: Any,  # noqa: ANN401 - the fields of TranscodeOptions
    ) -> Report:
        """Make the generated files, and report what became of each original.

        Args:
            paths: files and folders, from the current folder or the root; all by default.
            options: the fields of `TranscodeOptions`; `out` and `mappings` may be strings.

        Raises:
            FastptError: as `transcode.run.transcode` does.
        """
        from fastpt_lab.session.files import file_reports

        with self._work("transcode") as progress:
            started = time.monotonic()
            wanted = self._transcode_options(options)
            result = transcode(
                self.project, self._resolve(paths), wanted, progress, self._cancel
            )
            if result.out == self.root:
                self._workbench.origins.update(result)
            if not wanted.dry_run and result.changed:
                words = f"{len(result.files)} files with the {wanted.engine} engine"
                self._story.happened(EventKind.TRANSCODED, words)
            removed = (f"removed {self.project.relative(path)}" for path in result.removed)
            return Report(
                command="transcode",
                root=self.root,
                seconds=time.monotonic() - started,
                files=file_reports(result),
                advice=(*result.remarks, *removed),
            )

    def compare_engines(
        self,
        paths: Iterable[str | Path] = (),
        *,
        engine: str = "torch",
        **options: Any,  # noqa: ANN401 - the fields of TranscodeOptions
    ) -> EngineParity:
        """Say where this engine's outputs differ from those of another; write nothing.

        Args:
            paths: files and folders; all by default.
            engine: `torch` or `fastpt`.
            options: the fields of `TranscodeOptions`, for both engines.

        Raises:
            FastptError: as `transcode.run.transcode` does, for either engine.
        """
        from fastpt_lab.transcode.parity import compare_engines

        with self._work("compare") as progress:
            return compare_engines(
                self.project,
                self._resolve(paths),
                self._transcode_options(options),
                engine,
                progress=progress,
                cancel=self._cancel,
            )

    def _transcode_options(self, options: Mapping[str, Any]) -> TranscodeOptions:
        values = {name: value for name, value in options.items() if value is not None}
        for name in {"out", "mappings"} & set(values):
            values[name] = Path(values[name]).expanduser().absolute()
        return replace(self.options.transcode_options(self.root), **values)

    def clean(self) -> Report:
        """Remove every generated file that this project's manifest knows."""
        with self._work("clean"):
            removed = clean(self.project)
            self._workbench.origins.update(None)
            lines = tuple(f"removed {self.project.relative(path)}" for path in removed)
            return Report(command="transcode", root=self.root, advice=lines)

    def check(self, paths: Iterable[str | Path] = ()) -> Report:
        """Transcode what changed, compile each unit, and report with proposals.

        Args:
            paths: files and folders; the whole project by default.

        Raises:
            ToolMissingError: hipcc or torch is not there.
            NoSourcesError: there is nothing to compile.
            CancelledError: the user ended it.
            FastptError: as transcoding does.
        """
        with self._work("check"):
            self._paths = self._resolve(paths)
            report = self._publish(self._check("check"))
            self._tell(report)
            return report

    def diagnose(self, stream: IO[bytes]) -> Report:
        """Report the first error of a build log, at its place in the original.

        Args:
            stream: the log's bytes; read in pieces, however long it is.
        """
        from fastpt_lab.build.locate import locate
        from fastpt_lab.build.logs import Collector, LogParser

        with self._work("diagnose") as progress:
            started = time.monotonic()
            parser = LogParser()
            found = Collector()
            size = 0
            while chunk := stream.read(1 << 20):
                if self._cancel.is_set():
                    raise CancelledError("cancelled while reading the log")
                found.add(parser.feed(chunk))
                size += len(chunk)
                progress(0, 0, f"{size >> 20} MB")
            found.add(parser.close())
            located = locate(
                found.result(),
                origin=self.origin,
                document=self.read,
                root=self.root,
                cwd=self.root,
            )
            return self._publish(
                Report(
                    command="diagnose",
                    root=self.root,
                    seconds=time.monotonic() - started,
                    diagnostics=located,
                    actions=self._workbench.propose(located),
                )
            )

    def action(self, name: str) -> CodeAction:
        """Return the action called `name` of the last report.

        Raises:
            UnknownNameError: it has none of that name.
        """
        known = {action.id: action for action in self.report.actions} if self.report else {}
        if name in known:
            return known[name]
        raise UnknownNameError(
            f"there is no action {name}",
            next_step=did_you_mean(name, known, "`fastpt-lab fix` lists them"),
        )

    def diagnostic(self, name: str) -> Diagnostic:
        """Return the diagnostic called `name` of the last report.

        Raises:
            UnknownNameError: it has none of that name.
        """
        known = {found.id: found for found in self.report.diagnostics} if self.report else {}
        if name in known:
            return known[name]
        raise UnknownNameError(
            f"there is no diagnostic {name}",
            next_step=did_you_mean(name, known, "`fastpt-lab errors` lists them"),
        )

    def undo(
        self,
        path: str | Path | None = None,
        *,
        id: str | None = None,
        all: bool = False,
        recheck: bool = False,
    ) -> tuple[JournalEntry, ...]:
        """Take back the last entry, the named one, or all, of one path or of the project.

        Args:
            path: only what changed this file.
            id: this entry.
            all: every entry, not only the last.
            recheck: check again afterwards, as a review does.

        Raises:
            UnknownNameError, ConflictError: nothing was written.
        """
        from fastpt_lab.fix.undo import undo

        with self._work("undo"):
            only = self.project.resolve(path) if path is not None else None
            undone = undo(self.root, id=id, path=only, every=all)
            for entry in undone:
                self._story.happened(EventKind.UNDONE, entry.title, id=entry.id)
            self._after_journal(recheck=recheck and bool(undone))
            return undone

    def redo(self, *, recheck: bool = False) -> JournalEntry | None:
        """Make again what was last undone; None if nothing was.

        Raises:
            ConflictError: the file was edited in the same lines since.
        """
        from fastpt_lab.fix.undo import redo

        with self._work("redo"):
            entry = redo(self.root)
            self._after_journal(recheck=recheck and entry is not None)
            return entry

    def journal(self) -> tuple[JournalEntry, ...]:
        """Return every entry, oldest first."""
        from fastpt_lab.fix.journal import Journal

        return Journal(self.root).entries()

    def status(self) -> Status:
        """Return what was generated, what is out of date, and what was written."""
        from fastpt_lab.session.status import status_of

        with self._work("status") as progress:
            options = replace(self.options.transcode_options(self.root), dry_run=True)
            try:
                result = transcode(self.project, (), options, progress, self._cancel)
            except NoSourcesError:
                result = None
            return status_of(result, self.journal())

    def _check(self, command: str) -> Report:
        checked: Checked = self._workbench.check(self._paths, command, self._cancel)
        self._units = checked.units
        return checked.report

    def _tell(self, report: Report) -> None:
        """Add to the story what a check found."""
        if report.first_error is not None:
            self._story.error(report.first_error)
        elif report.green and report.units:
            self._story.happened(EventKind.GREEN, f"{len(report.units)} units compile")

    def _after_journal(self, *, recheck: bool) -> None:
        self._events.send("journal")
        if recheck:
            self._publish(self._check("check"))
