"""What is shipped to the browser: its size, where it comes from, and its own tests."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from fastpt_lab import __version__

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "fastpt_lab" / "widgets" / "static"
REVIEW = ROOT / "extension" / "review"
PLUGIN = ROOT / "extension" / "labextension"

need_npm = pytest.mark.skipif(
    not os.environ.get("CI") and not (REVIEW / "node_modules").is_dir(),
    reason="needs `npm ci` in extension/",
)


def test_the_bundle_is_small_and_asks_nobody_for_anything() -> None:
    script = (STATIC / "review.js").read_bytes()
    assert len(script) <= 500_000
    # Names of the SVG namespace are no addresses that anything is fetched from.
    addresses = set(re.findall(rb"https?://[^\"'` )]+", script))
    assert addresses <= {b"http://www.w3.org/2000/svg", b"http://www.w3.org/1999/xlink"}
    assert b"url(http" not in (STATIC / "review.css").read_bytes()


@pytest.mark.parametrize("folder", [REVIEW, PLUGIN], ids=lambda path: path.name)
def test_the_version_is_the_package_s(folder: Path) -> None:
    assert json.loads((folder / "package.json").read_text())["version"] == __version__


@pytest.mark.parametrize("folder", [REVIEW, PLUGIN], ids=lambda path: path.name)
def test_the_lock_file_names_no_host(folder: Path) -> None:
    packages = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert len(packages) > 50
    assert not any("resolved" in package for package in packages.values())
    assert all("integrity" in package for name, package in packages.items() if name)


def test_the_plug_in_is_built_with_its_settings() -> None:
    built = json.loads((PLUGIN / "dist" / "package.json").read_text())
    assert built["jupyterlab"]["_build"]["load"].startswith("static/remoteEntry.")
    schema = PLUGIN / "dist" / "schemas" / built["name"] / "plugin.json"
    assert "fastpt-lab:check" in schema.read_text()


def test_every_english_word_has_a_chinese_one_and_none_is_left_english() -> None:
    source = (REVIEW / "src" / "words_zh.ts").read_text()
    texts = re.findall(r": '([^']*)'", source)
    assert len(texts) > 60
    # Prose has a Han character or is punctuation round a value.
    assert [
        text for text in texts if re.search(r"[a-z]{3}", re.sub(r"`[^`]*`", "", text))
    ] == []


@need_npm
@pytest.mark.parametrize(
    ("folder", "script"), [(REVIEW, "test"), (REVIEW, "lint"), (PLUGIN, "lint")], ids=str
)
def test_the_front_end_s_own_checks(folder: Path, script: str) -> None:
    npm = shutil.which("npm")
    assert npm is not None
    done = subprocess.run(
        [npm, "run", script], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
