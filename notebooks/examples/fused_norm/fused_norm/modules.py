"""The operators as modules with parameters of their own."""

from __future__ import annotations

import torch
from fused_norm import functional


class FusedLayerNorm(torch.nn.Module):
    """Normalise the last dimension, of `size` features."""

    def __init__(self, size: int, eps: float = 1e-5) -> None:
        super().__init__()
        self.eps = eps
        self.weight = torch.nn.Parameter(torch.ones(size))
        self.bias = torch.nn.Parameter(torch.zeros(size))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Normalise x: (…, size)."""
        rows = x.reshape(-1, x.shape[-1])
        return functional.layer_norm(rows, self.weight, self.bias, self.eps).view_as(x)


class FusedMlp(torch.nn.Module):
    """Map `size` features to `size` features through `hidden` ones."""

    def __init__(self, size: int, hidden: int) -> None:
        super().__init__()
        self.inner = torch.nn.Linear(size, hidden)
        self.outer = torch.nn.Linear(hidden, size)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Apply the layers to x: (…, size)."""
        rows = x.reshape(-1, x.shape[-1])
        y = functional.mlp(
            rows, self.inner.weight, self.inner.bias, self.outer.weight, self.outer.bias
        )
        return y.view(*x.shape[:-1], y.shape[-1])
