"""The notebook about the route runs as it stands, and its answers are those it talks about."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_torch

if TYPE_CHECKING:
    import nbformat

ROOT = Path(__file__).parents[2]
NAME = "05_which_route.ipynb"
SECONDS = 300

pytestmark = pytest.mark.notebook


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> nbformat.NotebookNode:
    import nbformat

    folder = tmp_path_factory.mktemp("route")
    env = os.environ | {"TMPDIR": str(folder), "PYTHONPATH": str(ROOT)}
    argv = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    argv += ["--output-dir", str(folder), str(ROOT / "notebooks" / NAME)]
    done = subprocess.run(
        argv, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (report,) = folder.glob("*/fused_norm/report.html")
    assert report.read_text("utf-8").startswith("<!DOCTYPE html>")
    return nbformat.read(folder / NAME, as_version=4)


def said(notebook: nbformat.NotebookNode, cell_id: str) -> str:
    cell = next(c for c in notebook.cells if c.id == cell_id)
    return "".join(
        o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs
    )


@need_torch
def test_each_cell_answers_its_question(executed: nbformat.NotebookNode) -> None:
    assert "Build without transcoding" in said(executed, "survey")
    assert "Transcode to HIP" in said(executed, "ruled-why")
    assert "branch dtk of our mirror" in said(executed, "own-advice")
    assert "narrow-ballot" in said(executed, "lanes-why")
    assert "emulated with 128 threads" in said(executed, "lanes-why")
    assert "CUDA_VERSION >= 9000" in said(executed, "branches")
    assert said(executed, "mode")
    assert said(executed, "inside")


@need_torch
def test_every_survey_has_a_static_view(executed: nbformat.NotebookNode) -> None:
    for name in ("survey", "ruled-out", "lanes"):
        cell = next(c for c in executed.cells if c.id == name)
        shown = [
            o["data"]["text/html"] for o in cell.outputs if "text/html" in o.get("data", {})
        ]
        assert any("fpt-static" in html for html in shown), name
