"""What the kernels must compute, lane by lane, in torch on the CPU.

Inputs are small whole numbers, so every sum is exact in every type and order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

LANES = 32
BLOCK = 128


def shuffle(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the six outputs of kernels/shuffle.cu."""
    groups = _rows(x, LANES)
    lane = torch.arange(LANES)
    largest = groups.amax(1, keepdim=True).expand_as(groups)
    total = groups.sum(1, keepdim=True).expand_as(groups)
    rotated = groups[:, lane // 8 * 8 + (lane + 1) % 8]
    return [largest, total, _down_sums(groups, 16), groups.cumsum(1), rotated, groups.flip(1)]


def _down_sums(groups: torch.Tensor, width: int) -> torch.Tensor:
    """Add the lane `delta` above; a lane without one in its segment adds itself."""
    lane = torch.arange(LANES)
    delta = width // 2
    while delta > 0:
        above = torch.where(lane % width + delta < width, lane + delta, lane)
        groups = groups + groups[:, above]
        delta //= 2
    return groups


def vote(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the four outputs of kernels/vote.cu."""
    groups = _rows(x, LANES)
    positive = groups > 0
    bits = (positive.long() << torch.arange(LANES)).sum(1, keepdim=True)
    signed = torch.where(bits >= 2**31, bits - 2**32, bits).expand_as(groups)
    order = torch.sort(positive.int(), dim=1, descending=True, stable=True).indices
    kept = torch.where(positive, groups, 0).gather(1, order)
    one = (groups == 7).any(1, keepdim=True).expand_as(groups)
    every = (groups > -5).all(1, keepdim=True).expand_as(groups)
    return [signed, kept, one, every]


def reduce(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the five outputs of kernels/reduce.cu."""
    groups = _rows(x, LANES)
    first = torch.arange(LANES) == 0
    total = groups.sum(1, keepdim=True).expand_as(groups)
    mean = groups.mean(1, keepdim=True)
    m2 = (groups - mean).square().sum(1, keepdim=True)
    block = _rows(x, BLOCK).sum(1, keepdim=True).expand(-1, BLOCK)
    return [total * first, total, block, mean * first, m2 * first]


def _rows(x: torch.Tensor, size: int) -> torch.Tensor:
    """Cut x into rows of `size`, the last block filled up with zeros."""
    padded = torch.nn.functional.pad(x, (0, -len(x) % BLOCK))
    return padded.reshape(-1, size)


REFERENCES: dict[str, Callable[[torch.Tensor], list[torch.Tensor]]] = {
    "shuffle": shuffle,
    "vote": vote,
    "reduce": reduce,
}


def expected(kernel: str, x: torch.Tensor) -> torch.Tensor:
    """Return the outputs of a kernel for x in int64 or float64, as one row each."""
    outputs = REFERENCES[kernel](x.double() if x.is_floating_point() else x.long())
    return torch.stack([o.reshape(-1)[: len(x)].to(outputs[0].dtype) for o in outputs])
