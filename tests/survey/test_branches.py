"""Which branch is taken: against the real hipcc, and by what is certain without one."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from needs import need_hipcc
from survey_reading import unit_of

from fastpt_lab.core.survey import Condition, StackFacts
from fastpt_lab.host.process import run
from fastpt_lab.survey.branches import conditions, passes_of
from fastpt_lab.survey.facts import hip_macros

TEXT = """\
#include <cuda_runtime.h>
#if CUDA_VERSION >= 9000 && !defined(__HIP_PLATFORM_HCC__)
#define MARK A
#elif defined(__HIPCC__)
#define MARK B
#else
#define MARK C
#endif
#ifdef __CUDA_ARCH__
D
#else
E
#endif
#if defined(USE_ROCM) && HIP_VERSION_MAJOR >= 5
F
#  if __HIP_DEVICE_COMPILE__
G
#  else
H
#  endif
#else
I
#endif
#ifndef MY_OWN_SWITCH
J
#endif
#if MY_OWN_SWITCH || defined(__NVCC__)
K
#endif
"""


def found(text: str, name: str = "a.cu", facts: StackFacts | None = None) -> list[Condition]:
    unit = unit_of(text, name, facts)
    passes = passes_of(facts or StackFacts())
    host_only = name.endswith(".cpp")
    return list(conditions(unit.path, unit.document, unit.live, passes, host_only=host_only))


def sides(each: Condition) -> tuple[bool | None, bool | None]:
    return each.host, each.device


def test_what_is_certain_without_a_probe() -> None:
    by_line = {c.location.range.start.line: sides(c) for c in found(TEXT)}
    assert by_line[1] == (False, False)
    assert by_line[3] == (True, True)
    assert by_line[5] == (False, False)
    assert by_line[8] == (False, False)
    assert by_line[10] == (True, True)
    assert by_line[13] == (None, None), "the version of HIP was not asked"
    assert 23 not in by_line, "a switch of the project is no platform"
    assert by_line[26] == (None, None)


def test_arms_of_a_branch_not_taken_are_not_taken() -> None:
    inner = "#if defined(__CUDACC__)\n#if CUDA_VERSION > 1\n#else\n#endif\n#endif\n"
    assert [sides(c) for c in found(inner)] == [(False, False)] * 3


def test_a_host_file_has_one_pass_and_no_hipcc() -> None:
    (only,) = found("#if defined(__HIPCC__)\n#endif\n", "bind.cpp")
    assert sides(only) == (False, None)
    assert "USE_ROCM" in only.warning


def test_what_the_file_defines_itself_is_not_decided_by_the_table() -> None:
    text = "#define USE_ROCM 0\n#if USE_ROCM\n#endif\n"
    (only,) = found(text)
    assert sides(only) == (None, None)


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("#if defined(__HIP_PLATFORM_HCC__)", "ROCm 6 removed it"),
        ("#if CUDART_VERSION >= 11000", "counts as 0"),
        ("#if __CUDA_ARCH__ >= 700", "not defined in HIP's device pass"),
        ("#if defined(USE_ROCM) || CUDA_VERSION >= 11000", ""),
        ("#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)", ""),
    ],
)
def test_warning(condition: str, words: str) -> None:
    (only,) = found(f"{condition}\n#endif\n")
    assert (words in only.warning) if words else only.warning == ""


def test_else_carries_the_negated_condition_and_no_warning() -> None:
    arms = found("#if CUDA_VERSION >= 1\n#else\n#endif\n")
    assert [a.text for a in arms] == ["CUDA_VERSION >= 1", "!(CUDA_VERSION >= 1)"]
    assert [bool(a.warning) for a in arms] == [True, False]
    assert [sides(a) for a in arms] == [(False, False), (True, True)]


@need_hipcc
def test_the_compiler_agrees_in_both_passes(tmp_path: Path) -> None:
    compiler = Path(str(shutil.which("hipcc")))
    env = {"PATH": "/usr/bin:/bin", "HIP_PLATFORM": "amd"}
    facts = StackFacts(
        host_macros=hip_macros(compiler, "--cuda-host-only", env),
        device_macros=hip_macros(compiler, "--cuda-device-only", env),
    )
    assert facts.host_macros
    assert facts.device_macros
    source = tmp_path / "a.hip"
    body = TEXT.replace("cuda_runtime.h", "hip/hip_runtime.h")
    source.write_text(re.sub(r"#define MARK (\w)", r"\1", body))
    for which, index in (("--cuda-host-only", 0), ("--cuda-device-only", 1)):
        done = run(
            [str(compiler), "-E", "-P", which, "--offload-arch=gfx906", "-DUSE_ROCM=1",
             "-D__HIP_PLATFORM_AMD__=1", str(source)],
            env=env,
        )  # fmt: skip
        assert done.ok, done.output
        compiled = set(re.findall(r"(?m)^([A-K])$", done.output))
        for each in found(TEXT, facts=facts):
            line = each.location.range.start.line
            mark = TEXT.splitlines()[line + 1].removeprefix("#define MARK ")
            state = sides(each)[index]
            if len(mark) == 1 and state is not None:
                assert (mark in compiled) is state, (which, each)
    decided = [sides(each) for each in found(TEXT, facts=facts)]
    assert decided.count((None, None)) == 1, "only the project's own switch stays open"
