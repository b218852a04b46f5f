"""How a cost grows with its input: the exponent of its fit, and a plot as plain SVG."""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_WIDTH, _HEIGHT = 720, 420
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 150, 24, 52
_COLOURS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#e377c2")


class Curve(NamedTuple):
    """What was measured: pairs of the input's size and seconds, both above zero."""

    name: str
    points: tuple[tuple[float, float], ...]


def exponent(curve: Curve) -> float:
    """Return the slope of log(seconds) over log(size), by least squares: 1 is linear."""
    xs = [math.log(size) for size, _ in curve.points]
    ys = [math.log(max(seconds, 1e-3)) for _, seconds in curve.points]
    middle_x, middle_y = sum(xs) / len(xs), sum(ys) / len(ys)
    spread = sum((x - middle_x) ** 2 for x in xs)
    return sum((x - middle_x) * (y - middle_y) for x, y in zip(xs, ys, strict=True)) / spread


def draw(curves: Sequence[Curve]) -> str:
    """Return the curves on two logarithmic axes, each labelled at its end with its exponent."""
    sizes = [size for curve in curves for size, _ in curve.points]
    seconds = [max(value, 1e-3) for curve in curves for _, value in curve.points]
    left, right = _decades(sizes)
    low, high = _decades(seconds)

    def x(size: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (math.log10(size) - left) / (right - left)

    def y(value: float) -> float:
        share = (math.log10(max(value, 1e-3)) - low) / (high - low)
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

    parts = [f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>']
    for power in range(left, right + 1):
        at = x(10.0**power)
        parts.append(_line(at, _TOP, at, _HEIGHT - _BOTTOM))
        parts.append(_text(at, _HEIGHT - _BOTTOM + 18, f"{10**power:,}", anchor="middle"))
    for power in range(low, high + 1):
        at = y(10.0**power)
        parts.append(_line(_LEFT, at, _WIDTH - _RIGHT, at))
        parts.append(_text(_LEFT - 8, at + 4, f"{10.0**power:g} s", anchor="end"))
    ends = _apart([y(curve.points[-1][1]) for curve in curves])
    for curve, colour, end in zip(curves, _COLOURS, ends, strict=False):
        path = " ".join(f"{x(size):.1f},{y(value):.1f}" for size, value in curve.points)
        parts.append(
            f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>'
        )
        parts += [
            f'<circle cx="{x(size):.1f}" cy="{y(value):.1f}" r="3.5" fill="{colour}"/>'
            for size, value in curve.points
        ]
        words = f"{curve.name}: n^{exponent(curve):.2f}"
        parts.append(_text(x(curve.points[-1][0]) + 10, end + 4, words, colour=colour))
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(_text(middle, _HEIGHT - 10, "files, or repositories", anchor="middle"))
    parts.append(_text(_LEFT, 14, "processor seconds", anchor="middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        'font-family="sans-serif" font-size="12" role="img" '
        f'aria-label="Processor seconds over the size of the input">{"".join(parts)}</svg>\n'
    )


def _decades(values: Sequence[float]) -> tuple[int, int]:
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _apart(places: Sequence[float], gap: float = 15) -> list[float]:
    """Return the places moved down where two labels would lie on one another."""
    moved = list(places)
    last = -math.inf
    for index in sorted(range(len(places)), key=lambda i: places[i]):
        last = moved[index] = max(places[index], last + gap)
    return moved


def _line(x1: float, y1: float, x2: float, y2: float) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#ddd"/>'


def _text(
    x: float, y: float, words: str, *, anchor: str = "start", colour: str = "#333"
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}">'
        f"{escape(words)}</text>"
    )
