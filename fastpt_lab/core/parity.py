"""Where two transcoders' outputs of one project differ, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Difference(str, Enum):
    """Why two engines' outputs differ at a place."""

    COMMENT_OR_STRING = "comment-or-string"
    LAUNCH = "launch"
    MATH = "math"
    CUDA_BRANCH = "cuda-branch"
    HIP_DEFINITION = "hip-definition"
    GAP = "gap"
    NAMESPACE = "namespace"
    OLDER_NAME = "older-name"
    TORCH_API = "torch-api"
    BRACES = "braces"
    HALF_MEMBER = "half-member"
    INCLUDE_SPELLING = "include-spelling"
    INCLUDE_PATH = "include-path"
    INCLUDE_FOUND = "include-found"
    INCLUDE_CYCLE = "include-cycle"
    RUNTIME_INCLUDE = "runtime-include"
    UNKNOWN = "unknown"


REASONS = {
    Difference.COMMENT_OR_STRING: "texts that a user reads or a program parses are not code",
    Difference.LAUNCH: "hipcc compiles <<<>>> as it is; rewriting it by text breaks valid code",
    Difference.MATH: "hipcc has std::max and its kind in device code; host code needs std::",
    Difference.CUDA_BRANCH: "a branch that the project keeps for CUDA is never read by hipcc",
    Difference.HIP_DEFINITION: "mapping a CUDA name that is defined by its HIP name undoes it",
    Difference.GAP: "a name or header that torch's tables lack (gaps.py gives the source of each)",
    Difference.NAMESPACE: "a namespace is mapped as such, and not where a project has its own",
    Difference.OLDER_NAME: "the installed HIP has the older name only",
    Difference.TORCH_API: "the installed torch dispatches on a scalar type alone, not a type()",
    Difference.BRACES: "HIP's half2 is not assigned empty braces without their type",
    Difference.HALF_MEMBER: "until HIP 6 the members of a half2 are the bits of its halves",
    Difference.INCLUDE_SPELLING: "torch sees an include only with exactly one blank",
    Difference.INCLUDE_PATH: "a header's whole path is mapped, not a file name inside it",
    Difference.INCLUDE_FOUND: "a project header is found where no include folder was passed",
    Difference.INCLUDE_CYCLE: "torch takes it that a header still being read gets an output",
    Difference.RUNTIME_INCLUDE: "nvcc includes the runtime in every .cu; comments do not count",
    Difference.UNKNOWN: "not intended",
}


class Place(NamedTuple):
    """One line on which the outputs differ; zero-based, in the original."""

    kind: Difference
    line: int
    original: str
    ours: str
    theirs: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FileParity:
    """One original for which the engines' outputs were compared.

    Attributes:
        original: absolute.
        places: the lines that differ; empty where the outputs are equal.
        remark: why there is nothing to compare, as one engine refused the file; "" usually.
    """

    original: Path
    places: tuple[Place, ...] = ()
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineParity:
    """This engine's outputs of a project beside another's.

    Attributes:
        engine: the other one.
        root: of the project.
        files: every original that either engine looked at, sorted.
        seconds: of the other engine.
        own_seconds: of this one.
    """

    engine: str
    root: Path
    files: tuple[FileParity, ...]
    seconds: float
    own_seconds: float

    def counts(self) -> dict[Difference, int]:
        """Return how many lines differ by each kind, the most frequent first."""
        found: dict[Difference, int] = {}
        for file in self.files:
            for place in file.places:
                found[place.kind] = found.get(place.kind, 0) + 1
        return dict(sorted(found.items(), key=lambda item: (-item[1], item[0].value)))
