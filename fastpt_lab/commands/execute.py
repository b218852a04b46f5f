"""Carry out a parsed command on a session and give back what it found."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.commands.grammar import NO_PROJECT
from fastpt_lab.commands.surroundings import SURROUNDINGS
from fastpt_lab.core.errors import PathMissingError, UsageError
from fastpt_lab.host.project import check_path, find_root
from fastpt_lab.show.tongue import later

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

    from fastpt_lab.commands.outcome import Outcome
    from fastpt_lab.session.events import Listener
    from fastpt_lab.session.green import GreenStep
    from fastpt_lab.session.session import Session


class Sessions:
    """One session a project, so that a notebook's cells share what the last one found."""

    def __init__(self, listener: Listener | None = None) -> None:
        self.listener = listener
        self._sessions: dict[Path, Session] = {}
        self._last: Session | None = None

    def get(self, path: str | None, root: str | None) -> Session:
        """Return the session of the project that `path` lies in.

        Without a path it is the last one used, else the one of the current folder.

        Raises:
            PathMissingError: there is no such path.
        """
        from fastpt_lab.session.session import Session

        if path is None and root is None and self._last is not None:
            return self._last
        if root is not None and not Path(root).is_dir():
            raise PathMissingError(
                f"there is no folder {root}",
                next_step=check_path(Path(root), otherwise="Check --root"),
            )
        found = Path(root).resolve() if root else find_root(self._existing(path))
        session = self._sessions.get(found)
        if session is None:
            session = Session(root=found)
            if self.listener is not None:
                session.subscribe(self.listener)
            self._sessions[found] = session
        self._last = session
        return session

    def _existing(self, path: str | None) -> Path:
        """Return the path a command names; it may be given from the last project's root."""
        here = Path(path or ".").expanduser()
        if not here.exists() and self._last is not None:
            return self._last.root / here
        return here

    def known_names(self, command: str, option: str) -> Iterable[str]:
        """Return ids and rule names for completion."""
        from fastpt_lab.session.session import Session

        if option == "--rule" or command == "rules":
            return Session.rule_names()
        if self._last is None or self._last.report is None:
            return ()
        return [action.id for action in self._last.report.actions]


def execute(sessions: Sessions, words: argparse.Namespace) -> Outcome:
    """Carry out one parsed command.

    Raises:
        FastptError: it could not be done; exit code and next step are in it.
    """
    if words.command in NO_PROJECT:
        return _without_project(sessions, words)
    paths = getattr(words, "paths", None) or [getattr(words, "path", None)]
    session = sessions.get(paths[0], words.root)
    if hasattr(words, "arch"):
        session.configure(
            arch=words.arch,
            std=words.std,
            include_dirs=words.include_dir,
            defines=words.define,
            flags=words.after or None,
            compiler=words.compiler,
            jobs=words.jobs,
            timeout=words.timeout,
            off_device=words.off_device or None,
        )
    return _COMMANDS[words.command](session, words)


def _without_project(sessions: Sessions, words: argparse.Namespace) -> Outcome:
    if words.command == "completion":
        from fastpt_lab.commands.completion import completion

        return completion(words)
    from fastpt_lab.commands.batch import batch

    return batch(words, sessions.listener)


