"""A survey as terminal text: the route first, then the work, then the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.survey import Route
from fastpt_lab.show.language import later, said, say
from fastpt_lab.show.text import PLAIN, name_of, padded, place, printable, seconds, width
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.survey import Condition, FileSurvey, Lint, RouteOption, Survey
    from fastpt_lab.show.text import Style

SHOWN_LINTS = 40
SHOWN_FILES = 40
_LEVELS = {"large": 0, "medium": 1, "small": 2, "none": 3}
TAKEN = {True: later("taken"), False: later("not taken"), None: later("not known")}


def headline(survey: Survey) -> str:
    """Return the size of what was surveyed."""
    kernels = sum(file.kernels for file in survey.files)
    launches = sum(file.launches for file in survey.files)
    launched = said("1 launch") if launches == 1 else said("{} launches", f"{launches:,}")
    parts = [
        counted(len(survey.files), "file"),
        counted(survey.lines, "line"),
        counted(kernels, "kernel"),
        launched,
    ]
    if survey.ported:
        parts.append(said("{} with a HIP branch already", survey.ported))
    return f"{said(', ').join(parts)} · {seconds(survey.seconds)}"


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


def work_said(reason: str) -> str:
    """Return a kind of work with its count, `warp shuffles ×5`, in the user's language."""
    title, sign, times = reason.partition(" ×")
    return say(title) + sign + times


def survey_text(survey: Survey, style: Style = PLAIN, *, verbose: bool = False) -> str:
    """Return a survey for a terminal; `verbose` leaves nothing out."""
    route = survey.route
    title = style.strong(said("Survey of {}", survey.root.name))
    out = [said("{}: {}", title, headline(survey)), ""]
    out.append(style.ok(said("Route: {}", say(route.title))))
    out.append(f"  {printable(say(route.why))}")
    out += [
        f"  {_right(say(step.answer))}  {say(step.question)}  {say(step.reason)}"
        for step in route.steps
    ]
    if route.todo:
        out += ["", said("Do")]
        out += [f"  {number}. {say(line)}" for number, line in enumerate(route.todo, 1)]
    out += ["  " + said("What would change this: {}", say(line)) for line in route.change]
    for option in route.options:
        out += _option_text(option)
    out += _files_text(survey, verbose=verbose)
    out += _features_text(survey)
    out += _lints_text(survey, style, verbose=verbose)
    out += _conditions_text(survey)
    unsure = [check for check in survey.versions if check.status.value != "ok"]
    if unsure and route.route is not Route.NOTHING_TO_DO:
        out += ["", said("Versions")]
        out += [
            f"  {_right(say(check.status.value))}  {say(check.observed)}" for check in unsure
        ]
    out += [
        said("Not read: {}: {}", name_of(path, survey.root), say(why))
        for path, why in survey.refused
    ]
    return "\n".join(printable_lines(out))


def _right(word: str) -> str:
    return " " * (7 - width(word)) + word


def printable_lines(lines: Iterable[str]) -> list[str]:
    """Return lines that cannot drive a terminal, the colours of the lab's own style kept."""
    return ["\x1b".join(printable(part) for part in line.split("\x1b")) for line in lines]


def _option_text(option: RouteOption) -> list[str]:
    out = ["", say(option.title)]
    for name, value in (
        (said("changes"), option.invasiveness),
        (said("effort"), option.effort),
        (said("run time"), option.deployment),
        ("CMake", option.cmake),
    ):
        out.append(f"  {padded(name, 9)}{say(value)}")
    for sign, lines in (("+", option.pros), ("-", option.cons), ("?", option.unknowns)):
        out += [f"  {sign} {say(line)}" for line in lines]
    return out


def _files_text(survey: Survey, *, verbose: bool) -> list[str]:
    ranked = by_work(survey)
    if not ranked:
        return []
    shown = ranked if verbose else ranked[:SHOWN_FILES]
    head = ("File", "Automatic", "Review", "No equivalent", "Effort", "Why")
    rows = [tuple(map(say, head))]
    for file in shown:
        reasons = [work_said(reason) for reason in file.reasons[:3]]
        if file.unknown:
            reasons.append(said("{} not looked up", counted(file.unknown, "name")))
        why = said("; ").join(reasons)
        rows.append(
            (
                name_of(file.path, survey.root),
                number(file.automatic),
                number(file.review),
                number(file.no_equivalent),
                say(file.level),
                why,
            )
        )
    out = ["", *_columns(rows)]
    if len(ranked) > len(shown):
        out.append("  " + said("and {}", counted(len(ranked) - len(shown), "more file")))
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
    out = ["", said("Uses")]
    for feature in survey.features:
        where = (
            said(", first {}", place(feature.places[0], survey.root)) if feature.places else ""
        )
        line = said(
            "{} ({}{}): {}; without transcoding: {}",
            say(feature.title),
            counted(feature.count, "use"),
            where,
            say(feature.effort.value),
            say(feature.gpufusion.value),
        )
        out.append(f"  {line}")
        out.append(f"      {said('{}. {}', say(feature.reason), say(feature.remedy))}".rstrip())
    return out


def _lints_text(survey: Survey, style: Style, *, verbose: bool) -> list[str]:
    if not survey.lints:
        return []
    certain = sum(lint.certain for lint in survey.lints)
    unsure = len(survey.lints) - certain
    out = ["", said("Findings: {} certain, {} to look at", certain, unsure)]
    ranked = by_certainty(survey.lints)
    shown = ranked if verbose else ranked[:SHOWN_LINTS]
    for lint in shown:
        sign = padded(said("certain") if lint.certain else said("maybe"), 7)
        sign = style.error(sign) if lint.certain else sign
        where = place(lint.diagnostic.location, survey.root)
        out.append(f"  {sign}  {where}  {say(lint.diagnostic.message)}  [{lint.check}]")
        out += [f"           {say(line)}" for line in lint.evidence]
        if lint.suggestion:
            first, *rest = say(lint.suggestion).splitlines()
            out.append(f"           → {first}")
            out += [f"             {line}" for line in rest]
    if len(ranked) > len(shown):
        out.append("  " + said("and {} more", len(ranked) - len(shown)))
    return out


def _conditions_text(survey: Survey) -> list[str]:
    wrong = warned(survey)
    if not wrong:
        return []
    out = ["", said("Conditions that decide by what this stack does not say")]
    for condition in wrong[:SHOWN_LINTS]:
        where = place(condition.location, survey.root)
        taken = (say(TAKEN[side]) for side in (condition.host, condition.device))
        sides = said("host {}, device {}", *taken)
        out.append(f"  {where}  #if {condition.text}: {sides}")
        out.append(f"      {say(condition.warning)}")
    return out
