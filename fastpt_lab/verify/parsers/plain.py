"""Make a tool's output plain: no terminal escapes, one kind of line end."""

from __future__ import annotations

import re

_ESCAPES = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]"
)


def plain(text: str) -> str:
    r"""Return `text` without colours and cursor moves, with `\\n` at the end of each line.

    rocminfo colours its banner even into a pipe (HIP 5.2.3).
    """
    return _ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


def lines(text: str) -> tuple[str, ...]:
    """Return the plain lines of `text`, without blanks at their ends."""
    return tuple(line.rstrip() for line in plain(text).split("\n"))
