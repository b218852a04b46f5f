"""What the main notebook leaves behind: originals that both CUDA and HIP compilers accept."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_nvcc, need_torch

from fastpt_lab.build.check import check_units
from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.plan import Unit, plan_check
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.core.guard import attribute_only, same_cuda_view
from fastpt_lab.host.files import read_source

if TYPE_CHECKING:
    from conftest import Executed

# The notebook is run once, by one worker.
pytestmark = [pytest.mark.notebook, pytest.mark.xdist_group("ported")]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "notebooks" / "examples" / "fused_norm"
ORIGINALS = sorted((EXAMPLE / "csrc").iterdir())
KERNELS = sorted((EXAMPLE / "csrc").glob("*.cu"))
CUDA_DECLARATIONS = ROOT / "tests" / "fixtures" / "cuda_declarations"
CHANGED = {
    "block_reduce.inl",
    "layer_norm_backward.cu",
    "mlp_cuda.cu",
    "numeric.cuh",
    "vector_ops.cuh",
    "warp_reduce.cuh",
}

HIPIFY = """
import sys
from pathlib import Path
from torch.utils.hipify.hipify_python import hipify
root, *sources = sys.argv[1:]
found = hipify(
    project_directory=root, output_directory=root, includes=[root + "/*"],
    extra_files=sources, is_pytorch_extension=True, hipify_extra_files_only=True,
)
Path(root, "outputs").write_text("\\n".join(found[s].hipified_path for s in sources))
"""


def original_in(project: Path, original: Path) -> Path:
    return project / original.relative_to(EXAMPLE)


@need_hipcc
@need_torch
def test_changes_these_originals_and_no_other(ported: Executed) -> None:
    changed = {
        path.name
        for path in ORIGINALS
        if original_in(ported.project, path).read_bytes() != path.read_bytes()
    }
    assert changed == CHANGED


@need_hipcc
@need_torch
@pytest.mark.parametrize("original", ORIGINALS, ids=lambda path: path.name)
def test_cuda_reads_the_same(ported: Executed, original: Path) -> None:
    before = read_source(original).document.text
    after = read_source(original_in(ported.project, original)).document.text
    if original.name == "numeric.cuh":
        assert attribute_only(before, after)
    else:
        assert same_cuda_view(before, after)


@need_hipcc
@need_torch
def test_encoding_and_line_ends_stay(ported: Executed) -> None:
    gbk = (ported.project / "csrc" / "block_reduce.inl").read_bytes()
    assert "线程块内求和" in gbk.decode("gbk")
    crlf = (ported.project / "csrc" / "vector_ops.cuh").read_bytes()
    assert crlf.count(b"\n") == crlf.count(b"\r\n")


@need_hipcc
@need_torch
@need_nvcc
@pytest.mark.parametrize("original", KERNELS, ids=lambda path: path.name)
def test_nvcc_accepts(ported: Executed, original: Path, tmp_path: Path) -> None:
    from torch.utils.cpp_extension import COMMON_NVCC_FLAGS, include_paths

    folders = [CUDA_DECLARATIONS, *include_paths(), sysconfig.get_path("include")]
    argv = ["nvcc", "-c", str(original_in(ported.project, original)), "-std=c++17"]
    argv += ["-arch=sm_80", "-DTORCH_EXTENSION_NAME=_C", *COMMON_NVCC_FLAGS]
    argv += [f"-I{folder}" for folder in folders] + ["-o", str(tmp_path / "unit.o")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


@need_hipcc
@need_torch
def test_hipcc_accepts_what_torchs_hipify_makes(ported: Executed, tmp_path: Path) -> None:
    project = tmp_path / "fused_norm"
    (project / "csrc").mkdir(parents=True)
    for path in ORIGINALS:
        shutil.copy(original_in(ported.project, path), project / "csrc" / path.name)
    sources = [
        project / "csrc" / path.name for path in [EXAMPLE / "csrc/fused_norm.cpp", *KERNELS]
    ]
    argv = [sys.executable, "-c", HIPIFY, str(project), *map(str, sources)]
    subprocess.run(argv, check=True, capture_output=True)
    outputs = map(Path, (project / "outputs").read_text().splitlines())
    units = [Unit(original=a, generated=b) for a, b in zip(sources, outputs, strict=True)]
    plan = plan_check(units, project, find_toolchain(), CompileOptions())
    for result in check_units(units, plan):
        assert result.status == "ok", result.log[-3000:]
