"""The whole port of a project as one value: what a report of it is written from."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.action import Trial
    from fastpt_lab.core.check import Check
    from fastpt_lab.core.checklist import Point
    from fastpt_lab.core.report import FileReport, Report
    from fastpt_lab.core.survey import Survey
    from fastpt_lab.core.text import Location
    from fastpt_lab.core.verification import Rung


class EventKind(str, Enum):
    """What happened in the course of a port."""

    TRANSCODED = "transcoded"
    FIRST_ERROR = "first error"
    FIXED = "fixed"
    UNDONE = "undone"
    GREEN = "compiles"
    BUILT = "built"
    VERIFIED = "verified"


@dataclass(frozen=True, slots=True, kw_only=True)
class PortEvent:
    """One thing that happened, in the order of time.

    Attributes:
        kind: what.
        time: ISO 8601, UTC, "" if not recorded.
        text: the compiler's message, or the title of the action.
        location: the place in the original.
        rule: of the action, "" if a person did it.
        id: of the action or journal entry.
        trial: what the user's compiler said when the action was tried.
    """

    kind: EventKind
    text: str
    time: str = ""
    location: Location | None = None
    rule: str = ""
    id: str = ""
    trial: Trial | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    """What a port changed in one original: a unified diff without colour."""

    path: Path
    diff: str

    @property
    def added(self) -> int:
        """Lines added."""
        return sum(
            line.startswith("+") and not line.startswith("+++")
            for line in self.diff.splitlines()
        )

    @property
    def removed(self) -> int:
        """Lines removed."""
        return sum(
            line.startswith("-") and not line.startswith("---")
            for line in self.diff.splitlines()
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PortRecord:
    """Everything that a report shows; secrets are out of it before it is made.

    Attributes:
        root: of the project; paths are shown relative to it.
        made: ISO 8601, UTC, of the moment the record describes.
        tool: name and version of what made it.
        survey: with the route; None if none was made.
        stack: facts about compiler and torch, as shown to people.
        transcoded: originals with their outputs.
        events: the chronology: first errors, fixes, trials, builds.
        diffs: of the originals against their state before the port.
        report: the last check or build.
        checks: of the environment.
        rungs: of the device verification.
        snapshot: the environment record, name to value.
        checklist: the nine points.
    """

    root: Path
    made: str
    tool: str
    survey: Survey | None = None
    stack: tuple[tuple[str, str], ...] = ()
    transcoded: tuple[FileReport, ...] = ()
    events: tuple[PortEvent, ...] = ()
    diffs: tuple[FileDiff, ...] = ()
    report: Report | None = None
    checks: tuple[Check, ...] = ()
    rungs: tuple[Rung, ...] = ()
    snapshot: tuple[tuple[str, str], ...] = ()
    checklist: tuple[Point, ...] = ()
