"""What a check of the environment observed, and what it says to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class CheckStatus(str, Enum):
    """Outcome of a check; UNKNOWN is never counted as passed."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"
    SKIP = "skip"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What a fact was read from: a command with its exit code and output, or a file.

    `returncode` is None for a file, and for a command that did not start or did not end.
    """

    command: tuple[str, ...]
    returncode: int | None
    output: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One question about the environment, answered.

    Attributes:
        id: kebab-case, unique: `device-nodes`.
        layer: `device`, `runtime`, `framework` or `application`.
        status: unknown is not ok.
        observed: what is there.
        expected: what should be there.
        evidence: where `observed` comes from.
        why: what the difference means.
        next_step: the one thing to do now; "" when ok.
    """

    id: str
    layer: str
    status: CheckStatus
    observed: str
    expected: str
    evidence: tuple[Evidence, ...] = ()
    why: str = ""
    next_step: str = ""
