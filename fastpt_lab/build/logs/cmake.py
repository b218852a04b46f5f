"""CMake: errors and warnings with their call stack.

*Source*: CMake 3.25.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Body, Mark, Place, Role
from fastpt_lab.core.diagnostic import Severity

STACK = "Call Stack (most recent call first):"

_AT = re.compile(
    r"\s*CMake (?P<severity>(?:Internal )?Error|(?:Deprecation )?Warning)(?: \(dev\))?"
    r"(?: (?:at|in) (?P<path>.+?)(?::(?P<line>\d{1,9}))?(?: \((?P<command>[^()]*)\))?)?:\s*(?P<message>.*)$"
)
_FRAME = re.compile(r"\s+(?P<path>\S[^:]*?):(?P<line>\d{1,9}) \((?P<command>[^()]*)\)\s*$")
_INCOMPLETE = re.compile(
    r"\s*-- Configuring incomplete, errors occurred|\s*CMake (?:Generate|Configure) step failed"
)


def recognise(text: str) -> Mark | None:
    """Return what a line of CMake means, None for any other line."""
    if match := _AT.match(text):
        place = None
        if match["path"]:
            place = Place(path=match["path"], line=int(match["line"] or 0))
        return Mark(
            role=Role.MESSAGE,
            source="cmake",
            message=match["message"].strip(),
            severity=Severity.ERROR if "Error" in match["severity"] else Severity.WARNING,
            place=place,
            code="build-config",
            body=Body.INDENTED,
        )
    if _INCOMPLETE.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="cmake",
            message=text.strip().removeprefix("-- "),
            code="build-config",
        )
    return None


def frame(text: str) -> tuple[str, Place] | None:
    """Return command and place of a line of the call stack, None for any other line."""
    match = _FRAME.match(text)
    if match is None:
        return None
    return f"in {match['command']}", Place(path=match["path"], line=int(match["line"]))
