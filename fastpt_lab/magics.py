"""The notebook: parse a line, call the session, return a result that shows itself."""

from __future__ import annotations

import shlex
import sys
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from IPython.core.magic import Magics, magics_class
from IPython.display import HTML, display
from traitlets import Bool, Unicode
from traitlets.config import SingletonConfigurable

from fastpt_lab.commands.execute import Sessions, execute
from fastpt_lab.commands.grammar import Grammar, HelpWanted
from fastpt_lab.core.errors import FastptError, ToolMissingError, UsageError
from fastpt_lab.show.language import error_line, say
from fastpt_lab.show.text import seconds
from fastpt_lab.widgets.problems import Problems

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fastpt_lab.commands.outcome import Outcome

PREFIX = "fastpt_"
_CELLS = ("verify",)
"""Commands that take a cell's body: `%%fastpt_verify`."""


class FastPT(SingletonConfigurable):
    """What `%config FastPT` sets."""

    progress = Bool(True, help="show what is being done while it is done").tag(config=True)
    live = Bool(True, help="show %fastpt_review as a widget, not only as a static view").tag(
        config=True
    )
    language = Unicode("", help="of the review: en or zh-CN; empty follows JupyterLab").tag(
        config=True
    )


class _Progress:
    """One output that is rewritten while work goes on and emptied at its end."""

    _SECONDS_BEFORE_SHOWING = 0.3

    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, event: Mapping[str, Any]) -> None:
        if event["kind"] != "progress" or not FastPT.instance().progress:
            return
        if event["finished"]:
            if self._handle is not None:
                self._handle.update(HTML(""))
                self._handle = None
            return
        # Nothing blinks: what ends at once shows no progress.
        if self._handle is None and event["seconds"] < self._SECONDS_BEFORE_SHOWING:
            return
        line = HTML(_progress_html(event))
        if self._handle is None:
            self._handle = display(line, display_id=True)
        else:
            self._handle.update(line)


def _progress_html(event: Mapping[str, Any]) -> str:
    done, total = event["done"], event["total"]
    bar = f"<progress value='{done}' max='{total}'></progress> {done}/{total}" if total else ""
    current = escape(say(str(event["current"]))[:120])
    return (
        f"<span role='status'>{escape(say(event['activity']))} {bar} "
        f"<code>{current}</code> {seconds(event['seconds'])}</span>"
    )


@magics_class
class FastptMagics(Magics):
    """Every command as `%fastpt_<command>`, with one session a project."""

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shell
        super().__init__(shell)
        self.grammar = Grammar(prefix=f"%{PREFIX}")
        self.sessions = Sessions(listener=_Progress())
        self.problems = Problems()
        for command in self.grammar.commands:
            self.magics["line"][f"{PREFIX}{command}"] = self._line_magic(command)
        for command in _CELLS:
            self.magics["cell"][f"{PREFIX}{command}"] = self._cell_magic(command)

    def _line_magic(self, command: str) -> Callable[[str], Outcome | None]:
        def magic(line: str) -> Outcome | None:
            return self._run(command, line)

        magic.__doc__ = self.grammar.parser(command).format_help()
        return magic

    def _cell_magic(self, command: str) -> Callable[[str, str], Outcome | None]:
        def magic(line: str, cell: str) -> Outcome | None:
            return self._run(command, line, cell)

        magic.__doc__ = self.grammar.parser(command).format_help()
        return magic

    def _run(self, command: str, line: str, cell: str = "") -> Outcome | None:
        """Carry out one line; an expected failure is one line of text, never a traceback."""
        silent = line.rstrip().endswith(";")
        try:
            words = self._parse(command, line.rstrip().removesuffix(";"), cell)
            outcome = execute(self.sessions, words)
            if outcome.session is not None:
                self.problems.follow(outcome.session)
            if outcome.live and not silent and self._show_live(outcome):
                return None
        except HelpWanted as wanted:
            sys.stdout.write(wanted.text)
        except FastptError as error:
            sys.stderr.write(f"{error_line(error)}\n")
            if error.details:
                sys.stderr.write(f"{error.details}\n")
        except KeyboardInterrupt:
            # The session has ended the work's processes on the way here.
            sys.stderr.write(f"{say('cancelled; what was already written stays')}\n")
        else:
            return None if silent else outcome
        return None

    def _parse(self, command: str, line: str, cell: str) -> argparse.Namespace:
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise UsageError(f"{error} in {line!r}", next_step="Close the quote") from error
        namespace = self.grammar.parse([command, *words])
        namespace.quiet = False
        namespace.cell = cell
        return namespace

    def _show_live(self, outcome: Outcome) -> bool:
        """Show the review as a widget beside its static copy; False if it cannot be."""
        if not FastPT.instance().live:
            return False
        # The widget and its packages are only loaded where a review is shown.
        from fastpt_lab.widgets.live import show_review

        try:
            show_review(
                outcome.session, outcome.render_html(), language=FastPT.instance().language
            )
        except ToolMissingError as error:
            sys.stderr.write(f"{error_line(error)}\n")
            return False
        return True

    def complete(self, _: object, event: Any) -> list[str]:  # noqa: ANN401 - IPython's event
        """Return what may stand at the cursor: options, ids, rules or paths."""
        words = event.line.split()
        command = words[0].lstrip("%").removeprefix(PREFIX)
        if command not in self.grammar.commands:
            return []
        symbol = event.symbol
        if symbol.startswith("-"):
            return list(self.grammar.options(command))
        before = words if event.text_until_cursor.endswith(" ") else words[:-1]
        option = before[-1] if before else ""
        if option in ("--id", "--rule") or command in ("explain", "rules"):
            return list(self.sessions.known_names(command, option))
        return _paths(symbol)


def _paths(typed: str) -> list[str]:
    folder, _, start = typed.rpartition("/")
    where = Path(folder or ("/" if typed.startswith("/") else ".")).expanduser()
    prefix = f"{folder}/" if folder or typed.startswith("/") else ""
    try:
        entries = sorted(where.iterdir())
    except OSError:
        return []
    return [
        f"{prefix}{entry.name}{'/' if entry.is_dir() else ''}"
        for entry in entries
        if entry.name.startswith(start) and (start or not entry.name.startswith("."))
    ]


def load(shell: Any) -> None:  # noqa: ANN401 - IPython's shell
    """Register everything with one running IPython."""
    magics = FastptMagics(shell)
    shell.register_magics(magics)
    shell.set_hook("complete_command", magics.complete, re_key=f"%+{PREFIX}.*")
    if not any(isinstance(known, FastPT) for known in shell.configurables):
        shell.configurables.append(FastPT.instance())
    kernel = getattr(shell, "kernel", None)
    if kernel is not None:
        magics.problems.serve(kernel.comm_manager)
