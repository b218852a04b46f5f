"""The whole port as one HTML document; show/report_markdown.py has it as Markdown.

*Source* of the order: what a reviewer of a port asks: which way and why, what was made, what went
wrong and how it was cured, what changed in the originals, what was verified, where.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.action import TrialStatus
from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.port import EventKind
from fastpt_lab.show.checks import checks_html, checks_style, status_html, tally
from fastpt_lab.show.html import html_language, style_sheet, table, text, told
from fastpt_lab.show.json import relative
from fastpt_lab.show.language import fact_said, later, said, say
from fastpt_lab.show.survey import survey_body, survey_style
from fastpt_lab.show.text import spot, trial_said
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.checklist import Point
    from fastpt_lab.core.port import FileDiff, PortEvent, PortRecord


def port_html(record: PortRecord) -> str:
    """Return a whole page that needs nothing besides itself."""
    title = said("Port of {} to HIP", record.root.name)
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="{html_language()}"><head><meta charset="utf-8"><title>{text(title)}</title>'
        '<meta name="viewport" content="width=device-width">'
        f"<style>{style_sheet()}{checks_style()}{survey_style()}{_PAGE}</style></head>"
        f"<body>{port_fragment(record)}</body></html>\n"
    )


_PAGE = """
:root { color-scheme: light dark; }
body { margin: 16px auto; max-width: 1100px; padding: 0 16px; }
@media (prefers-color-scheme: dark) {
  :root { --jp-layout-color0: #111; --jp-ui-font-color0: #fff; --jp-ui-font-color1: #e0e0e0;
    --jp-border-color2: #444; --jp-error-color1: #ef5350; --jp-warn-color1: #ffb74d;
    --jp-success-color1: #81c784; --jp-brand-color1: #64b5f6; }
  body { background: #111; }
}
"""


def port_fragment(record: PortRecord) -> str:
    """Return the report as one static view for a notebook; its style sheets are `port_style`."""
    title = said("Port of {} to HIP", record.root.name)
    out = [
        f"<h3>{text(title)}</h3>",
        f"<p>{text(summary(record))}</p>",
        f"<p class='fpt-muted'>{text(said('Made {} with {}.', record.made, record.tool))}</p>",
        checklist_html(record.checklist),
    ]
    for heading, body in _html_sections(record):
        if body:
            out.append(f"<h4>{told(heading)}</h4>{body}")
    return (
        f'<section class="fpt-static fpt-report" aria-label="{text(title)}">'
        + "".join(out)
        + "</section>"
    )


def port_style() -> str:
    """Return the style sheets that `port_fragment` needs."""
    return style_sheet() + checks_style() + survey_style()


def summary(record: PortRecord) -> str:
    """Return the state of the port in one or two sentences."""
    report = record.report
    if report is None:
        state = said("Nothing was compiled yet.")
    elif report.green and report.units:
        state = said("{} compiled without an error.", counted(len(report.units), "unit"))
    elif report.first_error is not None:
        where = spot(report.first_error.location or report.first_error.generated, record.root)
        state = said(
            "Errors remain; the first is at {}: {}.", where, report.first_error.message
        )
    else:
        state = said("No error was reported, and not every unit has a result.")
    fixes = sum(event.kind.value == "fixed" for event in record.events)
    changed = (
        said(" {} fixes applied", fixes)
        if fixes > 1
        else said(" 1 fix applied")
        if fixes
        else said(" No fix applied")
    )
    files = counted(len(record.diffs), "original")
    verified = tally([rung.status for rung in record.rungs]) if record.rungs else say("not run")
    return said("{}{}, {} changed. Device verification: {}.", state, changed, files, verified)


def _html_sections(record: PortRecord) -> Iterable[tuple[str, str]]:
    yield later("Route"), "" if record.survey is None else survey_body(record.survey)
    yield later("What was transcoded"), _transcoded_html(record)
    yield later("What happened"), _events_html(record)
    yield (
        later("Changes of the originals"),
        "".join(_diff_html(d, record) for d in record.diffs),
    )
    yield later("Environment checks"), checks_html(record.checks) if record.checks else ""
    yield later("Device verification"), _rungs_html(record)
    yield (
        later("Environment"),
        _pairs_html(later("Snapshot"), record.snapshot)
        + _pairs_html(later("Compiler"), stack_said(record.stack)),
    )


def checklist_html(points: Sequence[Point]) -> str:
    """Return the nine points as a table; "" if none were computed."""
    if not points:
        return ""
    rows = [
        (
            str(point.number),
            told(point.title),
            status_html(point.status),
            told(point.observed),
            told(point.next_step) or "–",
        )
        for point in points
    ]
    done = sum(point.status is CheckStatus.OK for point in points)
    head = ("#", "Point", "State", "Observed", "Next")
    return table(said("Checklist: {} of {} done", done, len(points)), head, rows)


def _transcoded_html(record: PortRecord) -> str:
    rows = [
        (
            f"<code>{text(relative(file.original, record.root))}</code>",
            "–"
            if file.generated is None
            else f"<code>{text(relative(file.generated, record.root))}</code>",
            told(file.status),
            told(file.why or "; ".join(note.message for note in file.notes[:3])) or "–",
        )
        for file in record.transcoded
    ]
    return table("Files", ("Original", "Generated", "State", "Notes"), rows) if rows else ""


def _events_html(record: PortRecord) -> str:
    rows = [
        (
            text(event.time) or "–",
            told(event.kind.value),
            "–"
            if event.location is None
            else f"<code>{text(spot(event.location, record.root))}</code>",
            text(event_words(event)),
        )
        for event in record.events
    ]
    head = ("Time (UTC)", "What", "Place", "")
    return table("In the order of time", head, rows) if rows else ""


def event_words(event: PortEvent) -> str:
    """Return what an event says: its text, the rule, and what a trial showed."""
    words = _event_text(event)
    if event.rule:
        words += f" [{event.rule}]"
    if event.trial is not None and event.trial.status is not TrialStatus.NOT_RUN:
        words += f" ({trial_said(event.trial)})"
    return words


def _event_text(event: PortEvent) -> str:
    """Return the text of an event; a fix's ends with what its trial showed, in brackets."""
    title, opening, trial = event.text.removesuffix(")").rpartition(" (")
    if event.kind is EventKind.FIXED and opening and event.text.endswith(")"):
        what, found, error = trial.partition("; next error ")
        if say(what) != what:
            return (
                f"{say(title)} ({say(what)}{said('; next error {}', error) if found else ''})"
            )
    return say(event.text)


def stack_said(stack: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the facts about the compiler with their reasons in the user's language."""
    return [(name, fact_said(value)) for name, value in stack]


def _diff_html(diff: FileDiff, record: PortRecord) -> str:
    lines = []
    for line in diff.diff.splitlines():
        kind = ""
        if line.startswith("+") and not line.startswith("+++"):
            kind = "fpt-added"
        elif line.startswith("-") and not line.startswith("---"):
            kind = "fpt-removed"
        shown = text(line.replace("\t", "    "))
        lines.append(f"<span class='{kind}'>{shown}</span>" if kind else shown)
    name = text(relative(diff.path, record.root))
    return (
        f"<details open><summary><code>{name}</code> +{diff.added} −{diff.removed}</summary>"
        f"<pre>{chr(10).join(lines)}</pre></details>"
    )


def _rungs_html(record: PortRecord) -> str:
    rows = [
        (told(r.title), status_html(r.status), told(r.detail), told(r.next_step) or "–")
        for r in record.rungs
    ]
    return table("Steps", ("Step", "State", "Observed", "Next"), rows) if rows else ""


def _pairs_html(caption: str, pairs: Sequence[tuple[str, str]]) -> str:
    rows = [(text(name), f"<code>{text(value)}</code>") for name, value in pairs]
    return table(caption, ("Name", "Value"), rows) if rows else ""
