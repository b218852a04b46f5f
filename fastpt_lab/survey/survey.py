"""Look at a whole project: what it uses, what will hurt, which route fits; nothing is changed."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from fastpt_lab.core.survey import (
    BuildFact,
    Condition,
    Feature,
    FileSurvey,
    Lint,
    StackFacts,
    Survey,
)
from fastpt_lab.core.text import Location
from fastpt_lab.host.sourcetree import CUDA_SUFFIXES
from fastpt_lab.survey.arch_guard import hidden_from_host
from fastpt_lab.survey.branches import Passes, conditions, passes_of
from fastpt_lab.survey.effort import level_of
from fastpt_lab.survey.entry_points import (
    bindings,
    cpp_lints,
    entry_points,
    python_entry_lints,
)
from fastpt_lab.survey.inventory import Finder, counted, own_names, uses_of
from fastpt_lab.survey.libraries import required
from fastpt_lab.survey.proofs import Proofs
from fastpt_lab.survey.python_source import may_matter, python_lints, python_tree
from fastpt_lab.survey.reading import HOST_UNITS, Progress, Work, read_all
from fastpt_lab.survey.route import Situation, advise
from fastpt_lab.survey.tables import FeatureRule, Tables, load_tables
from fastpt_lab.survey.tree import is_nvidia_binary
from fastpt_lab.survey.unit import Unit, constants
from fastpt_lab.survey.versions import version_checks
from fastpt_lab.survey.wavefront import wavefront_lints

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project

_UNITS = HOST_UNITS | {".cu"}
_MAY_NAME_LANES = re.compile(r"(?i)warp|wave|lane")
_STANDARD = re.compile(r"c\+\+(\d\d)")
_OLD = {"98", "03", "11", "0x", "14", "1y"}


def survey(
    project: Project,
    *,
    stack_facts: StackFacts | None = None,
    paths: Sequence[Path] = (),
    names: Mapping[str, str] | None = None,
    emulate: bool = True,
    progress: Callable[[int, int, Path], None] | None = None,
    cancel: Cancel | None = None,
) -> Survey:
    """Return what the sources at or below `paths` use and which route fits the project.

    Args:
        project: its root is where build files, Python and binaries are looked for.
        stack_facts: versions and macros of this machine; what is missing stays unknown.
        paths: files or folders, the whole project by default.
        names: CUDA name to HIP name, from the transcoder's tables.
        emulate: whether kernels are run on the CPU to prove a finding.
        progress: called with files done, files in all, and the file that is read next.
        cancel: looked at before each file.

    Raises:
        CancelledError: the user stopped it.
        ConfigError: a table file of the user means nothing.
    """
    started = time.monotonic()
    facts = stack_facts or StackFacts()
    tables = load_tables(project.root)
    passes = passes_of(facts)
    work, step = read_all(project, paths, passes, progress, cancel)
    lints, found = _inspect(work, tables, passes, Proofs() if emulate else None, step)
    lints += _python_lints(work)
    _binaries(work)
    features = _features(work, tables)
    # A table without a name is no table: nothing was looked up.
    files = _files(work, tables, names or None)
    situation = Situation(
        names=_names(project.root, work.build),
        files=files,
        features=features,
        facts=facts,
        tables=tables,
    )
    return Survey(
        root=project.root,
        files=files,
        features=features,
        build=tuple(work.build),
        conditions=tuple(found),
        lints=tuple(lints),
        versions=version_checks(facts, tables),
        route=advise(situation),
        refused=tuple(work.refused),
        ported=sum(uses.hip for uses in work.uses.values()),
        entry_points=work.entry_points,
        seconds=time.monotonic() - started,
    )


def _inspect(
    work: Work,
    tables: Tables,
    passes: Passes,
    proofs: Proofs | None,
    step: Progress,
) -> tuple[list[Lint], list[Condition]]:
    """Look at every source with what is known of all."""
    finder = Finder.of(tables)
    own = frozenset().union(*(own_names(unit) for unit in work.units))
    outside = _shared_constants(work.units)
    lints: list[Lint] = []
    found: list[Condition] = []
    for unit in work.units:
        step.at(unit.path)
        uses = work.uses[unit.path] = uses_of(unit, finder, own)
        for feature, places in uses.features.items():
            for start, end in places:
                work.add(feature, Location(unit.path, unit.document.range_of(start, end)))
        if "__CUDA_ARCH__" in unit.text:
            for start, end, _ in hidden_from_host(unit.text):
                place = Location(unit.path, unit.document.range_of(start, end))
                work.add("arch-hides-host", place)
                uses.features.setdefault("arch-hides-host", []).append((start, end))
        emulate = None if proofs is None else proofs.of(unit, outside)
        lints += wavefront_lints(unit, outside, emulate=emulate)
        host_only = unit.path.suffix in HOST_UNITS
        found += conditions(unit.path, unit.document, unit.live, passes, host_only=host_only)
    work.bound = bindings(work.units)
    points = entry_points(work.units, work.bound)
    work.entry_points = len(points)
    lints += cpp_lints(points)
    return lints, found


def _shared_constants(units: Sequence[Unit]) -> dict[str, int]:
    """Return the constants of headers that name lanes and have one value in all of them."""
    values: dict[str, set[int]] = {}
    for unit in units:
        if unit.path.suffix not in _UNITS and _MAY_NAME_LANES.search(unit.text):
            for name, value in constants(unit).items():
                # An own `warpSize` is known only to the files that include it.
                if _MAY_NAME_LANES.search(name) and name != "warpSize":
                    values.setdefault(name, set()).add(value)
    return {name: min(seen) for name, seen in values.items() if len(seen) == 1}


def _binaries(work: Work) -> None:
    for path in work.tree.binaries:
        if is_nvidia_binary(path):
            work.add("nvidia-binary", Location.at(path, 0))


def _python_lints(work: Work) -> list[Lint]:
    extensions = frozenset(fact.value for fact in work.build if fact.name == "name")
    found: list[Lint] = []
    for path, document in work.python:
        if not may_matter(document.text, extensions):
            continue
        tree = python_tree(document)
        if tree is not None:
            imported = (path.parent / "__init__.py").exists()
            found += python_lints(path, document, tree, imported=imported)
            found += python_entry_lints(path, document, tree, extensions, frozenset(work.bound))
    return found


def _features(work: Work, tables: Tables) -> tuple[Feature, ...]:
    """Return the features found, build files and packages included, in the tables' order."""
    for fact in work.build:
        for rule in tables.features:
            linked = fact.name == "link" and fact.value in rule.links
            if linked or (fact.name == "package" and required(rule.packages, fact.value)):
                work.add(rule.id, fact.location)
        match = _STANDARD.fullmatch(fact.value) if fact.name == "standard" else None
        if fact.name == "standard" and (match is None or match[1] in _OLD):
            work.add("old-standard", fact.location)
    return tuple(_feature(rule, work) for rule in tables.features if work.counts.get(rule.id))


