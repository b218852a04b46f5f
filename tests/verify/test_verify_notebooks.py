"""The notebooks of the verification run to their end on a machine without a device."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.verify.golden import compare_golden
from fastpt_lab.verify.ladder import LadderSpec

ROOT = Path(__file__).parents[2]
SECONDS = 900


def run_notebook(name: str, folder: Path) -> dict[str, str]:
    """Execute a notebook in a kernel of its own; return what each cell showed, by its id."""
    import nbformat

    env = os.environ | {"PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    argv += ["--output-dir", str(folder), str(ROOT / "notebooks" / name)]
    done = subprocess.run(
        argv, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    notebook = nbformat.read(folder / name, as_version=4)
    return {
        cell.id: "".join(
            o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs
        )
        for cell in notebook.cells
        if cell.cell_type == "code"
    }


@pytest.fixture
def no_device() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a device")


@pytest.mark.notebook
@need_torch
@pytest.mark.usefixtures("no_device")
def test_verify_a_device(tmp_path: Path) -> None:
    shown = run_notebook("03_verify_a_device.ipynb", tmp_path)
    assert "Stopped at Driver and device" in shown["doctor"]
    assert "torch.version.hip" in shown["torch"]
    assert "SKIP: no built extension in the project" in shown["binary"]
    assert "SKIP: no device" in shown["ladder"]
    assert shown["where"] == "'op-64'"
    assert "torch.version.hip" in shown["snapshot"]


@pytest.mark.notebook
@need_torch
@pytest.mark.usefixtures("no_device")
def test_golden_cuda_to_dcu(tmp_path: Path) -> None:
    shown = run_notebook("04_golden_cuda_to_dcu.ipynb", tmp_path)
    assert "SKIP: no device" in shown["record"]
    assert "a CUDA build for NVIDIA" in shown["look"]
    assert "SKIP" in shown["compare"]
    assert "gfx" in shown["differs"] or "torch" in shown["differs"]
    assert not (ROOT / "notebooks" / "examples" / "fused_norm" / "layer_norm.golden").exists()


@need_torch
def test_the_record_of_a_gpu_agrees_with_the_cpu() -> None:
    """The shipped record, made on an NVIDIA H200, against plain torch here; a fault is seen."""
    examples = ROOT / "notebooks" / "examples"
    plain = (examples / "verify" / "layer_norm_cpu.py").read_text("utf-8")
    record = examples / "verify" / "layer_norm.golden"
    spec = LadderSpec(definition=plain, device="cpu", path=(examples / "fused_norm",))
    report = compare_golden(record, spec)
    assert report.status is CheckStatus.OK, report
    assert len(report.tensors) == 6
    assert "a CUDA build for NVIDIA" in report.source
    assert {tensor.dtype for tensor in report.tensors} == {"float32", "float16", "float64"}
    wrong = replace(spec, definition=plain.replace(".to(x.dtype)\n", ".to(x.dtype) * 1.001\n"))
    assert compare_golden(record, wrong).status is CheckStatus.FAIL
