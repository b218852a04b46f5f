"""The fused operators as differentiable functions; shapes and dtypes are checked at the entry of the extension."""

from __future__ import annotations

from typing import Any

import torch  # before _C, whose libraries it loads
from fused_norm import _C


class _LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float
    ) -> torch.Tensor:
        y, mean, rstd = _C.layer_norm_forward(x, gamma, beta, eps)
        ctx.save_for_backward(x, mean, rstd, gamma)
        return y

    @staticmethod
    def backward(ctx: Any, grad_y: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        x, mean, rstd, gamma = ctx.saved_tensors
        return *_C.layer_norm_backward(grad_y.contiguous(), x, mean, rstd, gamma), None


class _Mlp(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        w1: torch.Tensor,
        b1: torch.Tensor,
        w2: torch.Tensor,
        b2: torch.Tensor,
    ) -> torch.Tensor:
        y, z, h = _C.mlp_forward(x, w1, b1, w2, b2)
        ctx.save_for_backward(x, w1, b1, w2, z, h)
        return y

    @staticmethod
    def backward(ctx: Any, grad_y: torch.Tensor) -> tuple[torch.Tensor, ...]:
        return _C.mlp_backward(grad_y.contiguous(), *ctx.saved_tensors)


def layer_norm(
    x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float = 1e-5
) -> torch.Tensor:
    """Normalise each row of x: (rows, cols), half, float or double, contiguous, on the GPU."""
    return _LayerNorm.apply(x, gamma, beta, eps)


def mlp(
    x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor
) -> torch.Tensor:
    """Apply two linear layers with GELU between; w1: (hidden, in), w2: (out, hidden)."""
    return _Mlp.apply(x, w1, b1, w2, b2)
