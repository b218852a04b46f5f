"""A component-wise product must not be left to HIP where HIP's is the complex one."""

from __future__ import annotations

from pathlib import Path

import pytest
from needs import need_hipcc, need_torch

from fastpt_lab import Session
from fastpt_lab.core.action import ActionKind, Applicability

SOURCE = """#include <cuda_runtime.h>
#include <cuComplex.h>
__host__ __device__ inline TYPE operator*(TYPE a, TYPE b) {
  return make_TYPE(a.x * b.x, a.y * b.y);
}
__global__ void k(TYPE* x) { x[0] = LEFT * x[1]; }
"""


def project(folder: Path, kind: str, left: str) -> Session:
    (folder / "k.cu").write_text(SOURCE.replace("TYPE", kind).replace("LEFT", left))
    return Session(root=folder, arch=("gfx906",))


@need_hipcc
@need_torch
def test_hips_complex_product_is_advice_where_the_operand_is_not_read(tmp_path: Path) -> None:
    report = project(tmp_path, "float2", "*x").check()
    assert report.first_error is not None
    assert report.first_error.code == "ambiguous-operator"
    (action,) = report.actions
    assert action.kind is ActionKind.ADVICE
    assert "complex" in action.title


@need_hipcc
@need_torch
@pytest.mark.parametrize("kind", ["float2", "double2"])
def test_the_use_is_written_by_components_and_compiles(kind: str, tmp_path: Path) -> None:
    lab = project(tmp_path, kind, "x[0]")
    (action,) = lab.check().actions
    assert action.applicability is Applicability.SAFE
    assert lab.until_green().green
