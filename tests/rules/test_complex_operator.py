"""A component-wise product must not be left to HIP where HIP's is the complex one."""

from __future__ import annotations

from pathlib import Path

from needs import need_hipcc, need_torch

from fastpt_lab import Session
from fastpt_lab.core.action import ActionKind

SOURCE = """#include <cuda_runtime.h>
#include <cuComplex.h>
__host__ __device__ inline float2 operator*(float2 a, float2 b) {
  return make_float2(a.x * b.x, a.y * b.y);
}
__global__ void k(float2* x) { x[0] = x[0] * x[1]; }
"""


@need_hipcc
@need_torch
def test_hips_complex_product_is_advice_and_no_edit(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(SOURCE)
    report = Session(root=tmp_path, arch=("gfx906",)).check()
    assert report.first_error is not None
    assert report.first_error.code == "ambiguous-operator"
    (action,) = report.actions
    assert action.kind is ActionKind.ADVICE
    assert "complex" in action.title
