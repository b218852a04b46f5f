"""Run both branches of the fixed kernels on an NVIDIA GPU and compare what they compute.

    python tests/gpu/compare.py [--results RESULTS.md]      needs torch with CUDA and nvcc

Each kernel in fixed/ is built four times: its CUDA branch; its HIP branch with the meaning that
hip_on_cuda.h gives to HIP's names in wavefronts of 32 lanes and in those of 64; and that branch
with planted errors. The first three must agree with each other, and with the reference where
there is one; the last must not: a comparison that cannot fail proves nothing. Exit code 1: one
of these does not hold.
"""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent))

import words
from words import Line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import torch

HERE = Path(__file__).resolve().parent
FIXED = HERE / "fixed"
STUBS = HERE.parent / "fixtures" / "cases" / "_stubs" / "warpsync"
HIP_BRANCH = ("--pre-include", str(HERE / "hip_on_cuda.h"), "-I", str(HERE / "include"))
AS_WRITTEN = ("-Xptxas", "-O0")
"""For CUDA's branch: the optimizer of ptxas 13.0.88 (sm_80, sm_90) gets one atomic sum wrong.

It is that of a half2 in shared memory, `atom.add.noftz.f16x2` on a generic address. From one and
the same PTX, 32372 of 32768 sums of random halves are wrong in their upper half at -O1 and above,
and none at -O0; numpy's float16 agrees with -O0. What is compared with must be what is written.
"""
VARIANTS = {
    "cuda": AS_WRITTEN,
    "hip": HIP_BRANCH,
    "wave64": (*HIP_BRANCH, "-DWAVE=64"),
    "planted": HIP_BRANCH,
}
PLANTS = ("WIDTH", "VOTE", "LANE", "HALF", "APPROX")
DTYPES = {
    "shuffle": ("float32", "float64", "int32", "int64"),
    "vote": ("int32",),
    "reduce": ("float32", "float64"),
    "sync": ("int32",),
    "half": ("float16",),
    "ptx": ("int32",),
    "approx": ("float32",),
}
"""Kernels with a reference, and the types of their inputs."""
WORDS = (
    "lanes",
    "values",
    "halves",
    "groups",
    "instructions",
    "doubtful",
    "device",
    "mask_width",
)
"""Kernels that compare words of any bits; CUDA's branch is what the others must equal."""
# One lane, a part of a warp, whole warps, a block that is not full, many blocks.
SIZES = (1, 31, 32, 100, 128, 1000, 4096)
SEEDS = 4
# Welford's mean is a quotient, and what approximates is near: all else is exact.
RELATIVE = {"reduce": {"float32": 1e-5, "float64": 1e-13}, "approx": {"float32": 1e-5}}
# Between the branches only what PTX approximates may differ.
BETWEEN = {"approx": 1e-5}
SECONDS = 200
AT_ONCE = 8
"""Processes that use the GPU at once."""


def nvcc_command(kernel: str, variant: str, arch: str, out: Path) -> list[str]:
    """Return the command that builds one variant of a kernel as a shared library."""
    shared = ("-shared", "-Xcompiler", "-fPIC", "-std=c++17", f"-arch={arch}", f"-I{STUBS}")
    # Where each row is compared alone, each must be seen to be wrong.
    plants = () if variant != "planted" else ("ROWS",) if kernel in WORDS else PLANTS
    words_of = (*shared, *VARIANTS[variant], *(f"-DPLANT_{what}" for what in plants))
    return ["nvcc", *words_of, str(FIXED / f"{kernel}.cu"), "-o", str(out)]


def entries(kernel: str) -> tuple[str, ...]:
    """Return what can be run of a kernel: `run_NAME` for each of these."""
    return DTYPES.get(kernel) or words.entries(FIXED / f"{kernel}.cu")


def inputs(dtype: str) -> Iterator[torch.Tensor]:
    """Yield whole numbers between -8 and 8, always the same."""
    import torch

    for size in SIZES:
        for seed in range(SEEDS):
            generator = torch.Generator().manual_seed(1000 * size + seed)
            yield torch.randint(-8, 9, (size,), generator=generator).to(getattr(torch, dtype))


def shaped(kernel: str, entry: str) -> Iterator[tuple[torch.Tensor, tuple[int, ...]]]:
    """Yield the inputs of an entry, each with the shape of its output."""
    if kernel in WORDS:
        given = words.inputs()
        yield given, (len(words.rows(FIXED / f"{kernel}.cu", entry)), given.shape[1])
        return
    from reference import expected

    for x in inputs(entry):
        yield x, tuple(expected(kernel, x).shape)


def run_all(kernel: str, library: Path, result: Path) -> None:
    """Run every entry of a built kernel on its inputs and keep what each gives as it comes.

    Raises:
        SystemExit: the kernel stopped with an error of the runtime.
    """
    import ctypes

    import torch

    loaded = ctypes.CDLL(str(library))
    kept: dict[str, list[torch.Tensor]] = {}
    for entry in entries(kernel):
        function = getattr(loaded, f"run_{entry}")
        outputs = []
        for x, shape in shaped(kernel, entry):
            out = torch.full(shape, -99, dtype=x.dtype, device="cuda")
            on_device = x.cuda()
            torch.cuda.synchronize()
            pointers = (ctypes.c_void_p(t.data_ptr()) for t in (on_device, out))
            error = function(*pointers, x.shape[-1])
            if error:
                raise SystemExit(f"run_{entry} of {kernel} returned {error}")
            outputs.append(out.cpu())
        kept[entry] = outputs
        torch.save(kept, result)


