"""A climb, its numbers and times, and a golden comparison: terminal text and static HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.show.checks import checks_style, status_html, status_word, tally
from fastpt_lab.show.html import page, table, text, told
from fastpt_lab.show.language import later, said, say
from fastpt_lab.show.plot import duration, error_plot, timing_plot
from fastpt_lab.show.text import PLAIN, Style, padded, printable, seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.verification import (
        GoldenReport,
        LadderResult,
        NumericReport,
        Rung,
        Timing,
    )

_HEAD = ("Tensor", "dtype", "Shape", "#Max abs error", "#Max rel error", "#Beyond", "Verdict")


def ladder_headline(result: LadderResult) -> str:
    """Say how far it went, and on which build: a run on CUDA is none on HIP."""
    where = said(
        "{}; {}.",
        result.device or say(later("no device")),
        say(result.build or later("torch was not reached")),
    )
    failed = next((r for r in result.rungs if r.status is CheckStatus.FAIL), None)
    if failed is not None:
        return said("Stopped at {}: {}. {}", say(failed.title), say(failed.detail), where)
    if result.status is CheckStatus.SKIP:
        reason = next((r.detail for r in result.rungs if r.status is CheckStatus.SKIP), "")
        return said("SKIP: {}.", say(reason or later("nothing was compared")))
    return said("All rungs passed. {}", where)


def rung_line(rung: Rung, style: Style = PLAIN) -> str:
    """Return one rung as one line; the raw material of a climb that is watched."""
    word = status_word(rung.status)
    if rung.status is CheckStatus.OK:
        word = style.ok(word)
    elif rung.status is CheckStatus.FAIL:
        word = style.error(word)
    took = f"  {style.faint(seconds(rung.seconds))}" if rung.seconds else ""
    return f"{word}{printable(say(rung.title))}: {printable(say(rung.detail))}{took}"


def ladder_text(result: LadderResult, style: Style = PLAIN) -> str:
    """Return the climb, the policy of its numbers, and its times."""
    out = [style.strong(printable(ladder_headline(result))), ""]
    for rung in result.rungs:
        out.append("  " + rung_line(rung, style))
        if rung.status is CheckStatus.FAIL:
            step = printable(say(rung.next_step))
            out += [f"          {padded(said('next'), 9)} {step}"] if step else []
            out += [f"          | {printable(line)}" for line in rung.output.splitlines()[-8:]]
    policies = policies_of([r for rung in result.rungs for r in rung.reports])
    out += ["", *(said("tolerance  {}", say(one)) for one in policies)] if policies else []
    out += [timing_text(timing) for timing in result.timings]
    if result.resume:
        out += ["", said("Resume with --resume {}", result.resume)]
    return "\n".join(out)


def policies_of(reports: Sequence[NumericReport]) -> tuple[str, ...]:
    """Return how the tolerances were chosen, one line a dtype: the one with the largest sum."""
    widest: dict[str, NumericReport] = {}
    for report in reports:
        known = widest.get(report.dtype)
        if known is None or report.atol > known.atol:
            widest[report.dtype] = report
    return tuple(report.policy for report in widest.values())


def timing_text(timing: Timing) -> str:
    """Return the times of one operator, apart."""
    load = "" if timing.load is None else said("load {}, ", duration(timing.load))
    return said(
        "{}: {}first call {}, then median {}, spread {}, n {} ({})",
        printable(timing.name),
        load,
        *(duration(value) for value in (timing.first, timing.median, timing.spread)),
        timing.count,
        say(timing.clock),
    )


def ladder_html(result: LadderResult) -> str:
    """Return the climb as static HTML: rungs, numbers with the plot of the worst, times."""
    statuses = [rung.status for rung in result.rungs]
    kind = "fail" if CheckStatus.FAIL in statuses else "ok"
    rows = [
        (
            status_html(rung.status),
            told(rung.title),
            told(rung.detail) + (f"<br>{told(rung.next_step)}" if rung.next_step else ""),
            escape(seconds(rung.seconds)) if rung.seconds else "",
        )
        for rung in result.rungs
    ]
    reports = [report for rung in result.rungs for report in rung.reports]
    body = (
        f"<style>{checks_style()}</style>"
        f"<h3>{said('Verify')} <span class='fpt-muted'>{escape(tally(statuses))}</span></h3>"
        f"<p class='fpt-headline fpt-headline-{kind}'>{text(ladder_headline(result))}</p>"
        + table("Rungs, in the order of climbing", ("", "Rung", "Seen", "#Time"), rows)
        + numbers_html(reports)
        + timings_html(result.timings)
        + _outputs(result.rungs)
    )
    return page(body, label="Verify")


def _outputs(rungs: Sequence[Rung]) -> str:
    return "".join(
        f"<details><summary>{said('Printed during {}', told(rung.title))}</summary>"
        f"<pre>{escape(printable_lines(rung.output))}</pre></details>"
        for rung in rungs
        if rung.output
    )


def printable_lines(output: str) -> str:
    """Return lines with control characters shown."""
    return "\n".join(printable(line) for line in output.splitlines())


def numbers_html(reports: Sequence[NumericReport]) -> str:
    """Return the table of comparisons, the policy, and the plot of the worst tensor."""
    if not reports:
        return ""
    rows = [_numbers(report) for report in reports]
    failed = [report for report in reports if report.status is not CheckStatus.OK]
    shown = failed[0] if failed else max(reports, key=_share)
    policies = "".join(f"<li>{told(policy)}</li>" for policy in policies_of(reports))
    return (
        table("Against the reference in float64, from the same rounded inputs", _HEAD, rows)
        + f"<h4>{text(shown.name)}, {escape(shown.dtype)}</h4>{error_plot(shown)}"
        + f"<details><summary>{said('Tolerances')}</summary><ul>{policies}</ul></details>"
    )


def _share(report: NumericReport) -> float:
    """How close to its tolerance a tensor came: its last bin that is not empty."""
    return max((edge for edge, number in report.histogram if number), default=0.0)


def _numbers(report: NumericReport) -> tuple[str, ...]:
    verdict = status_html(report.status)
    if report.reason:
        verdict += f" {told(report.reason)}"
    if report.worst is not None and report.status is not CheckStatus.OK:
        values = list(report.worst), report.worst_out, report.worst_reference
        verdict += said("; ") + text(said("at {} {}, should be {}", *values))
    if report.pattern:
        verdict += said("; ") + told(report.pattern)
    if report.run_to_run is not None:
        verdict += said("; ") + said("runs differ by {}", f"{report.run_to_run:.3g}")
    return (
        f"<code>{text(report.name)}</code>",
        escape(report.dtype),
        escape(str(report.shape)),
        f"{report.max_abs:.3g}",
        f"{report.max_rel:.3g}",
        said("{} of {}", f"{report.mismatched:,}", f"{report.elements:,}"),
        verdict,
    )


def timings_html(timings: Sequence[Timing]) -> str:
    """Return first call and steady state, apart."""
    if not timings:
        return ""
    rows = [
        (
            f"<code>{text(t.name)}</code>",
            "" if t.load is None else duration(t.load),
            duration(t.first),
            duration(t.median),
            duration(t.spread),
            f"{t.count}",
            told(t.clock),
        )
        for t in timings
    ]
    head = ("Op", "#Load", "#First call", "#Median", "#Spread", "#n", "Clock")
    return table("Times", head, rows) + timing_plot(timings)


def golden_headline(report: GoldenReport) -> str:
    """Say what was compared with what, and how it went."""
    between = said("Recorded on {}; run on {}.", say(report.source), say(report.target))
    if report.problem:
        return said("Not all was compared: {}. {}", say(report.problem), between)
    if report.status is CheckStatus.SKIP:
        return said("SKIP: {}. {}", say(report.skipped), between)
    bad = [tensor for tensor in report.tensors if tensor.status is not CheckStatus.OK]
    if bad:
        counts = len(bad), len(report.tensors)
        return said("{} of {} tensors differ: {}. {}", *counts, bad[0].name, between)
    return said("All {} tensors agree. {}", len(report.tensors), between)


def golden_text(report: GoldenReport, style: Style = PLAIN) -> str:
    """Return the comparison, a line each tensor."""
    out = [style.strong(printable(golden_headline(report))), ""]
    for tensor in report.tensors:
        word = status_word(tensor.status)
        word = style.ok(word) if tensor.status is CheckStatus.OK else style.error(word)
        seen = say(tensor.reason) or said("max error {}", f"{tensor.max_abs:.3g}")
        hint = said("; ") + say(tensor.pattern) if tensor.pattern else ""
        out.append(f"  {word}{printable(tensor.name)}: {seen}{hint}")
    out += ["", said("tolerance  {}", say(report.policy))] if report.policy else []
    out += [
        style.faint(said("differs  {}", printable(say(change)))) for change in report.changes
    ]
    return "\n".join(out)


def golden_html(report: GoldenReport) -> str:
    """Return the comparison as static HTML, with the plot of the worst tensor."""
    kind = "fail" if report.status is CheckStatus.FAIL else "ok"
    changes = "".join(f"<li>{told(change)}</li>" for change in report.changes)
    body = (
        f"<style>{checks_style()}</style><h3>{said('Golden record')}</h3>"
        f"<p class='fpt-headline fpt-headline-{kind}'>{text(golden_headline(report))}</p>"
        + numbers_html(report.tensors)
    )
    if changes:
        title = said("What differs")
        body += f"<details><summary>{title}</summary><ul>{changes}</ul></details>"
    return page(body, label="Golden record")
