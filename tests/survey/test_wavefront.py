"""The labelled set: what is wrong at 64 lanes is found, what is harmless is never certain."""

from __future__ import annotations

from pathlib import Path

import pytest
from survey_reading import snippets, unit_of

from fastpt_lab.core.diagnostic import Severity
from fastpt_lab.core.survey import Lint
from fastpt_lab.survey.wavefront import prover, wavefront_lints

CASE_50 = Path(__file__).parents[1] / "fixtures" / "cases" / "50-warp32-silent"
WRONG = snippets("wave_wrong.cu")
HARMLESS = snippets("wave_harmless.cu")


def lints(text: str, *, emulate: bool = True) -> tuple[Lint, ...]:
    unit = unit_of(text)
    return wavefront_lints(unit, {}, emulate=prover(unit, {}) if emulate else None)


def test_the_set_is_large_enough() -> None:
    assert len(WRONG) >= 20
    assert len(HARMLESS) >= 20


@pytest.mark.parametrize(("title", "code"), WRONG, ids=[title for title, _ in WRONG])
def test_wrong_at_64_lanes_is_certain(title: str, code: str) -> None:
    certain = [lint for lint in lints(code) if lint.certain]
    assert certain, title
    assert all(lint.diagnostic.severity is Severity.WARNING for lint in certain)


@pytest.mark.parametrize(("title", "code"), WRONG, ids=[title for title, _ in WRONG])
def test_wrong_at_64_lanes_is_named_without_a_run_too(title: str, code: str) -> None:
    assert lints(code, emulate=False), title


@pytest.mark.parametrize("emulate", [True, False], ids=["emulated", "text alone"])
@pytest.mark.parametrize(("title", "code"), HARMLESS, ids=[title for title, _ in HARMLESS])
def test_harmless_is_never_certain(title: str, code: str, emulate: bool) -> None:
    assert [lint for lint in lints(code, emulate=emulate) if lint.certain] == [], title


def test_the_recorded_silent_case_is_found_and_its_fix_is_not() -> None:
    before = lints((CASE_50 / "input.cu").read_text("utf-8"))
    assert [lint.check for lint in before if lint.certain] == ["narrow-ballot"]
    assert any("emulated" in fact for lint in before for fact in lint.evidence)
    after = lints((CASE_50 / "fixed.cu").read_text("utf-8"))
    assert not [lint for lint in after if lint.certain]


def test_a_place_is_that_of_the_expression() -> None:
    text = "__global__ void k(int* o) {\n  /* 中文 */ int n = __popc(__ballot(o[0]));\n}\n"
    (found,) = [lint for lint in lints(text) if lint.certain]
    place = found.diagnostic.location
    assert place is not None
    assert place.range.start == (1, text.splitlines()[1].index("__ballot"))
    assert found.suggestion == "__popcll(…)"


def test_crlf_and_line_continuations_keep_places() -> None:
    text = (
        "#define COUNT(p) \\\r\n  __popc(__ballot_sync(0xffffffff, p))\r\n"
        "__global__ void k(int* o) { o[threadIdx.x] = COUNT(o[threadIdx.x] > 0); }\r\n"
    )
    certain = [lint for lint in lints(text) if lint.certain]
    assert {lint.check for lint in certain} == {"narrow-ballot"}
    assert certain[0].diagnostic.location is not None
    assert certain[0].diagnostic.location.range.start.line == 1


def test_text_that_is_no_cpp_gives_nothing_and_does_not_fail() -> None:
    for text in (
        "",
        "__shfl_sync(((",
        "__global__ void f( { __ballot(",
        "warpSize [ ] } {",
        "<<<",
    ):
        assert [lint for lint in lints(text) if lint.certain] == []


def test_a_named_warp_size_that_hip_sets_to_64_is_silent() -> None:
    by_platform = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    body = "__global__ void k(float* x) { x[0] += __shfl_xor(x[0], WARP_SIZE / 2); }\n"
    assert not lints(by_platform + body)
    fixed = lints("#define WARP_SIZE 32\n" + body)
    assert [lint.check for lint in fixed] == ["warp-size-constant"]
