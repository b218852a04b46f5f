"""The yardstick of the shipped example, measured against torch's own operators on the CPU."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_torch

if TYPE_CHECKING:
    from types import ModuleType

REFERENCE = Path(__file__).parents[2] / "notebooks/examples/fused_norm/fused_norm/reference.py"


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("fused_norm_reference", REFERENCE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@need_torch
@pytest.mark.parametrize("cols", [1, 31, 1024])
def test_layer_norm_is_torchs(reference: ModuleType, cols: int) -> None:
    import torch

    torch.manual_seed(cols)
    x, gamma, beta = (
        torch.randn(*s, dtype=torch.double) for s in ((7, cols), (cols,), (cols,))
    )
    want = torch.nn.functional.layer_norm(x, (cols,), gamma, beta, eps=1e-5)
    torch.testing.assert_close(reference.layer_norm(x, gamma, beta), want)


@need_torch
def test_mlp_is_torchs(reference: ModuleType) -> None:
    import torch

    torch.manual_seed(0)
    shapes = (9, 33), (17, 33), (17,), (5, 17), (5,)
    x, w1, b1, w2, b2 = (torch.randn(*s, dtype=torch.double) for s in shapes)
    linear, gelu = torch.nn.functional.linear, torch.nn.functional.gelu
    want = linear(gelu(linear(x, w1, b1)), w2, b2)
    torch.testing.assert_close(reference.mlp(x, w1, b1, w2, b2), want)
