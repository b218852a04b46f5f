"""CI installs known releases: each direct dependency is pinned, for every Python supported."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]


def wanted() -> list[Requirement]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        table = tomllib.load(file)
    project = table["project"]
    lines = [*table["build-system"]["requires"], *project["dependencies"]]
    for extra in project["optional-dependencies"].values():
        lines += extra
    found = [Requirement(line) for line in lines]
    # torch is the machine's own, and an extra may name others of this project.
    return [one for one in found if one.name not in ("torch", "fastpt-lab")]


def pins(python: str) -> dict[str, str]:
    """Return the releases for one Python on Linux."""
    environment = {
        "python_version": python,
        "python_full_version": f"{python}.9",
        "sys_platform": "linux",
        "os_name": "posix",
    }
    found = {}
    for line in (ROOT / ".ci" / "constraints.txt").read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate(environment):
            assert one.name not in found, line
            found[canonicalize_name(one.name)] = re.fullmatch(r"==(\S+)", str(one.specifier))[1]
    return found


@pytest.mark.parametrize("python", ["3.10", "3.11", "3.12", "3.13"])
def test_every_direct_dependency_is_pinned_to_a_release_that_fits(python: str) -> None:
    known = pins(python)
    assert "torch" not in known
    for one in wanted():
        if one.marker is not None and not one.marker.evaluate({"python_version": python}):
            continue
        name = canonicalize_name(one.name)
        assert name in known, f"{one}: run .ci/pin"
        assert one.specifier.contains(known[name]), f"{one}: {known[name]}"


def test_ci_uses_them_and_names_its_torch() -> None:
    script = (ROOT / ".ci" / "environment").read_text("utf-8")
    assert "--constraint .ci/constraints.txt" in script
    assert re.search(r'^torch_wheel="torch==\d+\.\d+\.\d+"$', script, re.MULTILINE)
