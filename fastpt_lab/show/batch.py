"""A batch as terminal text, as one HTML page that needs nothing besides itself, and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastpt_lab.core.batch import Depth, Outcome
from fastpt_lab.show.html import style_sheet, table, text
from fastpt_lab.show.json import VERSION
from fastpt_lab.show.text import PLAIN, Style, printable, seconds
from fastpt_lab.show.totals import count

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
        line = f"  {_one_line(row.folder)}  {paint(row.outcome.value)}"
        if row.units:
            line += f"  {row.before} -> {row.after} of {count(row.units, 'unit')}"
        out.append(line)
        out += [f"      {_one_line(words)}" for words in (row.first_error, row.reason) if words]
    if len(wanted) > len(shown):
        out.append(f"  … {len(wanted) - len(shown)} more")
    for title, numbers in (("Fixes", report.rules), ("Remain", report.remaining)):
        if numbers:
            words = ", ".join(f"{name} {number}" for name, number in numbers.items())
            out.append(f"{title}: {words}")
    out.append(f"Report: {_one_line(str(report.out / 'report.html'))}")
    if report.cancelled:
        out.append("Cancelled; run it again and it goes on.")
    return "\n".join(out)


def _one_line(words: str) -> str:
    return printable(words.replace("\n", "\\n"))


def summary(report: BatchReport) -> str:
    """Return the whole run in a sentence or two."""
    ends = ", ".join(f"{report.count(o)} {o.value}" for o in Outcome if report.count(o))
    kept = sum(row.kept for row in report.rows)
    plural = "y" if len(report.rows) == 1 else "ies"
    words = (
        f"{len(report.rows):,} repositor{plural} in {seconds(report.seconds)}: {ends or 'none'}"
    )
    words += f" ({kept} kept from an earlier run)." if kept else "."
    if report.units:
        words += f" Units that compile: {_share(report.before, report.units)} before any fix"
        if report.depth is Depth.FIX:
            words += f", {_share(report.after, report.units)} with fixes"
        words += "."
    return words


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({100 * part / whole:.0f} %)"


def batch_html(report: BatchReport) -> str:
    """Return a whole page."""
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en"><head><meta charset="utf-8"><title>Batch port to HIP</title>'
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
    title = "Batch port to HIP"
    parts = [
        f"<h3>{title}</h3><p>{text(summary(report))}</p>",
        f"<p class='fpt-muted'>Made {text(report.made)} with {text(report.tool)}.</p>",
        f"<p>The copies are in <code>{text(str(report.out / 'ported'))}</code>.</p>",
        "<p class='fpt-bad'>Cancelled; run it again and it goes on.</p>"
        if report.cancelled
        else "",
        _repositories(report),
        _numbers("Fixes written", "Rule", report.rules),
        _numbers("Errors that remain, followers left out", "Kind", report.remaining),
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
    mark = seconds(row.seconds) + (" (kept)" if row.kept else "")
    left = [f"<code>{text(row.first_error)}</code>"] if row.first_error else []
    left += [text(row.reason)] if row.reason else []
    units = ("–", "–", "–") if row.units is None else (row.units, row.before, row.after)
    return (
        f"<code>{text(row.folder)}</code>",
        f"<span class='{kind}'>{text(row.outcome.value)}</span>",
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
