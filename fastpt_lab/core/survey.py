"""What a project uses, which route fits it, and what will hurt without a message."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fastpt_lab.core.check import Check
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.text import Location


class Effort(str, Enum):
    """What transcoding one use takes: nothing, a look at the place, or new code."""

    AUTOMATIC = "automatic"
    REVIEW = "review"
    NO_EQUIVALENT = "no-equivalent"


class Fit(str, Enum):
    """What a feature means for the route without transcoding (GPUFusion).

    WORKS: nothing to do; CHANGE: after a small change; BLOCKED: not with this feature;
    UNKNOWN: nothing is known about it, and nothing is guessed.
    """

    WORKS = "works"
    CHANGE = "change"
    BLOCKED = "blocked"
    UNKNOWN = "unknown"


class Route(str, Enum):
    """The ways to a running extension, the least invasive first."""

    NOTHING_TO_DO = "nothing-to-do"
    ADAPTED = "adapted"
    GPUFUSION = "gpufusion"
    GPUFUSION_AFTER_CHANGES = "gpufusion-after-changes"
    TRANSCODE = "transcode"


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """Something that the project uses and the routes care about.

    Attributes:
        id: kebab-case.
        title: as shown to people.
        kind: `library`, `language`, `api`, `build`, `binary` or `package`.
        effort: what transcoding it takes.
        gpufusion: what it means for the route without transcoding.
        reason: why, one sentence.
        remedy: what to do about it, "" if nothing.
        source: where the reason is known from.
        count: uses found.
        places: some of them, in reading order; a package or a binary may have none.
    """

    id: str
    title: str
    kind: str
    effort: Effort
    gpufusion: Fit
    reason: str
    remedy: str = ""
    source: str = ""
    count: int = 0
    places: tuple[Location, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSurvey:
    """One file: its size, its uses, and the work that transcoding it takes.

    Attributes:
        path: absolute.
        kind: `cuda`, `host`, `python` or `build`.
        lines: of the whole file.
        kernels: definitions of `__global__` functions.
        launches: `<<<…>>>`.
        automatic, review, no_equivalent: uses by effort.
        unknown: CUDA names that no table of names was given for.
        level: `none`, `small`, `medium` or `large` (survey/effort.py says by which rule).
        reasons: the kinds of work, the most frequent first: `warp shuffles ×5`.
        encoding: the codec of the file.
    """

    path: Path
    kind: str
    lines: int
    kernels: int = 0
    launches: int = 0
    automatic: int = 0
    review: int = 0
    no_equivalent: int = 0
    unknown: int = 0
    level: str = "none"
    reasons: tuple[str, ...] = ()
    encoding: str = "utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildFact:
    """One thing that a build file says: `name` is `system`, `standard`, `flag` or `link`."""

    name: str
    value: str
    location: Location | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Lint:
    """A finding that no compiler reports.

    Attributes:
        check: kebab-case name of what was looked for.
        certain: whether it is wrong on this stack, apart from "may be".
        diagnostic: the place and the sentence; severity WARNING if certain, else INFORMATION.
        evidence: what it rests on, an emulated run among it.
        suggestion: code or words that would cure it, "" if that needs a person.
    """

    check: str
    certain: bool
    diagnostic: Diagnostic
    evidence: tuple[str, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One arm of a `#if` that depends on a platform or a version.

    Attributes:
        location: the directive.
        text: its condition as written; for `#else` that of the arms before, negated.
        host, device: whether this arm is compiled in that pass; None is not known.
        values: the macros that decide it with their values on this stack, as shown.
        warning: what is wrong with deciding by this condition, "" if nothing.
    """

    location: Location
    text: str
    host: bool | None
    device: bool | None
    values: tuple[tuple[str, str], ...] = ()
    warning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One question of the decision tree; `answer` is `yes`, `no` or `unknown`."""

    question: str
    answer: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteOption:
    """One way with what speaks for it, against it, and what is not known about it."""

    route: Route
    title: str
    invasiveness: str
    effort: str
    deployment: str
    cmake: str
    pros: tuple[str, ...] = ()
    cons: tuple[str, ...] = ()
    unknowns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteAdvice:
    """The recommended way and the path through the tree that led to it.

    Attributes:
        route: the recommendation.
        title: it as a sentence.
        why: one sentence.
        steps: the questions in the order they were asked.
        todo: what to do first or besides, in order.
        change: what would change the advice.
        options: both ways compared.
    """

    route: Route
    title: str
    why: str
    steps: tuple[Step, ...]
    todo: tuple[str, ...] = ()
    change: tuple[str, ...] = ()
    options: tuple[RouteOption, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StackFacts:
    """Versions and macros of the machine at hand; None always means "not found out".

    Attributes:
        dtk: as in `25.04.2`.
        torch: distribution version, local part included: `2.5.1+das.opt1.dtk25042`.
        torch_hip: `torch.version.hip`.
        fastpt: version of FastPT.
        python: `3.10`.
        glibc: `2.31`.
        host_macros, device_macros: what the HIP compiler defines in each pass once
            `hip/hip_runtime.h` is read, the flags of a torch extension included.
    """

    dtk: str | None = None
    torch: str | None = None
    torch_hip: str | None = None
    fastpt: str | None = None
    python: str | None = None
    glibc: str | None = None
    host_macros: Mapping[str, str] | None = field(default=None, hash=False)
    device_macros: Mapping[str, str] | None = field(default=None, hash=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """All that was learnt without changing or building anything.

    Attributes:
        root: of the project.
        files: C++, CUDA and Python sources, in order.
        features: what they use, in the order of the tables.
        build: what build files say.
        conditions: branches by platform or version.
        lints: findings that no compiler reports.
        versions: what fits together on this machine.
        route: the advice.
        refused: files that could not be read, with why.
        ported: sources that have a branch for HIP already.
        entry_points: operators with tensors that are bound to Python.
        seconds: wall clock.
    """

    root: Path
    files: tuple[FileSurvey, ...]
    features: tuple[Feature, ...]
    build: tuple[BuildFact, ...]
    conditions: tuple[Condition, ...]
    lints: tuple[Lint, ...]
    versions: tuple[Check, ...]
    route: RouteAdvice
    refused: tuple[tuple[Path, str], ...] = ()
    ported: int = 0
    entry_points: int = 0
    seconds: float = 0.0

    @property
    def lines(self) -> int:
        """Lines of all files."""
        return sum(file.lines for file in self.files)

    def total(self, effort: Effort) -> int:
        """Return the number of uses of one effort."""
        return sum(getattr(file, effort.name.lower()) for file in self.files)
