"""Survey generated projects of 250, 500 and 1,000 files and print seconds as JSON.

Run: python benchmarks/survey.py [files…]. Every file is different text.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path

from fastpt_lab.host.project import Project
from fastpt_lab.survey.survey import survey

_KERNEL = """\
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include "shared_{group}.cuh"
#if CUDA_VERSION >= 11000 && !defined(USE_ROCM)
#define FULL_{n} 0xffffffffu
#else
#define FULL_{n} 0xffffffffffffffffull
#endif

// Sum the rows of x: one block a row, then one add a block.
template <typename T>
__device__ __forceinline__ T warp_sum_{n}(T v) {{
#pragma unroll
  for (int offset = 16; offset > 0; offset >>= 1) v += __shfl_down_sync(FULL_{n}, v, offset);
  return v;
}}

template <typename T>
__global__ void rows_{n}(const T* __restrict__ x, T* __restrict__ y, int columns, T scale) {{
  __shared__ T part[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  T v = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) v += x[blockIdx.x * columns + i] * scale;
  v = warp_sum_{n}(v);
  if (lane == 0) part[warp] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? part[lane] : T(0);
  if (warp == 0) v = warp_sum_{n}(v);
  if (threadIdx.x == 0) y[blockIdx.x] = v + T({n});
}}

cudaError_t run_{n}(const float* x, float* y, int rows, int columns, cudaStream_t stream) {{
  if (rows <= 0 || columns <= 0) return cudaErrorInvalidValue;
  rows_{n}<float><<<rows, 256, 0, stream>>>(x, y, columns, 1.f);
  return cudaGetLastError();
}}

cublasStatus_t gemm_{n}(cublasHandle_t handle, const float* a, const float* b, float* c, int n) {{
  const float one = 1.f, zero = 0.f;
  return cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, a, n, b, n, &zero, c, n);
}}
"""
_HEADER = """\
#pragma once
#include <cuda_runtime.h>
struct Shape_{n} {{ int rows, columns; }};
inline __host__ __device__ int size_{n}(const Shape_{n}& s) {{ return s.rows * s.columns; }}
"""


def make_project(folder: Path, files: int) -> None:
    """Write a project of `files` files, a tenth of them headers."""
    for n in range(files):
        place = folder / f"part_{n // 50:02d}"
        place.mkdir(exist_ok=True)
        if n % 10 == 0:
            (place / f"shared_{n // 10}.cuh").write_text(_HEADER.format(n=n))
        else:
            (place / f"kernel_{n}.cu").write_text(_KERNEL.format(n=n, group=n // 10))
    (folder / "setup.py").write_text("from setuptools import setup\nsetup(name='many')\n")


def measure(files: int) -> dict[str, float]:
    """Return the seconds that a survey of a new project of `files` files takes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name).resolve()
        make_project(folder, files)
        started, cpu = time.perf_counter(), time.process_time()
        result = survey(Project(folder))
        seconds, cpu = time.perf_counter() - started, time.process_time() - cpu
        return {
            "files": len(result.files),
            "lines": result.lines,
            "seconds": round(seconds, 3),
            "cpu_seconds": round(cpu, 3),
        }


def main() -> None:
    """Measure and print."""
    sizes = [int(word) for word in sys.argv[1:]] or [250, 500, 1000]
    print(json.dumps({"benchmark": "survey", "runs": [measure(size) for size in sizes]}))


if __name__ == "__main__":
    main()
