"""The one object that notebooks, widgets and the command line talk to."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, TrialStatus
from fastpt_lab.core.errors import UsageError
from fastpt_lab.core.report import Report
from fastpt_lab.host.files import write_atomic
from fastpt_lab.session.checks import Checks
from fastpt_lab.session.options import ENGINES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.text import WorkspaceEdit
    from fastpt_lab.session.green import GreenStep


class Session(Checks):
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

    @staticmethod
    def rule_names() -> tuple[str, ...]:
        """Return the names of all fix rules."""
        from fastpt_lab import rules

        return tuple(rules.RULES)

    def trial(self, *ids: str) -> Report:
        """Compile a scratch copy for each of these actions and keep the outcome in them.

        Raises:
            UnknownNameError: there is no such action.
            UsageError: nothing was checked in this process yet, or one answers no error.
        """
        with self._work("trial"):
            report = self._current()
            wanted = []
            for action in map(self.action, ids):
                if not action.diagnostics:
                    raise UsageError(
                        f"{action.id} answers no error, so no compile can judge it",
                        next_step=f"`fastpt-lab explain {action.id}` says what it rests on",
                    )
                error = self.diagnostic(action.diagnostics[0])
                if error.id not in self._units:
                    raise UsageError(
                        "nothing was checked in this session yet", next_step="Run check first"
                    )
                wanted.append((action, error, self._units[error.id]))
            with self._workbench.trials() as trials:
                tried = trials.run(wanted, self._cancel)
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

    def revise(self, id: str, edit: WorkspaceEdit) -> CodeAction:
        """Put an edited proposal beside the one it was made from, and return it.

        It is never safe; what a CUDA compiler sees of it is found out from its text. It can be
        tried and applied by its own id, as long as CUDA sees the same program.

        Raises:
            UnknownNameError: there is no action `id`.
            OverlappingEditsError: parts of the edit touch each other.
        """
        from fastpt_lab.session.revision import revised

        base = self.action(id)
        made = revised(base, edit, self.read)
        with self._working:
            report = self._current()
            kept = tuple(action for action in report.actions if action.id != made.id)
            # No event: whoever edits is told by the answer, at every pause of the typing.
            self.report = replace(report, actions=(*kept, made))
        return made

    def patch(self, *ids: str, output: str | Path | None = None) -> bytes:
        """Return a unified diff of the originals, which `git apply` takes in the root.

        Args:
            ids: actions of the last report, as if they were applied to what is on disk now;
                without any, all that the originals have gained by the changes in force.
            output: also write it there.

        Raises:
            UnknownNameError: there is no such action.
            UsageError: an action has no edit.
            RefusedError: `apply` would refuse it too.
            WriteError: `output` cannot be written.
        """
        from fastpt_lab.session.changes import changes_in_force
        from fastpt_lab.show.patch import Changed, patch

        if ids:
            changes = self._workbench.changes([self.action(name) for name in ids])
        else:
            changes = list(changes_in_force(self.root))
        made = patch(Changed(self.project.relative(p), old, new) for p, old, new in changes)
        if output is not None:
            write_atomic(Path(output).expanduser().absolute(), made)
        return made

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
        patch: str | Path | None = None,
    ) -> Report:
        """Check, then propose, try or write actions, to the originals or as a `patch`.

        Without `ids` and `all` they are those of the first error. Only safe actions are written
        unless `unsafe` is given or they are named by id.

        Raises:
            UnknownNameError: an id or rule does not exist.
            FastptError: as `check`, `trial` and `apply` do.
        """
        from fastpt_lab.session.choice import choose, without_overlaps
        from fastpt_lab.session.green import may_be_written

        _known(rules)
        report = self.check(paths)
        chosen = choose(report, every=all, ids=ids, names=rules)
        if trial:
            editable = [action.id for action in chosen if action.kind is ActionKind.EDIT]
            report = self.trial(*editable) if editable else report
            chosen = tuple(self.action(action.id) for action in chosen)
        if not apply and patch is None:
            return replace(report, command="fix", actions=chosen)
        allowed = [a for a in chosen if a.id in ids or may_be_written(a, unsafe=unsafe)]
        names = [action.id for action in without_overlaps(allowed)]
        if names and patch is not None:
            self.patch(*names, output=patch)
            note = f"wrote {', '.join(names)} to {patch}; the originals are as they were"
            return replace(report, command="fix", actions=chosen, advice=(note, *report.advice))
        if names:
            return self.apply(*names)
        note = "nothing was written: no fix may be applied without a look (--unsafe, --id)"
        return replace(report, command="fix", advice=(note, *report.advice))

    def advise_build_files(self) -> Report:
        """Report what setup.py and CMakeLists.txt need for HIP, as actions `b1`, `b2`, ….

        They can be applied like any other; none is safe, a person must look.
        """
        from fastpt_lab.transcode.buildfiles import advise

        with self._work("advise"):
            found = advise(self.project)
            numbered = tuple(replace(a, id=f"b{n}") for n, a in enumerate(found, start=1))
            report = self.report or Report(command="fix", root=self.root)
            return self._publish(replace(report, command="fix", actions=numbered))

    def compat_header(self, path: str | Path | None = None) -> Report:
        """Report the compatibility header that the project could use, as the action `h1`.

        It is a diff, and written by `apply("h1")` alone; `undo` removes it again.

        Args:
            path: where it should be, from the current folder; by default where it is, else
                beside the sources that need it.

        Raises:
            HandWrittenFileError: a person wrote or changed the file there.
            OutsideRootError: the path leads out of the project.
        """
        from fastpt_lab.host.files import inside
        from fastpt_lab.session.compat import ID, compat_action

        with self._work("advise"):
            target = None if path is None else inside(self.root, Path(path).expanduser())
            found, remarks = compat_action(
                self._workbench.sources, self._workbench.stack(), self.root, target
            )
            report = self.report or Report(command="fix", root=self.root)
            others = tuple(action for action in report.actions if action.id != ID)
            self._publish(replace(report, command="fix", actions=(*others, *found)))
            return Report(command="fix", root=self.root, actions=found, advice=remarks)

    def until_green(
        self,
        paths: Iterable[str | Path] = (),
        *,
        unsafe: bool = False,
        rules: Sequence[str] = (),
        engines: Sequence[str] = ENGINES,
        on_step: Callable[[GreenStep], None] | None = None,
    ) -> Report:
        """Repeat check, trial and write while the first error advances.

        When everything compiles, the originals are transcoded by the other `engines` in a copy
        and compiled too; edits that both outputs compile with are written for what fails.

        Args:
            paths: what to check; the whole project by default.
            unsafe: also write actions that need a look.
            rules: only these rules; all by default.
            engines: `lab`, and those that must take the originals too: a build runs torch's.
            on_step: told of every turn, the last one too.

        Raises:
            FastptError: as `check` and `apply` do.
        """
        from fastpt_lab.session.untilgreen import UntilGreen, known_engines
        from fastpt_lab.show.text import engine_words

        _known(rules)
        started = time.monotonic()
        with self._work("fix"):
            self._paths = self._resolve(paths)
            loop = UntilGreen(
                workbench=self._workbench,
                cancel=self._cancel,
                unsafe=unsafe,
                rules=rules,
                engines=known_engines(engines),
                on_step=lambda step: self._step(step, on_step),
            )
            checked = loop.run(lambda: self._workbench.check(self._paths, "fix", self._cancel))
            self._units = checked.units
            report = checked.report
            applied = tuple(step.applied for step in loop.steps if step.applied is not None)
            stopped = () if report.green else (f"stopped: {loop.steps[-1].reason}",)
            others = tuple(engine_words(one, self.root) for one in loop.outcomes)
            if report.green:
                self._tell(report)
            return self._publish(
                replace(
                    report,
                    applied=applied,
                    engines=loop.outcomes,
                    advice=(*stopped, *others, *report.advice),
                    seconds=time.monotonic() - started,
                )
            )

    def _step(self, step: GreenStep, on_step: Callable[[GreenStep], None] | None) -> None:
        self._story.error(step.error)
        if step.applied is not None:
            self._story.fixed(step.applied, _trial_words(step.tried[-1:]))
        if on_step is not None:
            on_step(step)


def _trial_words(actions: Sequence[CodeAction]) -> str:
    from fastpt_lab.show.text import trial_words

    return "; ".join(
        dict.fromkeys(
            trial_words(action.trial)
            for action in actions
            if action.trial.status is not TrialStatus.NOT_RUN
        )
    )


def _known(names: Sequence[str]) -> None:
    from fastpt_lab import rules

    for name in names:
        rules.rule(name)
