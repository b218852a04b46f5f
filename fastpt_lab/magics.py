"""The notebook: parse a line, call the session, return a result that shows itself."""

from __future__ import annotations

import glob
import shlex
import sys
from html import escape
from typing import TYPE_CHECKING, Any

from IPython.display import HTML, display
from traitlets import Bool
from traitlets.config import SingletonConfigurable

from fastpt_lab.commands.execute import Sessions, execute
from fastpt_lab.commands.grammar import Grammar, HelpWanted
from fastpt_lab.core.errors import FastptError, UsageError
from fastpt_lab.show.text import seconds

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from fastpt_lab.commands.outcome import Outcome

PREFIX = "fastpt_"


class FastPT(SingletonConfigurable):
    """What `%config FastPT` sets."""

    progress = Bool(True, help="show what is being done while it is done").tag(config=True)


class _Progress:
    """One output that is rewritten while work goes on and emptied at its end."""

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
        if self._handle is None and event["seconds"] < 0.3:
            return
        done, total = event["done"], event["total"]
        bar = (
            f"<progress value='{done}' max='{total}'></progress> {done}/{total}"
            if total
            else ""
        )
        line = HTML(
            f"<span role='status'>{escape(event['activity'])} {bar} "
            f"<code>{escape(event['current'])}</code> {seconds(event['seconds'])}</span>"
        )
        if self._handle is None:
            self._handle = display(line, display_id=True)
        else:
            self._handle.update(line)


class FastptMagics:
    """Every command as `%fastpt_<command>`, with one session a project."""

    def __init__(self, shell: Any) -> None:  # noqa: ANN401 - IPython's shell
        self.shell = shell
        self.grammar = Grammar(prefix=f"%{PREFIX}")
        self.sessions = Sessions(listener=_Progress())

    def register(self) -> None:
        """Register the magics and their completion."""
        for command in self.grammar.commands:
            self.shell.register_magic_function(
                self._magic(command), "line", f"{PREFIX}{command}"
            )
        self.shell.set_hook("complete_command", self._complete, re_key=f"%?{PREFIX}.*")

    def _magic(self, command: str) -> Callable[[str], Outcome | None]:
        def magic(line: str) -> Outcome | None:
            silent = line.rstrip().endswith(";")
            outcome = self._run(command, line.rstrip().removesuffix(";"))
            return None if silent else outcome

        magic.__doc__ = self.grammar.parser(command).format_help()
        return magic

    def _run(self, command: str, line: str) -> Outcome | None:
        try:
            namespace = self._parse(command, line)
            return execute(self.sessions, namespace)
        except HelpWanted as wanted:
            sys.stdout.write(wanted.text)
        except FastptError as error:
            sys.stderr.write(f"{error}\n")
        except KeyboardInterrupt:
            # The session has ended the work's processes on the way here.
            sys.stderr.write("Cancelled; what was already written stays.\n")
        return None

    def _parse(self, command: str, line: str) -> argparse.Namespace:
        try:
            words = shlex.split(line)
        except ValueError as error:
            raise UsageError(f"{error} in {line!r}", next_step="Close the quote") from error
        namespace = self.grammar.parse([command, *words])
        namespace.quiet = False
        return namespace

    def _complete(self, _: object, event: Any) -> list[str]:  # noqa: ANN401 - IPython's event
        words = event.line.split()
        command = words[0].lstrip("%").removeprefix(PREFIX)
        if command not in self.grammar.commands:
            return []
        symbol = event.symbol
        if symbol.startswith("-"):
            actions = self.grammar.parser(command)._actions
            return [option for action in actions for option in action.option_strings]
        previous = words[-1] if event.text_until_cursor.endswith(" ") else words[-2]
        if previous in ("--id", "--rule") or command in ("explain", "rules"):
            return list(self.sessions.known_names(command, previous))
        return sorted(path + "/" * (not path.count(".")) for path in glob.glob(symbol + "*"))


def load(shell: Any) -> None:  # noqa: ANN401 - IPython's shell
    """Register everything with one running IPython."""
    FastptMagics(shell).register()
    if FastPT.instance() not in shell.configurables:
        shell.configurables.append(FastPT.instance())