def _feature(rule: FeatureRule, work: Work) -> Feature:
    return Feature(
        id=rule.id,
        title=rule.title,
        kind=rule.kind,
        effort=rule.effort,
        gpufusion=rule.gpufusion,
        reason=rule.reason,
        remedy=rule.remedy,
        source=rule.source,
        count=work.counts[rule.id],
        places=tuple(work.places[rule.id]),
    )


def _files(
    work: Work, tables: Tables, names: Mapping[str, str] | None
) -> tuple[FileSurvey, ...]:
    rules = {rule.id: rule for rule in tables.features}
    found: list[FileSurvey] = []
    for path, (lines, encoding) in work.lines.items():
        uses = work.uses.get(path)
        if uses is None:
            found.append(FileSurvey(path=path, kind="python", lines=lines, encoding=encoding))
            continue
        total = counted(uses, rules, names)
        kind = "cuda" if path.suffix in CUDA_SUFFIXES or uses.device else "host"
        found.append(
            FileSurvey(
                path=path,
                kind=kind,
                lines=lines,
                kernels=uses.kernels,
                launches=uses.launches,
                automatic=total.automatic,
                review=total.review,
                no_equivalent=total.no_equivalent,
                unknown=total.unknown,
                level=level_of(total.review, total.no_equivalent),
                reasons=total.reasons,
                encoding=encoding,
            )
        )
    return tuple(found)


def _names(root: Path, build: Sequence[BuildFact]) -> tuple[str, ...]:
    return (root.name, *(fact.value for fact in build if fact.name == "name"))
