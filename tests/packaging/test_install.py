"""Installing beside a vendor's torch, with and without internet: torch stays as it is."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from packaging_steps import CONSTRAINTS, VENDOR_TORCH, run, torch_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.install

ROOT = Path(__file__).parents[2]


def offline() -> dict[str, str]:
    """Return an environment in which pip knows no index and no folder of this machine."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PIP_")}
    return {**kept, "PIP_CONFIG_FILE": os.devnull, "PIP_NO_INDEX": "1"}


def planned(python: Path, *words: str | Path) -> set[str]:
    """Return the names that pip would install, torch's own above all if it would."""
    pip = (python, "-m", "pip", "install", "--quiet", "--dry-run", "--report", "-")
    report = json.loads(run(*pip, "--constraint", CONSTRAINTS, *words))
    return {one["metadata"]["name"].lower().replace("_", "-") for one in report["install"]}


def test_an_index_full_of_newer_torch_does_not_move_the_vendor_s(
    vendor_python: Path, wheel: Path
) -> None:
    names = planned(vendor_python, "--upgrade", f"{wheel}[test,dev]")
    assert {"fastpt-lab", "jupyterlab", "anywidget"} <= names
    assert {"pytest", "hypothesis", "mypy", "ruff", "mkdocs", "import-linter"} <= names
    assert not [name for name in names if name.startswith(("torch", "nvidia", "triton"))]
    assert torch_of(vendor_python) == f"{VENDOR_TORCH} {VENDOR_TORCH}"


def test_without_internet_from_a_wheelhouse(vendor_python: Path, wheelhouse: Path) -> None:
    pip = (vendor_python, "-m", "pip")
    # As docs/install.md has it.
    line = "--no-index --find-links wheelhouse fastpt-lab"
    run(
        *pip,
        "install",
        "--quiet",
        "--no-compile",
        *line.split(),
        cwd=wheelhouse.parent,
        env=offline(),
    )
    assert torch_of(vendor_python) == f"{VENDOR_TORCH} {VENDOR_TORCH}"
    assert run(*pip, "check", env=offline()) == "No broken requirements found.\n"
    program = vendor_python.parent / "fastpt-lab"
    assert re.fullmatch(r"fastpt-lab \d+\.\d+\.\d+\S*\n", run(program, "--version"))
    assert "sync-shuffle" in run(program, "rules", "sync-shuffle")
    plugin = vendor_python.parents[1] / "share/jupyter/labextensions/fastpt-lab-extension"
    assert (plugin / "install.json").is_file()
    assert list((plugin / "static").glob("remoteEntry.*.js"))


def test_the_page_names_every_dependency_but_torch() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    names = {re.match(r"[\w-]+", line)[0] for line in wanted} - {"torch"}
    page = (ROOT / "docs" / "install.md").read_text("utf-8")
    (packages,) = re.findall(r"^pip wheel -w wheelhouse (.+)$", page, re.MULTILINE)
    assert set(packages.split()) == names
