"""The built extension on a GPU: numbers, gradients, and what the entry refuses.

python setup.py build_ext --inplace && python -m pytest tests
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

if not torch.cuda.is_available():
    pytest.skip("needs a GPU", allow_module_level=True)

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).resolve().parents[1])]

from fused_norm import functional, modules
from measure import Case, cases, measure, tolerance


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_close_to_the_reference_in_double(case: Case) -> None:
    assert measure(case) <= tolerance(case)


@pytest.mark.parametrize("cols", [1, 31, 64])
def test_gradient_of_layer_norm(cols: int) -> None:
    x, gamma, beta = (
        torch.randn(*s, dtype=torch.double, device="cuda", requires_grad=True)
        for s in ((4, cols), (cols,), (cols,))
    )
    torch.autograd.gradcheck(functional.layer_norm, (x, gamma, beta, 1e-3))


def test_gradient_of_mlp() -> None:
    shapes = (3, 5), (7, 5), (7,), (2, 7), (2,)
    inputs = [
        torch.randn(*s, dtype=torch.double, device="cuda", requires_grad=True) for s in shapes
    ]
    torch.autograd.gradcheck(functional.mlp, tuple(inputs))


def test_modules_keep_leading_dimensions() -> None:
    x = torch.randn(2, 3, 64, device="cuda")
    y = modules.FusedMlp(64, 96).cuda()(modules.FusedLayerNorm(64).cuda()(x))
    assert y.shape == x.shape
    y.sum().backward()


def test_no_rows() -> None:
    x, gamma, beta = (
        torch.zeros(*s, device="cuda", requires_grad=True) for s in ((0, 8), (8,), (8,))
    )
    functional.layer_norm(x, gamma, beta).sum().backward()
    assert gamma.grad is not None
    assert not gamma.grad.any()


def normalise(x: torch.Tensor, gamma_device: str = "cuda") -> None:
    gamma = torch.ones(8, device=gamma_device)
    functional.layer_norm(x, gamma, gamma)


def test_entry_refuses_the_cpu() -> None:
    with pytest.raises(RuntimeError, match="x must be on the GPU, it is on cpu"):
        normalise(torch.zeros(2, 8))
    with pytest.raises(RuntimeError, match="gamma must be on the GPU"):
        normalise(torch.zeros(2, 8, device="cuda"), gamma_device="cpu")


def test_entry_refuses_another_dtype() -> None:
    with pytest.raises(RuntimeError, match="x must be half, float or double"):
        normalise(torch.zeros(2, 8, dtype=torch.int32, device="cuda"))
    with pytest.raises(RuntimeError, match="gamma must be Double as the input, it is Float"):
        normalise(torch.zeros(2, 8, dtype=torch.double, device="cuda"))


def test_entry_refuses_another_layout() -> None:
    with pytest.raises(RuntimeError, match="x must be contiguous"):
        normalise(torch.zeros(8, 2, device="cuda").t())


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        ((2, 2, 8), "x must have 2 dimensions"),
        ((2, 9), "gamma must have shape"),
        ((2, 0), "one column"),
    ],
)
def test_entry_refuses_another_shape(shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        normalise(torch.zeros(*shape, device="cuda"))
