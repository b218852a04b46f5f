"""The views of checks, rungs and golden records: what must be read in them, in both forms."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest

from fastpt_lab.core.check import Check, CheckStatus, Evidence
from fastpt_lab.core.verification import (
    GoldenReport,
    LadderResult,
    NumericReport,
    Rung,
    Timing,
)
from fastpt_lab.show.checks import checks_html, checks_text, headline
from fastpt_lab.show.plot import duration, error_plot, timing_plot
from fastpt_lab.show.verification import golden_html, golden_text, ladder_html, ladder_text

OK, WARN, FAIL, SKIP, UNKNOWN = CheckStatus
EVIL = "<script>alert(1)</script>\x1b[31m"


def check(id_: str, layer: str, status: CheckStatus, observed: str = "seen") -> Check:
    return Check(
        id=id_,
        layer=layer,
        status=status,
        observed=observed,
        expected="so",
        evidence=(Evidence(command=("tool", EVIL), returncode=1, output=f"raw {EVIL}\nend"),),
        why="because",
        next_step="do it",
    )


STOPPED = (
    check("nodes", "device", OK),
    check("hipcc", "runtime", FAIL, EVIL),
    check("roots", "runtime", WARN),
    check("torch", "framework", SKIP, "not run: blocked by hipcc (runtime)"),
    check("import", "application", SKIP, "not run: blocked by hipcc (runtime)"),
)


class Balance(HTMLParser):
    """Tags that are opened and closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "rect", "line", "circle"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in ("rect", "line", "circle"):
            assert self.open.pop() == tag


def well_formed(html: str) -> bool:
    parser = Balance()
    parser.feed(html)
    return not parser.open and "<script" not in html and "\x1b" not in html


def test_headline_names_the_lowest_failing_layer() -> None:
    assert headline(STOPPED).startswith("Stopped at DTK / HIP runtime")
    assert "torch HIP build and Application stand on it" in headline(STOPPED)
    assert headline([check("a", "device", OK)]) == "All layers passed."
    assert "1 check could not be answered" in headline([check("a", "device", UNKNOWN)])
    assert headline([check("a", "device", SKIP, "nothing built")]) == "SKIP: nothing built."
    assert headline([]) == "SKIP: there is no check."


def test_text_reads_top_layer_first_and_folds_evidence() -> None:
    text = checks_text(STOPPED)
    body = text.split("\n", 1)[1]
    assert body.index("Application") < body.index("DTK / HIP runtime") < body.index("Driver")
    assert "next      do it" in text
    assert "raw" not in text
    assert "\x1b" not in text
    loud = checks_text(STOPPED, verbose=True)
    assert "raw" in loud
    assert "exit code 1" in loud
    assert "\x1b" not in loud


def test_html_order_status_and_escapes() -> None:
    html = checks_html(STOPPED)
    assert well_formed(html)
    numbers = re.findall(r"<strong>(\d) ", html)
    assert numbers == ["4", "3", "2", "1"]
    assert html.count("<details>") == 3, "one for each check that was run"
    assert ">FAIL<" in html
    assert "Unknown is not counted as passed" in html


REPORT = NumericReport(
    name="op[0]",
    dtype="float16",
    shape=(3, 1000),
    status=FAIL,
    reason="5 of 3,000 beyond the tolerance",
    elements=3000,
    mismatched=5,
    max_abs=0.5,
    worst=(2, 999),
    worst_out="1",
    worst_reference="1.5",
    histogram=((0.0, 10), (0.5, 985), (1.0, 2000), (2.0, 0), (math.inf, 5)),
    policy="float16: rtol 0.001",
    pattern="all in row 2",
)
TIMING = Timing(
    name="op", load=1.5, first=0.04, median=1.2e-4, spread=2e-6, count=50, clock="host"
)
FELL = LadderResult(
    rungs=(
        Rung(id="torch", title="import torch", status=OK, seconds=2.0, detail="2.13"),
        Rung(id="op-64", title="op with 64 rows", status=FAIL, detail=EVIL, next_step="look",
             reports=(REPORT,), output=EVIL),
        Rung(id="op-65", title="op with 65 rows", status=SKIP, detail="not reached"),
    ),
    build="torch 2.11, a CUDA build for NVIDIA",
    device="H200",
    resume="op-64",
    timings=(TIMING,),
)  # fmt: skip


def test_ladder_views_say_the_build_and_where_to_resume() -> None:
    text = ladder_text(FELL)
    assert "a CUDA build for NVIDIA" in text
    assert "--resume op-64" in text
    assert "first call 40 ms, then median 120 µs, spread 2 µs, n 50" in text
    assert "\x1b" not in text
    html = ladder_html(FELL)
    assert well_formed(html)
    assert "all in row 2" in html
    assert "a CUDA build for NVIDIA" in html


def test_a_climb_without_a_device_says_skip() -> None:
    rungs = (Rung(id="one", title="one", status=SKIP, detail="no device: a CPU build"),)
    assert ladder_text(LadderResult(rungs=rungs)).startswith("SKIP: no device: a CPU build")


@pytest.mark.parametrize(
    ("report", "word"),
    [
        (GoldenReport(source="A", target="B", tensors=(REPORT,)), "1 of 1 tensors differ"),
        (
            GoldenReport(source="A", target="B", tensors=(), skipped="no device"),
            "SKIP: no device",
        ),
        (
            GoldenReport(source="A", target="B", tensors=(), problem="fell"),
            "Not all was compared",
        ),
    ],
)
def test_golden_views(report: GoldenReport, word: str) -> None:
    assert word in golden_text(report)
    assert word in golden_html(report)
    assert well_formed(golden_html(report))


def test_the_tolerance_lies_on_an_edge_and_counts_are_written() -> None:
    svg = error_plot(REPORT)
    assert "2,000" in svg
    assert svg.count("fpt-bar-bad") == 1
    assert 'aria-label="op[0]: 5 of 3,000' in svg.replace("'", '"')
    assert timing_plot([TIMING]).count("<circle") == 1
    assert error_plot(NumericReport(name="x", dtype="int8", shape=(), status=OK)) == ""
    assert timing_plot([]) == ""


@pytest.mark.parametrize(
    ("value", "text"), [(2.0, "2 s"), (0.0012, "1.2 ms"), (3.4e-6, "3.4 µs"), (5e-9, "5 ns")]
)
def test_durations(value: float, text: str) -> None:
    assert duration(value) == text
