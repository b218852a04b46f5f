from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import need_hipcc

from fastpt_lab.core.scan import Kind, tokens
from fastpt_lab.transcode.draft import Rules, draft
from fastpt_lab.transcode.engine import transcode_text
from fastpt_lab.transcode.mapping import Tables
from fastpt_lab.transcode.notes import NoteKind
from fastpt_lab.transcode.nvtx import DECLARATIONS

TABLES = Tables(
    words={
        "cudaMalloc": "hipMalloc",
        "cudaFree": "hipFree",
        "cudaStream_t": "hipStream_t",
        "cudaMemcpyDeviceToHost": "hipMemcpyDeviceToHost",
        "CUDA_VERSION": "TORCH_HIP_VERSION",
        "USE_CUDA": "USE_ROCM",
        "__nv_bfloat16": "__hip_bfloat16",
    },
    qualified={"cub::BlockReduce": "hipcub::BlockReduce", "thrust::cuda": "thrust::hip"},
    headers={"cuda_runtime.h": "hip/hip_runtime.h", "cuda_bf16.h": "hip/hip_bf16.h"},
    angle_headers={"nccl.h": "rccl/rccl.h"},
    header_folders={"thrust/system/cuda": "thrust/system/hip"},
    version="2.0.0",
    source="test",
)
RULES = Rules(tables=TABLES)


def changed(text: str, suffix: str = ".h", rules: Rules = RULES) -> str:
    return transcode_text(text, rules, suffix=suffix).text


def kinds(text: str, suffix: str = ".h", rules: Rules = RULES) -> list[NoteKind]:
    return [note.kind for note in transcode_text(text, rules, suffix=suffix).notes]


@pytest.mark.parametrize(
    "text",
    [
        'const char* s = "cudaMalloc failed";',
        "// cudaMalloc and k<<<1, 2>>>()",
        "/* cudaFree\n cudaMalloc */",
        'auto s = R"(cudaMalloc " cudaFree)";',
        "char c = 'c'; int n = 1'000'000;",
        "mycudaMalloc(); cudaMalloc_(); $cudaMalloc();",
        "x = std::max(a, b) + mystd::max(a, b);",
        '// #include <cuda_runtime.h>\nauto s = "#include <cuda_runtime.h>";',
        "my::cub::Thing<int> t;",
        "namespace cub { struct X; }\ncub::X* x;",
    ],
)
def test_nothing_to_change(text: str) -> None:
    result = transcode_text(text, RULES, suffix=".h")
    assert result.text == text
    assert not result.changed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cudaMalloc(&p, 1);", "hipMalloc(&p, 1);"),
        ("::cudaMalloc(&p, 1);", "::hipMalloc(&p, 1);"),
        ("int n = 1'000; cudaFree(p); char c = ','; cudaFree(q);",
         "int n = 1'000; hipFree(p); char c = ','; hipFree(q);"),
        ('f(R"x( " )x", cudaFree);', 'f(R"x( " )x", hipFree);'),
        ("#include <cuda_runtime.h>", "#include <hip/hip_runtime.h>"),
        ("#  include\t<cuda_runtime.h> // cudaFree", "#  include\t<hip/hip_runtime.h> // cudaFree"),
        ('%:include "cuda_runtime.h"', '%:include "hip/hip_runtime.h"'),
        ("/* a */ #include<cuda_runtime.h>", "/* a */ #include<hip/hip_runtime.h>"),
        ("#include <cub/warp/warp_scan.cuh>", "#include <hipcub/hipcub.hpp>"),
        ("#include <ATen/cuda/CUDAContext.h>", "#include <ATen/hip/HIPContext.h>"),
        ("#include <nccl.h>", "#include <rccl/rccl.h>"),
        ('#include "nccl.h"', '#include "nccl.h"'),
        ("#include <thrust/system/cuda/execution_policy.h>",
         "#include <thrust/system/hip/execution_policy.h>"),
        ("cub::WarpScan<int> s; using namespace cub;",
         "hipcub::WarpScan<int> s; using namespace hipcub;"),
        ("thrust::cuda::par.on(cudaStream_t(0))", "thrust::hip::par.on(hipStream_t(0))"),
        ("#define FREE(p) \\\r\n  cudaFree(p)\r\n", "#define FREE(p) \\\r\n  hipFree(p)\r\n"),
        ("#ifdef USE_CUDA\n#endif", "#ifdef USE_ROCM\n#endif"),
    ],
)  # fmt: skip
def test_what_changes(text: str, expected: str) -> None:
    assert changed(text) == expected


