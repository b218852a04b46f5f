"""Walk the decision tree of survey/tables/route.toml and keep the reason of every step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.survey import (
    Effort,
    Feature,
    FileSurvey,
    Fit,
    Route,
    RouteAdvice,
    RouteOption,
    StackFacts,
    Step,
)
from fastpt_lab.survey.versions import at_least

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fastpt_lab.survey.tables import Tables

_WORDS = {True: "yes", False: "no", None: "unknown"}
_FUSED = (Route.GPUFUSION, Route.GPUFUSION_AFTER_CHANGES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """What the questions of the tree are asked about.

    `names` are the project's own: its folder, its package.
    """

    names: tuple[str, ...]
    files: tuple[FileSurvey, ...]
    features: tuple[Feature, ...]
    facts: StackFacts
    tables: Tables


Answer = tuple["bool | None", str]


def _uses_cuda(at: Situation) -> Answer:
    kernels = sum(file.kernels for file in at.files)
    launches = sum(file.launches for file in at.files)
    uses = sum(f.automatic + f.review + f.no_equivalent + f.unknown for f in at.files)
    if kernels or launches or uses:
        return True, (
            f"{many(kernels, 'kernel')}, {many(launches, 'launch')}, "
            f"{many(uses, 'use')} of CUDA names"
        )
    if at.features:
        return True, "no CUDA source, but " + _titles(at.features)
    return False, "no kernel, no launch and no CUDA name in any source"


def many(count: int, noun: str) -> str:
    """Return "1 launch", "2 launches"."""
    ending = "es" if noun.endswith("ch") else "s"
    return f"{count} {noun}" + ("" if count == 1 else ending)


def _titles(features: tuple[Feature, ...] | list[Feature]) -> str:
    return ", ".join(feature.title for feature in features)


def _adapted(at: Situation) -> Answer:
    for entry in at.tables.adapted:
        if entry.matches(at.names):
            return True, f"{entry.project}: {entry.where}" + (
                f" ({entry.note})" if entry.note else ""
            )
    if at.tables.adapted:
        return False, "your list does not name this project"
    return False, "there is no [[adapted]] list in fastpt-tables.toml"


def _blocked(at: Situation) -> Answer:
    found = _with(at, Fit.BLOCKED)
    if found:
        return True, "; ".join(f"{f.title}: {f.reason}" for f in found)
    return False, "none of the features found is known to rule it out"


def _with(at: Situation, fit: Fit) -> list[Feature]:
    return [feature for feature in at.features if feature.gpufusion is fit]


def _stack_fits(at: Situation) -> Answer:
    least = at.tables.gpufusion
    parts = [
        ("FastPT", at.facts.fastpt, least.fastpt),
        ("DTK", at.facts.dtk, least.dtk),
        ("torch", at.facts.torch, least.torch),
    ]
    states = [at_least(version, minimum) for _, version, minimum in parts]
    old = [
        f"{title} {version} is older than {minimum}"
        for (title, version, minimum), state in zip(parts, states, strict=True)
        if state is False
    ]
    missing = [title for (title, *_), state in zip(parts, states, strict=True) if state is None]
    if old:
        return False, "; ".join(old)
    if missing:
        return None, f"the version of {', '.join(missing)} was not found out on this machine"
    return True, ", ".join(f"{title} {version}" for title, version, _ in parts)


def _changes(at: Situation) -> Answer:
    found = _with(at, Fit.CHANGE)
    if found:
        return True, "; ".join(f"{f.title}: {f.reason}" for f in found)
    return False, "nothing found has to change for it"


QUESTIONS: Mapping[str, Callable[[Situation], Answer]] = {
    "uses_cuda": _uses_cuda,
    "adapted": _adapted,
    "blocked": _blocked,
    "stack_fits": _stack_fits,
    "changes": _changes,
}


def advise(at: Situation) -> RouteAdvice:
    """Return the route that the tree leads to.

    Raises:
        ConfigError: a node of the user's tree names a fact, a node or a route that is not there.
    """
    nodes = {node.id: node for node in at.tables.nodes}
    steps: list[Step] = []
    here = at.tables.nodes[0].id
    for _ in range(len(nodes)):
        node = nodes.get(here)
        if node is None or node.fact not in QUESTIONS:
            what = f"node {here!r}" if node is None else f"fact {node.fact!r}"
            raise ConfigError(
                f"the decision tree has no {what}",
                next_step="Known facts: " + ", ".join(QUESTIONS),
            )
        state, reason = QUESTIONS[node.fact](at)
        answer = _WORDS[state]
        steps.append(Step(question=node.question, answer=answer, reason=reason))
        here = {"yes": node.yes, "no": node.no, "unknown": node.unknown}[answer]
        if here.startswith("="):
            return _advice(at, Route(here[1:]), tuple(steps))
    raise ConfigError("the decision tree has a circle", next_step="Lead every way to a route")


def _advice(at: Situation, route: Route, steps: tuple[Step, ...]) -> RouteAdvice:
    texts = {text.id: text for text in at.tables.routes}
    deciding = steps[-1]
    why = deciding.reason
    if route in _FUSED:
        why = next((s.reason for s in steps if s.answer == "unknown"), why)
        why = f"nothing rules it out; {why}" if route is Route.GPUFUSION else why
    return RouteAdvice(
        route=route,
        title=texts[route].title,
        why=why,
        steps=steps,
        todo=tuple(_todo(at, route)),
        change=tuple(_what_would_change(at, route)),
        options=()
        if route is Route.NOTHING_TO_DO
        else (_fused_option(at), _transcode_option(at)),
    )


def _todo(at: Situation, route: Route) -> list[str]:
    """Return what to do, in order, on the chosen route."""
    if route is Route.NOTHING_TO_DO:
        return []
    if route is Route.ADAPTED:
        return [f"Use {e.where}" for e in at.tables.adapted if e.matches(at.names)]
    found: list[str] = []
    if route in _FUSED:
        _, reason = _stack_fits(at)
        if _stack_fits(at)[0] is None:
            found.append(f"Find out first: {reason}")
        found += [f"{f.title}: {f.remedy}" for f in _with(at, Fit.CHANGE) if f.remedy]
        found += [
            "Open a new shell, `source fastpt -C`, check that `which nvcc` is DTK's, build",
            "Open another new shell, `source fastpt -E`, run; never both in one shell",
        ]
        return found
    found += [
        f"{f.title}: {f.remedy}"
        for f in at.features
        if f.effort is Effort.NO_EQUIVALENT and f.remedy
    ]
    found.append("Transcode, compile, and fix the first error in the original")
    return found


def _what_would_change(at: Situation, route: Route) -> list[str]:
    if route is Route.TRANSCODE:
        found = [f"without {f.title} ({f.remedy})" for f in _with(at, Fit.BLOCKED)]
        state, reason = _stack_fits(at)
        if state is False:
            found.append(f"on a newer stack: {reason}")
        return found
    if route in _FUSED:
        found = []
        if _stack_fits(at)[0] is None:
            found.append("transcode if this machine turns out not to have the layer")
        unknown = [f for f in _with(at, Fit.UNKNOWN) if f.effort is not Effort.AUTOMATIC]
        if unknown:
            found.append(
                "transcode if the build without it fails on what is not known here: "
                + _titles(unknown)
            )
        return found
    return []


def _fused_option(at: Situation) -> RouteOption:
    text = next(text for text in at.tables.routes if text.id is Route.GPUFUSION)
    state, reason = _stack_fits(at)
    changes = _with(at, Fit.CHANGE)
    return RouteOption(
        route=Route.GPUFUSION,
        title=text.title,
        invasiveness=text.invasiveness if not changes else many(len(changes), "small change"),
        effort="one build" if not changes else f"one build after {_titles(changes)}",
        deployment=text.deployment,
        cmake=text.cmake,
        pros=(reason,) if state else (),
        cons=tuple(
            [f"{f.title}: {f.reason}" for f in _with(at, Fit.BLOCKED)]
            + [f"{f.title}: {f.reason}" for f in changes]
            + ([reason] if state is False else [])
        ),
        unknowns=tuple(([reason] if state is None else []) + _not_known(at)),
    )


def _not_known(at: Situation) -> list[str]:
    found = [f for f in _with(at, Fit.UNKNOWN) if f.effort is not Effort.AUTOMATIC]
    return [f"whether the layer takes {_titles(found)}"] if found else []


def _transcode_option(at: Situation) -> RouteOption:
    text = next(text for text in at.tables.routes if text.id is Route.TRANSCODE)
    automatic = sum(file.automatic for file in at.files)
    review = sum(file.review for file in at.files)
    none = sum(file.no_equivalent for file in at.files)
    unknown = sum(file.unknown for file in at.files)
    total = automatic + review + none
    pros = []
    if total and not unknown:
        pros.append(f"{automatic} of {total} uses ({automatic * 100 // total} %) are automatic")
    cons = [f"{f.title}: {f.reason}" for f in at.features if f.effort is Effort.NO_EQUIVALENT]
    unknowns = []
    if unknown:
        unknowns.append(f"{unknown} uses of names that were not looked up in a table")
    return RouteOption(
        route=Route.TRANSCODE,
        title=text.title,
        invasiveness=text.invasiveness,
        effort=f"{automatic} automatic, {review} to review, {none} without an equivalent",
        deployment=text.deployment,
        cmake=text.cmake,
        pros=tuple(pros),
        cons=tuple(cons),
        unknowns=tuple(unknowns),
    )
