"""A clean checkout, what is built from it, a vendor's torch, and a folder to install from.

Everything is made once: the tests that use it are one group, which runs on one worker.
"""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import tarfile
from pathlib import Path

import pytest
from packaging_steps import (
    CONSTRAINTS,
    ROOT,
    Installed,
    build,
    offline,
    pack_vendor_torch,
    page_commands,
    run,
    torch_files,
)


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clone of what is committed: nothing built, nothing ignored."""
    folder = tmp_path_factory.mktemp("checkout") / "fastpt-lab"
    run("git", "clone", "--quiet", ROOT, folder)
    return folder


@pytest.fixture(scope="session")
def sdist(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build("sdist", checkout, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="session")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the sdist, built where there is no Node.js."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    no_node = str(Path(sys.executable).parent)
    assert shutil.which("node", path=no_node) is None
    return build("wheel", source, tmp_path_factory.mktemp("wheel"), path=no_node)


@pytest.fixture(scope="session")
def wheelhouse(checkout: Path, sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that docs/install.md has made on a machine with internet, by its own words.

    In it is the checkout's own wheel; what the sdist's build has made there is not made again.
    """
    house = tmp_path_factory.mktemp("connected") / "wheelhouse"
    own, others = page_commands("pip wheel")[-2:]
    assert own == ["pip", "wheel", "--no-deps", "-w", "wheelhouse", "."]
    pip = (sys.executable, "-m", "pip", "--quiet", "wheel")
    run(*pip, "--no-build-isolation", "--no-deps", "-w", house, ".", cwd=checkout)
    assert others[:4] == ["pip", "wheel", "-w", "wheelhouse"]
    run(*pip, "--constraint", CONSTRAINTS, "-w", house, *others[4:])
    return house


@pytest.fixture(scope="session")
def vendor_torch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    spec = importlib.util.find_spec("torch")
    torch = Path(spec.origin).parent if spec and spec.origin else None
    return pack_vendor_torch(tmp_path_factory.mktemp("vendor"), torch)


@pytest.fixture(scope="session")
def vendor_python(vendor_torch: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a new environment in which there is the vendor's torch and nothing else."""
    folder = tmp_path_factory.mktemp("vendor-environment") / "venv"
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--no-index", vendor_torch)
    return python


@pytest.fixture(scope="session")
def planned_online(vendor_python: Path, wheel: Path) -> set[str]:
    """What pip would install beside the vendor's torch if it could take the newest of an index."""
    words = ("--upgrade", "--constraint", str(CONSTRAINTS), f"{wheel}[test,dev]")
    # What a variable lends would count as installed.
    env = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return planned(vendor_python, words, env)


@pytest.fixture(scope="session")
def installed(
    vendor_python: Path,
    planned_online: set[str],
    wheelhouse: Path,
    tmp_path_factory: pytest.TempPathFactory,
) -> Installed:
    """The environment after docs/install.md's own command, run without internet.

    It was asked for `planned_online` before, which is about an environment that has less.
    """
    assert planned_online
    environment = offline(tmp_path_factory.mktemp("home"))
    before = torch_files(vendor_python)
    (command,) = page_commands("pip install --no-index")
    words = tuple(command[2:])
    plan = planned(vendor_python, words, environment, cwd=wheelhouse.parent)
    # Bytecode is made at the first import, of what is imported.
    pip = (vendor_python, "-m", "pip", "install", "--quiet", "--no-compile")
    run(*pip, *words, cwd=wheelhouse.parent, env=environment)
    return Installed(vendor_python, environment, before, plan)


def planned(
    python: Path, words: tuple[str, ...], env: dict[str, str], cwd: Path | None = None
) -> set[str]:
    """Return the names that pip would install, torch's own above all if it would."""
    pip = (python, "-m", "pip", "install", "--quiet", "--dry-run", "--report", "-")
    report = json.loads(run(*pip, *words, env=env, cwd=cwd))
    return {one["metadata"]["name"].lower().replace("_", "-") for one in report["install"]}
