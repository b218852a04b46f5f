"""A batch as terminal text, as one HTML page that needs nothing besides itself, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastpt_lab.core.batch import Depth, Outcome
from fastpt_lab.show.html import html_language, style_sheet, table, text, told
from fastpt_lab.show.json import VERSION
from fastpt_lab.show.language import later, said, say
from fastpt_lab.show.text import PLAIN, Style, printable, seconds
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fastpt_lab.core.batch import BatchReport, PortedRepository

_GOOD = (Outcome.COMPILES, Outcome.TRANSCODED)
_BAD = (Outcome.ERRORS, Outcome.FAILED)
_SHOWN = 20


def batch_json(report: BatchReport) -> dict[str, Any]:
    """Return the document of docs/batch.md."""
    return {
        "version": VERSION,
        "command": "batch",
        "out": str(report.out),
        "made": report.made,
        "tool": report.tool,
        "depth": report.depth.value,
        "seconds": round(report.seconds, 3),
        "cancelled": report.cancelled,
        "totals": {
            "repositories": len(report.rows),
            "outcomes": {o.value: report.count(o) for o in Outcome if report.count(o)},
            "units": report.units,
            "before": report.before,
            "after": report.after,
            "rules": report.rules,
            "remaining": report.remaining,
        },
        "repositories": [{**row.to_json(), "kept": row.kept} for row in report.rows],
    }


def batch_text(report: BatchReport, style: Style = PLAIN, *, verbose: bool = False) -> str:
    """Return totals and what needs a person, first things first."""
    out = [summary(report)]
    wanted = [row for row in report.rows if verbose or row.outcome not in _GOOD]
    shown = wanted if verbose else wanted[:_SHOWN]
    for row in shown:
        paint = style.error if row.outcome in _BAD else style.strong
        line = f"  {_one_line(row.folder)}  {paint(say(row.outcome.value))}"
        if row.units:
            units = counted(row.units, "unit")
            line += "  " + said("{} -> {} of {}", row.before, row.after, units)
        out.append(line)
        told_of = (row.first_error, say(row.reason))
        out += [f"      {_one_line(words)}" for words in told_of if words]
    if len(wanted) > len(shown):
        out.append("  " + said("… {} more", len(wanted) - len(shown)))
    for title, numbers in ((said("Fixes"), report.rules), (said("Remain"), report.remaining)):
        if numbers:
            words = ", ".join(f"{name} {number}" for name, number in numbers.items())
            out.append(f"{title}: {words}")
    out.append(said("Report: {}", _one_line(str(report.out / "report.html"))))
    if report.cancelled:
        out.append(said("Cancelled; run it again and it goes on."))
    return "\n".join(out)


def _one_line(words: str) -> str:
    return printable(words.replace("\n", "\\n"))


def summary(report: BatchReport) -> str:
    """Return the whole run in a sentence or two."""
    ends = said(", ").join(
        f"{report.count(o)} {say(o.value)}" for o in Outcome if report.count(o)
    )
    kept = sum(row.kept for row in report.rows)
    words = said(
        "{} in {}: {}",
        counted(len(report.rows), "repository"),
        seconds(report.seconds),
        ends or said("none"),
    )
    words += said(" ({} kept from an earlier run).", kept) if kept else said(".")
    if report.units:
        before = _share(report.before, report.units)
        words += said(" Units that compile: {} before any fix", before)
        if report.depth is Depth.FIX:
            words += said(", {} with fixes", _share(report.after, report.units))
        words += said(".")
    return words


def _share(part: int, whole: int) -> str:
    return said("{} of {} ({} %)", f"{part:,}", f"{whole:,}", f"{100 * part / whole:.0f}")


def batch_html(report: BatchReport) -> str:
    """Return a whole page."""
    return (
        "<!DOCTYPE html>\n"
        f'<html lang="{html_language()}"><head><meta charset="utf-8">'
        f"<title>{said('Batch port to HIP')}</title>"
        '<meta name="viewport" content="width=device-width">'
        f"<style>{batch_style()}{_PAGE}</style></head>"
        f"<body>{batch_fragment(report)}</body></html>\n"
    )


_PAGE = """
:root { color-scheme: light dark; }
body { margin: 16px auto; max-width: 1300px; padding: 0 16px; }
@media (prefers-color-scheme: dark) {
  :root { --jp-layout-color0: #111; --jp-ui-font-color0: #fff; --jp-ui-font-color1: #e0e0e0;
    --jp-border-color2: #444; --jp-error-color1: #ef5350; --jp-warn-color1: #ffb74d;
    --jp-success-color1: #81c784; --jp-brand-color1: #64b5f6; }
  body { background: #111; }
}
"""


def batch_style() -> str:
    """Return the style sheet that `batch_fragment` needs."""
    return style_sheet()


def batch_fragment(report: BatchReport) -> str:
    """Return the run as one static view for a notebook."""
    title = said("Batch port to HIP")
    made = said("Made {} with {}.", report.made, report.tool)
    copies = f"<code>{text(str(report.out / 'ported'))}</code>"
    parts = [
        f"<h3>{title}</h3><p>{text(summary(report))}</p>",
        f"<p class='fpt-muted'>{text(made)}</p>",
        f"<p>{said('The copies are in {}.', copies)}</p>",
        f"<p class='fpt-bad'>{said('Cancelled; run it again and it goes on.')}</p>"
        if report.cancelled
        else "",
        _repositories(report),
        _numbers(later("Fixes written"), later("Rule"), report.rules),
        _numbers(
            later("Errors that remain, followers left out"), later("Kind"), report.remaining
        ),
    ]
    return (
        f'<section class="fpt-static fpt-report" aria-label="{title}">'
        + "".join(parts)
        + "</section>"
    )


def _repositories(report: BatchReport) -> str:
    head = (
        "Repository", "State", "#Units", "#Before", "#After", "Fixes", "First error", "#Seconds",
    )  # fmt: skip
    return table("Repositories, what needs a person first", head, map(_row, report.rows))


def _row(row: PortedRepository) -> Iterable[str]:
    kind = "fpt-good" if row.outcome in _GOOD else "fpt-bad" if row.outcome in _BAD else ""
    mark = seconds(row.seconds) + (said(" (kept)") if row.kept else "")
    left = [f"<code>{text(row.first_error)}</code>"] if row.first_error else []
    left += [told(row.reason)] if row.reason else []
    units = ("–", "–", "–") if row.units is None else (row.units, row.before, row.after)
    return (
        f"<code>{text(row.folder)}</code>",
        f"<span class='{kind}'>{told(row.outcome.value)}</span>",
        *map(str, units),
        "<br>".join(f"{text(name)} × {number}" for name, number in row.rules.items()) or "–",
        "<br>".join(left) or "–",
        mark,
    )


def _numbers(title: str, what: str, numbers: Mapping[str, int]) -> str:
    if not numbers:
        return ""
    rows = [(f"<code>{text(name)}</code>", f"{number:,}") for name, number in numbers.items()]
    return table(title, (what, "#Number"), rows)
