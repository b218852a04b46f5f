"""Doubling with a planted fault: lanes 32 to 63 are left out, as code written for 32 lanes does."""

import torch


def op(x: torch.Tensor) -> torch.Tensor:
    """Double the first 32 of every 64 columns only."""
    lane = torch.arange(x.shape[-1], device=x.device) % 64
    return torch.where(lane < 32, 2 * x, x)


def reference(x: torch.Tensor) -> torch.Tensor:
    """Double each element."""
    return 2 * x


inputs = (("n", 256),)
real = 500
