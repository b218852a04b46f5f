"""With FASTPT_LANG=zh what commands print is Chinese: help, transcode, build files, journal."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab.cli import main
from fastpt_lab.commands.grammar import Grammar
from fastpt_lab.commands.helptext import wrapped
from fastpt_lab.core.modes import Mode, ModeCapture, advice_for, read_said
from fastpt_lab.core.parity import REASONS
from fastpt_lab.core.port import EventKind, PortEvent
from fastpt_lab.show.language import chinese, fact_said, known
from fastpt_lab.show.modes import mode_html, mode_text
from fastpt_lab.show.report import event_words, stack_said
from fastpt_lab.show.text import width
from fastpt_lab.show.tongue import in_english, language

EXAMPLE = Path(__file__).parents[2] / "notebooks" / "examples" / "fused_norm"
HAN = re.compile(r"[一-鿿]")
ENGLISH = re.compile(r"\b(?:the|is|are|was|has|under|with|that|of|in|by|for|no|not|and|to)\b")
CODE = re.compile(r"`[^`]*`|\"[^\"]*\"|'[^']*'|<[^>]*>|\S*[._/]\S*|[a-z]*(?:-[a-z]+)+:?")
CMAKE = """\
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CXX_STANDARD 14)
set(CMAKE_CUDA_ARCHITECTURES 80)
cuda_add_library(foo a.cu)
add_library(bar csrc/odd.cu)
target_link_libraries(bar PRIVATE CUDA::cudart_static)
"""
ODD = """\
#include "missing.h"
#include <cuda_runtime.h>
#if CUDA_VERSION >= 11000
void f() { cudaUnheardOf(1); }
#endif
#ifndef __HIPCC__
void g() { cudaFree(0); }
#endif
"""
SETUP = """\
from setuptools import setup
from torch.utils.cpp_extension import CUDA_HOME, BuildExtension, CUDAExtension
flags = []
if CUDA_HOME is not None:
    flags.append("-lineinfo")
