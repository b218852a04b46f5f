"""Time the transcoder against torch's hipify in the same run, whole processes, as JSON.

Run: python benchmarks/transcode.py [--large]. Both engines start from a bare interpreter, and
torch's hipify is imported without torch around it; `command` is the installed command line. Times
are seconds of processor time, so that other work on the machine counts little. Projects are
generated, every file different text, or `--tree DIR` copied; `--large` adds trees of 1,000 and of
10,000 files (100 MB).
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.host.sourcetree import source_names
from fastpt_lab.transcode.installed import find_hipify

if TYPE_CHECKING:
    from collections.abc import Callable

ROUNDS = 5
FILES = 330

_TOP = """\
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <c10/cuda/CUDAStream.h>
#include <torch/extension.h>
#include "shared_{group}.cuh"

"""
_KERNEL = """\
// Sum the rows of x, "{n}": one block a row.
template <typename T>
__global__ void rows_{n}(const T* __restrict__ x, T* __restrict__ y, int columns, T scale) {{
  __shared__ T part[32];
  T v = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) v += x[blockIdx.x * columns + i] * scale;
  part[threadIdx.x & 31] = v; /* no reduction: {n} */
  __syncthreads();
  if (threadIdx.x == 0) y[blockIdx.x] = std::max(v, part[0]) + T({n});
}}

cudaError_t run_{n}(const float* x, float* y, int rows, int columns, cudaStream_t stream) {{
  if (rows <= 0 || columns <= 0) return cudaErrorInvalidValue;
  float* copy = nullptr;
  cudaError_t status = cudaMallocAsync(&copy, sizeof(float) * rows * columns, stream);
  if (status != cudaSuccess) {{ printf("cudaMallocAsync failed: %s", cudaGetErrorString(status)); }}
  rows_{n}<float><<<rows, 256, 0, stream>>>(x, y, columns, 1.f);
  cudaMemcpyAsync(copy, x, sizeof(float) * columns, cudaMemcpyDeviceToDevice, stream);
  return cudaGetLastError();
}}

"""
_HEADER = """\
#pragma once
#include <cuda_fp16.h>
#define CHECK_{n}(call) do {{ if ((call) != cudaSuccess) abort(); }} while (0)
"""
_PLAIN = (
    "#pragma once\n#include <vector>\nstd::vector<int> plain_{n}(int count, double scale);\n"
)

_OURS = """
from pathlib import Path
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.run import transcode
transcode(Project(Path(__import__("sys").argv[1])))
"""
_TORCHS = """
import sys
sys.path.insert(0, sys.argv[2])
from hipify.hipify_python import hipify
root = sys.argv[1]
hipify(project_directory=root, output_directory=root, includes=[root + "/*"],
       is_pytorch_extension=True, show_progress=False)
"""


def make_project(root: Path, files: int, repeat: int = 8) -> None:
    """Write a project of `files` sources: 6 in 10 kernels, the rest headers and host code."""
    for n in range(4, files + 4):
        folder = root / "csrc" / f"part_{n // 50}"
        folder.mkdir(parents=True, exist_ok=True)
        if n % 10 == 0:
            (folder / f"shared_{n // 10}.cuh").write_text(_HEADER.format(n=n))
        elif n % 10 < 4:
            (folder / f"plain_{n}.h").write_text(_PLAIN.format(n=n) * repeat)
        else:
            body = "".join(_KERNEL.format(n=f"{n}_{i}") for i in range(repeat))
            (folder / f"kernel_{n}.cu").write_text(_TOP.format(group=n // 10) + body)
    past = time.time() - 60
    for path in root.rglob("*"):
        os.utime(path, (past, past))


def child(words: list[str], cwd: Path | None = None) -> tuple[float, float]:
    """Run a new interpreter; return its processor seconds and the peak of its memory in MB."""
    # An installed package has its bytecode on disk; so have both engines after the first run.
    env = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPATH"] = str(Path(__file__).parents[1])
    process = subprocess.Popen(
        [sys.executable, *words],
        cwd=cwd,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}: {words}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def command(root: Path) -> tuple[float, float]:
    """Transcode `root` with the command line."""
    return child(["-m", "fastpt_lab.cli", "transcode"], cwd=root)


def ours(root: Path) -> tuple[float, float]:
    """Transcode `root` with this engine."""
    return child(["-c", _OURS, str(root)])


def torchs(root: Path) -> tuple[float, float]:
    """Transcode `root` with torch's hipify."""
    return child(["-c", _TORCHS, str(root), str(find_hipify().parent)])


