from __future__ import annotations

import re
from pathlib import Path

import pytest
from needs import need_hipcc, need_ninja, need_torch

from fastpt_lab.build.buildcommand import plan_build
from fastpt_lab.build.offdevice import off_device_build
from fastpt_lab.build.run import start_build
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.build.torchfiles import find_torch

SETUP = """
from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

args = {"cxx": ["-std=c++17"], "nvcc": ["-std=c++17"]}
extension = CUDAExtension("small._C", ["csrc/a.cu", "csrc/b.cu"], extra_compile_args=args)
setup(name="small", ext_modules=[extension], cmdclass={"build_ext": BuildExtension})
"""
GOOD = "#include <cuda_runtime.h>\n__global__ void {name}(float* x) {{ x[0] = 1; }}\n"
BAD = GOOD + "__device__ float d(float v) {{ return __shfl_xor_sync(~0u, v, 1); }}\n"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "csrc").mkdir(parents=True)
    (root / "setup.py").write_text(SETUP, "utf-8")
    (root / "csrc" / "a.cu").write_text(GOOD.format(name="a"), "utf-8")
    (root / "csrc" / "b.cu").write_text(BAD.format(name="b"), "utf-8")
    return root


@need_hipcc
@need_ninja
@need_torch
def test_setup_py_takes_the_hip_route(project: Path) -> None:
    torch = find_torch()
    assert torch is not None
    toolchain = find_toolchain()
    plan, lines = off_device_build(plan_build(project, toolchain), toolchain, torch)
    assert any("cannot link" in line for line in lines)
    run = start_build(plan, log_dir=project / ".fastpt" / "logs", timeout=540).result()
    log = run.log_path.read_text("utf-8")
    assert run.status == "failed", log
    error = r"/csrc/b\.hip:\d+:\d+: error: use of undeclared identifier '__shfl_xor_sync'"
    assert re.search(error, log), log
    assert (project / "csrc" / "a.hip").is_file()
    # The compiler's error is real, and the good unit was compiled to an object.
    assert list(project.glob("build/**/a.o")), log
