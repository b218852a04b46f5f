"""The work of a session on one project: check, propose, try, write; nothing of it is public."""

from __future__ import annotations

import time
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import (
    CancelledError,
    LimitError,
    StaleEditError,
    ToolMissingError,
    UsageError,
)
from fastpt_lab.core.report import AppliedEdit, Report
from fastpt_lab.core.text import WorkspaceEdit
from fastpt_lab.session.bases import Bases
from fastpt_lab.session.origins import Origins
from fastpt_lab.session.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import TextDocumentEdit
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.session.checking import CheckedUnit, Checker
    from fastpt_lab.session.events import Activity, Events
    from fastpt_lab.session.options import CheckOptions
    from fastpt_lab.session.trials import Trials


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A check's report, for each diagnostic the unit that said it first, and all units.

    `by_original` has the units that were compiled, by their originals.
    """

    report: Report
    units: Mapping[str, CheckedUnit]
    by_original: Mapping[Path, CheckedUnit]


class Workbench:
    """Knows the project's texts and compiler; holds no result."""

    def __init__(self, project: Project, options: CheckOptions, events: Events) -> None:
        self.project = project
        self.options = options
        self.sources = Sources(project)
        self.origins = Origins(project)
        self.bases = Bases(self.sources)
        self._events = events
        self._checker: Checker | None = None

    def configure(self, options: CheckOptions) -> None:
        """Use other options from now on."""
        if options != self.options:
            self.options = options
            self._checker = None

    def check(self, paths: Sequence[Path], command: str, cancel: Cancel) -> Checked:
        """Transcode what changed, compile every unit, and propose.

        Raises:
            ToolMissingError, NoSourcesError, CancelledError, FastptError: see `Session.check`.
        """
        from fastpt_lab.session.checking import Checker, units_of
        from fastpt_lab.session.files import file_reports
        from fastpt_lab.session.merge import merge
        from fastpt_lab.transcode.run import transcode

        root = self.project.root
        started = time.monotonic()
        with self._events.activity("transcode") as progress:
            options = self.options.transcode_options(root)
            transcoded = transcode(self.project, paths, options, progress, cancel)
        self.origins.update(transcoded)
        checker = self._checker = self._checker or Checker(root, self.options)
        units = units_of(transcoded, self.sources)
        with self._events.activity("check") as progress:
            plan = checker.prepare(units, lambda text: progress(0, 0, text), cancel)
            checked = checker.check(
                units, self.origins.find, self.sources.document, progress, cancel
            )
        if cancel.is_set():
            raise CancelledError("cancelled; what was already written stays")
        merged = merge([(unit.result.generated, unit.diagnostics) for unit in checked])
        by_path = {unit.result.generated: unit for unit in checked}
        report = Report(
            command=command,
            root=root,
            stack=checker.toolchain.facts(),
            files=file_reports(transcoded),
            units=tuple(unit.report() for unit in checked),
            diagnostics=merged.diagnostics,
            actions=self.propose(merged.diagnostics),
            advice=(*transcoded.remarks, *plan.describe(_files_read(checked))),
            seconds=time.monotonic() - started,
        )
        return Checked(
            report=report,
            units={name: by_path[path] for name, path in merged.units.items()},
            by_original={unit.result.original: unit for unit in checked},
        )

    def propose(self, diagnostics: Sequence[Diagnostic]) -> tuple[CodeAction, ...]:
        """Return what the rules offer for the errors among `diagnostics`."""
        from fastpt_lab import rules

        errors = [d for d in diagnostics if d.is_error and d.caused_by is None]
        if not errors:
            return ()
        with self._events.activity("propose") as progress:
            progress(0, 0, "fix rules")
            found = rules.actions_for(errors, self.sources, self.stack())
            self.bases.keep(found)
            return found

    def stack(self) -> Stack:
        """Return what rules may ask: the units' own flags, else a plain hipcc, else nothing."""
        from fastpt_lab.session.blind import BlindStack
        from fastpt_lab.session.checking import Checker

        if self._checker is None:
            try:
                self._checker = Checker(self.project.root, self.options)
            except (ToolMissingError, LimitError):
                return BlindStack()
        return self._checker.stack()

    def activity(self, name: str) -> AbstractContextManager[Activity]:
        """Tell of a piece of work while it runs."""
        return self._events.activity(name)

    @property
    def checker(self) -> Checker:
        """What the last check compiled with.

        Raises:
            UsageError: nothing was checked in this process yet.
        """
        if self._checker is None:
            raise UsageError(
                "nothing was checked in this session yet", next_step="Run check first"
            )
        return self._checker

    @contextmanager
    def trials(self) -> Iterator[Trials]:
        """Give what compiles scratch copies, and delete the copies afterwards.

        Trials one after the other transcode only what differs between them.

        Raises:
            UsageError: nothing was checked in this process yet.
        """
        from fastpt_lab.session.trials import Trials

        trials = Trials(self.project, self.sources, self.checker, self._events)
        try:
            yield trials
        finally:
            trials.close()

    def changes(self, actions: Sequence[CodeAction]) -> list[tuple[Path, bytes | None, bytes]]:
        """Return path, old and new bytes of what `write` would change.

        Raises:
            UsageError, RefusedError: as `write` does.
        """
        from fastpt_lab.fix.apply import changes_of

        edit = WorkspaceEdit(documents=_joined(actions))
        return changes_of(edit, root=self.project.root, attribute_only=_attributes(actions))

    def write(self, actions: Sequence[CodeAction]) -> AppliedEdit:
        """Write actions to the originals, all or none, as one journal entry.

        Raises:
            UsageError: an action has no edit.
            RefusedError: stale, generated, outside the root, read-only; nothing was written.
        """
        from fastpt_lab.fix.apply import apply
        from fastpt_lab.fix.journal import Journal

        root = self.project.root
        edit = WorkspaceEdit(documents=_joined(actions))
        try:
            entry = apply(
                edit,
                root=root,
                journal=Journal(root),
                rule=", ".join(dict.fromkeys(action.rule for action in actions)),
                title="; ".join(dict.fromkeys(action.title for action in actions)),
                attribute_only=_attributes(actions),
            )
        except StaleEditError as error:
            conflicts = self.bases.conflicts(edit)
            if not conflicts:
                raise
            from fastpt_lab.fix.merge import StaleThreeWayError

            raise StaleThreeWayError(conflicts) from error
        self._events.send("journal")
        return AppliedEdit(id=entry.id, rule=entry.rule, title=entry.title, paths=entry.paths)


def _attributes(actions: Sequence[CodeAction]) -> bool:
    from fastpt_lab.core.action import CudaEffect

    return any(action.cuda_effect is CudaEffect.ATTRIBUTE_ONLY for action in actions)


def _files_read(checked: Sequence[CheckedUnit]) -> list[str]:
    """Return the headers that took part, so that only those stand-ins are named."""
    return [name for unit in checked for name in unit.result.dependencies]


def _joined(actions: Sequence[CodeAction]) -> tuple[TextDocumentEdit, ...]:
    """Return the edits of several actions by file; one that several offer is made once."""
    from fastpt_lab.core.action import Applicability

    documents: dict[Path, TextDocumentEdit] = {}
    for action in actions:
        if action.edit is None or action.applicability is Applicability.DISPLAY_ONLY:
            raise UsageError(
                f"{action.id} is advice and has no edit of a source",
                next_step=f"`fastpt-lab explain {action.id}` says what to do",
            )
        for part in action.edit.documents:
            known = documents.get(part.path)
            edits = tuple(dict.fromkeys((*(known.edits if known else ()), *part.edits)))
            documents[part.path] = replace(part, edits=edits)
    return tuple(documents.values())
