"""The report of a port: nine points from what was observed, and two documents that hold it all."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from fastpt_lab.core.action import Trial, TrialStatus
from fastpt_lab.core.check import Check, CheckStatus
from fastpt_lab.core.checklist import checklist
from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.port import EventKind, FileDiff, PortEvent, PortRecord
from fastpt_lab.core.report import FileReport, Report, UnitReport
from fastpt_lab.core.survey import FileSurvey, Lint, Route, RouteAdvice, Step, Survey
from fastpt_lab.core.text import Location
from fastpt_lab.core.verification import Rung
from fastpt_lab.show.report import checklist_html, port_fragment, port_html, summary
from fastpt_lab.show.report_markdown import port_markdown

ROOT = Path("/project")
CU = ROOT / "csrc" / "归约<1>.cu"
ERROR = Diagnostic(
    severity=Severity.ERROR,
    message="no matching function for call to 'f<int>' | `x`",
    source="clang",
    location=Location.at(CU, 11, 3),
    id="d1",
)
LINT = Lint(
    check="narrow-ballot",
    certain=True,
    diagnostic=Diagnostic(
        severity=Severity.WARNING,
        message="the votes of lanes 32 to 63 are lost",
        source="wavefront",
        location=Location.at(CU, 4, 2),
    ),
)
SURVEY = Survey(
    root=ROOT,
    files=(FileSurvey(path=CU, kind="cuda", lines=20, kernels=1, review=2, level="small"),),
    features=(),
    build=(),
    conditions=(),
    lints=(LINT,),
    versions=(),
    route=RouteAdvice(
        route=Route.TRANSCODE,
        title="Transcode to HIP",
        why="CUTLASS: runs on no DCU",
        steps=(Step(question="Is there CUDA?", answer="yes", reason="1 kernel"),),
    ),
    entry_points=2,
)


def ok(name: str, status: CheckStatus = CheckStatus.OK, step: str = "") -> Check:
    return Check(
        id=name,
        layer="device",
        status=status,
        observed=f"{name} seen",
        expected="",
        next_step=step,
    )


DOCTOR = tuple(
    ok(name)
    for name in (
        "device-agents", "hipcc", "version-match", "torch-hip", "torch-tensor", "dtk-roots",
        "library-path", "torch-libraries",
    )
)  # fmt: skip
RUNGS = tuple(
    Rung(id=name, title=name, status=CheckStatus.OK)
    for name in (
        "one-element",
        "round-trip",
        "arange",
        "model-construction",
        "model-state",
        "op-1",
    )
)


def states(**given: object) -> dict[int, CheckStatus]:
    return {point.number: point.status for point in checklist(**given)}  # type: ignore[arg-type]


def test_nothing_observed_is_nothing_done() -> None:
    points = checklist()
    assert [point.number for point in points] == list(range(1, 10))
    assert {point.status for point in points} == {CheckStatus.UNKNOWN}
    assert all(point.next_step for point in points)


def test_everything_observed_is_done() -> None:
    clean = Survey(
        root=ROOT, files=SURVEY.files, features=(), build=(), conditions=(), lints=(),
        versions=(), route=SURVEY.route, entry_points=2,
    )  # fmt: skip
    points = checklist(checks=DOCTOR, rungs=RUNGS, survey=clean, snapshot="env.json")
    assert {point.status for point in points} == {CheckStatus.OK}
    assert not any(point.next_step for point in points)


def test_the_worst_of_several_observations_decides() -> None:
    bad = ok("dtk-roots", CheckStatus.FAIL, "Unset LD_LIBRARY_PATH")
    points = checklist(checks=(*DOCTOR[:5], bad, *DOCTOR[6:]))
    assert points[8].status is CheckStatus.FAIL
    assert points[8].next_step == "Unset LD_LIBRARY_PATH"


def test_a_part_that_nobody_looked_at_keeps_a_point_open() -> None:
    found = checklist(checks=[c for c in DOCTOR if c.id != "version-match"])
    assert found[1].status is CheckStatus.UNKNOWN
    assert "version-match" in found[1].observed


def test_a_skipped_check_is_not_done() -> None:
    assert states(checks=(ok("torch-hip", CheckStatus.SKIP),))[3] is CheckStatus.UNKNOWN


def test_a_failed_step_fails_its_point() -> None:
    failed = Rung(
        id="model-state",
        title="load the state",
        status=CheckStatus.FAIL,
        detail="size mismatch",
    )
    found = checklist(rungs=(*RUNGS[:4], failed))
    assert found[4].status is CheckStatus.FAIL
    assert "size mismatch" in found[4].observed
    assert found[5].status is CheckStatus.UNKNOWN


def test_unchecked_entries_keep_the_seventh_point_open() -> None:
    lint = Lint(check="unchecked-entry", certain=False, diagnostic=LINT.diagnostic)
    survey = Survey(
        root=ROOT, files=(), features=(), build=(), conditions=(), lints=(lint,), versions=(),
        route=SURVEY.route, entry_points=1,
    )  # fmt: skip
    assert states(survey=survey)[7] is CheckStatus.WARN


@pytest.fixture
def record() -> PortRecord:
    trial = Trial(status=TrialStatus.FIXED, first_error_before="a", seconds=1.0)
    return PortRecord(
        root=ROOT,
        made="2026-01-02T03:04:05Z",
        tool="fastpt-lab 1.0",
        survey=SURVEY,
        stack=(("hipcc", "HIP version: 5.2.3 | clang <15>"),),
        transcoded=(
            FileReport(original=CU, generated=CU.with_suffix(".hip"), status="written"),
        ),
        events=(
            PortEvent(kind=EventKind.FIRST_ERROR, text=ERROR.message, location=ERROR.location),
            PortEvent(
                kind=EventKind.FIXED,
                text="Drop the mask",
                rule="sync-shuffle",
                time="2026-01-02T03:00:00Z",
                trial=trial,
            ),
        ),
        diffs=(FileDiff(path=CU, diff="--- a\n+++ b\n@@ -1 +1,2 @@\n-x<y>\n+```\n+\tz\n"),),
        report=Report(
            command="check",
            root=ROOT,
            units=(UnitReport(original=CU, generated=CU, status="error"),),
            diagnostics=(ERROR,),
        ),
        checks=DOCTOR,
        rungs=RUNGS,
        snapshot=(("LD_LIBRARY_PATH", "/opt/dtk/lib"),),
        checklist=checklist(checks=DOCTOR, rungs=RUNGS, survey=SURVEY),
    )


class _Balanced(HTMLParser):
    VOID = frozenset({"meta", "br", "col", "hr", "img", "link"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in {"script", "iframe"}
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_the_page_is_whole_escaped_and_without_script(record: PortRecord) -> None:
    html = port_html(record)
    parser = _Balanced()
    parser.feed(html)
    assert parser.open == []
    shown = "".join(parser.words)
    for words in (
        "csrc/归约<1>.cu", "f<int>", "Drop the mask", "sync-shuffle", "tried: compiles", "x<y>",
        "Transcode to HIP", "the votes of lanes 32 to 63 are lost", "/opt/dtk/lib", "8 of 9 done",
    ):  # fmt: skip
        assert words in shown, words
    assert "http" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    assert "prefers-color-scheme: dark" in html


def test_the_markdown_holds_the_same(record: PortRecord) -> None:
    text = port_markdown(record)
    assert text.startswith("# Port of project to HIP\n")
    assert text.endswith("\n")
    assert "- [x] rocminfo sees the device" in text
    assert "- [ ] A snapshot of the environment is saved: unknown" in text
    assert r"f\<int\>" in text
    assert r"\| \`x\`" in text
    assert "````diff\n--- a" in text, "a fence longer than the one in the diff"
    assert "+2 −1" in text
    table_lines = [line for line in text.splitlines() if line.startswith("| ")]
    for line in table_lines:
        assert line.endswith(" |")


def test_every_table_of_the_markdown_has_equal_columns(record: PortRecord) -> None:
    width = None
    for line in port_markdown(record).splitlines():
        if not line.startswith("|"):
            width = None
            continue
        columns = len(re.findall(r"(?<!\\)\|", line))
        assert width in (None, columns), line
        width = columns


def test_the_summary_tells_the_first_error_or_its_absence(record: PortRecord) -> None:
    assert "csrc/归约<1>.cu:12:4" in summary(record)
    assert "1 fix applied, 1 original changed" in summary(record)
    empty = PortRecord(root=ROOT, made="", tool="")
    assert "Nothing was compiled yet. No fix applied" in summary(empty)
    assert "not run" in summary(empty)


def test_an_empty_record_gives_documents_without_empty_parts() -> None:
    empty = PortRecord(root=ROOT, made="now", tool="t")
    assert "<table" not in port_fragment(empty)
    assert "##" not in port_markdown(empty)
    assert checklist_html(()) == ""
