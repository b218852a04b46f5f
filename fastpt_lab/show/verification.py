"""A climb, its numbers and times, and a golden comparison: terminal text and static HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.show.checks import checks_style, status_html, tally
from fastpt_lab.show.html import page, table, text
from fastpt_lab.show.plot import duration, error_plot, timing_plot
from fastpt_lab.show.text import PLAIN, Style, printable, seconds

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
    where = f"{result.device or 'no device'}; {result.build or 'torch was not reached'}."
    failed = next((r for r in result.rungs if r.status is CheckStatus.FAIL), None)
    if failed is not None:
        return f"Stopped at {failed.title}: {failed.detail}. {where}"
    if result.status is CheckStatus.SKIP:
        reason = next((r.detail for r in result.rungs if r.status is CheckStatus.SKIP), "")
        return f"SKIP: {reason or 'nothing was compared'}."
    return f"All rungs passed. {where}"


def rung_line(rung: Rung, style: Style = PLAIN) -> str:
    """Return one rung as one line; the raw material of a climb that is watched."""
    word = f"{rung.status.value.upper():<8}"
    if rung.status is CheckStatus.OK:
        word = style.ok(word)
    elif rung.status is CheckStatus.FAIL:
        word = style.error(word)
    took = f"  {style.faint(seconds(rung.seconds))}" if rung.seconds else ""
    return f"{word}{printable(rung.title)}: {printable(rung.detail)}{took}"


def ladder_text(result: LadderResult, style: Style = PLAIN) -> str:
    """Return the climb, the policy of its numbers, and its times."""
    out = [style.strong(printable(ladder_headline(result))), ""]
    for rung in result.rungs:
        out.append("  " + rung_line(rung, style))
        if rung.status is CheckStatus.FAIL:
            out += (
                [f"          next      {printable(rung.next_step)}"] if rung.next_step else []
            )
            out += [f"          | {printable(line)}" for line in rung.output.splitlines()[-8:]]
    policies = policies_of([r for rung in result.rungs for r in rung.reports])
    out += ["", *(f"tolerance  {policy}" for policy in policies)] if policies else []
    out += [timing_text(timing) for timing in result.timings]
    if result.resume:
        out += ["", f"Resume with --resume {result.resume}"]
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
    load = "" if timing.load is None else f"load {duration(timing.load)}, "
    return (
        f"{printable(timing.name)}: {load}first call {duration(timing.first)}, then median "
        f"{duration(timing.median)}, spread {duration(timing.spread)}, n {timing.count} "
        f"({timing.clock})"
    )


def ladder_html(result: LadderResult) -> str:
    """Return the climb as static HTML: rungs, numbers with the plot of the worst, times."""
    statuses = [rung.status for rung in result.rungs]
    kind = "fail" if CheckStatus.FAIL in statuses else "ok"
    rows = [
        (
            status_html(rung.status),
            text(rung.title),
            text(rung.detail) + (f"<br>{text(rung.next_step)}" if rung.next_step else ""),
            escape(seconds(rung.seconds)) if rung.seconds else "",
        )
        for rung in result.rungs
    ]
    reports = [report for rung in result.rungs for report in rung.reports]
    body = (
        f"<style>{checks_style()}</style>"
        f"<h3>Verify <span class='fpt-muted'>{escape(tally(statuses))}</span></h3>"
        f"<p class='fpt-headline fpt-headline-{kind}'>{text(ladder_headline(result))}</p>"
        + table("Rungs, in the order of climbing", ("", "Rung", "Seen", "#Time"), rows)
        + numbers_html(reports)
        + timings_html(result.timings)
        + _outputs(result.rungs)
    )
    return page(body, label="Verify")


def _outputs(rungs: Sequence[Rung]) -> str:
    return "".join(
        f"<details><summary>Printed during {text(rung.title)}</summary>"
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
    policies = "".join(f"<li>{text(policy)}</li>" for policy in policies_of(reports))
    return (
        table("Against the reference in float64, from the same rounded inputs", _HEAD, rows)
        + f"<h4>{text(shown.name)}, {escape(shown.dtype)}</h4>{error_plot(shown)}"
        + f"<details><summary>Tolerances</summary><ul>{policies}</ul></details>"
    )


def _share(report: NumericReport) -> float:
    """How close to its tolerance a tensor came: its last bin that is not empty."""
    return max((edge for edge, number in report.histogram if number), default=0.0)


def _numbers(report: NumericReport) -> tuple[str, ...]:
    verdict = status_html(report.status)
    if report.reason:
        verdict += f" {text(report.reason)}"
    if report.worst is not None and report.status is not CheckStatus.OK:
        at = list(report.worst)
        verdict += text(f"; at {at} {report.worst_out}, should be {report.worst_reference}")
    if report.pattern:
        verdict += f"; {text(report.pattern)}"
    if report.run_to_run is not None:
        verdict += text(f"; runs differ by {report.run_to_run:.3g}")
    return (
        f"<code>{text(report.name)}</code>",
        escape(report.dtype),
        escape(str(report.shape)),
        f"{report.max_abs:.3g}",
        f"{report.max_rel:.3g}",
        f"{report.mismatched:,} of {report.elements:,}",
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
            escape(t.clock),
        )
        for t in timings
    ]
    head = ("Op", "#Load", "#First call", "#Median", "#Spread", "#n", "Clock")
    return table("Times", head, rows) + timing_plot(timings)


def golden_headline(report: GoldenReport) -> str:
    """Say what was compared with what, and how it went."""
    between = f"Recorded on {report.source}; run on {report.target}."
    if report.problem:
        return f"Not all was compared: {report.problem}. {between}"
    if report.status is CheckStatus.SKIP:
        return f"SKIP: {report.skipped}. {between}"
    bad = [tensor for tensor in report.tensors if tensor.status is not CheckStatus.OK]
    if bad:
        return f"{len(bad)} of {len(report.tensors)} tensors differ: {bad[0].name}. {between}"
    return f"All {len(report.tensors)} tensors agree. {between}"


def golden_text(report: GoldenReport, style: Style = PLAIN) -> str:
    """Return the comparison, a line each tensor."""
    out = [style.strong(printable(golden_headline(report))), ""]
    for tensor in report.tensors:
        word = f"{tensor.status.value.upper():<8}"
        word = style.ok(word) if tensor.status is CheckStatus.OK else style.error(word)
        told = tensor.reason or f"max error {tensor.max_abs:.3g}"
        hint = f"; {tensor.pattern}" if tensor.pattern else ""
        out.append(f"  {word}{printable(tensor.name)}: {told}{hint}")
    out += ["", f"tolerance  {report.policy}"] if report.policy else []
    out += [style.faint(f"differs  {printable(change)}") for change in report.changes]
    return "\n".join(out)


def golden_html(report: GoldenReport) -> str:
    """Return the comparison as static HTML, with the plot of the worst tensor."""
    kind = "fail" if report.status is CheckStatus.FAIL else "ok"
    changes = "".join(f"<li>{text(change)}</li>" for change in report.changes)
    body = (
        f"<style>{checks_style()}</style><h3>Golden record</h3>"
        f"<p class='fpt-headline fpt-headline-{kind}'>{text(golden_headline(report))}</p>"
        + numbers_html(report.tensors)
    )
    if changes:
        body += f"<details><summary>What differs</summary><ul>{changes}</ul></details>"
    return page(body, label="Golden record")