LAUNCHES = [
    "k<N, (N>2)><<<g, b>>>(x);",
    "k<N, (N >> 2)><<<g, b>>>(x);",
    "int broken = a <<< b;",
    "ns::kern<A<B<int>>><<<g, b>>>(x);",
    "LAUNCH(k<<<g, b>>>(z));",
    "if(x)k<<<g, b>>>(z);",
    "k<<<g, N < 3 ? 1 : 2>>>(z);",
    "k<<<g, // grid, block\n b>>>(z);",
    "kernels[i]<<<g, b>>>(z);",
    "p->k<<<g, b>>>(z);",
    'f(R"(a " b)"); k<<<g, b>>>(z);',
    "// k<<<g, b>>>(z)\nk<<<g, b>>>(z);",
]


@pytest.mark.parametrize("launch", LAUNCHES)
def test_launches_stay(launch: str) -> None:
    assert changed(launch, ".cu") in {launch, '#include "hip/hip_runtime.h"\n' + launch}


@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        ("k << <g, b >> > (z);", "k <<<g, b >>> (z);"),
        ("k<T><<  <f(a << 1), b, 0, s>> >(z);", "k<T><<<f(a << 1), b, 0, s>>>(z);"),
        ("k<<<g, b>>  >(z >> 2);", "k<<<g, b>>>(z >> 2);"),
        ("k<<<{4, 2}, {32, 1, 1}>>>(z);", "k<<<dim3(4, 2), dim3(32, 1, 1)>>>(z);"),
        ("k<<<g, b, {}, {s}>>>(z);", "k<<<g, b, size_t(), hipStream_t(s)>>>(z);"),
        ("k<<<g, dim3{1, 2}, f({3})>>>({4});", "k<<<g, dim3{1, 2}, f({3})>>>({4});"),
        ("k<<<g,\n    {b, 1}>>>(z);", "k<<<g,\n    dim3(b, 1)>>>(z);"),
        (
            'puts("k<<<{1}, 2>>>"); // k << <1, 2>> >',
            'puts("k<<<{1}, 2>>>"); // k << <1, 2>> >',
        ),
        ("S& operator<< <T>(S&, T);", "S& operator<< <T>(S&, T);"),
        ("x = a << b; y = c >> d; k << <g, b;", "x = a << b; y = c >> d; k << <g, b;"),
        ("v<w<T> > u; a >> > b;", "v<w<T> > u; a >> > b;"),
    ],
)
def test_launches_that_only_nvcc_reads(launch: str, expected: str) -> None:
    assert changed(launch, ".cc") in {expected, '#include "hip/hip_runtime.h"\n' + expected}


_MARKED = """\
#include <nvtx3/nvToolsExt.h>
void step(nvtxDomainHandle_t domain) {
  nvtxEventAttributes_t event{};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "step";
  nvtxDomainRangePushEx(domain, &event);
  nvtxRangePushA("inner");
  nvtxRangePop();
  nvtxDomainRangePop(domain);
  nvtxRangeEnd(nvtxDomainRangeStartEx(domain, &event));
}
"""


def test_domains_of_nvtx_are_declared_where_roctx_has_none() -> None:
    result = transcode_text(_MARKED, RULES, suffix=".cc")
    assert result.text.endswith(_MARKED)
    assert result.text.startswith(DECLARATIONS)
    assert NoteKind.UNMAPPED not in {note.kind for note in result.notes}
    assert result.source_map.to_original(result.text.index("event.size")) == _MARKED.index(
        "event.size"
    )
    assert transcode_text(result.text, RULES, suffix=".cc").text == result.text
    # Ranges and marks alone are roctx's, and a project that has NVTX's headers needs nothing.
    assert changed("nvtxRangePop();") == "nvtxRangePop();"
    assert not draft(_MARKED, RULES, suffix=".cc", brings_nvtx=True).added


