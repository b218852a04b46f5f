from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

from needs import need_hipcc, need_torch

from fastpt_lab.transcode.installed import find_hipify
from fastpt_lab.transcode.torchheaders import hipify_headers

SDK = Path(__file__).parents[2] / "fastpt_lab" / "build" / "sdk"
UNIT = """
#include <ATen/hip/HIPContext.h>
#include <ATen/hip/Atomic.cuh>
#include <ATen/core/Tensor.h>
#include <c10/hip/HIPGuard.h>
__global__ void k(float* x) { gpuAtomicAdd(x, 1.0f); }
void f(const at::Tensor& t) {
  const at::cuda::OptionalCUDAGuard guard(t.device());
  k<<<1, 64, 0, at::cuda::getCurrentCUDAStream()>>>(t.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}
"""


@need_hipcc
@need_torch
def test_torchs_headers_compile_for_hip(tmp_path: Path) -> None:
    include = tmp_path / "include"
    hipify_headers(SimpleNamespace(folder=find_hipify().parents[1]), include, None)
    for folder in ("c10/hip/impl", "c10/cuda/impl"):
        (include / folder).mkdir(parents=True, exist_ok=True)
        name = ("hip" if "hip" in folder else "cuda") + "_cmake_macros.h"
        (include / folder / name).write_text("#pragma once\n")
    unit = tmp_path / "unit.hip"
    unit.write_text(UNIT)
    compiler = shutil.which("hipcc")
    assert compiler is not None
    stand_ins = [f"-I{folder}" for folder in sorted(SDK.iterdir()) if folder.is_dir()]
    done = subprocess.run(
        [
            compiler, "--cuda-device-only", "--offload-arch=gfx906", "-std=c++17",
            "-fsyntax-only", "-w", "-D__HIP_PLATFORM_AMD__=1", "-DUSE_ROCM=1", "-DHIPBLAS_V2",
            f"-I{include}", *stand_ins, "-x", "hip", str(unit),
        ],
        env={**os.environ, "HIP_PLATFORM": "amd"},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[:3000]
