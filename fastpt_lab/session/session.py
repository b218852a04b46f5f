"""The one object that notebooks, widgets and the command line talk to."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from fastpt_lab import rules
from fastpt_lab.build.locate import locate
from fastpt_lab.build.logs import Collector, LogParser
from fastpt_lab.core.action import ActionKind, TrialStatus
from fastpt_lab.core.errors import (
    CancelledError,
    NoSourcesError,
    UnknownNameError,
    UsageError,
)
from fastpt_lab.core.port import EventKind
from fastpt_lab.core.report import Report
from fastpt_lab.fix.journal import Journal
from fastpt_lab.fix.undo import redo, undo
from fastpt_lab.session.choice import choose, without_overlaps
from fastpt_lab.session.files import file_reports
from fastpt_lab.session.green import GreenLoop, may_be_written
from fastpt_lab.session.status import Status, status_of
from fastpt_lab.session.surroundings import Surroundings
from fastpt_lab.show.text import trial_words
from fastpt_lab.transcode.run import clean, transcode

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.fix.journal import JournalEntry
    from fastpt_lab.session.checking import CheckedUnit
    from fastpt_lab.session.green import GreenStep
    from fastpt_lab.session.workbench import Checked


class Session(Surroundings):
    """One project being ported.

    Work is done one piece at a time; `cancel` may be called meanwhile from any thread.

    Args:
        path: a file or folder of the project; its root is found upwards.
        root: the project's root, instead of finding it.
        options: of `check`, see `CheckOptions`; over what pyproject.toml sets.

    Raises:
        PathMissingError: there is no such path.
        ConfigError: the project's configuration means nothing.
        UsageError: there is no such option.
    """

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

    @staticmethod
    def rule_names() -> tuple[str, ...]:
        """Return the names of all fix rules."""
        return tuple(rules.RULES)

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
        with self._work("transcode") as progress:
            started = time.monotonic()
            values = {name: value for name, value in options.items() if value is not None}
            for name in {"out", "mappings"} & set(values):
                values[name] = Path(values[name]).expanduser().absolute()
            wanted = replace(self.options.transcode_options(self.root), **values)
            result = transcode(
                self.project, self._resolve(paths), wanted, progress, self._cancel
            )
            if result.out == self.root:
                self._workbench.origins.update(result)
            if not wanted.dry_run:
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
        for action in self.report.actions if self.report else ():
            if action.id == name:
                return action
        raise UnknownNameError(
            f"there is no action {name}", next_step="`fastpt-lab fix` lists them"
        )

    def diagnostic(self, name: str) -> Diagnostic:
        """Return the diagnostic called `name` of the last report.

        Raises:
            UnknownNameError: it has none of that name.
        """
        for found in self.report.diagnostics if self.report else ():
            if found.id == name:
                return found
        raise UnknownNameError(
            f"there is no diagnostic {name}", next_step="`fastpt-lab errors` lists them"
        )

    def trial(self, *ids: str) -> Report:
        """Compile a scratch copy for each of these actions and keep the outcome in them.

        Raises:
            UnknownNameError: there is no such action.
            UsageError: nothing was checked in this process yet.
        """
        with self._work("trial"):
            report = self._current()
            wanted = []
            for action in map(self.action, ids):
                error = self.diagnostic(action.diagnostics[0])
                if error.id not in self._units:
                    raise UsageError(
                        "nothing was checked in this session yet", next_step="Run check first"
                    )
                wanted.append((action, error, self._units[error.id]))
            tried = self._workbench.try_actions(wanted, self._cancel)
            outcome = {one.action.id: one.action for one in tried}
            actions = tuple(outcome.get(action.id, action) for action in report.actions)
            return self._publish(replace(report, command="fix", actions=actions))

    def apply(self, *ids: str) -> Report:
        """Write actions to the originals, all or none, as one journal entry, and check again.

        Raises:
            UnknownNameError: there is no such action.
            UsageError: an action has no edit.
            RefusedError: stale, generated, outside the root, read-only; nothing was written.
        """
        with self._work("apply"):
            self._current()
            actions = [self.action(name) for name in ids]
            entry = self._workbench.write(actions)
            self._story.fixed(entry, _trial_words(actions))
            report = self._publish(replace(self._check("fix"), applied=(entry,)))
            self._tell(report)
            return report

    def fix(
        self,
        paths: Iterable[str | Path] = (),
        *,
        all: bool = False,
        ids: Sequence[str] = (),
        rules: Sequence[str] = (),
        unsafe: bool = False,
        trial: bool = False,
        apply: bool = False,
    ) -> Report:
        """Check, then propose, try or write actions.

        Without `ids` and `all` they are those of the first error. Only safe actions are written
        unless `unsafe` is given or they are named by id.

        Raises:
            UnknownNameError: an id or rule does not exist.
            FastptError: as `check`, `trial` and `apply` do.
        """
        _known(rules)
        report = self.check(paths)
        chosen = choose(report, every=all, ids=ids, names=rules)
        if trial:
            editable = [action.id for action in chosen if action.kind is ActionKind.EDIT]
            report = self.trial(*editable) if editable else report
            chosen = tuple(self.action(action.id) for action in chosen)
        if not apply:
            return replace(report, command="fix", actions=chosen)
        allowed = [a for a in chosen if a.id in ids or may_be_written(a, unsafe=unsafe)]
        if allowed:
            return self.apply(*(action.id for action in without_overlaps(allowed)))
        note = "nothing was written: no fix may be applied without a look (--unsafe, --id)"
        return replace(report, command="fix", advice=(note, *report.advice))

    def until_green(
        self,
        paths: Iterable[str | Path] = (),
        *,
        unsafe: bool = False,
        rules: Sequence[str] = (),
        on_step: Callable[[GreenStep], None] | None = None,
    ) -> Report:
        """Repeat check, trial and write while the first error advances.

        Args:
            paths: what to check; the whole project by default.
            unsafe: also write actions that need a look.
            rules: only these rules; all by default.
            on_step: told of every turn, the last one too.

        Raises:
            FastptError: as `check` and `apply` do.
        """
        _known(rules)
        started = time.monotonic()
        with self._work("fix"):
            self._paths = self._resolve(paths)
            loop = GreenLoop(
                self._workbench,
                self._cancel,
                unsafe=unsafe,
                rules=rules,
                on_step=lambda step: self._step(step, on_step),
            )
            checked = loop.run(lambda: self._workbench.check(self._paths, "fix", self._cancel))
            self._units = checked.units
            report = checked.report
            applied = tuple(step.applied for step in loop.steps if step.applied is not None)
            stopped = () if report.green else (f"stopped: {loop.steps[-1].reason}",)
            if report.green:
                self._tell(report)
            return self._publish(
                replace(
                    report,
                    applied=applied,
                    advice=(*stopped, *report.advice),
                    seconds=time.monotonic() - started,
                )
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
        with self._work("redo"):
            entry = redo(self.root)
            self._after_journal(recheck=recheck and entry is not None)
            return entry

    def journal(self) -> tuple[JournalEntry, ...]:
        """Return every entry, oldest first."""
        return Journal(self.root).entries()

    def status(self) -> Status:
        """Return what was generated, what is out of date, and what was written."""
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

    def _step(self, step: GreenStep, on_step: Callable[[GreenStep], None] | None) -> None:
        self._story.error(step.error)
        if step.applied is not None:
            self._story.fixed(step.applied, _trial_words(step.tried[-1:]))
        if on_step is not None:
            on_step(step)

    def _after_journal(self, *, recheck: bool) -> None:
        self._events.send("journal")
        if recheck:
            self._publish(self._check("check"))


def _trial_words(actions: Sequence[CodeAction]) -> str:
    return "; ".join(
        dict.fromkeys(
            trial_words(action.trial)
            for action in actions
            if action.trial.status is not TrialStatus.NOT_RUN
        )
    )


def _known(names: Sequence[str]) -> None:
    for name in names:
        rules.rule(name)
