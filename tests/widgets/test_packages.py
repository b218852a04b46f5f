"""What is packed: the bundle and the plug-in, once each, and nothing that Node needs."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PLUGIN = "share/jupyter/labextensions/fastpt-lab-extension/"


def build(kind: str, folder: Path) -> Path:
    argv = [
        sys.executable,
        "-m",
        "build",
        f"--{kind}",
        "--no-isolation",
        "--outdir",
        str(folder),
    ]
    done = subprocess.run(
        [*argv, str(ROOT)], capture_output=True, text=True, check=False, cwd=folder
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    (built,) = folder.iterdir()
    return built


def test_a_wheel_holds_bundle_and_plug_in_once(tmp_path: Path) -> None:
    names = zipfile.ZipFile(build("wheel", tmp_path)).namelist()
    for name in ("fastpt_lab/widgets/static/review.js", "fastpt_lab/widgets/static/review.css"):
        assert names.count(name) == 1
    plugin = [name for name in names if PLUGIN in name]
    assert sum("/static/remoteEntry." in name for name in plugin) == 1
    assert sum(name.endswith("/install.json") for name in plugin) == 1
    others = [name for name in names if name not in plugin]
    assert not any("remoteEntry" in name or "node_modules" in name for name in others)
    assert not any(name.endswith((".ts", ".mjs")) for name in names)


def test_a_source_distribution_brings_both_built_so_that_no_node_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed = build("sdist", tmp_path)
    with tarfile.open(packed) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
        archive.extractall(tmp_path / "source", filter="data")
    assert "fastpt_lab/widgets/static/review.js" in names
    assert "extension/review/package-lock.json" in names
    assert not any(
        "node_modules" in name or "/lib/" in name.replace("fixtures", "")
        for name in names
        if name.startswith("extension")
    )
    (source,) = (tmp_path / "source").iterdir()
    # Without npm on the path the hook must have nothing to build.
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent))
    argv = [sys.executable, "-m", "build", "--wheel", "--no-isolation", str(source)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    assert list((source / "dist").glob("*.whl"))
