"""Large input: one tree of up to 10,000 files, and batches of up to 500 repositories, as JSON.

Run: python benchmarks/batch.py [--small]. Everything is generated, and every file is different.

- `tree`: transcode, survey and status of trees of 1,000 to 10,000 files, a new process each.
- `repositories`: `batch --no-compile` of 50 to 500 repositories of three sources each: copied,
  surveyed and transcoded by the product itself, nothing compiled. `again` is the same command
  once more, when all is done.
- `compiled`: `batch --no-fix` of a few repositories with the real hipcc, against the bare hipcc
  command of each of their units.
- `cluster`: the same command on a local Dask cluster of two worker processes, against two
  processes of its own, and that every repository was done.

`cpu` is the processor seconds of a process and its children, which a busy machine changes less
than `wall`; `peak_megabytes` is of the largest process. Each growth has the exponent of its fit
`cpu = a * n ** exponent`: 1 is linear. The curves are drawn to .artifacts/bench_growth.svg.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from growth import Curve, draw, exponent
from transcode import make_project

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).resolve().parents[1]
PLOT = HERE / ".artifacts" / "bench_growth.svg"
TREES = (1000, 2000, 5000, 10000)
BATCHES = (50, 150, 500)
COMPILED = 6
CLUSTERED = 150

_UNIT = """\
#include <cuda_runtime.h>
__global__ void scale_{n}(float* x, int count, float by) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) x[i] = x[i] * by + {n}.f;
}}
void run_{n}(float* x, int count, cudaStream_t stream) {{
  scale_{n}<<<(count + 255) / 256, 256, 0, stream>>>(x, count, 2.f);
}}
"""
_HEADER = (
    "#pragma once\n#include <cuda_runtime.h>\ncudaError_t check_{n}(cudaStream_t stream);\n"
)


def child(argv: Sequence[object], cwd: Path | None = None) -> dict[str, float]:
    """Run a command; return its wall and processor seconds and the peak of its memory."""
    started = time.perf_counter()
    process = subprocess.Popen(
        list(map(str, argv)),
        cwd=cwd,
        # Where nvcc is on PATH, hipcc by itself compiles for NVIDIA; the lab sets this too.
        env={**os.environ, "HIP_PLATFORM": "amd"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"exit code {process.returncode}: {argv}\n{errors.decode()}")
    return {
        "wall": round(time.perf_counter() - started, 2),
        "cpu": round(used.ru_utime + used.ru_stime, 2),
        "peak_megabytes": round(used.ru_maxrss / 1024, 1),
    }


def lab(*words: object) -> dict[str, float]:
    """Run one command of the product."""
    return child([sys.executable, "-m", "fastpt_lab", *words, "-q"], cwd=HERE)


def tree(folder: Path, sizes: Sequence[int]) -> list[dict[str, object]]:
    """Measure the three commands that read a whole tree."""
    rows: list[dict[str, object]] = []
    for files in sizes:
        root = folder / f"tree-{files}"
        make_project(root, files, repeat=2)
        (root / "setup.py").write_text("")
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file())
        rows.append(
            {
                "n": files,
                "megabytes": round(size / 1e6, 1),
                "transcode": lab("transcode", root),
                "status": lab("status", root),
                "survey": lab("survey", root),
            }
        )
        shutil.rmtree(root)
    return rows


def make_repository(root: Path, number: int) -> Path:
    """Write a repository of two units and a header."""
    (root / "csrc").mkdir(parents=True)
    (root / "setup.py").write_text("from setuptools import setup\nsetup(name='one')\n")
    for unit in range(2):
        source = _UNIT.format(n=10 * number + unit)
        (root / "csrc" / f"unit_{unit}.cu").write_text(source)
    (root / "csrc" / "common.cuh").write_text(_HEADER.format(n=number))
    return root


def repositories(folder: Path, sizes: Sequence[int]) -> list[dict[str, object]]:
    """Measure batches of growing length, and each once more when all is done."""
    rows: list[dict[str, object]] = []
    for length in sizes:
        here = folder / f"batch-{length}"
        for number in range(length):
            make_repository(here / f"r{number}", number)
        (here / "list.txt").write_text("".join(f"r{n}\n" for n in range(length)))
        out = folder / f"out-{length}"
        words = ("batch", here / "list.txt", "--out", out, "--no-compile")
        row = {"n": length, "batch": lab(*words), "again": lab(*words)}
        report = json.loads((out / "report.json").read_text())
        kept = [one["kept"] for one in report["repositories"]]
        assert report["totals"]["outcomes"] == {"transcoded": length}
        assert kept == [True] * length
        rows.append(row)
        shutil.rmtree(here)
        shutil.rmtree(out)
    return rows


def compiled(folder: Path, length: int) -> dict[str, object]:
    """Measure a batch with the real compiler, and the bare commands of the same units."""
    here, out = folder / "real", folder / "real-out"
    for number in range(length):
        make_repository(here / f"r{number}", number)
    words = [here / f"r{number}" for number in range(length)]
    batch = lab("batch", *words, "--out", out, "--no-fix", "--jobs", "1")
    report = json.loads((out / "report.json").read_text())
    assert report["totals"]["after"] == 2 * length
    wall = cpu = 0.0
    for unit in sorted(out.glob("ported/*/*/csrc/*.hip")):
        for side in ("--cuda-device-only", "--cuda-host-only"):
            argv = ("hipcc", "--offload-arch=gfx906", "-std=c++17", "-fsyntax-only", side, unit)
            used = child(argv)
            wall, cpu = wall + used["wall"], cpu + used["cpu"]
    bare = {"wall": round(wall, 2), "cpu": round(cpu, 2)}
    ratio = round(batch["cpu"] / cpu, 2)
    return {"repositories": length, "batch": batch, "bare": bare, "ratio_cpu": ratio}


def cluster(folder: Path, length: int) -> dict[str, object]:
    """Measure a batch on two workers of Dask, and on two processes of the command's own."""
    here = folder / "clustered"
    for number in range(length):
        make_repository(here / f"r{number}", number)
    (here / "list.txt").write_text("".join(f"r{n}\n" for n in range(length)))
    contact = folder / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    common = ("--scheduler-file", contact, "--no-dashboard")
    started = [
        [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", *common],
        [*dask, "worker", "--nworkers", "2", "--nthreads", "1", *common],
    ]
    processes = []
    rows: dict[str, object] = {"repositories": length}
    try:
        for argv in started:
            words = list(map(str, argv))
            processes.append(subprocess.Popen(words, cwd=folder, stderr=subprocess.DEVNULL))
            while not contact.exists() or not contact.stat().st_size:
                time.sleep(0.05)
        address = json.loads(contact.read_text())["address"]
        for name, option in (("own", ("--jobs", 2)), ("dask", ("--scheduler", address))):
            out = folder / f"out-{name}"
            rows[name] = lab("batch", here / "list.txt", "--out", out, "--no-compile", *option)
            report = json.loads((out / "report.json").read_text())
            assert report["totals"]["outcomes"] == {"transcoded": length}
    finally:
        for process in reversed(processes):
            process.terminate()
            process.wait()
    return rows


def grown(rows: Sequence[dict[str, object]], name: str) -> Curve:
    """Return the processor seconds of one command over the size of its input."""
    found = []
    for row in rows:
        size, used = row["n"], row[name]
        assert isinstance(size, int)
        assert isinstance(used, dict)
        found.append((float(size), float(used["cpu"])))
    return Curve(name=name, points=tuple(found))


def main() -> None:
    """Measure, draw and print."""
    small = "--small" in sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="bench-batch-") as name:
        folder = Path(name).resolve()
        os.environ["FASTPT_CACHE_DIR"] = str(folder / "cache")
        # Once for what is kept afterwards: torch's tables, the probes of the compiler.
        tree(folder, (10,))
        trees = tree(folder, TREES[:2] if small else TREES)
        batches = repositories(folder, (10, 20) if small else BATCHES)
        result: dict[str, object] = {
            "benchmark": "batch",
            "tree": trees,
            "repositories": batches,
        }
        curves = [grown(trees, each) for each in ("transcode", "status", "survey")]
        curves += [grown(batches, each) for each in ("batch", "again")]
        result["exponent"] = {curve.name: round(exponent(curve), 3) for curve in curves}
        result["compiled"] = (
            compiled(folder, 2 if small else COMPILED)
            if shutil.which("hipcc")
            else {"missing": "hipcc is not on PATH"}
        )
        result["cluster"] = (
            cluster(folder, 4 if small else CLUSTERED)
            if find_spec("distributed")
            else {"missing": "Dask's distributed is not installed"}
        )
    PLOT.parent.mkdir(exist_ok=True)
    PLOT.write_text(draw(curves), "utf-8")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
