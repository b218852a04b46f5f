"""Build files, `__CUDA_ARCH__` guards and launches: what is read, and what is left alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from survey_reading import unit_of

from fastpt_lab.core.text import Document
from fastpt_lab.survey.arch_guard import hidden_from_host
from fastpt_lab.survey.launches import launches
from fastpt_lab.survey.libraries import build_facts, required
from fastpt_lab.survey.unit import constants, functions


def facts(name: str, text: str) -> set[tuple[str, str]]:
    return {(f.name, f.value) for f in build_facts(Path("/p") / name, Document(text))}


def test_setup_py_by_its_syntax() -> None:
    text = (
        "# libraries=['commented']\n"
        "ext = CUDAExtension(name='op._C', sources=['a.cu'], libraries=['cublas'],\n"
        "    extra_compile_args={'nvcc': ['--std=c++14', '-gencode=arch=compute_80,code=sm_80',\n"
        "                                 '--expt-relaxed-constexpr', '-DUSE_X=1']},\n"
        "    extra_link_args=['-lcudart_static'])\n"
        "setup(name='op', install_requires=['torch>=2.1', 'nvidia-cudnn-cu12 ; x'])\n"
    )
    found = facts("setup.py", text)
    assert {
        ("system", "setup.py, CUDAExtension"),
        ("name", "op._C"),
        ("name", "op"),
        ("link", "cublas"),
        ("link", "cudart_static"),
        ("standard", "c++14"),
        ("flag", "--expt-relaxed-constexpr"),
        ("flag", "-gencode=arch=compute_80,code=sm_80"),
        ("flag", "-DUSE_X=1"),
        ("package", "torch"),
        ("package", "nvidia-cudnn-cu12"),
    } <= found
    assert ("link", "commented") not in found


def test_places_of_a_setup_py_are_those_of_the_words() -> None:
    text = "x = '中文'; f(libraries=['cublas'])\n"
    (link,) = build_facts(Path("/p/setup.py"), Document(text))
    assert link.location is not None
    assert Document(text).slice(link.location.range) == "'cublas'"


def test_cmake_comments_say_nothing() -> None:
    text = (
        "#[[ enable_language(CUDA) ]]\n# set(CMAKE_CUDA_STANDARD 11)\n"
        "set(CMAKE_CUDA_STANDARD 17)\nset(CMAKE_CUDA_RUNTIME_LIBRARY Static)\n"
        "target_compile_options(a PRIVATE -std=c++20 --use_fast_math)\n"
    )
    assert facts("CMakeLists.txt", text) == {
        ("standard", "c++17"),
        ("standard", "c++20"),
        ("flag", "--use_fast_math"),
        ("link", "cudart_static"),
    }


def test_declared_requirements() -> None:
    project = (
        '[build-system]\nrequires = ["torch", "setuptools"]\n[project]\nname = "op"\n'
        'dependencies = ["cupy-cuda12x>=13"]\n[project.optional-dependencies]\nx = ["xformers"]\n'
    )
    assert facts("pyproject.toml", project) == {
        ("name", "op"), ("package", "torch"), ("package", "setuptools"),
        ("package", "cupy-cuda12x"), ("package", "xformers"),
    }  # fmt: skip
    config = "[metadata]\nname = op\n[options]\ninstall_requires =\n  flash-attn\n  torch>=2\n"
    assert ("package", "flash-attn") in facts("setup.cfg", config)
    assert facts("requirements-dev.txt", "# x\n-r base.txt\ntorch==2.5.1\n") == {
        ("package", "torch")
    }
    assert required(("cupy-cuda*",), "CuPy-cuda12x")
    assert not required(("cupy-cuda*",), "cupy")


@pytest.mark.parametrize("name", ["setup.py", "pyproject.toml", "setup.cfg", "CMakeLists.txt"])
def test_a_broken_build_file_gives_nothing(name: str) -> None:
    assert facts(name, "][ = ((\n") == set()


HIDING = {
    "qualifier macro": "#ifdef __CUDA_ARCH__\n#define HD __device__\n#else\n#define HD\n#endif\n",
    "kernel": "#if __CUDA_ARCH__ >= 700\n__global__ void k() { }\n#endif\n",
    "host function in a namespace": (
        "namespace a {\n#if defined(__CUDA_ARCH__)\n__host__ __device__ int f() { return 1; }\n"
        "#endif\n}\n"
    ),
    "plain function in the else": (
        "#ifdef __CUDA_ARCH__\n__device__ int f() { return 1; }\n#else\nint f() { return 2; }\n#endif\n"
    ),
}


@pytest.mark.parametrize("text", HIDING.values(), ids=HIDING.keys())
def test_what_the_host_needs_is_seen(text: str) -> None:
    (found,) = hidden_from_host(text)
    assert "__CUDA_ARCH__" in text[found[0] : found[1]]


SHOWING = {
    "inside a function": (
        "__device__ int f() {\n#if __CUDA_ARCH__ >= 700\n  { return 1; }\n#else\n  return 2;\n"
        "#endif\n}\n"
    ),
    "device function alone": (
        "#if __CUDA_ARCH__ < 600\n__device__ double atomicAdd(double* a, double b) { return b; }\n"
        "#endif\n"
    ),
    "a constant": "#if __CUDA_ARCH__ >= 800\n#define STAGES 4\n#else\n#define STAGES 2\n#endif\n",
    "in a comment": "// #ifdef __CUDA_ARCH__\nvoid f() { }\n// #endif\n",
    "another condition": "#ifdef __CUDACC__\n#define HD __device__\n#endif\n",
}


@pytest.mark.parametrize("text", SHOWING.values(), ids=SHOWING.keys())
def test_what_hides_nothing_is_left_alone(text: str) -> None:
    assert list(hidden_from_host(text)) == []


def test_the_block_of_a_launch() -> None:
    text = (
        "constexpr int kThreads = 128;\n"
        "void run() {\n  dim3 block(32, 8);\n  a<<<g, kThreads>>>(x);\n"
        "  ns::b<float, 4><<<dim3(1, 2), block, 0, s>>>(x);\n  c<<<1, dim3(64)>>>();\n"
        "  d<<<1, n>>>();\n  e<<<1, 4 * 32>>>();\n}\n"
    )
    unit = unit_of(text)
    found = {name: items[0].block for name, items in launches(unit, constants(unit)).items()}
    assert found == {
        "a": (128, 1, 1), "b": (32, 8, 1), "c": (64, 1, 1), "d": None, "e": (128, 1, 1),
    }  # fmt: skip


def test_functions_are_told_from_other_braces() -> None:
    text = (
        "namespace a { struct S { int f() const { return 1; } int x = 3; };\n"
        "template <int N> __global__ void __launch_bounds__(256) k(int* p) { if (p) { } }\n"
        "int table[] = {1, 2}; auto g = [](int a) { return a; };\n"
        'extern "C" __device__ float h(float v) { return v; } }\n'
    )
    found = [(f.name, sorted(f.qualifiers)) for f in functions(unit_of(text))]
    assert found == [("f", []), ("k", ["__global__"]), ("h", ["__device__"])]


def test_constants_are_those_that_hip_compiles() -> None:
    text = (
        "#ifdef USE_ROCM\n#define WARP 64\n#else\n#define WARP 32\n#endif\n"
        "#define HALF (WARP / 2)\nstatic constexpr int kBits{5};\nenum { Lanes = 1 << kBits, B };\n"
        "#define NOT_ONE foo(3)\n"
    )
    assert constants(unit_of(text)) == {"WARP": 64, "HALF": 32, "kBits": 5, "Lanes": 32}
