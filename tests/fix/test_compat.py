"""The compatibility header: both compilers take all of it, and it is written as accepted."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from needs import need_hipcc, need_nvcc, need_torch
from rule_bench import STUBS, hipcc, hipify_with_torch

from fastpt_lab import Session
from fastpt_lab.cli import main
from fastpt_lab.core.errors import ConflictError, HandWrittenFileError, UsageError
from fastpt_lab.core.text import Document
from fastpt_lab.fix.compat import WRAPPERS, compat_header, prefix_of
from fastpt_lab.fix.compat_mark import is_untouched
from fastpt_lab.fix.compat_text import probe_of
from fastpt_lab.session.blind import BlindStack

NAMES = [wrapper.own for wrapper in WRAPPERS]
KERNEL = """\
#include <cuda_runtime.h>
// __ballot_sync in a comment, "__any_sync" in a string
#ifdef __HIPCC__
#else
__device__ void hidden() { __syncwarp(); }
#endif
#define DOWN(v) __shfl_down_sync(0xffffffff, v, 1)
__global__ void sum(float* x) { x[threadIdx.x] += DOWN(x[threadIdx.x]); }
"""
USED = KERNEL.replace("#ifdef __HIPCC__", '#include "ext_compat.h"\n#ifdef __HIPCC__').replace(
    "__shfl_down_sync(0xffffffff, ", "ext_compat::shfl_down("
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "ext"
    (root / "csrc").mkdir(parents=True)
    (root / "pyproject.toml").write_text("[tool.fastpt-lab]\n")
    (root / "csrc" / "sum.cu").write_text(KERNEL)
    return root


@need_hipcc
def test_hipcc_takes_every_function(tmp_path: Path) -> None:
    unit = tmp_path / "all.hip"
    unit.write_text(probe_of(WRAPPERS, (), "ext"))
    code, output = hipcc(unit, "-Wall", "-Wextra", "-Werror")
    assert code == 0, output


@need_nvcc
def test_nvcc_takes_every_function(tmp_path: Path) -> None:
    unit = tmp_path / "all.cu"
    unit.write_text(probe_of(WRAPPERS, (), "ext"))
    argv = ["nvcc", "-std=c++17", "-arch=sm_80", "-Werror", "all-warnings"]
    done = subprocess.run(
        [*argv, "-c", str(unit), "-o", str(tmp_path / "all.o")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_every_function_is_used_by_the_unit_and_stands_after_what_it_calls() -> None:
    text = probe_of(WRAPPERS, (), "ext")
    assert len(set(NAMES)) == len(NAMES)
    for wrapper in WRAPPERS:
        assert not wrapper.names or f"c::{wrapper.own}(" in wrapper.probe
        assert all(NAMES.index(need) < NAMES.index(wrapper.own) for need in wrapper.needs)
        assert wrapper.head in text
    for vendor in ("hip", "cuda", "__shfl"):
        assert not any(wrapper.own.startswith(vendor) for wrapper in WRAPPERS)


def taken_by_nvcc_and_after_torch(sources: Path, work: Path) -> None:
    """Compile originals with nvcc, and what torch's hipify makes of them with hipcc."""
    argv = ["nvcc", "-std=c++17", "-c", "sum.cu", "-o", str(work / "sum.o")]
    done = subprocess.run(argv, cwd=sources, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    other = work / "other"
    other.mkdir()
    for name in ("sum.cu", "ext_compat.h"):
        (other / name).write_bytes((sources / name).read_bytes())
    hipify_with_torch(other)
    code, output = hipcc(other / "sum.hip")
    assert code == 0, output


@need_hipcc
@need_nvcc
@need_torch
def test_the_header_holds_what_is_used_is_accepted_and_taken_back(
    root: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    header = root / "csrc" / "ext_compat.h"
    options = ["--root", str(root), "-q"]
    assert main(["fix", "--compat-header", *options]) == 0
    shown = capsys.readouterr().out
    assert "shfl_down" in shown
    assert not header.exists(), "a proposal writes nothing"
    assert main(["fix", "--compat-header", "--patch", str(tmp_path / "h.patch"), *options]) == 0
    capsys.readouterr()

    assert main(["fix", "--compat-header", "--apply", "--json", *options]) == 0
    assert json.loads(capsys.readouterr().out)["applied"] == ["j1"]
    text = header.read_text()
    assert is_untouched(text)
    for name in NAMES:
        assert (f" {name}(" in text) == (name in ("by_words", "shfl_down")), name
    argv = ["git", "apply", "--check", "-R", str(tmp_path / "h.patch")]
    subprocess.run(argv, cwd=root, check=True)

    session = Session(root)
    assert session.patch().startswith(b"--- /dev/null\n+++ b/csrc/ext_compat.h\n")
    (root / "csrc" / "sum.cu").write_text(USED)
    report = session.check()
    assert report.green, report.diagnostics
    assert session.compat_header().advice == ("ext_compat.h is up to date",)
    taken_by_nvcc_and_after_torch(root / "csrc", tmp_path)

    session.undo(id="j1")
    assert not header.exists()
    assert session.redo() is not None
    assert header.read_text() == text
    header.unlink()
    session.undo()
    session.redo()
    assert header.read_text() == text


GEMM = """\
#include <cublas_v2.h>
void f(cublasHandle_t h, void* p, float* a) {
  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, a, p, CUDA_R_16F, 1, p, CUDA_R_16F, 1,
               a, p, CUDA_R_16F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
"""
TAIL = ("const void*", "const void*", "{0}", "int", "const void*", "{0}", "int",
        "const void*", "void*", "{0}", "int", "{1}", "hipblasGemmAlgo_t")  # fmt: skip


class Blas(BlindStack):
    """A stack whose hipblasGemmEx takes these types."""

    def __init__(self, data: str, compute: str) -> None:
        self._types = (data, compute)

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        head = ("hipblasHandle_t", *["hipblasOperation_t"] * 2, *["int"] * 3)
        return ((*head, *(word.format(*self._types) for word in TAIL)),)

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        return {
            "hipDataType": ("HIP_R_32F", "HIP_R_16F"),
            "hipblasDatatype_t": ("HIPBLAS_R_16F", "HIPBLAS_R_32F"),
            "hipblasComputeType_t": ("HIPBLAS_COMPUTE_32F",),
        }.get(type_name, ())


@pytest.mark.parametrize(
    ("types", "data", "compute"),
    [
        (("hipblasDatatype_t", "hipblasDatatype_t"), "HIPBLAS_R_16F", "HIPBLAS_R_32F"),
        (("hipDataType", "hipblasComputeType_t"), "HIP_R_16F", "HIPBLAS_COMPUTE_32F"),
    ],
)
def test_types_of_gemm_calls_are_those_that_the_stack_declares(
    root: Path, types: tuple[str, str], data: str, compute: str
) -> None:
    source = root / "csrc" / "sum.cu"
    source.write_text(GEMM.replace("CUDA_R_16F, 1,\n", "CUDA_R_8I, 1,\n"))
    found = compat_header(Bare(source), Blas(*types), root)
    assert found is not None
    assert f"constexpr {types[0]} gemm_r_16f = {data};" in found.text
    assert f"constexpr {types[1]} compute_32f = {compute};" in found.text
    assert "constexpr cudaDataType_t gemm_r_16f = CUDA_R_16F;" in found.text
    assert found.remarks == ("CUDA_R_8I is left out: hipblasGemmEx has no counterpart",)
    assert compat_header(Bare(source), BlindStack(), root) is None


@need_hipcc
@need_torch
def test_types_of_gemm_calls_compile_with_the_installed_header(root: Path) -> None:
    (root / "csrc" / "sum.cu").write_text(GEMM)
    session = Session(root, include_dirs=[str(STUBS / "hipblas_v1")])
    (action,) = session.compat_header().actions
    assert action.edit is not None
    assert "gemm_r_16f = HIPBLAS_R_16F;" in action.edit.documents[0].edits[0].new_text
    assert "the installed hipcc compiles a kernel that uses all of it" in action.evidence


def test_a_project_that_uses_nothing_is_told_so(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (root / "csrc" / "sum.cu").write_text("__global__ void k() {}\n")
    assert main(["fix", "--compat-header", "--apply", "--root", str(root), "-q"]) == 0
    assert "uses nothing that a compatibility header" in capsys.readouterr().out
    assert [path.name for path in (root / "csrc").iterdir()] == ["sum.cu"]


class Bare:
    """A workspace of files on disk."""

    def __init__(self, *paths: Path) -> None:
        self._paths = paths

    def originals(self) -> tuple[Path, ...]:
        return tuple(path for path in self._paths if path.exists())

    def document(self, path: Path) -> Document | None:
        return Document(path.read_text()) if path.exists() else None


@pytest.mark.parametrize("by_hand", ["int mine;\n", "edited"])
def test_what_a_person_wrote_is_never_replaced(root: Path, by_hand: str) -> None:
    source, header = root / "csrc" / "sum.cu", root / "csrc" / "ext_compat.h"
    made = compat_header(Bare(source), BlindStack(), root)
    assert made is not None
    header.write_text(made.text + "int mine;\n" if by_hand == "edited" else by_hand)
    with pytest.raises(HandWrittenFileError):
        compat_header(Bare(source, header), BlindStack(), root)
    header.write_text(made.text.replace("\n", "\r\n"))
    again = compat_header(Bare(source, header), BlindStack(), root)
    assert again is not None, "line endings are no edit"


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ('asm("mov.u32 %0, %%laneid;" : "=r"(x));', {"lane_id"}),
        ('asm volatile("mov.u32 %0, %lanemask_lt;" : "=r"(x));', {"lanemask_lt"}),
        ("x = __ballot_sync(m, x) + __hmax2(a, b);", {"ballot", "hmax", "hmax2"}),
        ("x = __match_any_sync(m, x);", {"match_any"}),
        ("x = __shfl_sync_of_mine(m, x); // __trap()", set()),
        ("const char* s = \"__trap()\"; x = R\"(__trap())\";", set()),
    ],
)  # fmt: skip
def test_only_names_that_hip_reads_count(root: Path, code: str, own: set[str]) -> None:
    source = root / "csrc" / "sum.cu"
    source.write_text(f"__device__ void f() {{ {code} }}\n")
    found = compat_header(Bare(source), BlindStack(), root)
    names = set() if found is None else {n for n in NAMES if f" {n}(" in found.text}
    assert names == own


def test_a_wrapper_in_use_stays_when_the_header_is_renewed(root: Path) -> None:
    source, header = root / "csrc" / "sum.cu", root / "csrc" / "ext_compat.h"
    first = compat_header(Bare(source), BlindStack(), root)
    assert first is not None
    header.write_text(first.text)
    source.write_text(USED + "__device__ void more() { __syncwarp(); }\n")
    second = compat_header(Bare(source, header), BlindStack(), root)
    assert second is not None
    assert " shfl_down(" in second.text
    assert " syncwarp(" in second.text
    source.write_text("__device__ void more() { __syncwarp(); }\n")
    third = compat_header(Bare(source, header), BlindStack(), root)
    assert third is not None
    assert " shfl_down(" not in third.text


def test_a_header_edited_since_is_not_removed_by_undo(root: Path) -> None:
    session = Session(root)
    made = session.compat_header()
    session._workbench.write(made.actions)
    header = root / "csrc" / "ext_compat.h"
    header.write_text(header.read_text() + "int mine;\n")
    with pytest.raises(ConflictError):
        session.undo()
    assert header.read_text().endswith("int mine;\n")
    with pytest.raises(UsageError, match="answers no error"):
        session.trial("h1")


@pytest.mark.parametrize(
    ("name", "prefix"),
    [("My-Ext", "my_ext"), ("3d_ops", "project_3d_ops"), ("算子", "project"), ("a.b", "a_b")],
)
def test_the_prefix_is_a_name(name: str, prefix: str, tmp_path: Path) -> None:
    assert prefix_of(tmp_path / name) == prefix