def medians(runs: dict[str, Callable[[], float]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median of each, all of them taken in turn so that load hits them alike."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            times[name].append(run())
    return {name: statistics.median(values) for name, values in times.items()}


def fresh(template: Path, work: Path) -> Path:
    """Copy the template anew and return the copy."""
    target = work / f"run-{time.monotonic_ns()}"
    shutil.copytree(template, target)
    return target


def generated(files: int, folder: Path) -> Path:
    """Write a project of `files` sources below `folder`."""
    template = folder / f"template-{files}"
    make_project(template, files)
    return template


def compare(template: Path, folder: Path) -> dict[str, object]:
    """Time both engines on copies of a project: cold, unchanged, one changed."""
    kept, commanded, theirs = (fresh(template, folder) for _ in range(3))
    ours(kept)
    command(commanded)
    torchs(theirs)
    edited = next(kept.rglob("*.cu"))
    other = theirs / edited.relative_to(kept)

    def one_changed(
        path: Path, root: Path, engine: Callable[[Path], tuple[float, float]]
    ) -> float:
        path.write_text(path.read_text() + f"// {time.monotonic_ns()}\n")
        past = time.time() - 30
        os.utime(path, (past, past))
        return engine(root)[0]

    seconds = medians(
        {
            "start": lambda: child(["-c", "pass"])[0],
            "cold": lambda: ours(fresh(template, folder))[0],
            "command_cold": lambda: command(fresh(template, folder))[0],
            "torch_cold": lambda: torchs(fresh(template, folder))[0],
            "unchanged": lambda: ours(kept)[0],
            "command_unchanged": lambda: command(commanded)[0],
            "torch_unchanged": lambda: torchs(theirs)[0],
            "one_changed": lambda: one_changed(edited, kept, ours),
            "torch_one_changed": lambda: one_changed(other, theirs, torchs),
        }
    )
    sources = source_names(str(template))
    size = sum(info.st_size for info in sources.values())
    return {
        "project": template.name,
        "files": len(sources),
        "megabytes": round(size / 1e6, 2),
        "seconds": {name: round(value, 4) for name, value in seconds.items()},
        "cold_ratio": round(seconds["torch_cold"] / seconds["cold"], 1),
        "unchanged_ratio": round(seconds["torch_unchanged"] / seconds["unchanged"], 1),
        "command_cold_ratio": round(seconds["torch_cold"] / seconds["command_cold"], 1),
        "command_unchanged_ratio": round(
            seconds["torch_unchanged"] / seconds["command_unchanged"], 1
        ),
        "unchanged_writes": writes(kept),
        "one_changed_above_start_ms": round(
            1000 * (seconds["one_changed"] - seconds["start"]), 1
        ),
    }


def writes(root: Path) -> int:
    """Return how many files a run on an unchanged project creates or replaces."""

    def state() -> dict[Path, tuple[int, int]]:
        return {
            path: (path.stat().st_mtime_ns, path.stat().st_ino)
            for path in root.rglob("*")
            if path.is_file()
        }

    ours(root)
    before = state()
    ours(root)
    return sum(before.get(path) != stamp for path, stamp in state().items())


def growth(folder: Path) -> list[dict[str, object]]:
    """Time one cold run on 1,000 and on 10,000 files of 10 kB."""
    rows: list[dict[str, object]] = []
    for files in (1000, 10000):
        root = folder / f"large-{files}"
        make_project(root, files, repeat=13)
        size = sum(p.stat().st_size for p in root.rglob("*") if p.is_file())
        seconds, peak = ours(root)
        again, peak_again = ours(root)
        rows.append(
            {
                "files": files,
                "megabytes": round(size / 1e6, 1),
                "seconds": round(seconds, 2),
                "peak_megabytes": round(peak),
                "unchanged_seconds": round(again, 2),
                "unchanged_peak_megabytes": round(peak_again),
            }
        )
        shutil.rmtree(root)
    return rows


def templates(folder: Path) -> list[Path]:
    """Return the projects to copy: generated ones, and the tree that `--tree` names."""
    found = [generated(files, folder) for files in (1, 20, FILES)]
    if "--tree" in sys.argv[1:]:
        tree = Path(sys.argv[sys.argv.index("--tree") + 1]).resolve()
        for path in tree.rglob("*.hip"):
            raise SystemExit(f"{path} was transcoded before; name a tree as it was fetched")
        found.append(tree)
    return found


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="bench-transcode-") as name:
        folder = Path(name).resolve()
        os.environ["FASTPT_CACHE_DIR"] = str(folder / "cache")
        result: dict[str, object] = {
            "benchmark": "transcode",
            "rounds": ROUNDS,
            "projects": [compare(template, folder) for template in templates(folder)],
        }
        if "--large" in sys.argv[1:]:
            result["growth"] = growth(folder)
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
