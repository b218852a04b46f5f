"""A survey as static HTML: the route, both ways compared, the files, the findings."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING

from fastpt_lab.core.survey import Effort
from fastpt_lab.show.checks import checks_style, status_html
from fastpt_lab.show.html import page, table, text, told
from fastpt_lab.show.json import relative
from fastpt_lab.show.language import said, say
from fastpt_lab.show.survey_text import (
    SHOWN_FILES,
    SHOWN_LINTS,
    TAKEN,
    by_certainty,
    by_work,
    headline,
    number,
    survey_text,
    work_said,
)
from fastpt_lab.show.text import place
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.survey import FileSurvey, Survey

__all__ = ["lints_html", "survey_body", "survey_html", "survey_style", "survey_text"]


def survey_style() -> str:
    """Return the style sheet of the survey's own parts."""
    return (files("fastpt_lab.show") / "survey.css").read_text("utf-8")


def survey_html(survey: Survey) -> str:
    """Return a survey as one static view: route, both ways compared, files, findings."""
    title = said("Survey of {}", survey.root.name)
    body = (
        f"<style>{checks_style()}{survey_style()}</style>"
        f"<h3>{text(title)} <span class='fpt-muted'>{headline(survey)}</span></h3>"
        + survey_body(survey)
    )
    return page(body, label=title)


def survey_body(survey: Survey) -> str:
    """Return the parts of `survey_html` without its head, for a larger page."""
    route = survey.route
    steps = [
        (told(step.question), f"<b>{told(step.answer)}</b>", told(step.reason))
        for step in route.steps
    ]
    recommended = said("Recommended route: {}.", told(route.title))
    out = [
        f"<p><b>{recommended}</b> {said('{}.', told(route.why))}</p>",
        table("How that was decided", ("Question", "Answer", "Reason"), steps),
    ]
    if route.todo:
        items = "".join(f"<li>{_code(line)}</li>" for line in route.todo)
        out.append(f"<h4>{said('What to do')}</h4><ol>{items}</ol>")
    out += [
        f"<p class='fpt-muted'>{said('What would change this: {}', told(line))}</p>"
        for line in route.change
    ]
    if route.options:
        out.append(_options_html(survey))
    out += [_files_html(survey), _features_html(survey), lints_html(survey)]
    out += [_conditions_html(survey), _versions_html(survey)]
    for path, why in survey.refused:
        unread = said("Not read: {}: {}", text(relative(path, survey.root)), told(why))
        out.append(f"<p class='fpt-bad'>{unread}</p>")
    return "".join(out)


def _code(line: str) -> str:
    """Return a message with its `quoted` parts as code."""
    parts = say(line).split("`")
    return "".join(
        f"<code>{text(part)}</code>" if index % 2 else text(part)
        for index, part in enumerate(parts)
    )


def _options_html(survey: Survey) -> str:
    options = survey.route.options
    rows = [
        (said("Changes to the project"), *(_code(o.invasiveness) for o in options)),
        (said("Effort"), *(_code(o.effort) for o in options)),
        (said("At run time"), *(_code(o.deployment) for o in options)),
        ("CMake", *(_code(o.cmake) for o in options)),
        (said("For it"), *(_list(o.pros, "✓") for o in options)),
        (said("Against it"), *(_list(o.cons, "✕") for o in options)),
        (said("Not known"), *(_list(o.unknowns, "?") for o in options)),
    ]
    return table("Both ways compared", ("", *(say(o.title) for o in options)), rows)


def _list(lines: Sequence[str], sign: str) -> str:
    return "<br>".join(f"{sign} {_code(line)}" for line in lines) or "–"


def _bar(file: FileSurvey) -> str:
    """Return the shares of a file's uses, readable without colour by the numbers beside it."""
    parts = (
        ("auto", file.automatic),
        ("review", file.review),
        ("none", file.no_equivalent),
        ("unknown", file.unknown),
    )
    total = sum(value for _, value in parts)
    if not total:
        return ""
    spans = "".join(
        f"<i class='fpt-{name}' style='width:{100 * value / total:.1f}%'></i>"
        for name, value in parts
        if value
    )
    return f"<span class='fpt-bar' aria-hidden='true'>{spans}</span>"


