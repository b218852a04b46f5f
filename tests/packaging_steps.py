"""What the tests of packaging do: run, build, make an environment with a vendor's torch."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shlex
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
CONSTRAINTS = ROOT / ".ci" / "constraints.txt"
VENDOR_TORCH = "2.5.1+das.opt1.dtk25042"

# Nothing listens there: what asks for a network fails at once.
_NOWHERE = "http://127.0.0.1:9"


class Installed(NamedTuple):
    """An environment into which the product was installed without internet."""

    python: Path
    environment: dict[str, str]
    torch_before: dict[str, tuple[int, bytes]]
    planned: set[str]
    """Names that pip would install, asked there before."""


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


def offline(home: Path) -> dict[str, str]:
    """Return an environment without a network, an index, or a folder of wheels of this machine.

    Args:
        home: an empty folder, so that nothing in a user's own settings counts.
    """
    lead_out = re.compile(r"(?:PIP_|PYTHON|VIRTUAL_ENV).*|.*_proxy", re.IGNORECASE)
    kept = {name: value for name, value in os.environ.items() if not lead_out.fullmatch(name)}
    return {
        **kept,
        **dict.fromkeys(("http_proxy", "https_proxy", "all_proxy"), _NOWHERE),
        "HOME": str(home),
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def page_commands(start: str) -> list[list[str]]:
    """Return the words of the commands in docs/install.md that begin with `start`, in order."""
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    lines = re.findall(rf"^{re.escape(start)}(?: .*)?$", page, re.MULTILINE)
    return [shlex.split(line) for line in lines]


def pack_vendor_torch(folder: Path, torch: Path | None) -> Path:
    """Write a wheel that has the name and version of a torch for DCU, and only torch's tables.

    Args:
        folder: where the wheel goes.
        torch: an installed torch, whose tables are copied as data; without one there are none.
    """
    tables = sorted((torch / "utils/hipify").glob("*.py")) if torch else []
    info = f"torch-{VENDOR_TORCH}.dist-info"
    files = {
        "torch/__init__.py": f'__version__ = "{VENDOR_TORCH}"\n',
        **{f"torch/utils/hipify/{path.name}": path.read_text("utf-8") for path in tables},
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {VENDOR_TORCH}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        record += f"{name},sha256={digest.decode()},{len(text.encode())}\n"
    path = folder / f"torch-{VENDOR_TORCH}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(name, text)
    return path


def torch_of(python: Path) -> str:
    """Return what pip and the import know of the torch there."""
    code = "import importlib.metadata as m, torch; print(m.version('torch'), torch.__version__)"
    # Bytecode would be a change of what is installed.
    return run(python, "-B", "-c", code).strip()


def torch_files(python: Path) -> dict[str, tuple[int, bytes]]:
    """Return time and content of each file of the torch there, by its path."""
    (packages,) = python.parents[1].glob("lib/python*/site-packages")
    return {
        str(path.relative_to(packages)): (path.stat().st_mtime_ns, path.read_bytes())
        for folder in packages.glob("torch*")
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix != ".pyc"
    }
