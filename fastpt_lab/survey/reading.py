"""Read every file of a project once, and count how far that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import CancelledError, NoSourcesError, UnreadableFileError
from fastpt_lab.host.files import read_source
from fastpt_lab.survey.inventory import KEPT_PLACES, Uses
from fastpt_lab.survey.libraries import build_facts
from fastpt_lab.survey.tree import Tree, walk
from fastpt_lab.survey.unit import Unit, read_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from fastpt_lab.core.survey import BuildFact
    from fastpt_lab.core.text import Document, Location
    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.survey.branches import Passes

HOST_UNITS = frozenset({".c", ".cc", ".cpp", ".cxx"})
"""What the host compiler reads by itself; headers may be read by either."""


@dataclass(slots=True)
class Work:
    """What is gathered while the files are read."""

    tree: Tree
    units: list[Unit] = field(default_factory=list)
    uses: dict[Path, Uses] = field(default_factory=dict)
    lines: dict[Path, tuple[int, str]] = field(default_factory=dict)
    python: list[tuple[Path, Document]] = field(default_factory=list)
    build: list[BuildFact] = field(default_factory=list)
    places: dict[str, list[Location]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)
    refused: list[tuple[Path, str]] = field(default_factory=list)
    entry_points: int = 0
    bound: dict[str, str] = field(default_factory=dict)

    def add(self, feature: str, place: Location | None, count: int = 1) -> None:
        """Count a use of a feature; the first places are kept."""
        self.counts[feature] = self.counts.get(feature, 0) + count
        kept = self.places.setdefault(feature, [])
        if place is not None and len(kept) < KEPT_PLACES:
            kept.append(place)


class Progress:
    """Tells the caller how far the work is, and stops it where the user wants that."""

    def __init__(
        self, total: int, report: Callable[[int, int, Path], None] | None, cancel: Cancel | None
    ) -> None:
        self._total = total
        self._report = report
        self._cancel = cancel
        self._done = 0

    def at(self, path: Path) -> None:
        """Count a file as begun."""
        if self._cancel is not None and self._cancel.is_set():
            raise CancelledError("the survey was cancelled", next_step="Run it again")
        if self._report is not None:
            self._report(self._done, self._total, path)
        self._done += 1


def read_all(
    project: Project,
    paths: Sequence[Path],
    passes: Passes,
    report: Callable[[int, int, Path], None] | None,
    cancel: Cancel | None,
) -> tuple[Work, Progress]:
    """Read the sources and Python at or below `paths`, and the build files of the project.

    The progress that is returned counts each source a second time when it is looked at.

    Raises:
        CancelledError: the user stopped it.
    """
    tree = walk(project.root)
    try:
        sources = project.sources(paths)
    except NoSourcesError:
        sources = ()
    python = [p for p in tree.python if not paths or any(p.is_relative_to(w) for w in paths)]
    chosen = frozenset(python)
    others = dict.fromkeys((*tree.build, *python))
    progress = Progress(2 * len(sources) + len(others), report, cancel)
    work = Work(tree)
    for path in sources:
        progress.at(path)
        _read(work, path, passes)
    for path in others:
        progress.at(path)
        _read_other(work, path, wanted=path in chosen)
    return work, progress


def _read(work: Work, path: Path, passes: Passes) -> None:
    try:
        document = read_source(path).document
    except UnreadableFileError as error:
        work.refused.append((path, error.message))
        return
    work.units.append(read_unit(path, document, passes, host_only=path.suffix in HOST_UNITS))
    work.lines[path] = (_lines(document), document.encoding)


def _lines(document: Document) -> int:
    """Return the number of lines; a newline at the end begins none."""
    return document.line_count - (not document.text or document.text.endswith(("\n", "\r")))


def _read_other(work: Work, path: Path, *, wanted: bool) -> None:
    """Read a Python or build file; only one that is `wanted` is looked at for itself."""
    try:
        document = read_source(path).document
    except UnreadableFileError as error:
        work.refused.append((path, error.message))
        return
    if path.suffix == ".py" and wanted:
        work.python.append((path, document))
        work.lines[path] = (_lines(document), document.encoding)
    if (
        path in work.tree.build
        or "Extension" in document.text
        or "cpp_extension" in document.text
    ):
        work.build += build_facts(path, document)
