"""The words and options of every command; the command line and the magics parse with it."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING, NoReturn

from fastpt_lab.commands.helptext import HelpText
from fastpt_lab.commands.words import (
    batch,
    compile_options,
    completion,
    transcode_options,
)
from fastpt_lab.core.errors import UsageError
from fastpt_lab.core.suggest import did_you_mean
from fastpt_lab.core.version import __version__
from fastpt_lab.show.language import later, said, say

if TYPE_CHECKING:
    from collections.abc import Sequence


NO_PROJECT = frozenset({"batch", "completion"})
"""Commands that are not about one project."""


class HelpWanted(Exception):
    """`--help` or `--version` was given; `text` is what to show."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text


class _Help(argparse.Action):
    def __init__(self, option_strings: Sequence[str], dest: str, **_: object) -> None:
        super().__init__(option_strings, dest, nargs=0, help="show this text")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        raise HelpWanted(parser.format_help())


class _Parser(argparse.ArgumentParser):
    """Raises instead of leaving the process: a notebook's kernel must survive a typo."""

    def __init__(self, *, prog: str, description: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            add_help=False,
            allow_abbrev=False,
            formatter_class=HelpText,
        )
        self.add_argument("-h", "--help", action=_Help)

    def error(self, message: str) -> NoReturn:
        """Raise for words that mean nothing, with what they were probably meant to be."""
        raise UsageError(
            message,
            next_step=did_you_mean(*self._misspelt(message), f"See {self.prog} --help"),
        )

    def _misspelt(self, message: str) -> tuple[str, list[str]]:
        """Return the word that argparse complains of, and what may stand in its place."""
        unknown = re.match(r"unrecognized arguments: .*?(-[^\s=]+)", message)
        if unknown:
            return unknown[1], list(self._option_string_actions)
        value = re.search(r"invalid choice: '(.*?)' \(", message)
        known = [str(choice) for action in self._actions for choice in action.choices or ()]
        return (value[1], known) if value else ("", [])


def _common(parser: argparse.ArgumentParser, *, root: bool) -> None:
    if root:
        parser.add_argument(
            "--root", metavar="DIR", help="project root (default: found upwards)"
        )
    parser.add_argument("--json", action="store_true", help="one JSON document on stdout")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    parser.add_argument("-v", "--verbose", action="store_true", help="every file, unit, note")


class Grammar:
    """All commands, each with its own parser."""

    def __init__(self, *, prefix: str = "fastpt-lab ") -> None:
        """Build the parsers; `prefix` is how help spells a command: `fastpt-lab ` or `%fastpt_`."""
        self._prefix = prefix
        self._parsers: dict[str, _Parser] = {}
        for name, describe in _COMMANDS.items():
            describe(self._add(name))

    @property
    def commands(self) -> tuple[str, ...]:
        """Every command's name."""
        return tuple(self._parsers)

    def parser(self, command: str) -> argparse.ArgumentParser:
        """Return the parser of one command.

        Raises:
            UsageError: there is no such command.
        """
        if command not in self._parsers:
            otherwise = f"See {self._prefix.strip()} --help"
            raise UsageError(
                f"there is no command {command!r}",
                next_step=did_you_mean(command, self._parsers, otherwise),
            )
        return self._parsers[command]

    def options(self, command: str) -> tuple[str, ...]:
        """Return every option of a command, as it is spelled."""
        actions = self.parser(command)._actions
        return tuple(option for action in actions for option in action.option_strings)

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """Return the namespace of `COMMAND [WORD…]`, with `command` and `compiler_flags` set.

        Words after `--` go to the compiler (`check`, `fix`) or are the command to run
        (`build`, `env`).

        Raises:
            UsageError: a word has no meaning.
            HelpWanted: help was asked for.
        """
        if not words or words[0] in ("-h", "--help"):
            raise HelpWanted(self.overview())
        if words[0] == "--version":
            raise HelpWanted(f"fastpt-lab {__version__}\n")
        command, rest = words[0], list(words[1:])
        after: list[str] = []
        if "--" in rest:
            cut = rest.index("--")
            rest, after = rest[:cut], rest[cut + 1 :]
        parser = self.parser(command)
        namespace = parser.parse_args(rest)
        namespace.command = command
        namespace.after = after
        return namespace

    def overview(self) -> str:
        """Return the list of commands."""
        width = max(map(len, self._parsers))
        lines = [
            f"  {self._prefix}{name:<{width}}  {say(parser.description or '')}"
            for name, parser in self._parsers.items()
        ]
        title = said("FastPT Lab: port a CUDA PyTorch extension to HIP.")
        end = said("Each takes --help. Version {}.", __version__)
        return "\n".join((title, "", *lines, "", end, ""))

    def _add(self, name: str) -> _Parser:
        description, _ = _TEXTS[name]
        parser = _Parser(prog=f"{self._prefix}{name}", description=description)
        _common(parser, root=name not in NO_PROJECT)
        self._parsers[name] = parser
        return parser


def _paths(parser: argparse.ArgumentParser, *, what: str = "file or folder") -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help=f"{what} (default: the project)"
    )


def _survey(parser: argparse.ArgumentParser) -> None:
    _paths(parser)


