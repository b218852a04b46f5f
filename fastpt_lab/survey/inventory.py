"""Count what one source uses: kernels, launches, features of the tables, names of the CUDA API."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind
from fastpt_lab.core.survey import Effort

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fastpt_lab.survey.tables import FeatureRule, Tables
    from fastpt_lab.survey.unit import Unit

API = re.compile(
    r"cuda[A-Z]\w*|cu(?:blas|blasLt|dnn|sparse|solver|solverDn|fft|rand)[A-Z]\w*|curand_\w+"
    r"|cu[A-Z][a-z]\w*|CU[A-Z]*_[A-Z0-9_]+|nccl[A-Z]\w*|nvrtc[A-Z]\w*|nvtx[A-Z]\w*|nvml[A-Z]\w*"
)
"""Names that belong to CUDA and its libraries by their spelling."""

KEPT_PLACES = 20
_INCLUDE = re.compile(r"\s*(?:<([^>\n]*)>|\"([^\"\n]*)\")")
_EMPTY_ASM = re.compile(r"\(\s*\"\"|\(\s*R?\"\s*\"")
_HIP_HINT = re.compile(r"USE_ROCM|__HIP_PLATFORM|__HIPCC__|__HIP__|hip/hip_runtime")


@dataclass(frozen=True, slots=True)
class Finder:
    """The features of the tables, indexed by how they are found."""

    words: Mapping[str, FeatureRule]
    prefixes: tuple[tuple[str, FeatureRule], ...]
    includes: tuple[tuple[str, FeatureRule], ...]

    @classmethod
    def of(cls, tables: Tables) -> Finder:
        """Index `tables`."""
        return cls(
            {word: rule for rule in tables.features for word in rule.words},
            _longest_first((p, rule) for rule in tables.features for p in rule.prefixes),
            _longest_first((p, rule) for rule in tables.features for p in rule.include),
        )

    def by_word(self, word: str) -> FeatureRule | None:
        """Return the feature that an identifier belongs to."""
        rule = self.words.get(word)
        if rule is None:
            rule = next((r for prefix, r in self.prefixes if word.startswith(prefix)), None)
        return rule

    def by_include(self, name: str) -> FeatureRule | None:
        """Return the feature that a header belongs to."""
        return next((r for prefix, r in self.includes if name.startswith(prefix)), None)


def _longest_first(
    pairs: Iterable[tuple[str, FeatureRule]],
) -> tuple[tuple[str, FeatureRule], ...]:
    return tuple(sorted(pairs, key=lambda pair: -len(pair[0])))


@dataclass(slots=True)
class Uses:
    """What one source uses; offsets are into its text.

    Attributes:
        features: feature id to the places of its uses.
        names: CUDA names that no feature claims, with their count.
        counts: names and headers of each feature, with their count.
        kernels, launches: how many.
        includes: headers by their written name, with the place.
        hip: whether it has a branch for HIP.
        device: whether it has device code.
    """

    features: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    counts: dict[str, Counter[str]] = field(default_factory=dict)
    names: Counter[str] = field(default_factory=Counter)
    kernels: int = 0
    launches: int = 0
    includes: list[tuple[str, int, int]] = field(default_factory=list)
    hip: bool = False
    device: bool = False

    def add(self, rule: FeatureRule, name: str, start: int, end: int) -> None:
        """Count one use of a feature."""
        self.features.setdefault(rule.id, []).append((start, end))
        self.counts.setdefault(rule.id, Counter())[name] += 1


def uses_of(unit: Unit, finder: Finder, own: frozenset[str]) -> Uses:
    """Return what a source uses, in the branches that this stack compiles.

    Args:
        unit: the source.
        finder: the features.
        own: names that the project defines itself, which are not CUDA's.
    """
    uses = Uses(
        hip=bool(_HIP_HINT.search(unit.text)),
        device="__device__" in unit.text or "__global__" in unit.text,
    )
    _headers(unit, finder, uses)
    words = unit.words
    known: dict[str, FeatureRule | None] = {}
    for index, (text, start, end, kind) in enumerate(words):
        if kind is not Kind.IDENTIFIER:
            uses.launches += text == "<<<"
            continue
        if text == "__global__":
            uses.kernels += _defines(unit, index)
            continue
        if text not in known:
            known[text] = None if text in own else finder.by_word(text)
        rule = known[text]
        if rule is not None:
            if rule.id != "inline-ptx" or not _is_barrier(unit, index):
                uses.add(rule, text, start, end)
        elif text.startswith(("cu", "CU", "nccl", "nv")) and text not in own:
            uses.names[text] += API.fullmatch(text) is not None
    uses.names = +uses.names
    return uses


def _headers(unit: Unit, finder: Finder, uses: Uses) -> None:
    for directive in unit.directives:
        if directive.name != "include" or unit.live.dead(directive.start):
            continue
        match = _INCLUDE.match(unit.text, directive.argument_start)
        if match:
            name = match[1] or match[2] or ""
            uses.includes.append((name, directive.start, directive.argument_end))
            rule = finder.by_include(name)
            if rule is not None:
                uses.add(rule, name, directive.start, directive.argument_end)


def _defines(unit: Unit, index: int) -> bool:
    """Return whether the `__global__` at `index` begins a definition, not a declaration."""
    for word in unit.words[index + 1 : index + 400]:
        if word.text in {"{", ";", "__global__"}:
            return word.text == "{"
    return False


def _is_barrier(unit: Unit, index: int) -> bool:
    """Return whether an asm statement has no instruction: a barrier of the compiler alone."""
    for word in unit.words[index + 1 : index + 5]:
        if word.text == "(":
            return _EMPTY_ASM.match(unit.text, word.start) is not None
    return True


def own_names(unit: Unit) -> frozenset[str]:
    """Return the macros and functions that a file defines with a name like CUDA's."""
    found: set[str] = set()
    for directive in unit.directives:
        if directive.name == "define":
            match = re.match(
                r"\w+", unit.text[directive.argument_start : directive.argument_end]
            )
            if match and API.fullmatch(match[0]):
                found.add(match[0])
    words = unit.words
    for index, word in enumerate(words[:-1]):
        if (
            word.kind is Kind.IDENTIFIER
            and word.text[:2] in {"cu", "nc", "nv"}
            and words[index + 1].text == "("
            and index
            and words[index - 1].kind is Kind.IDENTIFIER
            and words[index - 1].text not in {"return", "else", "case", "throw", "co_return"}
            and API.fullmatch(word.text)
        ):
            found.add(word.text)
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Counted:
    """Uses of one file by effort, and what the work is."""

    automatic: int
    review: int
    no_equivalent: int
    unknown: int
    reasons: tuple[str, ...]