@need_hipcc
def test_what_stands_in_for_nvtx_compiles_and_marks_its_ranges(tmp_path: Path) -> None:
    (tmp_path / "roctracer").mkdir()
    (tmp_path / "roctracer" / "roctx.h").write_text(
        "#pragma once\n#include <cstdio>\n"
        'inline int roctxRangePushA(const char* text) { return std::printf("+%s", text); }\n'
        'inline int roctxRangePop() { return std::printf("-"); }\n'
        'inline void roctxMarkA(const char* text) { std::printf("!%s", text); }\n'
    )
    roctx = {"nvtx3/nvToolsExt.h": "roctracer/roctx.h"}
    rules = Rules(tables=replace(TABLES, headers=roctx))
    text = transcode_text(_MARKED, rules, suffix=".cc").text
    source = tmp_path / "a.cc"
    source.write_text(text + 'int main() { step(nvtxDomainCreateA("d")); }\n')
    program = tmp_path / "a"
    for compiler in ("g++", "hipcc"):
        argv = [compiler, "-Wall", "-Wno-unused-function", "-Werror", "-std=c++17"]
        argv += [f"-I{tmp_path}", str(source), "-o", str(program)]
        if compiler == "hipcc":
            argv[1:1] = ["-x", "c++", "-Wno-error=unused-command-line-argument"]
        subprocess.run(argv, check=True, env={**os.environ, "HIP_PLATFORM": "amd"})
        assert subprocess.check_output([str(program)], text=True) == "+step+inner--"


def test_a_stream_of_the_standard_library_gets_its_header() -> None:
    text = "void f() { cudaFree(p); std::cerr << 1; }"
    assert changed(text, ".cc").startswith("#include <iostream>\n")
    assert not changed("#include <iostream>\n" + text, ".cc").startswith(
        "#include <iostream>\n#include"
    )
    assert not changed("void f() { cudaFree(p); } // std::cerr", ".cc").startswith("#include")


def test_a_header_of_hip_that_is_not_installed_gives_way_to_its_older_name() -> None:
    rules = Rules(tables=TABLES, absent={"hip/hip_bf16.h": "hip/hip_bfloat16.h"})
    for header in ("cuda_bf16.h", "hip/hip_bf16.h"):
        text = f"#include <{header}>\n"
        assert changed(text, rules=rules) == "#include <hip/hip_bfloat16.h>\n"


def test_the_runtime_header_is_added_where_nvcc_adds_its_own() -> None:
    added = '#include "hip/hip_runtime.h"\n'
    assert changed("void f() { cudaFree(0); }", ".cu").startswith(added)
    assert changed("__device__ int f();", ".cu").startswith(added)
    assert changed("__global__ void k();", ".cuh").startswith(added)
    assert not changed("void f() { cudaFree(0); }", ".cpp").startswith(added)
    assert not changed("// __global__\n", ".cuh").startswith(added)
    assert not changed("#include <cuda_runtime.h>\n__global__ void k();", ".cu").startswith(
        added
    )


def test_a_header_that_needs_the_runtime_gets_it_first() -> None:
    groups = {"cooperative_groups.h": "hip/hip_cooperative_groups.h"}
    rules = Rules(tables=replace(TABLES, headers={**TABLES.headers, **groups}))
    text = "#include <cooperative_groups.h>\n#include <cuda_runtime.h>\n"
    added = '#include "hip/hip_runtime.h"\n#include <hip/hip_cooperative_groups.h>\n'
    assert changed(text, ".cuh", rules).startswith(added)
    lines = text.splitlines(keepends=True)
    other = changed("".join(reversed(lines)), ".cuh", rules)
    assert other.startswith("#include <hip/hip_runtime.h>\n#include <hip/hip_coop")


