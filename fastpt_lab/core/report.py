"""What one command found: the value behind the terminal, the notebook and the JSON contract."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.diagnostic import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.text import Location


@dataclass(frozen=True, slots=True, kw_only=True)
class FileNote:
    """Something worth knowing about a place of a file that was transcoded.

    `kind` is kebab-case: `unmapped`, `not-installed`, `version-branch`, `include`, …
    """

    kind: str
    message: str
    location: Location | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """One original and its output.

    `status` is `written`, `unchanged`, `skipped` (nothing to transcode) or `refused`.
    """

    original: Path
    generated: Path | None
    status: str
    notes: tuple[FileNote, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReport:
    """One translation unit: `status` is `ok`, `error`, `timeout` or `not-run`.

    `seconds` is the compiler's wall clock, 0 where an earlier result still holds (`cached`).
    """

    original: Path
    generated: Path
    status: str
    seconds: float = 0.0
    errors: int = 0
    warnings: int = 0
    cached: bool = False
    command: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedEdit:
    """One journal entry that a command wrote: its id, rule and the originals it changed."""

    id: str
    rule: str
    title: str
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineCheck:
    """What another transcoder's output of the same originals came to.

    Attributes:
        engine: its name, as `transcode --engine` takes it.
        status: `ok`, `error` or `not-run`.
        units: how many were compiled.
        failed: how many of them have errors.
        first_error: of the first that has, at its place in the original.
        why: why it did not run, or why no fix was written for the error.
    """

    engine: str
    status: str
    units: int = 0
    failed: int = 0
    first_error: Diagnostic | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The outcome of `check`, `build`, `diagnose`, `fix`, `transcode`.

    Attributes:
        command: which one.
        root: the project's root; paths below it are shown relative.
        stack: facts about the compiler, as shown to people.
        seconds: wall clock.
        files, units, diagnostics, actions: in reading order.
        applied: what was written, `fix --apply` only.
        advice: lines about the run as a whole: what was stood in for, what was not checked.
        failed: a command that was run failed, whether or not its log says why.
        engines: what other engines' outputs came to, `fix --until-green` only.
    """

    command: str
    root: Path
    stack: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0
    files: tuple[FileReport, ...] = ()
    units: tuple[UnitReport, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()
    actions: tuple[CodeAction, ...] = ()
    applied: tuple[AppliedEdit, ...] = ()
    advice: tuple[str, ...] = ()
    failed: bool = False
    engines: tuple[EngineCheck, ...] = ()

    def errors(self) -> Iterator[Diagnostic]:
        """Yield the errors that are not mere followers of another, in reading order."""
        for found in self.diagnostics:
            if found.severity is Severity.ERROR and found.caused_by is None:
                yield found

    @property
    def first_error(self) -> Diagnostic | None:
        """The error to fix now."""
        return next(self.errors(), None)

    @property
    def green(self) -> bool:
        """Whether nothing failed: no error, and no unit without a result.

        It is about the own engine's outputs; `engines` tells of others.
        """
        clean = self.first_error is None and not self.failed
        return clean and all(unit.status == "ok" for unit in self.units)

    @property
    def exit_code(self) -> int:
        """0 done and clean, 1 errors remain."""
        refused = any(file.status == "refused" for file in self.files)
        disagree = any(engine.status == "error" for engine in self.engines)
        return 0 if self.green and not refused and not disagree else 1

    def actions_for(self, diagnostic_id: str) -> tuple[CodeAction, ...]:
        """Return the actions that answer a diagnostic."""
        return tuple(a for a in self.actions if diagnostic_id in a.diagnostics)
