"""What the kernels compute, written in plain torch; in float64 on the CPU it is the yardstick."""

from __future__ import annotations

import math

import torch


def layer_norm(
    x: torch.Tensor, gamma: torch.Tensor, beta: torch.Tensor, eps: float = 1e-5
) -> torch.Tensor:
    """Normalise each row of x: (rows, cols) and scale it by gamma, beta: (cols)."""
    mean = x.mean(dim=-1, keepdim=True)
    deviation = x - mean
    variance = deviation.square().mean(dim=-1, keepdim=True)
    return deviation * torch.rsqrt(variance + eps) * gamma + beta


def gelu(x: torch.Tensor) -> torch.Tensor:
    """Apply GELU with the exact error function."""
    return 0.5 * x * (1.0 + torch.erf(x / math.sqrt(2.0)))


def mlp(
    x: torch.Tensor, w1: torch.Tensor, b1: torch.Tensor, w2: torch.Tensor, b2: torch.Tensor
) -> torch.Tensor:
    """Apply two linear layers with GELU between; w1: (hidden, in), w2: (out, hidden)."""
    return gelu(x @ w1.t() + b1) @ w2.t() + b2
