"""Transcode, compile each unit, read what the compiler said, and move it to the originals."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fastpt_lab.build.check import UnitResult, check_units
from fastpt_lab.build.locate import locate
from fastpt_lab.build.logs import parse
from fastpt_lab.build.plan import HOST_SUFFIXES, Unit, plan_check
from fastpt_lab.build.stack import ProbedStack
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.report import UnitReport
from fastpt_lab.transcode.torchheaders import hipify_headers

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from fastpt_lab.build.plan import CheckPlan
    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.core.text import Document, Location
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.session.options import CheckOptions
    from fastpt_lab.session.sources import Sources
    from fastpt_lab.transcode.result import TranscodeResult

    Progress = Callable[[int, int, str], None]

_QUOTED_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedUnit:
    """One unit, what became of it, and its own diagnostics in reading order."""

    result: UnitResult
    diagnostics: tuple[Diagnostic, ...]

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The errors that are not mere followers of another."""
        return tuple(
            d for d in self.diagnostics if d.severity is Severity.ERROR and d.caused_by is None
        )

    def report(self) -> UnitReport:
        """Return what a report shows of the unit."""
        every = [d.severity for d in self.diagnostics]
        return UnitReport(
            original=self.result.original,
            generated=self.result.generated,
            status=self.result.status,
            seconds=self.result.seconds,
            errors=every.count(Severity.ERROR),
            warnings=every.count(Severity.WARNING),
            cached=self.result.cached,
            command=self.result.command,
        )


def units_of(transcoded: TranscodeResult, sources: Sources) -> tuple[Unit, ...]:
    """Return the units among transcoded files: outputs of `.cu` files and of host sources.

    A source that another one includes is a part of that one, and a host source that needed no
    change is compiled as it always was.
    """
    parts = _included_units(transcoded, sources)
    units = []
    for file in transcoded.files:
        if file.status == "refused" or file.original in parts:
            continue
        is_device = file.original.suffix == ".cu"
        is_host = file.original.suffix in HOST_SUFFIXES and file.generated != file.original
        if is_device or is_host:
            units.append(Unit(original=file.original, generated=file.generated))
    return tuple(units)


def _included_units(transcoded: TranscodeResult, sources: Sources) -> set[Path]:
    units = {".cu", *HOST_SUFFIXES}
    known = {file.original for file in transcoded.files if file.original.suffix in units}
    found: set[Path] = set()
    for path in known:
        document = sources.document(path)
        for name in _QUOTED_INCLUDE.findall(document.text if document else ""):
            beside = path.parent / posixpath.normpath(name)
            if beside in known:
                found.add(beside)
    return found


class Checker:
    """Checks units of one project with one set of options; probes and headers are kept."""

    def __init__(self, root: Path, options: CheckOptions) -> None:
        """Find the toolchain.

        Raises:
            ToolMissingError: there is no hipcc.
            LimitError: it does not answer.
        """
        self.root = root
        self.options = options
        self.toolchain = find_toolchain(options.compiler, architectures=options.arch)
        self.plan: CheckPlan | None = None

    def prepare(
        self, units: Sequence[Unit], say: Callable[[str], None], cancel: Cancel
    ) -> CheckPlan:
        """Decide how the units are compiled; makes the header copies once, which takes long.

        Raises:
            ToolMissingError, LimitError, CancelledError: as `plan_check` does.
        """
        self.plan = plan_check(
            units,
            self.root,
            self.toolchain,
            self.options.compile_options(self.root),
            engine=hipify_headers,
            progress=say,
            cancel=cancel,
        )
        return self.plan

    def stack(self) -> ProbedStack:
        """Return the stack that rules may ask, with the flags of the units, if any are planned."""
        plan = self.plan or plan_check(
            (), self.root, self.toolchain, self.options.compile_options(self.root)
        )
        uses_torch = any(fact.uses_torch for fact in plan.facts.values())
        return ProbedStack(self.toolchain, plan.flags(torch=uses_torch), cwd=self.root)

    def check(
        self,
        units: Sequence[Unit],
        read_origin: Callable[[Path], Origin | None],
        read: Callable[[Path], Document | None],
        progress: Progress,
        cancel: Cancel,
    ) -> tuple[CheckedUnit, ...]:
        """Compile the units and return each with its diagnostics at their original places."""
        assert self.plan is not None, "prepare comes first"

        def tell(result: UnitResult, done: int, total: int) -> None:
            progress(done, total, result.original.name)

        results = check_units(
            units,
            self.plan,
            jobs=self.options.jobs,
            timeout=self.options.timeout,
            progress=tell,
            cancel=cancel,
        )
        return tuple(
            CheckedUnit(
                result=result,
                diagnostics=located(result, read_origin, read, self.root),
            )
            for result in results
        )

    def check_moved(
        self,
        unit: Unit,
        root: Path,
        read_origin: Callable[[Path], Origin | None],
        read: Callable[[Path], Document | None],
        there: Callable[[Path], Path],
        cancel: Cancel,
    ) -> CheckedUnit:
        """Compile one unit in a copy of the project at `root`; places are the project's."""
        assert self.plan is not None, "prepare comes first"
        plan = self.plan.moved(root)
        (result,) = check_units(
            [unit], plan, jobs=1, timeout=self.options.timeout, cancel=cancel
        )
        found = located(result, read_origin, read, root)
        return CheckedUnit(
            # The next trial of this unit may be made in another copy.
            result=replace(result, generated=there(result.generated)),
            diagnostics=tuple(moved_back(d, there) for d in found),
        )


def located(
    result: UnitResult,
    read_origin: Callable[[Path], Origin | None],
    read: Callable[[Path], Document | None],
    root: Path,
) -> tuple[Diagnostic, ...]:
    """Return what a unit's log says, at the places in the originals.

    A unit that failed without a word still has an error, so that nothing looks green.
    """
    found = locate(parse(result.log), origin=read_origin, document=read, root=root, cwd=root)
    failed = result.status in ("error", "timeout", "not-run")
    if failed and not any(d.is_error for d in found):
        words = {
            "timeout": "the compiler was ended after its time limit",
            "not-run": "the unit was not compiled",
        }.get(result.status, "the compiler failed without a message")
        silent = Diagnostic(
            severity=Severity.ERROR,
            message=words,
            source="hipcc",
            raw=result.log[-2000:],
            id=f"d{len(found) + 1}",
        )
        return (*found, silent)
    return found


def moved_back(found: Diagnostic, there: Callable[[Path], Path]) -> Diagnostic:
    """Return a diagnostic of a copy of the project as one of the project."""

    def move(place: Location | None) -> Location | None:
        return None if place is None else place._replace(path=there(place.path))

    return replace(
        found,
        location=move(found.location),
        generated=move(found.generated),
        related=tuple(
            replace(note, location=move(note.location), generated=move(note.generated))
            for note in found.related
        ),
    )
