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


def sync(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the nine outputs of kernels/sync.cu."""
    groups = _rows(x, LANES)
    lane = torch.arange(LANES)
    same = (groups[:, :, None] == groups[:, None, :]).long() << lane
    words = groups % 2**32
    bits = words[:, :, None] >> lane & 1
    folded = [bits.amin(1), bits.amax(1), bits.sum(1) % 2]
    # Every lane gets the same: the reductions and the count of those that are there.
    shared = [groups.sum(1), groups.amin(1), groups.amax(1)]
    shared += [_signed((word << lane).sum(1)) for word in folded]
    shared += [torch.full((len(groups),), LANES)]
    everywhere = [value[:, None].expand_as(groups) for value in shared]
    return [_signed(same.sum(2)), *everywhere, groups[:, (lane + 2) % LANES]]


def half(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the nine outputs of kernels/half.cu."""
    flipped = x.flip(0)
    larger, smaller = torch.maximum(x, flipped), torch.minimum(x, flipped)
    blocks = _rows(x, BLOCK)
    thread = torch.arange(BLOCK)
    sums = [blocks, _rows(flipped, BLOCK), blocks * (thread % 2 == 0), blocks * (thread % 2)]
    totals = [values.sum(1, keepdim=True).expand_as(blocks) for values in sums]
    return [larger, smaller, larger, smaller, *totals, x]


def ptx(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the nine outputs of kernels/ptx.cu, word by word in Python's own integers."""
    index = torch.arange(len(x))
    a = (x * 2654435769 + index) % 2**32
    columns = torch.tensor([_words(int(word)) for word in a]).reshape(-1, 6).T
    lane = index % LANES
    below = _signed((1 << lane) - 1)
    return [lane, below, *(_signed(column) for column in columns), x]


def _words(a: int) -> list[int]:
    """Return what the functions of kernels/ptx.cu give for one word."""
    b = a * 2246822519 % 2**32
    c = (a + b) % 2**32
    at, size = b & 63, a & 63
    chosen = sum(1 << bit for bit in range(32) if 0x1B >> _row(a, b, c, bit) & 1)
    logic = (a ^ b ^ c) + 3 * chosen
    sign = a >> min(at + size - 1, 31) & 1 if size else 0
    picked = [(a >> at + k & 1) if at + k < 32 else None for k in range(min(size, 32))]
    cut = sum(bit << k for k, bit in enumerate(picked) if bit)
    filled = [sign if k >= len(picked) or picked[k] is None else picked[k] for k in range(32)]
    widened = sum(bit << k for k, bit in enumerate(filled))
    mask = sum(1 << at + k for k in range(size) if at + k < 32)
    inserted = b & ~mask | a << at & mask
    fields = cut + 3 * widened + 5 * inserted
    from_both = a.to_bytes(4, "little") + b.to_bytes(4, "little")
    turned, mixed = (
        int.from_bytes(bytes(from_both[s >> 4 * k & 7] for k in range(4)), "little")
        for s in (0x0123, 0x7250)
    )
    counts = a.bit_count() + 64 * (32 - a.bit_length()) + int(f"{a:032b}"[::-1], 2)
    signed_a, signed_b = (w - 2**32 if w >> 31 else w for w in (a, b))
    wide = signed_a * signed_b
    products = (wide >> 32) ^ (wide + signed_a) ^ (wide >> 7)
    shifts = (0 if at > 31 else (a << at) + (a >> at)) + (signed_a >> min(at, 31))
    found = (logic, fields, turned ^ mixed, counts, products, shifts)
    return [word % 2**32 for word in found]


def _row(a: int, b: int, c: int, bit: int) -> int:
    return 4 * (a >> bit & 1) + 2 * (b >> bit & 1) + (c >> bit & 1)


def approx(x: torch.Tensor) -> list[torch.Tensor]:
    """Return the seven outputs of kernels/approx.cu."""
    a = x.abs() + 1
    turned = a / 4
    roots = [a.sqrt(), a.rsqrt()]
    return [a.exp2(), a.log2(), 1 / a, *roots, turned.sin(), turned.cos()]


def _signed(words: torch.Tensor) -> torch.Tensor:
    """Read words of 32 bits as signed numbers."""
    return torch.where(words >= 2**31, words - 2**32, words)


def _rows(x: torch.Tensor, size: int) -> torch.Tensor:
    """Cut x into rows of `size`, the last block filled up with zeros."""
    padded = torch.nn.functional.pad(x, (0, -len(x) % BLOCK))
    return padded.reshape(-1, size)


REFERENCES: dict[str, Callable[[torch.Tensor], list[torch.Tensor]]] = {
    "shuffle": shuffle,
    "vote": vote,
    "reduce": reduce,
    "sync": sync,
    "half": half,
    "ptx": ptx,
    "approx": approx,
}


def expected(kernel: str, x: torch.Tensor) -> torch.Tensor:
    """Return the outputs of a kernel for x in int64 or float64, as one row each."""
    outputs = REFERENCES[kernel](x.double() if x.is_floating_point() else x.long())
    return torch.stack([o.reshape(-1)[: len(x)].to(outputs[0].dtype) for o in outputs])
