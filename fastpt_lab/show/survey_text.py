"""A survey as terminal text: the route first, then the work, then the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.survey import Route
from fastpt_lab.show.text import PLAIN, name_of, place, printable, seconds, width
from fastpt_lab.show.totals import count

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.survey import Condition, FileSurvey, Lint, RouteOption, Survey
    from fastpt_lab.show.text import Style

SHOWN_LINTS = 40
SHOWN_FILES = 40
_LEVELS = {"large": 0, "medium": 1, "small": 2, "none": 3}
TAKEN = {True: "taken", False: "not taken", None: "not known"}


def headline(survey: Survey) -> str:
    """Return the size of what was surveyed."""
    kernels = sum(file.kernels for file in survey.files)
    launches = sum(file.launches for file in survey.files)
    launched = f"{launches:,} launch" + ("" if launches == 1 else "es")
    ported = f", {survey.ported} with a HIP branch already" if survey.ported else ""
    return (
        f"{count(len(survey.files), 'file')}, {count(survey.lines, 'line')}, "
        f"{count(kernels, 'kernel')}, {launched}{ported} · {seconds(survey.seconds)}"
    )


def by_work(survey: Survey) -> list[FileSurvey]:
    """Return the files with uses of CUDA, the most work first."""
    used = [
        file
        for file in survey.files
        if file.automatic or file.review or file.no_equivalent or file.unknown or file.kernels
    ]
    return sorted(
        used, key=lambda f: (_LEVELS[f.level], -f.no_equivalent, -f.review, str(f.path))
    )


def by_certainty(lints: Iterable[Lint]) -> list[Lint]:
    """Return the certain findings before the others."""
    return sorted(lints, key=lambda lint: not lint.certain)


def warned(survey: Survey) -> list[Condition]:
    """Return the conditions that are wrong to decide by."""
    return [condition for condition in survey.conditions if condition.warning]


def number(value: int) -> str:
    """Return a count for a table; none is a dash."""
    return f"{value:,}" if value else "–"


def survey_text(survey: Survey, style: Style = PLAIN, *, verbose: bool = False) -> str:
    """Return a survey for a terminal; `verbose` leaves nothing out."""
    route = survey.route
    out = [f"{style.strong('Survey of ' + survey.root.name)}: {headline(survey)}", ""]
    out.append(f"{style.ok('Route: ' + route.title)}")
    out.append(f"  {printable(route.why)}")
    out += [f"  {step.answer:>7}  {step.question}  {step.reason}" for step in route.steps]
    if route.todo:
        out += ["", "Do"]
        out += [f"  {number}. {line}" for number, line in enumerate(route.todo, 1)]
    out += [f"  What would change this: {line}" for line in route.change]
    for option in route.options:
        out += _option_text(option)
    out += _files_text(survey, verbose=verbose)
    out += _features_text(survey)
    out += _lints_text(survey, style, verbose=verbose)
    out += _conditions_text(survey)
    unsure = [check for check in survey.versions if check.status.value != "ok"]
    if unsure and route.route is not Route.NOTHING_TO_DO:
        out += ["", "Versions"]
        out += [f"  {check.status.value:>7}  {check.observed}" for check in unsure]
    out += [f"Not read: {name_of(path, survey.root)}: {why}" for path, why in survey.refused]
    return "\n".join(printable_lines(out))


def printable_lines(lines: Iterable[str]) -> list[str]:
    """Return lines that cannot drive a terminal, the colours of the lab's own style kept."""
    return ["\x1b".join(printable(part) for part in line.split("\x1b")) for line in lines]


def _option_text(option: RouteOption) -> list[str]:
    out = ["", option.title]
    for name, value in (
        ("changes", option.invasiveness),
        ("effort", option.effort),
        ("run time", option.deployment),
        ("CMake", option.cmake),
    ):
        out.append(f"  {name:<9}{value}")
    out += [f"  + {line}" for line in option.pros]
    out += [f"  - {line}" for line in option.cons]
    out += [f"  ? {line}" for line in option.unknowns]
    return out


def _files_text(survey: Survey, *, verbose: bool) -> list[str]:
    ranked = by_work(survey)
    if not ranked:
        return []
    shown = ranked if verbose else ranked[:SHOWN_FILES]
    rows = [("File", "Automatic", "Review", "No equivalent", "Effort", "Why")]
    for file in shown:
        why = "; ".join(file.reasons[:3])
        if file.unknown:
            why = "; ".join(filter(None, (why, f"{count(file.unknown, 'name')} not looked up")))
        rows.append(
            (
                name_of(file.path, survey.root),
                number(file.automatic),
                number(file.review),
                number(file.no_equivalent),
                file.level,
                why,
            )
        )
    out = ["", *_columns(rows)]
    if len(ranked) > len(shown):
        out.append(f"  and {count(len(ranked) - len(shown), 'more file')}")
    return out


def _columns(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Return rows as columns; the second to fourth are numbers, the last is not padded."""
    widths = [max(width(row[column]) for row in rows) for column in range(len(rows[0]))]
    out = []
    for row in rows:
        cells = []
        for column, cell in enumerate(row):
            gap = " " * (widths[column] - width(cell))
            numeric = 1 <= column <= 3
            cells.append(gap + cell if numeric else cell + gap)
        out.append("  ".join(cells).rstrip())
    return out


def _features_text(survey: Survey) -> list[str]:
    if not survey.features:
        return []
    out = ["", "Uses"]
    for feature in survey.features:
        where = f", first {place(feature.places[0], survey.root)}" if feature.places else ""
        out.append(
            f"  {feature.title} ({count(feature.count, 'use')}{where}): {feature.effort.value}; "
            f"without transcoding: {feature.gpufusion.value}"
        )
        out.append(f"      {feature.reason}. {feature.remedy}".rstrip())
    return out


def _lints_text(survey: Survey, style: Style, *, verbose: bool) -> list[str]:
    if not survey.lints:
        return []
    certain = sum(lint.certain for lint in survey.lints)
    out = ["", f"Findings: {certain} certain, {len(survey.lints) - certain} to look at"]
    ranked = by_certainty(survey.lints)
    shown = ranked if verbose else ranked[:SHOWN_LINTS]
    for lint in shown:
        sign = style.error("certain") if lint.certain else "maybe  "
        where = place(lint.diagnostic.location, survey.root)
        out.append(f"  {sign}  {where}  {lint.diagnostic.message}  [{lint.check}]")
        out += [f"           {line}" for line in lint.evidence]
        if lint.suggestion:
            first, *rest = lint.suggestion.splitlines()
            out.append(f"           → {first}")
            out += [f"             {line}" for line in rest]
    if len(ranked) > len(shown):
        out.append(f"  and {len(ranked) - len(shown)} more")
    return out


def _conditions_text(survey: Survey) -> list[str]:
    wrong = warned(survey)
    if not wrong:
        return []
    out = ["", "Conditions that decide by what this stack does not say"]
    for condition in wrong[:SHOWN_LINTS]:
        where = place(condition.location, survey.root)
        sides = f"host {TAKEN[condition.host]}, device {TAKEN[condition.device]}"
        out.append(f"  {where}  #if {condition.text}: {sides}")
        out.append(f"      {condition.warning}")
    return out
