"""A clean checkout, what is built from it, a vendor's torch, and a folder to install from.

Everything is made once; the tests of this folder run on one worker (`--dist loadgroup`).
"""

from __future__ import annotations

import base64
import hashlib
import re
import shutil
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest
from packaging_steps import CONSTRAINTS, VENDOR_TORCH, build, new_environment, run

ROOT = Path(__file__).parents[2]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.xdist_group("packaging"))


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
    return build("wheel", source, tmp_path_factory.mktemp("wheel"), path=no_node)


@pytest.fixture(scope="session")
def vendor_torch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel that has only the name and the version of a torch for DCU."""
    info = f"torch-{VENDOR_TORCH}.dist-info"
    files = {
        "torch/__init__.py": f'__version__ = "{VENDOR_TORCH}"\n',
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: torch\nVersion: {VENDOR_TORCH}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=")
        record += f"{name},sha256={digest.decode()},{len(text.encode())}\n"
    path = tmp_path_factory.mktemp("vendor") / f"torch-{VENDOR_TORCH}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in {**files, f"{info}/RECORD": f"{record}{info}/RECORD,,\n"}.items():
            archive.writestr(name, text)
    return path


@pytest.fixture
def vendor_python(tmp_path: Path, vendor_torch: Path) -> Path:
    return new_environment(tmp_path / "venv", vendor_torch)


@pytest.fixture(scope="session")
def wheelhouse(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that docs/install.md has made on a machine with internet, by its own words."""
    house = tmp_path_factory.mktemp("connected") / "wheelhouse"
    house.mkdir()
    shutil.copy(wheel, house)
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    (packages,) = re.findall(r"^pip wheel -w wheelhouse (.+)$", page, re.MULTILINE)
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", str(house))
    run(*pip, "--constraint", CONSTRAINTS, *packages.split())
    return house
