"""What the distributions hold: everything that runs, once each, and nothing that Node needs."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

pytestmark = pytest.mark.xdist_group("packaging")

PLUGIN = "data/share/jupyter/labextensions/fastpt-lab-extension/"
STATIC = "fastpt_lab/widgets/static/"


def names_in(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as archive:
        return archive.namelist()


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def text_in(wheel: Path, end: str) -> str:
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (n for n in archive.namelist() if n.endswith(end))
        return archive.read(name).decode("utf-8")


def test_the_wheel_has_every_tracked_file_of_the_package_once(
    wheel: Path, checkout: Path
) -> None:
    names = names_in(wheel)
    assert len(names) == len(set(names))
    tracked = subprocess.run(
        ["git", "ls-files", "-z", "fastpt_lab"], cwd=checkout, capture_output=True, check=True
    )
    expected = {name for name in tracked.stdout.decode().split("\0") if name}
    built = {"review.js", "review.css", "THIRD_PARTY.txt", "sbom.cdx.json"}
    package = {name for name in names if name.startswith("fastpt_lab/")}
    assert package == expected | {STATIC + name for name in built}


def test_the_wheel_has_the_plug_in_and_its_metadata_and_nothing_else(wheel: Path) -> None:
    others = [name for name in names_in(wheel) if not name.startswith("fastpt_lab/")]
    plugin = [name for name in others if PLUGIN in name]
    assert sum("/static/remoteEntry." in name for name in plugin) == 1
    for end in ("/install.json", "/package.json", "/plugin.json"):
        assert sum(name.endswith(end) for name in plugin) == 1, end
    information = {name.partition(".dist-info/")[2] for name in others if name not in plugin}
    assert information == {
        "METADATA",
        "WHEEL",
        "RECORD",
        "entry_points.txt",
        "licenses/LICENSE",
        "sboms/sbom.cdx.json",
    }
    assert not any(name.endswith((".ts", ".mjs", ".map", ".pyc")) for name in names_in(wheel))


def test_the_wheel_of_the_sdist_is_that_of_the_checkout(wheel: Path, wheelhouse: Path) -> None:
    (other,) = wheelhouse.glob("fastpt_lab-*.whl")
    assert other.name == wheel.name
    assert contents(wheel) == contents(other)


def test_the_sdist_brings_both_built_and_nothing_of_node(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert len(names) == len(set(names))
    for name in ("review.js", "review.css", "THIRD_PARTY.txt", "sbom.cdx.json"):
        assert STATIC + name in names
    for name in ("LICENSE", "README.md", "extension/review/package-lock.json"):
        assert name in names
    extension = [name for name in names if name.startswith("extension")]
    left = ("node_modules", "/lib/", "/.tests/", ".bundle.json")
    assert not any(word in name for name in extension for word in left)


def test_metadata_says_what_is_supported(wheel: Path) -> None:
    metadata = Parser().parsestr(text_in(wheel, ".dist-info/METADATA"))
    assert metadata["Requires-Python"] == ">=3.10"
    versions = {
        found[1]
        for line in metadata.get_all("Classifier", [])
        if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))
    }
    assert versions == {"3.10", "3.11", "3.12", "3.13"}
    assert set(metadata.get_all("Provides-Extra", [])) >= {"test", "dev"}
    torch = [line for line in metadata.get_all("Requires-Dist", []) if line.startswith("torch")]
    assert torch == ["torch>=1.13"]
    assert metadata["License-Expression"] == "BSD-3-Clause"


def test_every_bundled_package_is_listed_with_its_licence(wheel: Path, checkout: Path) -> None:
    """The bundler's own list of inputs is the judge, not the notice's maker."""
    inputs = json.loads((checkout / "extension/review/.bundle.json").read_text("utf-8"))[
        "inputs"
    ]
    bundled = {
        found[1]
        for name in inputs
        if (found := re.search(r".*node_modules/((?:@[^/]+/)?[^/]+)/", name))
    }
    plugin = json.loads(text_in(wheel, "/static/third-party-licenses.json"))["packages"]
    bundled |= {one["name"] for one in plugin if not one["name"].startswith("fastpt-lab")}
    assert len(bundled) > 10
    notice = text_in(wheel, "/THIRD_PARTY.txt")
    sections = re.split(r"^-{80}$\n", notice, flags=re.MULTILINE)[1:]
    named = {}
    for section in sections:
        heading, _, text = section.partition("\n")
        found = re.fullmatch(r"(\S+) (\d\S*)  \((.+)\)", heading)
        assert found, heading
        assert re.search(r"copyright", text, re.IGNORECASE), heading
        assert len(text) > 400, heading
        named[found[1]] = (found[2], found[3])
    assert set(named) == bundled
    bom = json.loads(text_in(wheel, ".dist-info/sboms/sbom.cdx.json"))
    assert bom["bomFormat"] == "CycloneDX"
    components = {
        one["name"]: (one["version"], one["licenses"][0]["license"]["id"])
        for one in bom["components"]
    }
    assert components == named
    for one in bom["components"]:
        assert one["purl"] == f"pkg:npm/{one['name'].replace('@', '%40')}@{one['version']}"
