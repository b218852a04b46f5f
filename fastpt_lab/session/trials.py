"""Compile scratch copies of the project with candidate fixes made, several at once."""

from __future__ import annotations

import os
import queue
import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fastpt_lab.build.plan import Unit
from fastpt_lab.core.action import NOT_TRIED, ActionKind
from fastpt_lab.core.errors import FastptError
from fastpt_lab.host.executors import compilers
from fastpt_lab.session.scratch import Scratch, remove_abandoned
from fastpt_lab.session.trial import EditedPlaces, judge

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction, Trial
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.text import WorkspaceEdit
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.session.checking import CheckedUnit, Checker
    from fastpt_lab.session.events import Events
    from fastpt_lab.session.sources import Sources


@dataclass(frozen=True, slots=True, kw_only=True)
class Tried:
    """An action with its trial, and the unit as it was compiled with the action made."""

    action: CodeAction
    unit: CheckedUnit | None


class Trials:
    """Tries actions for errors of units that were checked with `checker`."""

    def __init__(
        self, project: Project, sources: Sources, checker: Checker, events: Events
    ) -> None:
        """Make as many scratch folders as compilers may run at once."""
        self._events = events
        self._project = project
        self._sources = sources
        self._checker = checker
        self._workers = checker.options.jobs or os.cpu_count() or 1
        self._free: queue.SimpleQueue[Scratch] = queue.SimpleQueue()
        remove_abandoned()
        for number in range(self._workers):
            self._free.put(Scratch(project, number))

    def run(
        self,
        wanted: Sequence[tuple[CodeAction, Diagnostic, CheckedUnit]],
        cancel: Cancel,
    ) -> tuple[Tried, ...]:
        """Return the actions with their trials, in the order given.

        An action without an edit is given back as it is: nothing can be compiled for it.

        Raises:
            FastptError: as transcoding does; the trial of one action never hides another's.
        """
        done: list[Tried] = []
        with (
            self._events.activity("trial") as progress,
            compilers(self._workers) as pool,
        ):
            futures = [pool.submit(self._try, *one, cancel) for one in wanted]
            try:
                for number, future in enumerate(futures, start=1):
                    done.append(future.result())
                    progress(number, len(futures), done[-1].action.title)
            except BaseException:
                cancel.set()
                raise
        return tuple(done)

    def _try(
        self, action: CodeAction, target: Diagnostic, unit: CheckedUnit, cancel: Cancel
    ) -> Tried:
        if action.kind is not ActionKind.EDIT or action.edit is None or cancel.is_set():
            return Tried(action=replace(action, trial=NOT_TRIED), unit=None)
        scratch = self._free.get()
        try:
            trial, compiled = self._trial(action.edit, target, unit, scratch, cancel)
            return Tried(action=replace(action, trial=trial), unit=compiled)
        except FastptError as error:
            evidence = (*action.evidence, f"it could not be tried: {error.message}")
            return Tried(action=replace(action, trial=NOT_TRIED, evidence=evidence), unit=None)
        finally:
            self._free.put(scratch)

    def _trial(
        self,
        edit: WorkspaceEdit,
        target: Diagnostic,
        unit: CheckedUnit,
        scratch: Scratch,
        cancel: Cancel,
    ) -> tuple[Trial, CheckedUnit]:
        started = time.monotonic()
        checked = self._compiled(edit, unit, scratch, cancel)
        trial = judge(
            target,
            unit.errors,
            checked.errors,
            EditedPlaces(edit, self._sources.document),
            root=self._project.root,
            seconds=time.monotonic() - started,
            compiled=checked.result.status == "ok",
        )
        return trial, checked

    def texts(self, edit: WorkspaceEdit) -> dict[Path, str]:
        """Return the texts of the files that `edit` names, as it makes them."""
        return {
            document.path: self._sources.file(document.path).document.apply(document.edits).text
            for document in edit.documents
        }

    def compile(self, edit: WorkspaceEdit, unit: CheckedUnit, cancel: Cancel) -> CheckedUnit:
        """Return a unit as it is compiled in a copy with `edit` made.

        Raises:
            FastptError: as transcoding does.
        """
        scratch = self._free.get()
        try:
            return self._compiled(edit, unit, scratch, cancel)
        finally:
            self._free.put(scratch)

    def _compiled(
        self, edit: WorkspaceEdit, unit: CheckedUnit, scratch: Scratch, cancel: Cancel
    ) -> CheckedUnit:
        options = replace(
            self._checker.options.transcode_options(self._project.root), out=scratch.root
        )
        transcoded = scratch.transcode(self.texts(edit), options, cancel)
        return self._checker.check_moved(
            Unit(original=unit.result.original, generated=scratch.here(unit.result.generated)),
            scratch.root,
            transcoded.origin,
            self._sources.document,
            scratch.there,
            cancel,
        )

    def close(self) -> None:
        """Delete the scratch folders."""
        while not self._free.empty():
            self._free.get().remove()