def _transcode(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import report_outcome

    if words.clean:
        return report_outcome(session, session.clean(), verbose=words.verbose)
    if words.compare:
        return _compare_engines(session, words)
    report = session.transcode(
        words.paths,
        engine=words.engine,
        out=words.out,
        dtk_macros=words.dtk_macros,
        keep_file_path=words.keep_file_path,
        mappings=words.mappings,
        include=tuple(words.include or ()),
        dry_run=words.dry_run,
    )
    return report_outcome(session, report, verbose=words.verbose)


def _compare_engines(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import parity_outcome

    found = session.compare_engines(
        words.paths,
        engine=words.compare,
        dtk_macros=words.dtk_macros,
        keep_file_path=words.keep_file_path,
        mappings=words.mappings,
        include=tuple(words.include or ()),
    )
    return parity_outcome(session, found, verbose=words.verbose)


def _check(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import report_outcome

    return report_outcome(session, session.check(words.paths), verbose=words.verbose)


def _diagnose(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import report_outcome

    if words.log == "-":
        report = session.diagnose(sys.stdin.buffer)
    else:
        path = Path(words.log).expanduser()
        if not path.is_file():
            raise PathMissingError(f"there is no log {path}", next_step=check_path(path))
        with path.open("rb") as stream:
            report = session.diagnose(stream)
    return report_outcome(session, report, verbose=words.verbose)


def _errors(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import report_outcome

    if session.report is None:
        raise UsageError("nothing was checked yet", next_step="Run check first")
    return report_outcome(session, session.report, verbose=words.all or words.verbose)


def _fix(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import report_outcome

    if words.patch and (words.apply or words.until_green or words.build_files):
        raise UsageError(
            "--patch writes to no original, the other option does",
            next_step="`fastpt-lab status --patch FILE` gives what was written as a diff",
        )
    if words.engines is not None and not words.until_green:
        raise UsageError(
            "--engines says whose outputs --until-green makes compile",
            next_step="Pass --until-green too",
        )
    if words.build_files:
        return _fix_build_files(session, words)
    if words.compat_header is not None:
        return _fix_compat_header(session, words)
    if words.until_green:
        from fastpt_lab.session.options import ENGINES

        steps: list[GreenStep] = []
        report = session.until_green(
            words.paths,
            unsafe=words.unsafe,
            rules=tuple(words.rule or ()),
            engines=ENGINES if words.engines is None else words.engines.split(","),
            on_step=steps.append,
        )
        return report_outcome(session, report, steps=tuple(steps), verbose=words.verbose)
    report = session.fix(
        words.paths,
        all=words.all,
        ids=tuple(words.id or ()),
        rules=tuple(words.rule or ()),
        unsafe=words.unsafe,
        trial=words.trial,
        apply=words.apply,
        patch=words.patch,
    )
    return report_outcome(session, report, verbose=words.verbose)


def _fix_build_files(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import actions_outcome

    report = session.advise_build_files()
    if words.apply:
        if not words.id:
            raise UsageError(
                "a change of a build file needs a look", next_step="Name it: --id b1 --apply"
            )
        report = session.apply(*words.id)
    return actions_outcome(session, report)


def _fix_compat_header(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import actions_outcome

    if words.until_green or words.build_files or words.all or words.id or words.rule:
        raise UsageError(
            "--compat-header proposes one file and nothing else",
            next_step="Leave the other options out; --apply or --patch FILE may stand with it",
        )
    report = session.compat_header(words.compat_header or None)
    names = [action.id for action in report.actions]
    if names and words.patch:
        session.patch(*names, output=words.patch)
    elif names and words.apply:
        checked = session.apply(*names)
        report = replace(report, actions=(), applied=checked.applied)
    return actions_outcome(session, report, label="Compatibility header")


def _undo(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import history_outcome

    undone = session.undo(words.path, id=words.id, all=words.all)
    return history_outcome(
        session,
        undone,
        command="undo",
        each=later("Took back {} [{}] in {}"),
        none=later("There is nothing to undo."),
    )


def _redo(session: Session, _: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import history_outcome

    entry = session.redo()
    entries = () if entry is None else (entry,)
    return history_outcome(
        session,
        entries,
        command="redo",
        each=later("Made again {} [{}] in {}"),
        none=later("There is nothing to redo."),
    )


def _status(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import status_outcome

    if words.patch is not None:
        session.patch(output=words.patch)
    return status_outcome(session)


def _rules(_: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.manual import rules_outcome

    return rules_outcome(words.name)


def _explain(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.manual import explain_outcome

    return explain_outcome(session, words.id)


def _review(session: Session, words: argparse.Namespace) -> Outcome:
    from fastpt_lab.commands.views import report_outcome

    report = session.check(words.paths)
    return report_outcome(session, report, verbose=words.verbose, live=True)


_COMMANDS: dict[str, Callable[[Session, Any], Outcome]] = {
    "transcode": _transcode,
    "check": _check,
    "diagnose": _diagnose,
    "errors": _errors,
    "fix": _fix,
    "undo": _undo,
    "redo": _redo,
    "status": _status,
    "review": _review,
    "rules": _rules,
    "explain": _explain,
    **SURROUNDINGS,
}