def run_apart(kernel: str, library: Path) -> dict[str, list[torch.Tensor] | str]:
    """Run a kernel in a process of its own, because a trap leaves a CUDA context unusable."""
    import torch

    result = library.with_suffix(".pt")
    argv = [sys.executable, __file__, "--child", kernel, str(library), str(result)]
    try:
        done = subprocess.run(
            argv, capture_output=True, text=True, timeout=SECONDS, check=False
        )
        why = (done.stdout + done.stderr).strip()[-300:]
    except subprocess.TimeoutExpired:
        why = f"no end within {SECONDS} s"
    found: dict[str, list[torch.Tensor]] = torch.load(result) if result.exists() else {}
    return {entry: found.get(entry, why) for entry in entries(kernel)}


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


def with_reference(
    kernel: str, dtype: str, results: dict[str, list[torch.Tensor] | str]
) -> Line:
    """Return whether a kernel with a reference holds in one type of its inputs."""
    from reference import expected

    wanted = [expected(kernel, x) for x in inputs(dtype)]
    near = RELATIVE.get(kernel, {}).get(dtype, 0.0)
    between = BETWEEN.get(kernel, 0.0)
    wrong = [
        f"{variant} against the reference: {found}"
        for variant in ("cuda", "hip", "wave64")
        if (found := first_difference(results[variant], wanted, near))
    ]
    wrong += [
        f"{variant} against cuda: {found}"
        for variant in ("hip", "wave64")
        if (found := first_difference(results[variant], results["cuda"], between))
    ]
    # What the meaning of HIP's names refuses is found too.
    if not first_difference(results["planted"], wanted, near):
        wrong.append("planted error not found")
    compared = f"{len(wanted)} inputs, {len(wanted[0])} outputs each, and the reference"
    how = "the same bits" if not between else f"within {between}"
    return Line(f"{kernel} {dtype}", compared, how, tuple(wrong))


def of_words(kernel: str, entry: str, results: dict[str, list[torch.Tensor] | str]) -> Line:
    """Return whether an entry on words of any bits holds."""
    alone: dict[str, torch.Tensor] = {}
    for variant, found in results.items():
        if isinstance(found, str):
            return Line(f"{kernel} {entry}", "not run", "", (f"{variant}: {found}",))
        alone[variant] = found[0]
    return words.compared(f"{kernel} {entry}", words.rows(FIXED / f"{kernel}.cu", entry), alone)


def stack(arch: str) -> str:
    """Say what the result was measured with."""
    import torch

    return (
        f"{torch.cuda.get_device_name()} ({arch}), CUDA {torch.version.cuda}, "
        f"torch {torch.__version__}, Python {platform.python_version()}"
    )


def all_lines(folder: Path, arch: str) -> Iterable[Line]:
    """Build and run everything, several at once, and yield what came of each entry."""
    jobs = [(kernel, variant) for kernel in (*DTYPES, *WORDS) for variant in VARIANTS]

    def build(job: tuple[str, str]) -> Path:
        library = folder / f"{job[0]}_{job[1]}.so"
        subprocess.run(nvcc_command(*job, arch, library), check=True)
        return library

    with ThreadPoolExecutor(os.cpu_count()) as builders:
        libraries = list(builders.map(build, jobs))
    with ThreadPoolExecutor(AT_ONCE) as runners:
        kernels = (kernel for kernel, _ in jobs)
        outcomes = dict(zip(jobs, runners.map(run_apart, kernels, libraries), strict=True))
    for kernel in (*DTYPES, *WORDS):
        judge = of_words if kernel in WORDS else with_reference
        for entry in entries(kernel):
            results = {variant: outcomes[kernel, variant][entry] for variant in VARIANTS}
            yield judge(kernel, entry, results)


def main() -> int:
    """Build, run and compare everything."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--results", type=Path, help="write the table to this file too")
    parser.add_argument("--child", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    import torch

    if arguments.child:
        kernel, library, result = arguments.child
        run_all(kernel, Path(library), Path(result))
        return 0
    if shutil.which("nvcc") is None or not torch.version.cuda or not torch.cuda.is_available():
        sys.stderr.write("needs nvcc, a torch with CUDA and an NVIDIA GPU\n")
        return 4
    arch = "sm_{}{}".format(*torch.cuda.get_device_capability())
    with tempfile.TemporaryDirectory() as folder:
        lines = list(all_lines(Path(folder), arch))
    table = words.table(stack(arch), lines)
    sys.stdout.write(table)
    if arguments.results:
        arguments.results.write_text(table, encoding="utf-8")
    return int(any(line.wrong for line in lines))


if __name__ == "__main__":
    sys.exit(main())
