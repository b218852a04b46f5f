from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from needs import need_torch

from fastpt_lab.transcode.dropin import build_environment

KERNEL = '#include "h.cuh"\n__global__ void k() {}\nvoid f() { k<<<1, 2>>>(); cudaFree(0); }\n'

BUILD = """
import sys
from torch.utils import cpp_extension
cpp_extension.IS_HIP_EXTENSION = True
cpp_extension.ROCM_HOME = cpp_extension.ROCM_HOME or "/usr"
extension = cpp_extension.CUDAExtension("demo", ["a.cu", "main.cpp", "b.cu", "c.cu", "d.cu"])
print("\\n".join(extension.sources))
"""


def build(root: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-c", BUILD],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def make(root: Path) -> Path:
    root.mkdir()
    (root / "h.cuh").write_text("#include <cuda_runtime.h>\n")
    (root / "main.cpp").write_text("int main() {}\n")
    for name in "abcd":
        (root / f"{name}.cu").write_text(KERNEL)
    return root


@need_torch
def test_cuda_extension_uses_this_engine_in_the_build_alone(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    done = build(root, build_environment(os.environ))
    assert done.returncode == 0, done.stderr
    assert "transcoded with the lab's engine: 5 written, 0 unchanged, 1 skipped" in done.stderr
    assert set(done.stdout.split()) == {"a.hip", "b.hip", "c.hip", "d.hip", "main.cpp"}
    text = (root / "a.hip").read_text()
    assert "k<<<1, 2>>>()" in text
    assert '"h_hip.cuh"' in text
    again = build(root, build_environment(os.environ))
    assert again.stdout == done.stdout, "the order of the sources is the same in every run"
    assert "0 written, 5 unchanged" in again.stderr
    plain = build(make(tmp_path / "q"), dict(os.environ))
    assert plain.returncode == 0, plain.stderr
    assert "hipLaunchKernelGGL" in (tmp_path / "q" / "a.hip").read_text()


@need_torch
def test_a_hand_written_target_stops_the_build(tmp_path: Path) -> None:
    root = make(tmp_path / "p")
    (root / "a.hip").write_text("// mine\n")
    done = build(root, build_environment(os.environ))
    assert done.returncode != 0
    assert "a.hip was written by hand" in done.stderr
    assert (root / "a.hip").read_text() == "// mine\n"


def test_a_sitecustomize_that_was_there_still_runs(tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text("print('mine ran')\n")
    base = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", "pass"],
        env=build_environment(base),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "mine ran\n"
