"""The declarations that stand in for missing SDK parts take what the real headers take."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from needs import need_hipcc

from fastpt_lab.build.headers import SDK

_UNIT = """\
#include <hip/hip_runtime.h>
#include <hipcub/hipcub.hpp>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/random.h>
#include <thrust/transform.h>

namespace {
struct Twice { __host__ __device__ float operator()(float x) const { return 2 * x; } };
struct First { __host__ __device__ float operator()(float a, float) const { return a; } };

__global__ void block(float* out) {
  typedef hipcub::BlockReduce<float, 128> Reduce;
  typedef hipcub::BlockScan<float, 128> Scan;
  __shared__ typename Reduce::TempStorage reduce;
  __shared__ typename Scan::TempStorage scan;
  out[0] = Reduce(reduce).Reduce(out[1], First());
  Scan(scan).InclusiveScan(out[0], out[1], First());
}
}  // namespace

void run(float* p, float* q, hipStream_t stream) {
  size_t bytes = 0;
  (void)hipcub::DeviceReduce::Reduce(nullptr, bytes, p, q, 3, First(), 0.f, stream);
  thrust::transform(thrust::device, p, p + 3, q, Twice());
  thrust::device_vector<float> values(3);
  thrust::sort(values.begin(), values.end(), [](float a, float b) { return a < b; });
  thrust::default_random_engine engine(7);
  thrust::uniform_real_distribution<float> uniform(-1.f, 1.f);
  *q = uniform(engine);
  block<<<1, 128, 0, stream>>>(p);
}
"""


@need_hipcc
def test_operators_without_linkage_are_no_error(tmp_path: Path) -> None:
    """A template that is only declared cannot be used with a type of an unnamed namespace."""
    source = tmp_path / "a.hip"
    source.write_text(_UNIT)
    argv = ["hipcc", "-c", "--offload-arch=gfx906", "-std=c++17", "-o", str(tmp_path / "a.o")]
    argv += [f"-I{SDK / part}" for part in ("hipcub", "thrust")]
    done = subprocess.run(
        [*argv, str(source)],
        env={**os.environ, "HIP_PLATFORM": "amd"},
        text=True,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
