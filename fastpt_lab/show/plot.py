"""Small SVG plots: errors by their share of the tolerance, and times on one log axis."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING

from fastpt_lab.show.language import said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.verification import NumericReport, Timing

_WIDTH, _HEIGHT = 640, 170
_BASE, _TOP = 130, 24


def error_plot(report: NumericReport) -> str:
    """Return the histogram of error / tolerance; the tolerance lies on a bin's edge."""
    bins = report.histogram
    if not bins or not report.elements:
        return ""
    step = _WIDTH / len(bins)
    largest = max(count for _, count in bins) or 1
    parts = []
    limit = 0.0
    for number, (edge, count) in enumerate(bins):
        # Counts span from one to millions: their logarithm is drawn, the number is written.
        height = (_BASE - _TOP) * math.log1p(count) / math.log1p(largest)
        bad = edge > 1
        x = number * step
        if count:
            kind = "fpt-bar-bad" if bad else "fpt-bar"
            parts.append(
                f"<rect class='{kind}' x='{x + 1:.1f}' y='{_BASE - height:.1f}' "
                f"width='{step - 2:.1f}' height='{height:.1f}'/>"
            )
            parts.append(_label(x + step / 2, _BASE - height - 4, f"{count:,}"))
        parts.append(_label(x + step, _BASE + 14, _edge(edge), anchor="end"))
        if edge == 1:
            limit = x + step
    parts.append(f"<line x1='0' x2='{_WIDTH}' y1='{_BASE}' y2='{_BASE}'/>")
    parts.append(
        f"<line class='fpt-limit' x1='{limit:.1f}' x2='{limit:.1f}' y1='8' y2='{_BASE}'/>"
    )
    parts.append(_label(limit + 4, 16, said("tolerance"), anchor="start"))
    parts.append(
        _label(0, _BASE + 32, said("error / tolerance of the element"), anchor="start")
    )
    counts = f"{report.mismatched:,}", f"{report.elements:,}"
    finding = said("{} of {} elements beyond the tolerance", *counts)
    return _svg(parts, f"{report.name}: {finding}")


def _edge(edge: float) -> str:
    if edge == 0:
        return said("exact")
    return said("more") if edge == math.inf else f"{edge:g}"


def _label(x: float, y: float, words: str, *, anchor: str = "middle") -> str:
    return f"<text x='{x:.1f}' y='{y:.1f}' text-anchor='{anchor}'>{escape(words)}</text>"


def _svg(parts: Sequence[str], label: str, height: int = _HEIGHT) -> str:
    return (
        f"<svg class='fpt-plot' viewBox='0 0 {_WIDTH} {height}' role='img' "
        f"aria-label='{escape(label, quote=True)}'>{''.join(parts)}</svg>"
    )


def duration(value: float) -> str:
    """Return seconds in the unit that reads best."""
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1:
            return f"{value * factor:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


def timing_plot(timings: Sequence[Timing]) -> str:
    """Return first call (square) and steady state (round) on one log axis."""
    if not timings:
        return ""
    values = [v for t in timings for v in (t.first, t.median) if v > 0]
    if not values:
        return ""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    high = max(high, low + 1)
    left, right = 180, _WIDTH - 40

    def place(value: float) -> float:
        share = (math.log10(max(value, 10.0**low)) - low) / (high - low)
        return left + (right - left) * share

    height = 30 * len(timings) + 30
    parts = []
    for power in range(low, high + 1):
        x = place(10.0**power)
        parts.append(f"<line x1='{x:.1f}' x2='{x:.1f}' y1='4' y2='{height - 24}'/>")
        parts.append(_label(x, height - 8, duration(10.0**power)))
    for row, timing in enumerate(timings):
        y = 24 + 30 * row
        first, steady = place(timing.first), place(timing.median)
        parts.append(_label(0, y + 4, timing.name, anchor="start"))
        parts.append(f"<line x1='{steady:.1f}' x2='{first:.1f}' y1='{y}' y2='{y}'/>")
        parts.append(f"<circle class='fpt-bar' cx='{steady:.1f}' cy='{y}' r='5'/>")
        parts.append(
            f"<rect class='fpt-bar' x='{first - 4:.1f}' y='{y - 4}' width='8' height='8'/>"
        )
    words = "; ".join(
        said("{}: first call {}, then {}", t.name, duration(t.first), duration(t.median))
        for t in timings
    )
    return _svg(parts, words, height)
