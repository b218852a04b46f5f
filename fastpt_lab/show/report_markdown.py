"""The whole port as GitHub's Markdown: the same parts as show/report.py, in the same order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.show.json import relative
from fastpt_lab.show.language import later, said, say
from fastpt_lab.show.report import event_words, stack_said, summary
from fastpt_lab.show.text import place, printable
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.core.checklist import Point
    from fastpt_lab.core.port import PortRecord

_SIGN = {
    CheckStatus.OK: later("ok"),
    CheckStatus.WARN: later("warning"),
    CheckStatus.FAIL: later("failed"),
    CheckStatus.SKIP: later("skipped"),
    CheckStatus.UNKNOWN: later("unknown"),
}
_BACKTICKS = re.compile(r"`+")


def port_markdown(record: PortRecord) -> str:
    """Return the report as GitHub's Markdown, ended by a newline."""
    out = [
        f"# {said('Port of {} to HIP', _words(record.root.name))}",
        "",
        _words(summary(record)),
        "",
        said("Made {} with {}.", _words(record.made), _words(record.tool)),
    ]
    if record.checklist:
        done = sum(point.status is CheckStatus.OK for point in record.checklist)
        title = said("Checklist: {} of {} done", done, len(record.checklist))
        out += ["", f"## {title}", ""]
        out += [_point_line(point) for point in record.checklist]
    out += _route_markdown(record)
    out += _transcoded_markdown(record)
    out += _events_markdown(record)
    if record.diffs:
        out += ["", f"## {said('Changes of the originals')}"]
    for diff in record.diffs:
        name = relative(diff.path, record.root)
        out += ["", f"{_inline(name)} +{diff.added} −{diff.removed}", ""]
        out.append(_fenced(diff.diff.rstrip("\n"), "diff"))
    out += _checks_markdown(record)
    out += _pairs_markdown(said("Compiler"), stack_said(record.stack))
    out += _pairs_markdown(said("Environment"), record.snapshot)
    return "\n".join(out) + "\n"


def _point_line(point: Point) -> str:
    box = "x" if point.status is CheckStatus.OK else " "
    step = said(" Next: {}.", _words(say(point.next_step))) if point.next_step else ""
    line = said(
        "{}: {}, {}.{}",
        _words(say(point.title)),
        say(_SIGN[point.status]),
        _words(say(point.observed)),
        step,
    )
    return f"- [{box}] {line}"


def _route_markdown(record: PortRecord) -> list[str]:
    if record.survey is None:
        return []
    route = record.survey.route
    title, why = _words(say(route.title)), _words(say(route.why))
    out = ["", f"## {said('Route')}", "", said("**{}.** {}.", title, why), ""]
    rows = [(say(s.question), say(s.answer), say(s.reason)) for s in route.steps]
    out += _table(("Question", "Answer", "Reason"), rows)
    certain = [lint for lint in record.survey.lints if lint.certain]
    if certain:
        findings = counted(len(certain), "certain finding")
        out += ["", said("{} that no compiler reports:", findings), ""]
        out += [
            f"- {_inline(place(lint.diagnostic.location, record.root))} "
            f"{_words(say(lint.diagnostic.message))}"
            for lint in certain
        ]
    return out


def _transcoded_markdown(record: PortRecord) -> list[str]:
    if not record.transcoded:
        return []
    rows = [
        (
            relative(file.original, record.root),
            "–" if file.generated is None else relative(file.generated, record.root),
            say(file.status),
        )
        for file in record.transcoded
    ]
    table = _table(("Original", "Generated", "State"), rows)
    return ["", f"## {said('What was transcoded')}", "", *table]


def _events_markdown(record: PortRecord) -> list[str]:
    if not record.events:
        return []
    rows = [
        (
            event.time or "–",
            say(event.kind.value),
            "–" if event.location is None else place(event.location, record.root),
            event_words(event),
        )
        for event in record.events
    ]
    table = _table(("Time (UTC)", "What", "Place", "Words"), rows)
    return ["", f"## {said('What happened')}", "", *table]


def _checks_markdown(record: PortRecord) -> list[str]:
    out: list[str] = []
    if record.checks:
        rows = [(c.layer, c.id, say(_SIGN[c.status]), say(c.observed)) for c in record.checks]
        out += ["", f"## {said('Environment checks')}", ""]
        out += _table(("Layer", "Check", "State", "Observed"), rows)
    if record.rungs:
        steps = [(say(r.title), say(_SIGN[r.status]), say(r.detail)) for r in record.rungs]
        out += ["", f"## {said('Device verification')}", ""]
        out += _table(("Step", "State", "Observed"), steps)
    return out


def _pairs_markdown(title: str, pairs: Sequence[tuple[str, str]]) -> list[str]:
    return ["", f"## {title}", "", *_table(("Name", "Value"), pairs)] if pairs else []


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> list[str]:
    lines = [f"| {' | '.join(map(say, head))} |", f"|{' --- |' * len(head)}"]
    lines += [f"| {' | '.join(_words(cell) for cell in row)} |" for row in rows]
    return lines


def _words(value: str) -> str:
    """Return text that Markdown shows as it is, on one line."""
    line = " ".join(printable(value).split())
    return re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", line)


def _inline(value: str) -> str:
    """Return code within a line; its own backticks are kept by a longer fence."""
    line = " ".join(printable(value).split())
    longest = max((len(run) for run in _BACKTICKS.findall(line)), default=0)
    fence = "`" * (longest + 1)
    gap = " " if longest else ""
    return f"{fence}{gap}{line}{gap}{fence}"


def _fenced(body: str, language: str) -> str:
    longest = max((len(run) for run in _BACKTICKS.findall(body)), default=0)
    fence = "`" * max(3, longest + 1)
    shown = "\n".join(printable(line.replace("\t", "    ")) for line in body.splitlines())
    return f"{fence}{language}\n{shown}\n{fence}"
