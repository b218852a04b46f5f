"""The doctor's checks as a ladder of layers that is read at a glance: terminal text and HTML."""

from __future__ import annotations

from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Check, CheckStatus
from fastpt_lab.show.html import page, text, told
from fastpt_lab.show.language import later, said, say
from fastpt_lab.show.text import PLAIN, Style, padded, printable
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.check import Evidence

LAYER_TITLES = {
    "device": later("Driver and device"),
    "runtime": later("DTK / HIP runtime"),
    "framework": later("torch HIP build"),
    "application": later("Application"),
}
"""Headings, from the ground up."""

_ORDER = (
    CheckStatus.FAIL,
    CheckStatus.UNKNOWN,
    CheckStatus.WARN,
    CheckStatus.SKIP,
    CheckStatus.OK,
)
_WORDS = {
    CheckStatus.FAIL: later("{} failed"),
    CheckStatus.UNKNOWN: later("{} unknown"),
    CheckStatus.SKIP: later("{} skipped"),
    CheckStatus.OK: later("{} passed"),
}
_HOW_TO_READ = later("Read from the bottom up. Unknown is not counted as passed.")
_EVIDENCE_CHARACTERS = 20_000


@cache
def checks_style() -> str:
    """Return the style sheet of these views, beside the common one."""
    return (files("fastpt_lab.show") / "checks.css").read_text("utf-8")


def worst(statuses: Iterable[CheckStatus]) -> CheckStatus:
    """Return the status of a group: one failed check fails it, one unknown makes it unknown."""
    found = set(statuses)
    return next((status for status in _ORDER if status in found), CheckStatus.SKIP)


def tally(statuses: Sequence[CheckStatus]) -> str:
    """Return "1 failed, 2 warnings, 4 passed"."""
    parts = []
    for status in (_ORDER[0], CheckStatus.WARN, CheckStatus.OK, *_ORDER[1:2], _ORDER[3]):
        number = sum(one is status for one in statuses)
        if number:
            warnings = status is CheckStatus.WARN
            parts.append(
                counted(number, "warning") if warnings else said(_WORDS[status], number)
            )
    return said(", ").join(parts) or said("no checks")


def layers_of(checks: Iterable[Check]) -> tuple[tuple[str, tuple[Check, ...]], ...]:
    """Return the layers that are there, from the ground up."""
    all_checks = tuple(checks)
    groups = (
        (name, tuple(check for check in all_checks if check.layer == name))
        for name in LAYER_TITLES
    )
    return tuple((name, group) for name, group in groups if group)


def headline(checks: Iterable[Check]) -> str:
    """Say where it stops: the lowest layer with a failed check, and what stands on it."""
    layers = layers_of(checks)
    for number, (name, group) in enumerate(layers, 1):
        failed = [check for check in group if check.status is CheckStatus.FAIL]
        if not failed:
            continue
        above = [say(LAYER_TITLES[other]) for other, _ in layers[number:]]
        stopped = said("Stopped at {}: {}.", say(LAYER_TITLES[name]), say(failed[0].observed))
        if any(c.status is CheckStatus.SKIP for _, group in layers[number:] for c in group):
            stopped += _list(above)
        return stopped
    unknown = sum(c.status is CheckStatus.UNKNOWN for _, group in layers for c in group)
    if unknown:
        return said("Nothing failed; {} could not be answered.", counted(unknown, "check"))
    if all(c.status is CheckStatus.SKIP for _, group in layers for c in group):
        observed = (c.observed for _, group in layers for c in group)
        return said("SKIP: {}.", say(next(observed, later("there is no check"))))
    return said("All layers passed.")


def _list(names: Sequence[str]) -> str:
    if len(names) == 1:
        return said(" {} stands on it.", names[0])
    return said(" {} and {} stand on it.", said(", ").join(names[:-1]), names[-1])


def checks_text(checks: Iterable[Check], style: Style = PLAIN, *, verbose: bool = False) -> str:
    """Return the ladder for a terminal: the top layer first, as it stands.

    `verbose` adds the raw output that each finding was read from.
    """
    all_checks = tuple(checks)
    out = [style.strong(printable(headline(all_checks)))]
    for name, group in reversed(layers_of(all_checks)):
        out.append("")
        statuses = [check.status for check in group]
        title = style.strong(say(LAYER_TITLES[name]))
        out.append(f"{title}  {style.faint(tally(statuses))}")
        if worst(statuses) is CheckStatus.SKIP and not verbose:
            out.append(f"  {status_word(CheckStatus.SKIP)}{printable(say(group[0].observed))}")
            continue
        for check in group:
            out.extend(_check_text(check, style, verbose=verbose))
    out += ["", tally([check.status for check in all_checks])]
    return "\n".join(out)