def counted(
    uses: Uses, rules: Mapping[str, FeatureRule], names: Mapping[str, str] | None
) -> Counted:
    """Return the uses of a file by effort.

    Args:
        uses: of the file.
        rules: features by id.
        names: CUDA name to HIP name, as the transcoder's tables have it; None if not at hand.
    """
    totals: Counter[str] = Counter()
    work: Counter[str] = Counter()
    for feature, places in uses.features.items():
        rule = rules[feature]
        if rule.effort is not Effort.AUTOMATIC:
            totals[rule.effort.value] += len(places)
            work[rule.title] += len(places)
            continue
        for name, count in uses.counts[feature].items():
            missing = names is not None and API.fullmatch(name) and name not in names
            totals[(Effort.REVIEW if missing else Effort.AUTOMATIC).value] += count
            if missing:
                work[f"{name}, which the tables do not have"] += count
    for name, count in uses.names.items():
        if names is None:
            totals["unknown"] += count
        elif name in names:
            totals[Effort.AUTOMATIC.value] += count
        else:
            totals[Effort.REVIEW.value] += count
            work[f"{name}, which the tables do not have"] += count
    reasons = tuple(
        f"{title} ×{count}" if count > 1 else title for title, count in work.most_common()
    )
    return Counted(
        automatic=totals[Effort.AUTOMATIC.value],
        review=totals[Effort.REVIEW.value],
        no_equivalent=totals[Effort.NO_EQUIVALENT.value],
        unknown=totals["unknown"],
        reasons=reasons,
    )
