"""What the tests of packaging do: run, build, make an environment with a vendor's torch."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

CONSTRAINTS = Path(__file__).parents[1] / ".ci" / "constraints.txt"
VENDOR_TORCH = "2.5.1+das.opt1.dtk25042"


def run(*argv: str | Path, cwd: Path | None = None, env: dict[str, str] | None = None) -> str:
    """Run a command and return what it printed; one that fails shows both streams."""
    done = subprocess.run(argv, cwd=cwd, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{argv}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"
    return done.stdout


def build(kind: str, source: Path, folder: Path, *, path: str | None = None) -> Path:
    """Build a wheel or sdist of `source` into `folder`, with `path` as PATH."""
    env = {**os.environ, "PATH": path} if path else None
    python = (sys.executable, "-m", "build", f"--{kind}", "--no-isolation")
    run(*python, "--outdir", folder, source, env=env)
    (built,) = folder.iterdir()
    return built


def new_environment(folder: Path, vendor_torch: Path) -> Path:
    """Return the Python of a new virtual environment in which the vendor's torch is."""
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", vendor_torch)
    return python


def torch_of(python: Path) -> str:
    """Return what pip and the import know of the torch there."""
    code = "import importlib.metadata as m, torch; print(m.version('torch'), torch.__version__)"
    return run(python, "-c", code).strip()
