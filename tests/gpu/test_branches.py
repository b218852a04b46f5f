"""The kernels that a GPU compares: made by the lab as they stand here, and fit to be run."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_nvcc, need_torch

if TYPE_CHECKING:
    from types import ModuleType

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "notebooks" / "examples" / "fused_norm" / "csrc"
FROM_EXAMPLE = ("warp_reduce.cuh", "block_reduce.inl")


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


compare = load("compare")
# The third variant differs from the second by macros alone; the GPU's run builds it.
BUILDS = [(kernel, variant) for kernel in compare.DTYPES for variant in ("cuda", "hip")]


@need_hipcc
def test_fixed_is_what_the_lab_makes(tmp_path: Path) -> None:
    from fastpt_lab import Session

    project = tmp_path / "kernels"
    shutil.copytree(HERE / "kernels", project)
    for name in FROM_EXAMPLE:
        shutil.copy(EXAMPLE / name, project / name)
    report = Session(project).until_green(unsafe=True)
    assert report.green
    for fixed in sorted((HERE / "fixed").iterdir()):
        assert (project / fixed.name).read_bytes() == fixed.read_bytes(), fixed.name


@need_nvcc
@pytest.mark.parametrize(("kernel", "variant"), BUILDS)
def test_nvcc_builds_both_branches(kernel: str, variant: str, tmp_path: Path) -> None:
    argv = compare.nvcc_command(kernel, variant, "sm_80", tmp_path / "kernel.so")
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@need_torch
def test_a_difference_is_told() -> None:
    import torch

    want = torch.zeros(2, 3)
    got = want.clone()
    assert compare.difference(got, want, 0.0) == ""
    got[1, 2] = 1
    assert "first output 1, element 2: 1.0 for 0.0" in compare.difference(got, want, 0.0)
    got[1, 2] = float("nan")
    assert "1 of 6" in compare.difference(got, want, 1e-5)


@pytest.mark.device
def test_both_branches_agree_on_this_gpu() -> None:
    import torch

    if not torch.cuda.is_available() or torch.version.hip:
        pytest.skip("needs an NVIDIA GPU")
    sys.argv[1:] = []
    assert compare.main() == 0