def _transcode(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    transcode_options(parser)


def _check(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    compile_options(parser)
    parser.epilog = "Words after -- are passed to the compiler."


def _review(parser: argparse.ArgumentParser) -> None:
    _check(parser)


def _build(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds for the build")
    parser.add_argument(
        "--stop", action="store_true", help="end the build when its first error appears"
    )
    parser.add_argument(
        "--engine",
        choices=("project", "lab"),
        default="project",
        help="lab: CUDAExtension's own hipify call uses our engine, in this build only",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show the command that would be run"
    )
    parser.epilog = "The command follows --; without one the project's own is found."


def _diagnose(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "log", metavar="LOG", nargs="?", default="-", help="a file, or - for stdin"
    )


def _errors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--all", action="store_true", help="warnings and followers too")


def _fix(parser: argparse.ArgumentParser) -> None:
    _paths(parser)
    group = parser.add_argument_group("which actions")
    group.add_argument("--all", action="store_true", help="of every error, not only the first")
    group.add_argument("--id", action="append", metavar="ID", help="this action")
    group.add_argument("--rule", action="append", metavar="NAME", help="of this rule")
    group.add_argument("--unsafe", action="store_true", help="also those that need a look")
    group.add_argument(
        "--build-files", action="store_true", help="what setup.py and CMakeLists.txt need"
    )
    group.add_argument(
        "--compat-header",
        nargs="?",
        const="",
        metavar="HEADER",
        help="a header with own names for what the project uses and HIP has otherwise",
    )
    group = parser.add_argument_group("what to do")
    group.add_argument("--trial", action="store_true", help="compile each candidate first")
    group.add_argument("--apply", action="store_true", help="write them to the originals")
    group.add_argument(
        "--patch", metavar="FILE", help="write them as a unified diff instead, for git apply"
    )
    group.add_argument(
        "--until-green",
        action="store_true",
        help="repeat check, trial, apply while the first error advances (implies --apply)",
    )
    group.add_argument(
        "--engines",
        metavar="LIST",
        help="whose outputs must compile at the end of --until-green (default: lab,torch)",
    )
    compile_options(parser)
    parser.epilog = "Words after -- are passed to the compiler."


def _undo(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="only what changed this file")
    parser.add_argument("--id", metavar="ID", help="this journal entry")
    parser.add_argument("--all", action="store_true", help=later("everything"))


def _nothing(_: argparse.ArgumentParser) -> None:
    return


def _status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="of the project")
    parser.add_argument(
        "--patch", metavar="FILE", help="write what the originals have gained as a unified diff"
    )


def _doctor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--layer", choices=("device", "runtime", "framework", "application"))
    parser.add_argument("--only", metavar="ID", help="one check alone")
    parser.add_argument(
        "--from",
        dest="source",
        metavar="FILE",
        help="what rocminfo, hipcc, ldd… printed on another machine; - for stdin",
    )
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds for one probe")


def _snapshot(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--output", metavar="FILE", help="write it (.json or .md)")
    parser.add_argument(
        "--against", metavar="FILE", help="show the difference from a saved one"
    )


def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "definition", nargs="?", metavar="FILE", help="names op, reference and inputs(n)"
    )
    parser.add_argument("--device", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--extension", metavar="MODULE", default="", help="import it first")
    parser.add_argument("--resume", metavar="RUNG", default="", help="begin with this rung")
    golden = parser.add_mutually_exclusive_group()
    golden.add_argument("--record", metavar="FILE", help="record a golden file")
    golden.add_argument("--compare", metavar="FILE", help="compare with a golden file")
    parser.add_argument("--timeout", type=float, metavar="S", help="seconds for one rung")


def _report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="of the project")
    parser.add_argument("--output", metavar="FILE", help="write it: .html or .md")


def _env(parser: argparse.ArgumentParser) -> None:
    mode = parser.add_mutually_exclusive_group()
    for letter, text in (
        ("C", "build without transcoding"),
        ("E", "run what was built with -C"),
        ("T", "transcode and build"),
    ):
        mode.add_argument(
            f"-{letter}", dest="mode", action="store_const", const=letter, help=text
        )
    mode.add_argument("--show", action="store_true", help="what is active now (default)")
    parser.epilog = "A command after -- is run inside the mode; the caller's environment stays."


def _rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", nargs="?", metavar="NAME", help="the manual of one rule")


def _explain(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="an action or diagnostic of the last report")


_TEXTS = {
    "survey": ("What the project uses, how much work it is, and which route fits.", _survey),
    "transcode": ("Make the HIP sources from the originals.", _transcode),
    "check": ("Transcode what changed, compile each unit, show the first error.", _check),
    "review": ("Check, then review side by side with the suggested changes.", _review),
    "build": ("Run the project's real build and show its first error in the original.", _build),
    "diagnose": ("Find the first error in a build log.", _diagnose),
    "errors": ("Show the errors of the last report.", _errors),
    "fix": ("Propose fixes, try them, write the accepted ones to the originals.", _fix),
    "undo": ("Take back what was written to the originals.", _undo),
    "redo": ("Make again what was last undone.", _nothing),
    "status": ("What was generated, what was written, what is out of date.", _status),
    "doctor": ("Check device, runtime, torch and extension, bottom up.", _doctor),
    "verify": ("Prove an operator on the device, step by step, against a reference.", _verify),
    "snapshot": ("Record the environment, without secrets.", _snapshot),
    "report": ("Write the whole port as one document.", _report),
    "batch": ("Port copies of many repositories and report on them all.", batch),
    "env": ("Show FastPT's modes, or run a command inside one.", _env),
    "rules": ("The fix rules: what each repairs, when it keeps silent.", _rules),
    "explain": ("Why this was proposed.", _explain),
    "completion": ("Print what makes a shell complete commands and options.", completion),
}
_COMMANDS = {name: describe for name, (_, describe) in _TEXTS.items()}
