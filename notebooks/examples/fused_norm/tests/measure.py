"""Errors of the fused operators and their gradients against the reference in float64 on the CPU.

`python tests/measure.py` prints one line for each case and exits 1 if one is over its tolerance.
"""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from fused_norm import functional, reference

# The inputs are rounded to the dtype before both sides see them, so only the arithmetic counts.
# A sum of n products carries up to about sqrt(n) roundings: 16 covers the longest sum below (1024
# terms), a result in half is rounded once more from the float sum.
ROUNDINGS = 16
LAYER_NORM_EPS = 1e-5  # the operators' default
LAYER_NORM_SHAPES = [(1, 1), (3, 31), (7, 64), (5, 1021), (128, 1024), (257, 768)]
MLP_SHAPES = [(1, 1, 1, 1), (5, 33, 17, 9), (64, 256, 512, 128), (100, 768, 1024, 768)]
DTYPES = (torch.float16, torch.float32, torch.float64)


@dataclass(frozen=True)
class Case:
    """One operator, one shape, one dtype; `inputs` are on the CPU and in that dtype."""

    operator: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    inputs: tuple[torch.Tensor, ...]

    def __str__(self) -> str:
        shape = "x".join(map(str, self.shape))
        return f"{self.operator}-{shape}-{str(self.dtype).removeprefix('torch.')}"


def cases() -> Iterator[Case]:
    """Make every case, always with the same numbers."""
    for dtype in DTYPES:
        for rows, cols in LAYER_NORM_SHAPES:
            g = torch.Generator().manual_seed(rows * cols)
            inputs = [
                3 * torch.randn(rows, cols, generator=g) + 1,
                1 + 0.2 * torch.randn(cols, generator=g),
                torch.randn(cols, generator=g),
            ]
            yield Case("layer_norm", (rows, cols), dtype, tuple(t.to(dtype) for t in inputs))
        for rows, size, hidden, out in MLP_SHAPES:
            g = torch.Generator().manual_seed(rows * hidden)
            inputs = [
                torch.randn(rows, size, generator=g),
                torch.randn(hidden, size, generator=g) / size**0.5,
                0.1 * torch.randn(hidden, generator=g),
                torch.randn(out, hidden, generator=g) / hidden**0.5,
                0.1 * torch.randn(out, generator=g),
            ]
            shape = (rows, size, hidden, out)
            yield Case("mlp", shape, dtype, tuple(t.to(dtype) for t in inputs))


def results(
    operator: Callable[..., torch.Tensor], inputs: tuple[torch.Tensor, ...], grad: torch.Tensor
) -> list[torch.Tensor]:
    """Return the output and the gradient of each input."""
    leaves = [t.detach().clone().requires_grad_() for t in inputs]
    y = operator(*leaves)
    y.backward(grad.to(y))
    return [y.detach(), *(t.grad for t in leaves)]


def error(got: torch.Tensor, want: torch.Tensor) -> float:
    """Return the largest error in units of the largest value that was expected (at least 1)."""
    scale = max(1.0, want.abs().max().item())
    return ((got.double().cpu() - want).abs().max() / scale).item()


def measure(case: Case, device: str = "cuda") -> float:
    """Return the largest error of the output and of all gradients; NaN counts as infinite."""
    wanted = tuple(t.double() for t in case.inputs)
    reference_of = getattr(reference, case.operator)
    size = reference_of(*wanted).shape
    grad = torch.randn(size, generator=torch.Generator().manual_seed(1)).to(case.dtype)
    want = results(reference_of, wanted, grad)
    fused = getattr(functional, case.operator)
    got = results(fused, tuple(t.to(device) for t in case.inputs), grad)
    errors = [error(a, b) for a, b in zip(got, want, strict=True)]
    return max(e if e == e else float("inf") for e in errors)


def tolerance(case: Case) -> float:
    """Return the largest error that rounding explains: `ROUNDINGS` times the dtype's epsilon.

    A row of one column has no variance: its gradient is a difference of equal numbers, whose
    rounding in the type of the sums (float for half) the operator amplifies by 1 / sqrt(eps).
    """
    rounding = torch.finfo(case.dtype).eps
    if case.operator == "layer_norm" and case.shape[1] == 1:
        sums = torch.promote_types(case.dtype, torch.float32)
        rounding += torch.finfo(sums).eps * LAYER_NORM_EPS**-0.5
    return ROUNDINGS * rounding


def main() -> int:
    """Print the stack and every case; return 1 if one is over its tolerance."""
    stack = f"HIP {torch.version.hip}" if torch.version.hip else f"CUDA {torch.version.cuda}"
    print(f"{torch.cuda.get_device_name()}, {stack}, torch {torch.__version__}, ", end="")
    print(f"Python {platform.python_version()}")
    failed = 0
    for case in cases():
        found, allowed = measure(case), tolerance(case)
        failed += found > allowed
        mark = "ok  " if found <= allowed else "FAIL"
        print(f"{mark} {case!s:34} error {found:8.1e}, allowed {allowed:7.1e}")
    print(f"{failed} over their tolerance")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
