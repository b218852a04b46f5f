"""Offer a judged change at one place, and the same at all places of its file."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement, closed_lines, place
from fastpt_lab.rules.kit.places import Place, style_for
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.core.stack import Stack
    from fastpt_lab.rules.kit.calls import Call

_SHOWN = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The HIP form of one call, how far it may be trusted, and why."""

    call: Call
    replacements: tuple[Replacement, ...]
    applicability: Applicability
    reasons: tuple[str, ...]


def offers(
    title: str, every: str, at: Place, judged: Sequence[Judged], stack: Stack
) -> Iterator[Proposal]:
    """Yield the change within the guard around `at`, then at all places of the file.

    `title` names the first, `every` the second; ` at all N places of FILE` is added to it.
    What shares a guard is changed together and has the lowest trust of its parts. The second
    proposal covers the safe places if this one is safe, else all of them.
    """
    here, others = _split(at, judged)
    if not here:
        return
    first = _proposal(title, at, here, stack)
    if first is None:
        return
    yield first
    if first.applicability is Applicability.SAFE:
        others = _safe_groups(others)
    if others:
        both = sorted((*here, *others), key=lambda j: j.call.name.start)
        batch = _proposal(
            f"{every} at all {len(both)} places of {at.path.name}", at, both, stack
        )
        if batch is not None:
            yield batch


def _split(at: Place, judged: Sequence[Judged]) -> tuple[list[Judged], list[Judged]]:
    lines = closed_lines(at.document.text, at.start, at.end)
    if lines is None or not any(j.call.name == at for j in judged):
        return [], []
    here = [j for j in judged if lines[0] <= j.call.name.start < lines[1]]
    return here, [j for j in judged if j not in here]


def _safe_groups(judged: Sequence[Judged]) -> list[Judged]:
    """Return the safe places that share no guard with an unsafe one."""
    lines = [
        closed_lines(j.call.name.document.text, j.call.name.start, j.call.name.end)
        for j in judged
    ]
    unsafe = {
        where
        for j, where in zip(judged, lines, strict=True)
        if j.applicability is not Applicability.SAFE
    }
    return [j for j, where in zip(judged, lines, strict=True) if where and where not in unsafe]


def _proposal(title: str, at: Place, judged: Sequence[Judged], stack: Stack) -> Proposal | None:
    replacements = [r for j in judged for r in j.replacements]
    edits = place(at.document, replacements, style_for(at.document, stack))
    if not edits:
        return None
    return Proposal(
        title=title,
        applicability=min(j.applicability for j in judged),
        evidence=_evidence(judged),
        files=(FileEdits(at.path, at.document, edits),),
    )


def _evidence(judged: Sequence[Judged]) -> tuple[str, ...]:
    """Return the reasons of the least trusted places, each once, with a count."""
    least = min(j.applicability for j in judged)
    reasons = Counter(r for j in judged if j.applicability is least for r in j.reasons)
    return tuple(
        f"{reason} ({count} places)" if count > 1 else reason
        for reason, count in reasons.most_common(_SHOWN)
    )
