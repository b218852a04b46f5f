from __future__ import annotations

from pathlib import Path

import pytest
from needs import need_hipcc

from fastpt_lab.build.stack import ProbedStack
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.core.stack import Stack

V1 = """
#pragma once
typedef enum { HIPBLAS_R_16F = 150, HIPBLAS_R_32F = 151 } hipblasDatatype_t;
int hipblasGemmEx(int n, const void* A, hipblasDatatype_t aType);
"""
V2 = """
#pragma once
#include <hip/library_types.h>
#ifdef HIPBLAS_V2
int hipblasGemmEx(int n, const void* A, hipDataType aType);
#else
int hipblasGemmEx(int n, const void* A, int aType);
#endif
"""


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> ProbedStack:
    folder = tmp_path_factory.mktemp("v1")
    (folder / "hipblas").mkdir()
    (folder / "hipblas" / "hipblas.h").write_text(V1, "utf-8")
    return ProbedStack(find_toolchain(), ("-std=c++17", "-I."), cwd=folder)


@need_hipcc
def test_is_a_stack(stack: ProbedStack) -> None:
    rules_view: Stack = stack
    assert rules_view.hip_version is not None
    assert rules_view.flags == ("-std=c++17", "-I.")
    assert rules_view.architectures[0].startswith("gfx")


@need_hipcc
def test_names_of_every_kind_by_one_question(stack: ProbedStack) -> None:
    answers = stack.has_all(
        [
            "__shfl_xor",
            "float4",
            "HIP_VERSION",
            "HIPBLAS_R_16F",
            "hipError_t",
            "__builtin_amdgcn_wave_barrier",
            "cooperative_groups::thread_block",
            "fastpt_no_such_name",
            "cooperative_groups::no_such_name",
            "hipGetDevice",
            "not a name",
        ]
    )
    assert answers == {
        "__shfl_xor": True,
        "float4": True,
        "HIP_VERSION": True,
        "HIPBLAS_R_16F": True,
        "hipError_t": True,
        "__builtin_amdgcn_wave_barrier": True,
        "cooperative_groups::thread_block": True,
        "fastpt_no_such_name": False,
        "cooperative_groups::no_such_name": False,
        # A function of the host: device code that calls it does not compile.
        "hipGetDevice": False,
        "not a name": None,
    }


@need_hipcc
def test_headers(stack: ProbedStack) -> None:
    assert stack.has_header("hip/hip_runtime.h") is True
    assert stack.has_header("hipblas/hipblas.h") is True
    assert stack.has_header("no/such/header.h") is False


@need_hipcc
def test_mentions_are_not_definitions(stack: ProbedStack) -> None:
    assert stack.declares("hipFuncSetAttribute") is True
    assert stack.declares("fastpt_no_such_name") is False
    assert stack.declares("not a name") is None


@need_hipcc
def test_declarations_that_these_folders_select(stack: ProbedStack) -> None:
    assert stack.parameters("hipblasGemmEx") == (("int", "const void *", "hipblasDatatype_t"),)
    assert stack.enumerators("hipblasDatatype_t") == ("HIPBLAS_R_16F", "HIPBLAS_R_32F")
    assert "hipMemcpyHostToDevice" in stack.enumerators("hipMemcpyKind")


@need_hipcc
def test_declarations_that_these_flags_select(tmp_path: Path) -> None:
    (tmp_path / "hipblas").mkdir()
    (tmp_path / "hipblas" / "hipblas.h").write_text(V2, "utf-8")
    toolchain = find_toolchain()
    for flags, wanted in ((("-DHIPBLAS_V2",), "hipDataType"), ((), "int")):
        found = ProbedStack(toolchain, ("-I", str(tmp_path), *flags), cwd=tmp_path)
        assert found.parameters("hipblasGemmEx") == (("int", "const void *", wanted),)


@need_hipcc
def test_whole_units(stack: ProbedStack) -> None:
    good = "#include <hip/hip_runtime.h>\n__global__ void k() {}\n"
    assert stack.compiles(good) is True
    assert stack.compiles(good + "int x = y;\n") is False


@need_hipcc
def test_unknown_flag_leaves_questions_open(tmp_path: Path) -> None:
    broken = ProbedStack(find_toolchain(), ("--fastpt-no-such-flag",), cwd=tmp_path)
    assert broken.compiles("int x;\n") is False
    assert broken.has("__shfl_xor") is None
    assert broken.has_header("hip/hip_runtime.h") is None
    assert broken.parameters("hipMalloc") == ()


@need_hipcc
def test_header_installed_later_is_seen(tmp_path: Path) -> None:
    toolchain = find_toolchain()
    before = ProbedStack(toolchain, ("-I", str(tmp_path)), cwd=tmp_path)
    assert before.has_header("fastpt_late.h") is False
    (tmp_path / "fastpt_late.h").write_text("", "utf-8")
    after = ProbedStack(toolchain, ("-I", str(tmp_path)), cwd=tmp_path)
    assert after.has_header("fastpt_late.h") is True
