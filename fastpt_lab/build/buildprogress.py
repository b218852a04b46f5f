"""Read how far a build is from the lines that ninja, CMake and make print; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

_STEPS = re.compile(r"^\[(\d+)/(\d+)\]")
_PERCENT = re.compile(r"^\[ *(\d+)%\]")
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildProgress:
    """How far a build is.

    `done` of `total` steps, 0 of 0 while unknown; of 100 where the tool prints percent. `line`
    is the last line printed, without terminal escapes.
    """

    done: int = 0
    total: int = 0
    line: str = ""
    seconds: float = 0.0


def steps_of(line: str) -> tuple[int, int] | None:
    """Return (done, total) if a line begins with ninja's `[n/m]` or make's `[ n%]`."""
    plain = plain_line(line)
    if steps := _STEPS.match(plain):
        return int(steps[1]), int(steps[2])
    if percent := _PERCENT.match(plain):
        return int(percent[1]), 100
    return None


def plain_line(line: str) -> str:
    """Return what a terminal would show of a line: no escapes, only the last overwrite."""
    return _ESCAPE.sub("", line).rstrip("\r\n").rpartition("\r")[2]
