"""What a command that was run gave back; a command that failed is a value, not an exception."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandResult:
    """One finished command.

    Attributes:
        argv: the words, program first.
        cwd: the folder it ran in.
        returncode: as `subprocess` gives it: negative is the signal that ended it.
        output: standard output and error in the order they came, decoded.
        seconds: wall clock.
        timed_out: whether the time limit ended it.
        cancelled: whether the user ended it.
        truncated: bytes of output that were not kept.
    """

    argv: tuple[str, ...]
    cwd: Path
    returncode: int
    output: str
    seconds: float
    timed_out: bool = False
    cancelled: bool = False
    truncated: int = 0

    @property
    def ok(self) -> bool:
        """Whether it ended by itself with exit code 0."""
        return self.returncode == 0 and not self.timed_out and not self.cancelled
