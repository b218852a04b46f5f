"""The wheel of a clean checkout in an environment of its own: a live review without Node.js."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.lab import ROOT, Lab, Notebook
from browser.standalone import CHROMIUM, FLAGS
from needs import need_chromium, need_hipcc
from packaging_steps import run

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.install

EXAMPLE = ROOT / "notebooks" / "examples" / "softmax"


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
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the Python of a new environment in which only the wheel is installed.

    The packages that it depends on are lent by the environment of the tests.
    """
    folder = tmp_path_factory.mktemp("installed") / "venv"
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin" / "python"
    run(python, "-m", "pip", "install", "--no-deps", "--no-index", "--quiet", wheel)
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    lent = folder / "lib" / version / "site-packages" / "lent.pth"
    paths = dict.fromkeys([sysconfig.get_path("purelib"), sysconfig.get_path("platlib")])
    lent.write_text("\n".join(paths))
    return python


@pytest.fixture(scope="module")
def lab(
    python: Path, without_node: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Lab]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    lent = Path(sys.prefix) / "share" / "jupyter"
    # What widgets need of other packages; the plug-in is the wheel's own.
    extensions = folder / "lent" / "labextensions"
    extensions.mkdir(parents=True)
    for name in ("anywidget", "@jupyter-widgets"):
        (extensions / name).symlink_to(lent / "labextensions" / name)
    server = Lab(
        folder,
        python=python,
        environment={
            "PATH": f"{python.parent}{os.pathsep}{without_node}",
            "JUPYTERLAB_DIR": str(lent / "lab"),
            "JUPYTER_PATH": str(folder / "lent"),
            "VIRTUAL_ENV": str(python.parents[1]),
            "PYTHONPATH": "",
        },
    )
    yield server
    server.close()


@need_chromium
@need_hipcc
def test_the_installed_review_and_plug_in_work(lab: Lab, python: Path) -> None:
    from playwright.sync_api import sync_playwright

    shutil.copytree(EXAMPLE, lab.root / "softmax")
    cells = [
        "%load_ext fastpt_lab",
        "import fastpt_lab, shutil; print(fastpt_lab.__file__, shutil.which('node'))",
        "%fastpt_review softmax",
    ]
    lab.notebook("installed.ipynb", cells)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        page = browser.new_page(viewport={"width": 1500, "height": 1000})
        notebook = Notebook(lab, page, "installed.ipynb")
        for cell in range(3):
            notebook.run(cell)
        assert notebook.errors() == []
        printed = page.locator("[data-mime-type='application/vnd.jupyter.stdout']").first
        where, node = printed.inner_text().split()
        assert Path(where).is_relative_to(python.parents[1])
        assert node == "None"
        page.wait_for_selector(".fpt[data-review] .fpt-focus__message:has-text('rsqrtf')")
        page.wait_for_selector("#fastpt-lab-status:has-text('first: scale.cu:4')")
        page.wait_for_selector(".fpt-chip:has-text('tried: compiles')")
        page.click('[data-name="accept"]')
        page.wait_for_selector(".fpt-receipt:has-text('Accepted.')")
        page.wait_for_selector("#fastpt-lab-status:has-text('first: warp.cuh')")
        browser.close()
    assert b"__device__ inline" in (lab.root / "softmax" / "csrc" / "scale.cu").read_bytes()
