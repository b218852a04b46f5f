from __future__ import annotations

import ast
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from needs import need_cmake

from fastpt_lab.core.action import ActionKind, Applicability
from fastpt_lab.core.text import Document
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.buildfiles import advise
from fastpt_lab.transcode.cmake_lists import advise_on_cmake
from fastpt_lab.transcode.flags import advice_on, newer_standard
from fastpt_lab.transcode.setup_script import advise_on_setup

SETUP = """import torch
from setuptools import setup
# 中文：--use_fast_math
flags = ["-O3", "--use_fast_math", "-gencode", "arch=compute_80,code=sm_80", "-DX"]
flags.append("--expt-relaxed-constexpr")
flags += ["--ptxas-options=-v", "-Xptxas", "-O3", "-std=c++14"]
libraries = dict(libraries=["cudart_static", "m"])
"""


def applied(text: str) -> str:
    document = Document(text)
    edits = [edit for found in advise_on_setup(document) for edit in found.edits]
    return document.apply(edits).text


def outcome(text: str, hip: str | None) -> dict[str, object]:
    scope: dict[str, object] = {"torch": SimpleNamespace(version=SimpleNamespace(hip=hip))}
    body = "\n".join(line for line in text.splitlines() if "import" not in line)
    exec(compile(body, "setup.py", "exec"), scope)  # noqa: S102 - the script under test
    return {name: scope[name] for name in ("flags", "libraries")}


def test_cuda_gets_the_same_flags_and_hip_its_own() -> None:
    text = applied(SETUP)
    assert outcome(text, None) == outcome(SETUP, None)
    assert outcome(text, "5.2") == {
        "flags": ["-O3", "-ffast-math", "-DX", "-std=c++17"],
        "libraries": {"libraries": ["amdhip64", "m"]},
    }
    assert "# 中文：--use_fast_math" in text


def test_a_second_look_finds_nothing_more() -> None:
    assert advise_on_setup(Document(applied(SETUP))) == ()


def test_a_script_that_decides_itself_is_left_alone() -> None:
    text = 'if torch.version.hip:\n    f = []\nelse:\n    f = ["--use_fast_math"]\n'
    assert advise_on_setup(Document(text)) == ()


def test_torch_is_imported_in_place_where_the_script_does_not() -> None:
    text = applied('f = ["-lineinfo"]\n')
    assert '__import__("torch").version.hip' in text
    ast.parse(text)


@pytest.mark.parametrize("text", ["def broken(:\n", "", "\0"])
def test_what_is_not_python_is_left_alone(text: str) -> None:
    assert advise_on_setup(Document(text)) == ()


@pytest.mark.parametrize(
    "flag", ["-O3", "-DUSE_CUDA", "-std=c++17", "-fPIC", "-Wall", "-g", "-I/x"]
)
def test_flags_that_both_take(flag: str) -> None:
    assert advice_on(flag) is None
    assert newer_standard(flag) is None


@pytest.mark.parametrize(
    "flag",
    [
        "-gencode=arch=compute_80,code=sm_80", "--generate-code=arch=compute_70,code=sm_70",
        "-arch=sm_75", "--threads=4", "-t4", "-Xcudafe=--display", "--maxrregcount=64",
        "--default-stream=per-thread", "-lcudart_static", "-lineinfo",
    ],
)  # fmt: skip
def test_flags_of_nvcc_alone(flag: str) -> None:
    assert advice_on(flag) is not None


CMAKE = """cmake_minimum_required(VERSION 3.21)
project(demo LANGUAGES CXX CUDA) # CUDA
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_ARCHITECTURES 80)
set(CMAKE_CXX_STANDARD 14)
add_library(demo STATIC a.cu b.cpp)
target_link_libraries(demo PRIVATE CUDA::cudart)
"""


def test_cmake_gets_a_switch() -> None:
    document = Document(CMAKE)
    found = advise_on_cmake(document)
    text = document.apply([edit for f in found for edit in f.edits]).text
    assert "project(demo LANGUAGES CXX)\nif(USE_ROCM)\n  enable_language(HIP)" in text
    assert (
        "if(USE_ROCM)\n  find_package(hip REQUIRED)\nelse()\n  find_package(CUDAToolkit" in text
    )
    assert "$<IF:$<BOOL:${USE_ROCM}>,hip::host,CUDA::cudart>" in text
    assert "set_source_files_properties(a.cu PROPERTIES LANGUAGE HIP)" in text
    assert "set(CMAKE_CXX_STANDARD 17)" in text
    assert {f.rule for f in found if not f.edits} == {"cmake-variable"}
    assert [f for f in advise_on_cmake(Document(text)) if f.edits] == []


@need_cmake
def test_cmake_itself_reads_the_result(tmp_path: Path) -> None:
    document = Document(CMAKE)
    edits = [edit for f in advise_on_cmake(document) for edit in f.edits]
    text = document.apply(edits).text.replace("enable_language", "message(STATUS chosen) #")
    text = text.replace("find_package", "message(STATUS package) #").replace("a.cu", "b.cpp")
    (tmp_path / "CMakeLists.txt").write_text(text.replace("LANGUAGE HIP", "LANGUAGE CXX"))
    (tmp_path / "b.cpp").write_text("int f() { return 1; }\n")
    cmake = shutil.which("cmake")
    assert cmake is not None
    done = subprocess.run(
        [cmake, "-S", str(tmp_path), "-B", str(tmp_path / "b"), "-DUSE_ROCM=ON"],
        capture_output=True,
        text=True,
        check=False,
    )
    # hip::host is not found here, which only the generation step says.
    assert "chosen" in done.stdout
    assert "Parse error" not in done.stderr


def test_a_project_gives_actions_that_say_where(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text(SETUP)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "CMakeLists.txt").write_text(CMAKE)
    actions = advise(Project(tmp_path))
    assert {a.kind for a in actions} == {ActionKind.EDIT, ActionKind.ADVICE}
    assert all(a.applicability is not Applicability.SAFE for a in actions)
    assert all(a.edit is None or a.edit.documents[0].digest for a in actions)
    assert any(a.advice and a.advice.startswith("setup.py:4: ") for a in actions)
