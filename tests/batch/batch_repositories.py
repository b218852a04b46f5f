"""Tiny repositories for a batch: kernels that compile, that a rule repairs, that nothing repairs."""

from __future__ import annotations

import hashlib
from pathlib import Path

FINE = "__global__ void fine(float* x) { x[threadIdx.x] *= 2.f; }\n"
FIXABLE = (
    "#include <cuda_runtime.h>\n"
    "__global__ void k(float* x) { x[threadIdx.x] += __shfl_xor_sync(0xffffffff, x[0], 1); }\n"
)
HOPELESS = "__global__ void k(float* x) { x[threadIdx.x] += nothing_like_it(x[0]); }\n"


def make(folder: Path, *sources: str, setup: str = "") -> Path:
    """Write a repository with these sources and return its folder."""
    (folder / "csrc").mkdir(parents=True)
    (folder / "setup.py").write_text(setup)
    for number, source in enumerate(sources):
        (folder / "csrc" / f"k{number}.cu").write_text(source)
    return folder


def digests(folder: Path) -> dict[str, str]:
    """Return every file below a folder with its digest."""
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
