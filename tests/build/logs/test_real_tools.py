"""What the installed tools print today is understood: own sources with known mistakes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from needs import need_cmake, need_gxx, need_hipcc, need_ninja, need_nvcc

from fastpt_lab.build.locate import first_error, locate
from fastpt_lab.build.logs import parse
from fastpt_lab.core.diagnostic import Diagnostic
from fastpt_lab.core.text import Document


def said_by(argv: list[str], folder: Path, **environment: str) -> tuple[Diagnostic, ...]:
    result = subprocess.run(
        argv,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return locate(
        parse(result.stdout),
        origin=lambda _: None,
        document=lambda path: Document(path.read_text("utf-8")) if path.is_file() else None,
        root=folder,
        cwd=folder,
    )


def shown(found: Diagnostic | None, folder: Path) -> tuple[str, str, str]:
    assert found is not None
    assert found.location is not None
    path = found.location.path
    text = Document(path.read_text("utf-8")).slice(found.location.range)
    line = found.location.range.start.line + 1
    return f"{path.relative_to(folder)}:{line}", text, found.code


@need_gxx
def test_gxx_in_a_template_of_the_standard_library(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text(
        "#include <algorithm>\n#include <vector>\nstruct P {};\n\n"
        "void f(std::vector<P>& v) { std::sort(v.begin(), v.end()); }\n",
        "utf-8",
    )
    found = said_by(["g++", "-c", "a.cpp"], tmp_path)
    place, _, code = shown(first_error(found), tmp_path)
    assert (place, code) == ("a.cpp:5", "no-matching-function")
    assert {one.caused_by for one in found if one.is_error} == {None, "d1"}


@need_gxx
def test_gxx_columns_after_chinese_and_tab(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("void f() {\n\t/* 中文 */ nope();\n}\n", "utf-8")
    for colour in ("never", "always"):
        found = said_by(["g++", f"-fdiagnostics-color={colour}", "-c", "a.cpp"], tmp_path)
        assert shown(first_error(found), tmp_path) == (
            "a.cpp:2",
            "nope",
            "undeclared-identifier",
        )


@need_gxx
def test_linker_names_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("void nope();\nint main() { nope(); }\n", "utf-8")
    found = said_by(["g++", "-g", "a.cpp", "-o", "a"], tmp_path)
    first = first_error(found)
    assert first is not None
    assert (first.source, first.code, first.message) == (
        "ld",
        "undefined-reference",
        "undefined reference to `nope()'",
    )
    assert found[1].caused_by == "d1"
    missing = first_error(said_by(["g++", "a.cpp", "-lnothere_at_all"], tmp_path))
    assert missing is not None
    assert missing.code == "missing-library"


@need_gxx
@need_ninja
def test_ninja_with_two_failing_units(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a = nope_a;\n", "utf-8")
    (tmp_path / "b.cpp").write_text("int b = nope_b;\n", "utf-8")
    (tmp_path / "build.ninja").write_text(
        "rule cc\n  command = g++ -c $in -o $out\nbuild a.o: cc a.cpp\nbuild b.o: cc b.cpp\n",
        "utf-8",
    )
    found = said_by(["ninja", "-j2", "-k0"], tmp_path)
    roots = [one for one in found if one.is_error and one.caused_by is None]
    assert sorted(shown(one, tmp_path)[1] for one in roots) == ["nope_a", "nope_b"]
    assert sum(one.message.startswith("FAILED") for one in found) == 2


@need_cmake
def test_cmake_call_in_a_module_is_shown_where_the_project_calls(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.18)\nproject(x NONE)\nfind_package(CUDA REQUIRED NAMES nope)\n"
        "include(FindPackageHandleStandardArgs)\nfind_package_handle_standard_args(Nope DEFAULT_MSG NOPE_DIR)\n",
        "utf-8",
    )
    text = (
        (tmp_path / "CMakeLists.txt")
        .read_text("utf-8")
        .replace("find_package(CUDA REQUIRED NAMES nope)\n", "set(Nope_FIND_REQUIRED ON)\n")
    )
    (tmp_path / "CMakeLists.txt").write_text(text, "utf-8")
    found = first_error(said_by(["cmake", "-S", ".", "-B", "b"], tmp_path))
    place, _, code = shown(found, tmp_path)
    assert (place, code) == ("CMakeLists.txt:5", "build-config")


HIP_SOURCE = """#include <hip/hip_runtime.h>
template <class T> __device__ T twice(T v) { return v + 中文(v); }
__global__ void k(float* x) { x[0] = twice(x[1]); }
"""


@need_hipcc
def test_hipcc_for_two_architectures(tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_text(HIP_SOURCE, "utf-8")
    argv = ["hipcc", "-fsyntax-only", "--offload-arch=gfx906", "--offload-arch=gfx908", "k.hip"]
    for colour in ("-fno-color-diagnostics", "-fcolor-diagnostics"):
        found = said_by([*argv, colour], tmp_path, HIP_PLATFORM="amd")
        first = first_error(found)
        assert shown(first, tmp_path) == ("k.hip:2", "中文", "undeclared-identifier")
        assert sum(one.is_error for one in found) == 1


@need_hipcc
def test_hipcc_with_too_much_shared_memory(tmp_path: Path) -> None:
    (tmp_path / "k.hip").write_text(
        "#include <hip/hip_runtime.h>\n"
        "__global__ void k(int* x) { __shared__ int s[20000]; s[threadIdx.x] = x[0];\n"
        "  __syncthreads(); x[1] = s[3 + threadIdx.x]; }\n",
        "utf-8",
    )
    argv = ["hipcc", "-c", "--offload-arch=gfx906", "k.hip", "-o", "k.o"]
    first = first_error(said_by(argv, tmp_path, HIP_PLATFORM="amd"))
    assert first is not None
    assert first.code == "resource-limit"


@need_nvcc
def test_nvcc_points_with_a_caret_only(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(
        "__global__ void k(float* x) {\n\tx[0] = __shfl_xor_syn(1, x[0], 1);\n}\n", "utf-8"
    )
    found = said_by(["nvcc", "-c", "k.cu", "-o", "k.o"], tmp_path)
    assert shown(first_error(found), tmp_path) == (
        "k.cu:2",
        "__shfl_xor_syn",
        "undeclared-identifier",
    )
