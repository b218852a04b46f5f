"""Run both branches of the fixed kernels on an NVIDIA GPU and compare what they compute.

    python tests/gpu/compare.py            build, run and compare; needs torch with CUDA and nvcc

Each kernel in fixed/ is built three times: its CUDA branch, its HIP branch with the meaning
that hip_on_cuda.h gives to HIP's names, and that branch with an error planted in this meaning.
The first two must agree with each other and with the reference; the third must not: a
comparison that cannot fail proves nothing. Exit code 1: one of these does not hold.
"""

from __future__ import annotations

import argparse
import ctypes
import platform
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch

HERE = Path(__file__).resolve().parent
FIXED = HERE / "fixed"
HIP_BRANCH = ("--pre-include", str(HERE / "hip_on_cuda.h"))
VARIANTS = {
    "cuda": (),
    "hip": HIP_BRANCH,
    "planted": (
        *HIP_BRANCH,
        *(f"-DPLANT_{what}" for what in ("WIDTH", "VOTE", "LANE", "HALF", "APPROX")),
    ),
}
DTYPES = {
    "shuffle": ("float32", "float64", "int32", "int64"),
    "vote": ("int32",),
    "reduce": ("float32", "float64"),
    "sync": ("int32",),
    "half": ("float16",),
    "ptx": ("int32",),
    "approx": ("float32",),
}
# One lane, a part of a warp, whole warps, a block that is not full, many blocks.
SIZES = (1, 31, 32, 100, 128, 1000, 4096)
SEEDS = 4
# Welford's mean is a quotient, and what approximates is near: all else is exact.
RELATIVE = {"reduce": {"float32": 1e-5, "float64": 1e-13}, "approx": {"float32": 1e-5}}
# Between the branches only what PTX approximates may differ.
BETWEEN = {"approx": 1e-5}
SECONDS = 120


def nvcc_command(kernel: str, variant: str, arch: str, out: Path) -> list[str]:
    """Return the command that builds one variant of a kernel as a shared library."""
    shared = ("-shared", "-Xcompiler", "-fPIC", "-std=c++17", f"-arch={arch}")
    return ["nvcc", *shared, *VARIANTS[variant], str(FIXED / f"{kernel}.cu"), "-o", str(out)]


def inputs(dtype: str) -> Iterator[torch.Tensor]:
    """Yield whole numbers between -8 and 8, always the same."""
    import torch

    for size in SIZES:
        for seed in range(SEEDS):
            generator = torch.Generator().manual_seed(1000 * size + seed)
            yield torch.randint(-8, 9, (size,), generator=generator).to(getattr(torch, dtype))


def run_all(kernel: str, dtype: str, library: Path) -> list[torch.Tensor]:
    """Run a built kernel on every input.

    Raises:
        SystemExit: the kernel stopped with an error of the runtime.
    """
    import torch
    from reference import expected

    entry = getattr(ctypes.CDLL(str(library)), f"run_{dtype}")
    results = []
    for x in inputs(dtype):
        out = torch.full(expected(kernel, x).shape, -99, dtype=x.dtype, device="cuda")
        on_device = x.cuda()
        torch.cuda.synchronize()
        error = entry(
            ctypes.c_void_p(on_device.data_ptr()), ctypes.c_void_p(out.data_ptr()), len(x)
        )
        if error:
            raise SystemExit(f"run_{dtype} of {kernel} returned {error}")
        results.append(out.cpu())
    return results


def run_apart(kernel: str, dtype: str, library: Path) -> list[torch.Tensor] | str:
    """Run a kernel in a process of its own, because a trap leaves a CUDA context unusable."""
    import torch

    result = library.with_suffix(f".{dtype}.pt")
    argv = [sys.executable, __file__, "--child", kernel, dtype, str(library), str(result)]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"no end within {SECONDS} s"
    if done.returncode:
        return (done.stdout + done.stderr).strip()[-300:]
    loaded: list[torch.Tensor] = torch.load(result)
    return loaded


def difference(got: torch.Tensor, want: torch.Tensor, relative: float) -> str:
    """Say how many values differ and where first; empty if none does."""
    error = (got.double() - want.double()).abs()
    wrong = ~(error <= relative * want.double().abs().clamp(min=1))
    if not wrong.any():
        return ""
    operation, lane = (int(i) for i in wrong.nonzero()[0])
    return (
        f"{int(wrong.sum())} of {wrong.numel()} values differ, first output {operation}, "
        f"element {lane}: {got[operation, lane].item()} for {want[operation, lane].item()}"
    )


def first_difference(
    got: list[torch.Tensor] | str, want: list[torch.Tensor] | str, relative: float
) -> str:
    """Return the first difference over all inputs, or why there is nothing to compare."""
    if isinstance(got, str) or isinstance(want, str):
        return next(text for text in (got, want) if isinstance(text, str))
    found = (difference(a, b, relative) for a, b in zip(got, want, strict=True))
    return next((text for text in found if text), "")


def compare(kernel: str, dtype: str, libraries: dict[str, Path]) -> tuple[bool, str]:
    """Return whether a kernel holds in one dtype, and the line that says so."""
    from reference import expected

    results = {v: run_apart(kernel, dtype, library) for v, library in libraries.items()}
    wanted = [expected(kernel, x) for x in inputs(dtype)]
    relative = RELATIVE.get(kernel, {}).get(dtype, 0.0)
    cuda = first_difference(results["cuda"], wanted, relative)
    hip = first_difference(results["hip"], wanted, relative)
    between = first_difference(results["hip"], results["cuda"], BETWEEN.get(kernel, 0.0))
    planted = first_difference(results["planted"], wanted, relative)
    alike = "the same bits" if kernel not in BETWEEN else f"within {BETWEEN[kernel]}"
    holds = not (cuda or hip or between) and bool(planted)
    return holds, (
        f"{'ok  ' if holds else 'FAIL'} {kernel:8}{dtype:8} {len(wanted)} inputs; "
        f"CUDA branch: {cuda or 'as the reference'}; HIP branch: {hip or 'as the reference'}; "
        f"HIP against CUDA: {between or alike}; "
        f"planted error: {'found' if planted else 'NOT FOUND'}"
    )


def stack(arch: str) -> str:
    """Say what the result was measured with."""
    import torch

    return (
        f"{torch.cuda.get_device_name()} ({arch}), CUDA {torch.version.cuda}, "
        f"torch {torch.__version__}, Python {platform.python_version()}"
    )


def main() -> int:
    """Build, run and compare everything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--child", nargs=4, help=argparse.SUPPRESS)
    child = parser.parse_args().child
    import torch

    if child:
        kernel, dtype, library, result = child
        torch.save(run_all(kernel, dtype, Path(library)), result)
        return 0
    if shutil.which("nvcc") is None or not torch.version.cuda or not torch.cuda.is_available():
        sys.stderr.write("needs nvcc, a torch with CUDA and an NVIDIA GPU\n")
        return 4
    arch = "sm_{}{}".format(*torch.cuda.get_device_capability())
    sys.stdout.write(stack(arch) + "\n")
    bad = 0
    with tempfile.TemporaryDirectory() as folder:
        for kernel, dtypes in DTYPES.items():
            libraries = {v: Path(folder) / f"{kernel}_{v}.so" for v in VARIANTS}
            for variant, library in libraries.items():
                subprocess.run(nvcc_command(kernel, variant, arch, library), check=True)
            for dtype in dtypes:
                holds, line = compare(kernel, dtype, libraries)
                bad += not holds
                sys.stdout.write(line + "\n")
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
