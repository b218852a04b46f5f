"""What nvcc or an older torch takes and HIP or the installed torch does not."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc

from fastpt_lab.core.parity import Difference
from fastpt_lab.transcode.compare import compare
from fastpt_lab.transcode.draft import Rules
from fastpt_lab.transcode.engine import transcode_text
from fastpt_lab.transcode.mapping import Tables, load_tables

if TYPE_CHECKING:
    from pathlib import Path

TABLES = Tables(
    words={}, qualified={}, headers={}, angle_headers={}, header_folders={},
    version="", source="test", scalar_dispatch=True,
)  # fmt: skip


def changed(text: str, *, scalar_dispatch: bool = True) -> str:
    rules = Rules(tables=replace(TABLES, scalar_dispatch=scalar_dispatch))
    return transcode_text(text, rules, suffix=".h").text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("void f(){ half2 r; r = {}; }", "void f(){ half2 r; r = half2{}; }"),
        (
            "void f(){ half2 a = z(b, c), r;\n if (x)\n  r = { };\n}",
            "void f(){ half2 a = z(b, c), r;\n if (x)\n  r = half2{ };\n}",
        ),
        ("void f(__half2& r){ r = {}; }", "void f(__half2& r){ r = __half2{}; }"),
        ("void f(__half2 r){ y = a * r; r = {}; }", "void f(__half2 r){ y = a * r; r = __half2{}; }"),
    ],
)  # fmt: skip
def test_braces_assigned_to_a_half2_get_its_type(text: str, expected: str) -> None:
    assert changed(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "half2 q; void f(float r){ r = {}; }",
        "void f(half2* r){ r = {}; }",
        "void f(half2 r){ s.r = {}; }",
        "void f(half2 r){ half2 k = {}; r = {a, b}; }",
        "void f(half2 r){ r = {}; } void g(std::vector<int> r){ r = {}; }",
        "void f(){ r = {}; half2 r; }",
        "// half2 r; r = {};\nconst char* s = \"half2 r; r = {};\";",
    ],
)  # fmt: skip
def test_other_braces_stay(text: str) -> None:
    assert changed(text) == text


@need_hipcc
def test_the_typed_braces_compile_where_the_bare_ones_do_not(tmp_path: Path) -> None:
    text = (
        "#include <hip/hip_runtime.h>\n#include <hip/hip_fp16.h>\n"
        "__global__ void k(__half2* o) { __half2 r; r = {}; o[0] = r; }\n"
    )
    results = []
    for name, source in (("bare", text), ("typed", changed(text))):
        path = tmp_path / f"{name}.hip"
        path.write_text(source)
        results.append(
            subprocess.run(
                ["hipcc", "--offload-arch=gfx906", "-fsyntax-only", str(path)],
                env={**os.environ, "HIP_PLATFORM": "amd"},
                capture_output=True,
                text=True,
                check=False,
            )
        )
    assert "ambiguous" in results[0].stderr
    assert results[1].returncode == 0, results[1].stderr


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("o[0] = __half2float(v.x);", "o[0] = __half2float(__low2half(v));"),
        ("v.y = h(v.y, p[threadIdx.x].x);",
         "reinterpret_cast<__half&>(v.y) = h(reinterpret_cast<__half&>(v.y),"
         + " reinterpret_cast<const __half&>(p[threadIdx.x].x));"),
        ("int2 v; o[v.x] = p->y;", "int2 v; o[v.x] = __high2half(*p);"),
        ("/* v.x */ s = \"v.x\";", "/* v.x */ s = \"v.x\";"),
        ("o[0] = own.v.x + blockIdx.x * w.x;", "o[0] = own.v.x + blockIdx.x * w.x;"),
    ],
)  # fmt: skip
def test_halves_of_a_half2_are_taken_as_halves(body: str, expected: str) -> None:
    text = f"__device__ void f(half2 v, const half2* p, float2 w) {{ {body} }}\n"
    assert changed(text) == text.replace(body, expected)


@pytest.mark.parametrize(
    "text",
    [
        "struct half2 { float x, y; };\nfloat f(half2 v) { return v.x; }\n",
        # Written for HIP, where the members are what this hands on.
        "half2 f(half2 v) { return _Float16_2{g(v.x), __builtin_amdgcn_rcph(v.y)}; }\n",
        "half2 v; half w = v.x",
    ],
)
def test_other_halves_stay(text: str) -> None:
    assert changed(text) == text


@pytest.mark.parametrize("statement", ["h(v.x);", "v = {};", "k << <1, 1>> >(v.y);"])
def test_branches_keep_what_their_compiler_takes(statement: str) -> None:
    text = (
        f"void f(half2 v) {{\n#ifdef USE_ROCM\n {statement}\n#else\n {statement}\n#endif\n}}\n"
    )
    assert changed(text).endswith(text)
    assert (
        changed(f"void f(half2 v) {{ {statement} }}\n")
        != f"void f(half2 v) {{ {statement} }}\n"
    )


@need_hipcc
def test_halves_have_their_value_under_hip(tmp_path: Path) -> None:
    """The host runs what is written: no device is needed to see the number."""
    text = """\
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
#include <cstdio>
void twice(__half& value) { value = __float2half(2.f * __half2float(value)); }
int main() {
  half2 v = __halves2half2(__float2half(1.5f), __float2half(0.25f));
  twice(v.y);
  v.x = __float2half(-__half2float(v.x));
  std::printf("%g %g", static_cast<double>(__half2float(v.x)), static_cast<double>(__half2float(v.y)));
}
"""
    made = changed(text)
    path = tmp_path / "halves.hip"
    path.write_text(made)
    env = {**os.environ, "HIP_PLATFORM": "amd"}
    argv = ["hipcc", "--offload-arch=gfx906", str(path), "-o", str(tmp_path / "halves")]
    built = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([tmp_path / "halves"], capture_output=True, text=True, check=False)
    assert ran.stdout == "-1.5 0.5"


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("(x.type(), \"n\", [&]{ g(y.type()); })", "(x.scalar_type(), \"n\", [&]{ g(y.type()); })"),
        ("_AND2(kHalf, kByte, x->type ( ),\n \"n\", [&]{})", "_AND2(kHalf, kByte, x->scalar_type(),\n \"n\", [&]{})"),
    ],
)  # fmt: skip
def test_a_dispatch_asks_for_the_scalar_type(call: str, expected: str) -> None:
    text = f"void f() {{ AT_DISPATCH_FLOATING_TYPES{call}; }}\n"
    assert changed(text) == text.replace(call, expected)
    assert changed(text, scalar_dispatch=False) == text


@pytest.mark.parametrize(
    "text",
    [
        'AT_DISPATCH_ALL_TYPES(x.scalar_type(), "n", [&]{ g(y.type(), 1); })',
        'AT_DISPATCH_ALL_TYPES(g(x.type(), 1), "n", [&]{})',
        'dispatch(x.type(), "AT_DISPATCH_ALL_TYPES(x.type(), 1)")',
        '// AT_DISPATCH_ALL_TYPES(x.type(), "n", [&]{})',
    ],
)
def test_other_types_stay(text: str) -> None:
    assert changed(text) == text


def test_the_installed_torch_says_what_its_dispatch_takes(tmp_path: Path) -> None:
    hipify = tmp_path / "utils/hipify"
    hipify.mkdir(parents=True)
    (hipify / "cuda_to_hip_mappings.py").write_text("CUDA_TO_HIP_MAPPINGS = [{}]\n")
    assert not load_tables(None, hipify).scalar_dispatch
    header = tmp_path / "include/ATen/Dispatch.h"
    header.parent.mkdir(parents=True)
    header.write_text("inline ScalarType scalar_type(const at::DeprecatedTypeProperties& t);\n")
    assert not load_tables(None, hipify).scalar_dispatch
    header.write_text("#define AT_DISPATCH_SWITCH(TYPE, NAME, ...)\n")
    assert load_tables(None, hipify).scalar_dispatch


def test_all_are_intended_differences() -> None:
    text = 'void f(half2 r){\n r = {};\n g(r.x); r.y = __hadd(r.x, a->x);\n AT_DISPATCH_ALL_TYPES(x.type(), "n", [&]{});\n}\n'
    ours = changed(text)
    places = compare(text, ours, text, ())
    assert [place.kind for place in places] == [
        Difference.BRACES,
        Difference.HALF_MEMBER,
        Difference.TORCH_API,
    ]
