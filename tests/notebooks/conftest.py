"""Run the first notebook once, and hand what it left to every test that looks at it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    import nbformat

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"
SECONDS = 1200


@dataclass(frozen=True)
class Executed:
    """A notebook after its run, and the copy of the example that it ported."""

    notebook: nbformat.NotebookNode
    project: Path

    def text(self, cell_id: str) -> str:
        """Return what a cell printed or showed, as plain text."""
        cell = next(c for c in self.notebook.cells if c.id == cell_id)
        parts = [o.get("text") or o.get("data", {}).get("text/plain", "") for o in cell.outputs]
        return "".join(parts)


def execute(name: str, folder: Path, **environment: str) -> Executed:
    """Execute a notebook in a kernel of its own, its temporary files below `folder`."""
    import nbformat

    env = os.environ | {"TMPDIR": str(folder), "PYTHONPATH": str(ROOT)} | environment
    argv = [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute"]
    argv += ["--output-dir", str(folder), str(NOTEBOOKS / name)]
    done = subprocess.run(
        argv, env=env, capture_output=True, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    (project,) = folder.glob("*/fused_norm")
    return Executed(nbformat.read(folder / name, as_version=4), project)


@pytest.fixture
def execute_notebook() -> Callable[..., Executed]:
    """Return `execute`, for a run under conditions of a test's own."""
    return execute


@pytest.fixture(scope="session")
def ported(tmp_path_factory: pytest.TempPathFactory) -> Executed:
    """Return the main notebook, run with the compilers of this machine."""
    return execute("01_port_an_extension.ipynb", tmp_path_factory.mktemp("ported"))