def _files_html(survey: Survey) -> str:
    ranked = by_work(survey)
    if not ranked:
        return ""
    rows = []
    for file in ranked[:SHOWN_FILES]:
        why = [text(work_said(reason)) for reason in file.reasons[:3]]
        if file.unknown:
            why.append(said("{} not looked up in a table", counted(file.unknown, "name")))
        if file.encoding != "utf-8":
            why.append(said("the file is {}; kept as it is", text(file.encoding)))
        rows.append(
            (
                f"<code>{text(relative(file.path, survey.root))}</code>",
                _bar(file),
                number(file.automatic),
                number(file.review),
                number(file.no_equivalent),
                told(file.level),
                said("; ").join(why),
            )
        )
    more = ""
    if len(ranked) > SHOWN_FILES:
        more = said(", the first {} of {}", SHOWN_FILES, len(ranked))
    head = ("File", "Uses", "#Automatic", "#Review", "#No equivalent", "Effort", "Why")
    totals = said(", ").join(
        f"{survey.total(effort):,} {say(effort.value)}" for effort in Effort
    )
    keys = (
        ("auto", said("automatic")),
        ("review", said("review")),
        ("none", said("no equivalent")),
        ("unknown", said("not looked up")),
    )
    legend = " ".join(f"<i class='fpt-key fpt-{name}'></i> {word}" for name, word in keys)
    caption = said("Files: {}{}", totals, more)
    return table(caption, head, rows) + f"<p class='fpt-muted'>{legend}</p>"


def _features_html(survey: Survey) -> str:
    if not survey.features:
        return ""
    rows = []
    for feature in survey.features:
        first = place(feature.places[0], survey.root) if feature.places else "–"
        rows.append(
            (
                told(feature.title),
                number(feature.count),
                f"<code>{text(first)}</code>",
                told(feature.effort.value),
                told(feature.gpufusion.value),
                said("{}. {}", told(feature.reason), told(feature.remedy)),
            )
        )
    head = ("Uses", "#Count", "First place", "Transcoding", "Without transcoding", "Why")
    return table("What the project uses", head, rows)


def lints_html(survey: Survey) -> str:
    """Return the findings, the certain ones first; "" if there is none."""
    if not survey.lints:
        return ""
    ranked = by_certainty(survey.lints)
    rows = []
    for lint in ranked[:SHOWN_LINTS]:
        certainty = f"<span class='fpt-bad'>{said('certain')}</span>"
        sign = certainty if lint.certain else said("maybe")
        where = place(lint.diagnostic.location, survey.root)
        evidence = "".join(
            f"<br><span class='fpt-muted'>{told(e)}</span>" for e in lint.evidence
        )
        cure = f"<pre>{told(lint.suggestion)}</pre>" if "\n" in lint.suggestion else ""
        cure = cure or (f"<code>{told(lint.suggestion)}</code>" if lint.suggestion else "–")
        rows.append(
            (
                sign,
                f"<code>{text(where)}</code>",
                f"{told(lint.diagnostic.message)}{evidence}",
                cure,
                f"<code>{text(lint.check)}</code>",
            )
        )
    certain = sum(lint.certain for lint in survey.lints)
    unsure = len(survey.lints) - certain
    caption = said("Findings: {} certain, {} to look at", certain, unsure)
    if len(ranked) > SHOWN_LINTS:
        caption += said("; the first {} are shown", SHOWN_LINTS)
    return table(caption, ("", "Place", "Finding", "Instead", "Check"), rows)


def _conditions_html(survey: Survey) -> str:
    if not survey.conditions:
        return ""
    rows = []
    ranked = sorted(survey.conditions, key=lambda c: not c.warning)
    for condition in ranked[:SHOWN_LINTS]:
        values = ", ".join(f"{name}: {say(value)}" for name, value in condition.values)
        warning = f"<br><b>{told(condition.warning)}</b>" if condition.warning else ""
        rows.append(
            (
                f"<code>{text(place(condition.location, survey.root))}</code>",
                f"<code>{text(condition.text)}</code>{warning}",
                told(TAKEN[condition.host]),
                told(TAKEN[condition.device]),
                f"<code>{text(values)}</code>",
            )
        )
    body = table("Branches", ("Place", "Condition", "Host", "Device", "Values"), rows)
    label = said("{} branches by platform or version", len(survey.conditions))
    return f"<details><summary>{label}</summary>{body}</details>"


def _versions_html(survey: Survey) -> str:
    rows = [
        (
            status_html(check.status),
            told(check.observed),
            told(check.expected),
            f"{told(check.why)} {told(check.next_step)}",
        )
        for check in survey.versions
    ]
    return table("Versions", ("", "Here", "Wanted", "What it means"), rows)
