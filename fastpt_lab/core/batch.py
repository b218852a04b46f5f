"""Many repositories ported in one run: what is asked for each, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path


class Outcome(str, Enum):
    """What became of one repository, the best first."""

    COMPILES = "compiles"
    TRANSCODED = "transcoded"
    ERRORS = "errors remain"
    NOTHING = "no source"
    FAILED = "failed"
    NOT_RUN = "not run"


class Depth(str, Enum):
    """How far each repository is taken."""

    TRANSCODE = "transcode"
    CHECK = "check"
    FIX = "fix"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repository:
    """One line of the list.

    Attributes:
        folder: absolute; read, and never written.
        paths: files and folders in it, from it; all by default.
        options: of `check`, by the names of `session.options.CheckOptions`; plain values.
    """

    folder: Path
    paths: tuple[str, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PortedRepository:
    """What became of one repository; the state of a run is one of these a repository.

    Attributes:
        name: of its folder below the output folder.
        folder: the original, absolute.
        outcome: the end.
        reason: why it failed, or why the fixing stopped; "" where there is nothing to say.
        digest: of its files and of everything it was asked for; tells whether it must be redone.
        files: originals transcoded.
        lines: of source, as the survey counts them.
        sites: places that use CUDA, by effort: `automatic`, `review`, `no-equivalent`.
        units: translation units; None where nothing was compiled.
        before, after: units that compile before any fix, and with the fixes made.
        rules: fixes written, by rule.
        remaining: errors that remain, by the code of docs/contract.md, followers left out.
        first_error: `path:line:column: message` of the error to look at first.
        seconds: wall clock on the worker.
        worker: host name of the machine that ported it.
        kept: taken over from an earlier run.
    """

    name: str
    folder: str
    outcome: Outcome
    reason: str = ""
    digest: str = ""
    files: int = 0
    lines: int = 0
    sites: Mapping[str, int] = field(default_factory=dict)
    units: int | None = None
    before: int = 0
    after: int = 0
    rules: Mapping[str, int] = field(default_factory=dict)
    remaining: Mapping[str, int] = field(default_factory=dict)
    first_error: str = ""
    seconds: float = 0.0
    worker: str = ""
    kept: bool = False

    @property
    def settled(self) -> bool:
        """Whether a later run has no reason to try again while the digest is the same."""
        return self.outcome not in (Outcome.FAILED, Outcome.NOT_RUN)

    def to_json(self) -> dict[str, Any]:
        """Return plain values; `kept` is a fact of a run and not of the repository."""
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "kept"}
        counts = {name: dict(values[name]) for name in ("sites", "rules", "remaining")}
        return {**values, "outcome": self.outcome.value, **counts}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> PortedRepository:
        """Return what `to_json` gave.

        Raises:
            KeyError, TypeError, ValueError: it is something else.
        """
        return cls(**{**data, "outcome": Outcome(data["outcome"])})


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchReport:
    """A whole run.

    Attributes:
        out: the folder that holds copies, state and reports.
        made: ISO 8601, UTC.
        tool: name and version of what made it.
        depth: how far each repository was taken.
        rows: one a repository, what needs a person first.
        seconds: wall clock of this run.
        cancelled: the user ended it; run again, it goes on.
    """

    out: Path
    made: str
    tool: str
    depth: Depth
    rows: tuple[PortedRepository, ...]
    seconds: float
    cancelled: bool = False

    def count(self, outcome: Outcome) -> int:
        """Return how many repositories ended so."""
        return sum(row.outcome is outcome for row in self.rows)

    @property
    def units(self) -> int:
        """Units of all repositories."""
        return sum(row.units or 0 for row in self.rows)

    @property
    def before(self) -> int:
        """Units that compile before any fix."""
        return sum(row.before for row in self.rows)

    @property
    def after(self) -> int:
        """Units that compile with the fixes made."""
        return sum(row.after for row in self.rows)

    @property
    def rules(self) -> dict[str, int]:
        """Fixes written, by rule, the most frequent first."""
        return _added(row.rules for row in self.rows)

    @property
    def remaining(self) -> dict[str, int]:
        """Errors that remain, by code, the most frequent first."""
        return _added(row.remaining for row in self.rows)

    @property
    def exit_code(self) -> int:
        """0 everything clean, 1 errors or failures remain, 130 cancelled."""
        if self.cancelled:
            return 130
        clean = (Outcome.COMPILES, Outcome.TRANSCODED, Outcome.NOTHING)
        return 0 if all(row.outcome in clean for row in self.rows) else 1


def in_order(rows: Iterable[PortedRepository]) -> tuple[PortedRepository, ...]:
    """Return rows with what needs a person first: failures, then by units that do not compile."""
    rank = {outcome: number for number, outcome in enumerate(reversed(Outcome))}
    return tuple(
        sorted(rows, key=lambda r: (rank[r.outcome], r.after - (r.units or 0), r.folder))
    )


def _added(parts: Iterable[Mapping[str, int]]) -> dict[str, int]:
    totals: dict[str, int] = {}
    for part in parts:
        for name, number in part.items():
            totals[name] = totals.get(name, 0) + number
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))
