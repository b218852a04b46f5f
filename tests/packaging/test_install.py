"""Installing beside a vendor's torch, with and without internet: torch stays as it is."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest
from packaging_steps import (
    ROOT,
    VENDOR_TORCH,
    Installed,
    page_commands,
    run,
    torch_files,
    torch_of,
)

if TYPE_CHECKING:
    from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

pytestmark = pytest.mark.xdist_group("packaging")


def moves_torch(names: set[str]) -> list[str]:
    return [name for name in names if name.startswith(("torch", "nvidia", "triton"))]


def test_an_index_full_of_newer_torch_does_not_move_the_vendor_s(
    planned_online: set[str],
) -> None:
    assert {"fastpt-lab", "jupyterlab", "anywidget"} <= planned_online
    assert {"pytest", "hypothesis", "mypy", "ruff", "mkdocs"} <= planned_online
    assert not moves_torch(planned_online)


def test_without_internet_from_a_wheelhouse(installed: Installed) -> None:
    assert {"fastpt-lab", "jupyterlab", "ipywidgets", "anywidget"} <= installed.planned
    assert not moves_torch(installed.planned)
    python, env = installed.python, installed.environment
    assert run(python, "-m", "pip", "check", env=env) == "No broken requirements found.\n"
    program = python.parent / "fastpt-lab"
    assert re.fullmatch(r"fastpt-lab \d+\.\d+\.\d+\S*\n", run(program, "--version", env=env))
    assert "sync-shuffle" in run(program, "rules", "sync-shuffle", env=env)


def test_the_vendor_s_torch_is_as_it_was(installed: Installed) -> None:
    assert torch_of(installed.python) == f"{VENDOR_TORCH} {VENDOR_TORCH}"
    assert "torch/__init__.py" in installed.torch_before
    assert torch_files(installed.python) == installed.torch_before


def test_nothing_was_lent_and_nothing_came_from_elsewhere(
    installed: Installed, wheelhouse: Path
) -> None:
    """All that is there is from the wheelhouse, but pip and the vendor's torch."""
    folder = installed.python.parents[1]
    assert "include-system-site-packages = false" in (folder / "pyvenv.cfg").read_text()
    code = (
        "import importlib.metadata as m, sys; print(*(d.name for d in m.distributions()));"
        "print(*(p for p in sys.path if p.endswith('-packages')), sep='\\n')"
    )
    printed = run(installed.python, "-c", code, env=installed.environment)
    names, *places = printed.splitlines()
    present = names.split()
    assert len(places) == 1
    assert places[0].startswith(f"{folder}/")
    wheels = [path.name.partition("-")[0] for path in wheelhouse.glob("*.whl")]

    def plain(names: list[str]) -> set[str]:
        return {re.sub(r"[-_.]+", "-", name).lower() for name in names}

    assert plain(present) - {"pip", "setuptools", "torch"} <= plain(wheels)


def test_the_page_names_every_dependency_but_torch() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    names = {re.match(r"[\w-]+", line)[0] for line in wanted} - {"torch"}
    assert set(page_commands("pip wheel")[-1][4:]) == names
