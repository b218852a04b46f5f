"""What one line of a log means: the value that every dialect gives back."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from fastpt_lab.core.diagnostic import Severity

if TYPE_CHECKING:
    from fastpt_lab.core.diagnostic import Related


class Role(Enum):
    """How a line relates to the diagnostics around it."""

    MESSAGE = "message"
    """It begins a diagnostic."""
    NOTE = "note"
    """It belongs to the diagnostic before it."""
    FRAME = "frame"
    """It leads to the diagnostic after it: an include stack, a traceback."""
    BOUNDARY = "boundary"
    """It ends the diagnostic before it and says nothing else: progress, summaries of a step."""
    ENTER = "enter"
    """A build tool enters the folder in `message`."""
    LEAVE = "leave"
    """A build tool leaves the folder in `message`."""


class Body(Enum):
    """Which plain lines after a message still belong to it."""

    NONE = "none"
    SNIPPET = "snippet"
    """A source line, a caret line and a fix-it line, or any number of gutter lines."""
    INDENTED = "indented"
    """Indented and empty lines; the first paragraph is the message (CMake)."""
    NEXT_LINE = "next-line"
    """The next line with words, which is the message."""
    CONTINUED = "continued"
    """Indented lines that continue the message, then a snippet (nvcc, lld)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place as printed: one-based `line` and `column` (bytes), 0 where it was not printed."""

    path: str
    line: int = 0
    column: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a dialect recognised in one line."""

    role: Role
    source: str
    message: str = ""
    severity: Severity = Severity.ERROR
    place: Place | None = None
    code: str = ""
    body: Body = Body.NONE
    notes: tuple[Related, ...] = ()


def tool_name(word: str) -> str:
    """Return the base name of a tool as printed: `/usr/bin/ld.lld` is `ld.lld`."""
    return PurePosixPath(word.replace("\\", "/")).name
