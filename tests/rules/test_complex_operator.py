"""A component-wise product must not be left to HIP where HIP's is the complex one."""

from __future__ import annotations

from pathlib import Path

import pytest
from needs import need_hipcc, need_torch

from fastpt_lab import Session
from fastpt_lab.core.action import ActionKind, Applicability
from fastpt_lab.rules.kit.operands import operands_at

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


@pytest.mark.parametrize(
    ("code", "left", "right"),
    [
        ("y = a / b;", "a", "b"),
        ("y = (a + b) / c[i].d;", "(a + b)", "c[i].d"),
        ("return f(a, b) * p->q(1)[2];", "f(a, b)", "p->q(1)[2]"),
        ("g(x, a.b / 2.f);", "a.b", "2.f"),
        ("y = k + a * n::b;", "a", "n::b"),
        ("y = a[0] - b(1) / c;", "b(1)", "c"),
        ("y = a / b * c;", "a", "b"),
        ("y = a / (T)(b).x;", "a", "(T)(b).x"),
    ],
)
def test_operands_are_read(code: str, left: str, right: str) -> None:
    offset = next(i for i, c in enumerate(code) if c in "*/")
    found = operands_at(code, offset)
    assert found is not None
    assert code[slice(*found.left)] == left
    assert code[slice(*found.right)] == right


@pytest.mark.parametrize(
    "code",
    [
        "y = -a / b;",
        "y = k * a / b;",
        "y = f<2>(a) / b;",
        "y = a / f<2>(b);",
        "y = a / -b;",
        "y = a / *b;",
        "y = a / b++;",
        "y = (T)a / b;",
        "y = a / (T)b;",
        "y = !a / b;",
        "y = x - -a / b;",
        "y = sizeof(a) / b;",
        "y = a++ / b;",
        "y = [] { return a; }() / b;",
        "#define Q a / b\n",
        "y = /b;",
        "y = a /",
    ],
)
def test_operands_that_take_a_parser_are_left_alone(code: str) -> None:
    assert operands_at(code, code.rindex("/")) is None
