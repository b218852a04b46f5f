"""With FASTPT_LANG=zh a survey speaks Chinese wherever it has something to say."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fastpt_lab.core.survey import StackFacts
from fastpt_lab.host.project import Project
from fastpt_lab.show.language import chinese
from fastpt_lab.show.survey import survey_html, survey_text
from fastpt_lab.show.survey_json import survey_json
from fastpt_lab.survey.survey import survey
from fastpt_lab.survey.tables import load_tables
from fastpt_lab.survey.versions import version_checks

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.check import Check
    from fastpt_lab.core.survey import Survey

ROOT = Path(__file__).parents[2]
HAN = re.compile(r"[一-鿿]")
ENGLISH = re.compile(r"\b(?:the|is|are|was|has|under|with|that|of|in|by|for|no|not|and)\b")
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'|<[^>]*>|\S*[._/]\S*|--[a-z-]+")
CMAKE = """\
project(demo LANGUAGES CXX CUDA)
set(CMAKE_CXX_STANDARD 14)
target_link_libraries(demo PRIVATE CUDA::cudart_static)
"""
HOST = """\
#include <torch/extension.h>
#include <cublas_v2.h>
#if CUDA_VERSION >= 11000
#include <cutlass/gemm.h>
#elif defined(__HIPCC__)
#endif
#ifdef __HIP_PLATFORM_HCC__
#elif defined(__CUDA_ARCH__)
#endif
torch::Tensor twice(torch::Tensor x) { return x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("twice", &twice); }
"""
PYTHON = """\
import torch

where = torch.zeros(1).cuda()
if torch.version.cuda is None or torch.cuda.get_device_capability() < (8, 0):
    where = None
if "A100" in torch.cuda.get_device_name():
    where = None
"""


@pytest.fixture
def found(tmp_path: Path) -> Survey:
    """Return a survey with findings of every kind."""
    shutil.copytree(ROOT / "notebooks" / "examples" / "fused_norm", tmp_path / "norm")
    for name in ("wave_wrong.cu", "wave_harmless.cu"):
        shutil.copy(ROOT / "tests" / "survey" / name, tmp_path)
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "host.cpp").write_text(HOST)
    (tmp_path / "use.py").write_text(PYTHON)
    (tmp_path / "requirements.txt").write_text("cupy-cuda12x\nflash-attn\n")
    (tmp_path / "bad.cu").write_bytes(b"\x00\x01")
    return survey(Project(tmp_path.resolve()))


def of_checks(checks: tuple[Check, ...]) -> Iterator[str]:
    for check in checks:
        yield from (check.observed, check.expected, check.why, check.next_step)


def messages(found: Survey) -> set[str]:
    route = found.route
    said = {route.title, route.why, *route.todo, *route.change}
    for step in route.steps:
        said |= {step.question, step.answer, step.reason}
    for option in route.options:
        said |= {option.title, option.invasiveness, option.effort, option.deployment}
        said |= {option.cmake, *option.pros, *option.cons, *option.unknowns}
    for feature in found.features:
        said |= {feature.title, feature.reason, feature.remedy}
    for condition in found.conditions:
        said |= {condition.warning, *(value for _, value in condition.values)}
    for lint in found.lints:
        said |= {lint.diagnostic.message, *lint.evidence, lint.suggestion}
    said |= {*of_checks(found.versions), *(why for _, why in found.refused)}
    return said


def left_english(text: str) -> bool:
    return bool(ENGLISH.search(CODE.sub(" ", text)))


def test_a_survey_leaves_no_sentence_in_english(
    found: Survey, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FASTPT_LANG", "zh")
    said = messages(found)
    sentences = {text for text in said if left_english(text)}
    assert len(sentences) > 80
    assert sorted(text for text in sentences if left_english(chinese(text))) == []
    views = (survey_text(found, verbose=True), survey_html(found))
    for view in views:
        assert [line for line in sentences if " " in line and line in view] == []
        assert len(HAN.findall(view)) > 2000
    lines = re.sub(r"\[[a-z-]+\]$", "", views[0], flags=re.MULTILINE).splitlines()
    assert [line for line in lines if left_english(line)] == []


def test_json_stays_english(found: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTPT_LANG", "zh")
    assert not HAN.search(json.dumps(survey_json(found), ensure_ascii=False))


@pytest.mark.parametrize(
    "facts",
    [
        StackFacts(),
        StackFacts(dtk="25.04.2", torch="2.5.1+das.opt1.dtk25042", torch_hip="6.3"),
        StackFacts(dtk="25.04.2", torch="2.4.1+das.opt1.dtk2404", glibc="2.12"),
        StackFacts(dtk="19.01", torch="2.5.1", python="3.10", glibc="2.31", fastpt="1.0"),
    ],
)
def test_versions(facts: StackFacts, tmp_path: Path) -> None:
    said = set(of_checks(version_checks(facts, load_tables(tmp_path))))
    assert sorted(text for text in said if left_english(chinese(text))) == []


def test_reasons_of_features_are_joined_in_chinese() -> None:
    assert chinese(
        "static CUDA runtime: the compatibility layer has the shared runtime only; "
        "inline PTX: PTX instructions mean nothing to an AMD back end; an empty or "
        "barrier-only asm aside; NCCL: RCCL keeps the names of NCCL"
    ) == (
        "静态 CUDA 运行时：兼容层只有共享的运行时；内联 PTX：PTX 指令对 AMD 后端没有意义；"
        "空的或只起屏障作用的 asm 除外；NCCL：RCCL 沿用 NCCL 的名字"
    )


def test_a_list_of_names_in_code_is_not_translated() -> None:
    said = chinese("f is called from Python as f and does not check the shape of error, more")
    assert "error, more" in said
    assert "形状" in said