nvcc = {"nvcc": ["--use_fast_math", "-arch=sm_80", "--ptxas-options=-v", "-std=c++14"]}
setup(ext_modules=[CUDAExtension("x", ["csrc/odd.cu"], extra_compile_args=nvcc)])
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a copy of the example that has something to say, and speak Chinese."""
    root = tmp_path / "norm"
    shutil.copytree(EXAMPLE, root)
    (root / "CMakeLists.txt").write_text(CMAKE)
    (root / "setup.py").write_text(SETUP)
    (root / "csrc" / "odd.cu").write_text(ODD)
    (root / "custom_hipify_mappings.json").write_text('{"custom_map": {"cudaOld": "hipOld"}}')
    monkeypatch.chdir(root)
    monkeypatch.setenv("FASTPT_LANG", "zh")
    monkeypatch.setenv("COLUMNS", "80")
    return root


def english(printed: str) -> list[str]:
    """Return the lines with English words that are neither code nor a line of a source."""
    shown = [line for line in printed.splitlines() if not re.match(r"\s+[-+]?\s+\d+  ", line)]
    return [line for line in shown if ENGLISH.search(CODE.sub(" ", line))]


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    main(words)
    return capsys.readouterr().out


@need_torch
def test_a_transcode_and_what_is_out_of_date(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed = run(capsys, "transcode", "-v")
    assert len(HAN.findall(printed)) > 200
    assert english(printed) == []
    for told in (
        "在搜索过的项目文件夹中没有 missing.h",
        "此分支只用于 CUDA",
        "没有匹配到任何内容",
    ):
        assert told in printed
    assert english(run(capsys, "transcode", "-v")) == []
    (project / "csrc" / "odd.cu").write_text(ODD + "// more\n")
    status = run(capsys, "status")
    assert "csrc/odd.cu -> csrc/odd.hip" in status
    assert english(status) == []
    document = json.loads(run(capsys, "transcode", "--json"))
    assert "matched nothing" in json.dumps(document)
    assert not HAN.search(json.dumps(document, ensure_ascii=False))


@need_torch
def test_what_build_files_need(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, "fix", "--build-files")
    assert printed.count("理由：") > 8
    assert english(printed) == []
    assert "-lineinfo：hipcc 没有此选项" in printed
    assert not HAN.search(run(capsys, "fix", "--build-files", "--json"))


@pytest.mark.usefixtures("project")
def test_the_journal_and_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "undo") == "没有可撤销的内容。\n"
    assert run(capsys, "redo") == "没有可重做的内容。\n"
    assert english(run(capsys, "status")) == []
    manual = run(capsys, "rules", "half2-member")
    assert "从不提出" in manual
    assert english(manual.partition("来源")[0]) == []
    assert english(run(capsys, "rules")) == []
    assert not HAN.search(run(capsys, "rules", "--json"))
    assert not HAN.search(run(capsys, "report", "--json"))


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("command", Grammar().commands)
def test_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    printed = run(capsys, command, "--help")
    assert printed.startswith("用法: ")
    assert english(printed) == []
    assert max(map(width, printed.splitlines())) <= 80
    assert HAN.search(in_english(Grammar().parser(command).format_help)) is None


@pytest.mark.usefixtures("project")
def test_words_that_mean_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (
        ("check", "--jobs", "many"),
        ("check", "--jbos", "2"),
        ("transcode", "--engine", "other"),
        ("check", "--timeout", "soon"),
        ("batch",),
        ("env", "-C", "-E"),
        ("transcode", "--out"),
        ("nothing",),
    ):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert HAN.search(said)
        assert english(said) == []


def test_lines_are_as_wide_as_the_terminal() -> None:
    text = "在设备上对照参考，逐级验证一个算子。" * 4 + "and --some-option too"
    lines = wrapped(text, 21)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert all(width(line) <= 21 for line in lines)
    assert not any(line[0] in "，。" for line in lines)
    assert wrapped("", 20) == []


@pytest.mark.usefixtures("project")
def test_modes() -> None:
    output = "libc10_cuda.so: cannot open shared object file\nUSE FASTPT CUDA is set\n"
    captured = ModeCapture(
        mode=Mode.BUILD,
        script=Path("/opt/fastpt"),
        returncode=0,
        output="",
        said=read_said(output),
        problems=(
            "nvcc is NVIDIA's (/usr/bin/nvcc), not that of DTK",
            "this FastPT 1.2 does not know -E: versions 1.x only transcode (-T)",
        ),
    )
    for view in (mode_text(captured), mode_html(captured)):
        assert "不是 DTK 的" in view
        assert "1.x 版本只能转码" in view
    assert [
        line for line in advice_for(output) if ENGLISH.search(CODE.sub("", chinese(line)))
    ] == []


def test_kinds_of_differences_and_facts(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(HAN.search(chinese(reason)) for reason in REASONS.values())
    monkeypatch.setenv("FASTPT_LANG", "zh")
    assert fact_said("/opt/hipcc (PATH)") == "/opt/hipcc (PATH)"
    assert fact_said("gfx906 (rocminfo lists this device)") == "gfx906 (rocminfo 列出了此设备)"
    assert known("the unit was not compiled") == "该单元没有编译"
    assert known("no member named 'x' in 'y'") == "no member named 'x' in 'y'"


def test_a_fix_in_the_story_and_facts_of_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTPT_LANG", "zh")
    title = "Add __device__ to inverse_norm, which calls rsqrtf"

    def words(text: str) -> str:
        return event_words(
            PortEvent(kind=EventKind.FIXED, text=text, time="2026-01-01T00:00:00Z", rule="r")
        )

    told = "给调用 rsqrtf 的 inverse_norm 加上 __device__"
    assert words(f"{title} (tried: compiles)") == f"{told} (已试：能编译) [r]"
    assert words(f"{title} (tried: makes it worse; next error no 'x' in y)").endswith(
        "；下一个错误 no 'x' in y) [r]"
    )
    assert words(title) == f"{told} [r]"
    assert words("nobody said (this)") == "nobody said (this) [r]"
    stack = (("arch", "gfx906 (rocminfo lists this device)"),)
    assert stack_said(stack) == [("arch", "gfx906 (rocminfo 列出了此设备)")]


def test_json_is_english_whatever_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTPT_LANG", "zh")
    assert in_english(language) == "en"
    assert language() == "zh"
    with pytest.raises(ZeroDivisionError):
        in_english(lambda: 1 // 0)
    assert language() == "zh"