def status_word(status: CheckStatus) -> str:
    """Return a status for the beginning of a line of a terminal."""
    return padded(say(status.value.upper()), 8)


def _check_text(check: Check, style: Style, *, verbose: bool) -> list[str]:
    word = status_word(check.status)
    if check.status is CheckStatus.OK:
        word = style.ok(word)
    elif check.status is CheckStatus.FAIL:
        word = style.error(word)
    out = [f"  {word}{check.id}: {printable(say(check.observed))}"]
    if check.status is not CheckStatus.OK:
        told = (
            (said("expected"), check.expected),
            (said("why"), check.why),
            (said("next"), check.next_step),
        )
        out += [
            f"          {padded(name, 9)} {printable(say(value))}"
            for name, value in told
            if value
        ]
    if verbose:
        for item in check.evidence:
            out.append(style.faint(f"          $ {printable(_command(item))}"))
            lines = item.output[:_EVIDENCE_CHARACTERS].splitlines()
            out += [style.faint(f"          | {printable(line)}") for line in lines]
    return out


def _command(item: Evidence) -> str:
    code = item.returncode
    ended = "" if code is None else "   " + said("(exit code {})", code)
    return " ".join(item.command) + ended


def checks_html(checks: Iterable[Check]) -> str:
    """Return the ladder as static HTML: DOM order is visual order, top layer first."""
    all_checks = tuple(checks)
    statuses = [check.status for check in all_checks]
    kind = worst(statuses).value
    layers = layers_of(all_checks)
    numbered = list(enumerate(layers, 1))
    items = "".join(
        _layer_html(number, name, group) for number, (name, group) in reversed(numbered)
    )
    body = (
        f"<style>{checks_style()}</style>"
        f"<h3>{said('Doctor')} <span class='fpt-muted'>{escape(tally(statuses))}</span></h3>"
        f"<p class='fpt-headline fpt-headline-{kind}'>{text(headline(all_checks))}</p>"
        f"<ol class='fpt-layers'>{items}</ol>"
        f"<p class='fpt-muted'>{said(_HOW_TO_READ)}</p>"
    )
    return page(body, label="Doctor")


def status_html(status: CheckStatus) -> str:
    """Return the word of a status."""
    word = escape(say(status.value.upper()))
    return f"<span class='fpt-status fpt-status-{status.value}'>{word}</span>"


def _layer_html(number: int, name: str, group: Sequence[Check]) -> str:
    statuses = [check.status for check in group]
    kind = worst(statuses)
    if kind is CheckStatus.SKIP:
        names = ", ".join(check.id for check in group)
        reason = group[0].observed
        rows = (
            f"<div class='fpt-check'>{status_html(kind)}<div>{told(reason)}"
            f"<br><span class='fpt-muted'>{escape(names)}</span></div></div>"
        )
    else:
        rows = "".join(_check_html(check) for check in group)
    title = escape(say(LAYER_TITLES[name]))
    return (
        f"<li class='fpt-layer-{kind.value}'><strong>{number} {title}</strong> "
        f"<span class='fpt-muted'>{escape(tally(statuses))}</span>{rows}</li>"
    )


def _check_html(check: Check) -> str:
    if check.status is CheckStatus.OK:
        name = f"<span class='fpt-muted'>{escape(check.id)}</span>"
        main = f"<div>{told(check.observed)} {name}</div>"
        return (
            f"<div class='fpt-check'>{status_html(check.status)}{main}{_evidence(check)}</div>"
        )
    facts = (
        (said("observed"), check.observed),
        (said("expected"), check.expected),
        (said("why"), check.why),
        (said("next step"), check.next_step),
    )
    rows = "".join(f"<dt>{name}</dt><dd>{told(value)}</dd>" for name, value in facts if value)
    return (
        f"<div class='fpt-check'>{status_html(check.status)}<strong>{escape(check.id)}</strong>"
        f"<dl>{rows}</dl>{_evidence(check)}</div>"
    )


def _evidence(check: Check) -> str:
    if not check.evidence:
        return ""
    blocks = "".join(
        f"<p><code>{text(_command(item))}</code></p>"
        f"<pre>{escape(_lines(item.output[:_EVIDENCE_CHARACTERS]))}</pre>"
        for item in check.evidence
    )
    names = ", ".join(dict.fromkeys(item.command[0] for item in check.evidence if item.command))
    title = said("Evidence: {}", text(names))
    return f"<details><summary>{title}</summary>{blocks}</details>"


def _lines(output: str) -> str:
    return "\n".join(printable(line) for line in output.splitlines())
