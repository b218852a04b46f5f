"""The wheel in an environment that has only what the wheelhouse has: a live review, no Node.js."""

from __future__ import annotations

import os
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.lab import Lab, Notebook
from browser.standalone import CHROMIUM, FLAGS
from needs import need_chromium, need_hipcc, need_torch
from packaging_steps import Installed, run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Page

pytestmark = pytest.mark.xdist_group("packaging")

SOURCE = """\
#include <cuda_runtime.h>

// 一个 warp 内求和
__global__ void sums(float* x) {
  float sum = x[threadIdx.x];
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, offset);
  }
  x[threadIdx.x] = sum;
}
"""
LINE = "    sum += __shfl_xor_sync(0xffffffff, sum, offset);\n"
CELLS = [
    "%load_ext fastpt_lab",
    "import fastpt_lab, shutil; print(fastpt_lab.__file__, shutil.which('node'))",
    "%fastpt_review project",
]


@pytest.fixture(scope="module")
def without_node(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a PATH with all of this machine's programs but Node.js."""
    folder = tmp_path_factory.mktemp("bin")
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        # The environment's own programs are not to be found: it is another one.
        if not Path(place).is_dir() or Path(place) == Path(sys.executable).parent:
            continue
        for program in Path(place).iterdir():
            if program.name.startswith(("node", "npm", "npx", "corepack")):
                continue
            link = folder / program.name
            link.unlink(missing_ok=True)
            link.symlink_to(program)
    assert shutil.which("node", path=str(folder)) is None
    assert shutil.which("npm", path=str(folder)) is None
    return str(folder)


@pytest.fixture(scope="module")
def environment(installed: Installed, without_node: str) -> dict[str, str]:
    """What an activated environment's shell has, without internet and Node.js."""
    folder = installed.python.parent
    return {
        **installed.environment,
        "PATH": f"{folder}{os.pathsep}{without_node}",
        "VIRTUAL_ENV": str(folder.parent),
        "NO_PROXY": "127.0.0.1",
    }


@pytest.fixture(scope="module")
def lab(
    installed: Installed, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    server = Lab(folder, python=installed.python, environment=environment)
    yield server
    server.close()


@pytest.fixture
def page() -> Iterator[Page]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        yield browser.new_page(viewport={"width": 1500, "height": 1000})
        browser.close()


def test_the_plug_in_is_listed(installed: Installed, environment: dict[str, str]) -> None:
    listing = (installed.python, "-m", "jupyter", "labextension", "list")
    # It is printed as a log, to the other stream.
    shown = run("sh", "-c", 'exec "$@" 2>&1', "sh", *listing, env=environment)
    (line,) = (line for line in shown.splitlines() if "fastpt-lab-extension" in line)
    assert re.search(r"fastpt-lab-extension v\d\S* .*enabled.*OK", line), line


@need_chromium
@need_hipcc
@need_torch
def test_the_installed_review_and_plug_in_work(
    lab: Lab, page: Page, installed: Installed
) -> None:
    source = lab.root / "project" / "sums.cu"
    source.parent.mkdir()
    source.write_text(SOURCE, "utf-8")
    lab.notebook("installed.ipynb", CELLS)
    notebook = Notebook(lab, page, "installed.ipynb")
    for cell in range(len(CELLS)):
        notebook.run(cell)
    assert notebook.errors() == []
    printed = page.locator("[data-mime-type='application/vnd.jupyter.stdout']").first
    where, node = printed.inner_text().split()
    assert Path(where).is_relative_to(installed.python.parents[1])
    assert node == "None"

    # The first error, at its place on both sides, and in the status bar of the plug-in.
    page.wait_for_selector(".fpt[data-review] .fpt-focus__message:has-text('__shfl_xor_sync')")
    page.wait_for_selector(".fpt-side--first .fpt-range")
    marked = page.locator(".fpt-side--first .fpt-range").all_inner_texts()
    assert marked == ["__shfl_xor_sync"] * 2
    page.wait_for_selector("#fastpt-lab-status:has-text('first: sums.cu:7')")
    page.wait_for_selector(".fpt-chip:has-text('tried: compiles')")
    assert source.read_text("utf-8") == SOURCE

    # The plug-in's entry in the menu opens its panel.
    page.click(".lm-MenuBar-item:has-text('View')")
    page.click(".lm-Menu-item[data-command='fastpt-lab:problems']")
    page.wait_for_selector("#fastpt-lab-problems:has-text('__shfl_xor_sync')")

    # Accepted by a click: HIP has a branch of its own, and CUDA's line is kept.
    page.click('[data-name="accept"]')
    page.wait_for_selector(".fpt-receipt:has-text('sync-shuffle')")
    page.wait_for_selector("#fastpt-lab-status:has-text('compiles')")
    head, _, tail = SOURCE.partition(LINE)
    fixed = source.read_text("utf-8")
    assert fixed.startswith(f"{head}#if ")
    assert fixed.endswith(f"#else\n{LINE}#endif\n{tail}")
    assert "defined(__HIP" in fixed
