"""A saved notebook without a kernel, a script or a network: what a reader on the web sees."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser.standalone import CHROMIUM, FLAGS
from needs import need_chromium, need_hipcc

ROOT = Path(__file__).parents[2]
NAME = "02_review_and_rules"
pytestmark = pytest.mark.xdist_group("browser")


def convert(folder: Path, source: Path, *options: str) -> None:
    argv = [
        sys.executable,
        "-m",
        "nbconvert",
        "--output-dir",
        str(folder),
        *options,
        str(source),
    ]
    env = os.environ | {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder)}
    done = subprocess.run(argv, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("saved")
    notebook = ROOT / "notebooks" / f"{NAME}.ipynb"
    without_state = "--ExecutePreprocessor.store_widget_state=False"
    convert(folder, notebook, "--to", "notebook", "--execute", without_state)
    convert(folder, folder / f"{NAME}.ipynb", "--to", "html")
    return folder


@pytest.mark.notebook
@need_hipcc
def test_the_saved_notebook_is_small_and_says_it_as_text_too(executed: Path) -> None:
    saved = (executed / f"{NAME}.ipynb").read_text()
    assert len(saved) < 200_000, "the widget's script must not be kept in it"
    cells = {cell["id"]: cell for cell in json.loads(saved)["cells"]}
    outputs = [output.get("data", {}) for output in cells["review"]["outputs"]]
    (static,) = (data for data in outputs if "fpt-static" in "".join(data.get("text/html", "")))
    plain = "".join(static["text/plain"])
    assert "rsqrtf" in plain
    assert "csrc/scale.cu:4:10" in plain
    assert any("application/vnd.jupyter.widget-view+json" in data for data in outputs)


@pytest.mark.notebook
@need_chromium
@need_hipcc
def test_its_page_shows_error_fix_and_diff_with_scripts_off_and_no_network(
    executed: Path,
) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        context = browser.new_context(java_script_enabled=False, offline=True)
        page = context.new_page()
        page.goto((executed / f"{NAME}.html").as_uri(), wait_until="commit")
        page.wait_for_selector(".fpt-static")
        static = page.locator(".fpt-static").first
        assert static.is_visible()
        text = static.inner_text()
        for words in (
            "First error",
            "rsqrtf",
            "csrc/scale.cu:4:10",
            "missing-device-attribute",
        ):
            assert words in text
        assert "__device__ inline float inverse_norm" in text
        assert static.locator("table.fpt-code tr.fpt-first").count() == 1
        browser.close()