def test_a_branch_for_cuda_alone_stays() -> None:
    text = "#if !defined(USE_ROCM)\ncudaFree(p);\n#else\nhipFree(p);\n#endif\ncudaFree(q);\n"
    assert changed(text) == text.replace("cudaFree(q)", "hipFree(q)")
    assert NoteKind.KEPT_CUDA_BRANCH in kinds(text)


def test_a_hip_branch_is_transcoded_but_its_definitions_stay() -> None:
    text = "#ifdef USE_ROCM\n#define cudaFree hipFree\ncudaMalloc(p);\n#endif\n"
    assert changed(text) == text.replace("cudaMalloc", "hipMalloc")


def test_an_elif_for_hip_keeps_the_branch_for_cuda() -> None:
    text = "#if defined(USE_CUDA)\ncudaFree(p);\n#elif defined(USE_ROCM)\nhipFree(p);\n#endif\n"
    assert changed(text) == text


def test_an_older_name_stands_in_for_one_that_is_not_installed() -> None:
    rules = Rules(tables=TABLES, absent={"__hip_bfloat16": "hip_bfloat16", "hipFree": ""})
    assert (
        changed("__nv_bfloat16 b; cudaFree(p);", rules=rules) == "hip_bfloat16 b; hipFree(p);"
    )
    assert kinds("cudaFree(p);", rules=rules) == [NoteKind.MISSING_HERE]


def test_what_no_table_knows_is_told_unless_the_file_defines_it() -> None:
    assert kinds("cudaFooBar(1);") == [NoteKind.UNMAPPED]
    assert kinds("int cudaFooBar(int);\nint x = cudaFooBar(1);") == []
    assert kinds("#define cudaCheck(x) x\ncudaCheck(1);") == []


def test_a_version_condition_is_told_with_its_value() -> None:
    (note,) = transcode_text("#if CUDA_VERSION >= 9000\n#endif", RULES, suffix=".h").notes
    assert note.kind is NoteKind.VERSION_BRANCH
    assert "is false" in note.message
    rules = Rules(tables=TABLES, defines={"TORCH_HIP_VERSION": 602})
    (note,) = transcode_text("#if CUDA_VERSION < 9000\n#endif", rules, suffix=".h").notes
    assert "is true" in note.message
    assert "602" in note.message


SOURCES = st.lists(
    st.sampled_from(
        [
            "cudaMalloc", "cudaFree ", '"', "'", "/*", "*/", "//", "\n", "\r\n", "\\\n", 'R"(', ')"',
            "#include <cuda_runtime.h>", "#include ", "#if defined(USE_ROCM)", "#else", "#endif",
            "k<<<1, 2>>>(x)", "1'000", "cub::X", "__global__ ", "中文", "\t", "\f", "u8", "#define A ",
            "é\u0301",
        ]
    )
).map("".join)  # fmt: skip


@settings(deadline=None)
@given(SOURCES)
def test_comments_and_literals_keep_their_text(text: str) -> None:
    result = transcode_text(text, RULES, suffix=".cu").text
    headers = {"<hip/hip_runtime.h>", '"hip/hip_runtime.h"'}

    def inert(source: str) -> list[str]:
        spelled = [
            source[t.start : t.end]
            for t in tokens(source)
            if t.kind in {Kind.COMMENT, Kind.STRING, Kind.CHARACTER}
        ]
        return [word for word in spelled if word not in headers]

    assert inert(result) == inert(text)


@settings(deadline=None)
@given(SOURCES)
def test_the_map_goes_both_ways(text: str) -> None:
    result = transcode_text(text, RULES, suffix=".cu")
    table = result.source_map
    for segment in table.segments:
        before = text[segment.original : segment.original + segment.original_length]
        after = result.text[segment.generated : segment.generated + segment.generated_length]
        assert (before, after) != ("", "")
    replaced = {
        i for s in table.segments for i in range(s.original, s.original + s.original_length)
    }
    for offset, character in enumerate(text):
        if offset not in replaced:
            there = table.to_generated(offset)
            assert result.text[there] == character
            assert table.to_original(there) == offset


@settings(deadline=None)
@given(SOURCES)
def test_a_second_run_changes_nothing_but_the_heading(text: str) -> None:
    once = changed(text, ".h")
    assert changed(once, ".h") == once
