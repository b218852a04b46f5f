"""The text of `--help` in the user's language, in lines that fit a terminal."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from fastpt_lab.show.language import language, later, said, say
from fastpt_lab.show.text import width

if TYPE_CHECKING:
    from collections.abc import Iterable

# A Chinese character may end a line, a mark behind it may not begin the next one.
_PIECE = re.compile(r"\s+|[^\s⺀-￿]+[、-】！-｠]*|.[、-】！-｠]*")

PARSER_SAYS = (
    later("positional arguments"),
    later("options"),
    later("usage: "),
    later("unrecognized arguments: {}"),
    later("the following arguments are required: {}"),
    later("argument {}: expected one argument"),
    later("argument {}: expected at least one argument"),
    later("argument {}: invalid choice: {} (choose from {})"),
    later("argument {}: invalid float value: {}"),
    later("argument {}: not allowed with argument {}"),
    later("argument {}: ignored explicit argument {}"),
    later("argument {}: {}"),
)
"""What argparse of Python 3.10 to 3.14 says by itself, in headings and errors."""


class HelpText(argparse.HelpFormatter):
    """Says headings, descriptions and the help of options."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[argparse._MutuallyExclusiveGroup],
        prefix: str | None = None,
    ) -> None:
        """Add the line of usage."""
        super().add_usage(usage, actions, groups, said("usage: ") if prefix is None else prefix)

    def start_section(self, heading: str | None) -> None:
        """Begin a group of options."""
        super().start_section(None if heading is None else say(heading))

    def add_text(self, text: str | None) -> None:
        """Add the description or the epilog."""
        super().add_text(None if text is None else say(text))

    def _get_help_string(self, action: argparse.Action) -> str | None:
        return None if action.help is None else say(action.help)

    def _split_lines(self, text: str, width: int) -> list[str]:
        if language() == "en":
            return super()._split_lines(text, width)
        return wrapped(text, width)

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if language() == "en":
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in wrapped(text, width - len(indent)))


def wrapped(text: str, columns: int) -> list[str]:
    """Return words in lines of so many terminal columns; between Chinese any place may break."""
    lines, line = [], ""
    for piece in _PIECE.findall(" ".join(text.split())):
        if line and width(line + piece.rstrip()) > columns:
            lines.append(line.rstrip())
            line = ""
        line += piece if line else piece.lstrip()
    return [*lines, line.rstrip()] if line.strip() else lines
