"""The review and the plug-in in JupyterLab, with a real kernel, session and compiler."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.lab import ROOT, Lab, Notebook
from browser.standalone import CHROMIUM, FLAGS
from needs import need_chromium, need_hipcc, need_torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser, Page

EXAMPLE = ROOT / "notebooks" / "examples" / "softmax"
SHOTS = ROOT / ".artifacts"
pytestmark = pytest.mark.xdist_group("browser")

LOAD = "%load_ext fastpt_lab"
REVIEW = "%fastpt_review {name} --compiler {compiler}"


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    server = Lab(tmp_path_factory.mktemp("lab"))
    yield server
    server.close()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1500, "height": 1000})
    yield page
    page.close()


def project(lab: Lab, name: str) -> Path:
    folder = lab.root / name
    shutil.copytree(EXAMPLE, folder)
    return folder


def compiler(folder: Path) -> Path:
    """Write a hipcc that takes a minute for every file while `slow` stands beside it."""
    script = folder / "hipcc"
    real = shutil.which("hipcc")
    script.write_text(f'#!/bin/sh\n[ -e "{folder}/slow" ] && sleep 60\nexec {real} "$@"\n')
    script.chmod(0o755)
    return script


def opened(lab: Lab, page: Page, name: str) -> tuple[Notebook, Path]:
    folder = project(lab, name)
    hipcc = compiler(lab.folder)
    cells = [LOAD, REVIEW.format(name=name, compiler=hipcc), "1 + 1"]
    lab.notebook(f"{name}.ipynb", cells)
    notebook = Notebook(lab, page, f"{name}.ipynb")
    notebook.run(0)
    notebook.run(1)
    assert notebook.errors() == []
    page.wait_for_selector(".fpt[data-review] .cm-line")
    return notebook, folder


def until_message(page: Page, text: str) -> None:
    page.wait_for_function(
        "(text) => document.querySelector('.fpt-focus__message')?.textContent.includes(text)",
        arg=text,
    )


@need_chromium
@need_hipcc
def test_a_port_from_the_first_error_on(lab: Lab, page: Page) -> None:
    notebook, folder = opened(lab, page, "story")
    scale, warp = folder / "csrc" / "scale.cu", folder / "csrc" / "warp.cuh"
    before = {path: path.read_bytes() for path in (scale, warp)}

    # The first error, at its line on both sides; the static copy is hidden.
    until_message(page, "rsqrtf")
    assert page.locator(".cm-lineNumbers .fpt-num--first").all_inner_texts() == ["4", "6"]
    assert page.locator(".fpt-side--first .fpt-range").all_inner_texts() == ["rsqrtf"] * 2
    assert not page.locator(".fpt-static").first.is_visible()
    page.wait_for_selector(".fpt-chip:has-text('tried: compiles')")
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / "lab_light.png")
    notebook.theme("JupyterLab Dark")
    page.screenshot(path=SHOTS / "lab_dark.png")
    notebook.theme("JupyterLab Light")
    page.set_viewport_size({"width": 760, "height": 1000})
    page.wait_for_selector(".fpt-diff--unified .cm-line")
    page.screenshot(path=SHOTS / "lab_narrow.png")
    page.set_viewport_size({"width": 1500, "height": 1000})

    # By mouse: the original on disk has the fix, and the next error is in view.
    page.click('[data-name="accept"]')
    until_message(page, "__shfl_xor_sync")
    assert b"__device__ inline float inverse_norm" in scale.read_bytes()
    page.wait_for_selector(".fpt-receipt:has-text('missing-device-attribute')")

    # By keyboard: it needs a look, so its heading has the focus and Enter alone does nothing.
    page.wait_for_function("document.activeElement.dataset.name === 'fix-title'")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function(
        "document.querySelector('.fpt-receipt')?.textContent.includes('sync-shuffle')"
    )
    guarded = warp.read_text()
    assert "#if defined(" in guarded
    assert "__HIP_PLATFORM" in guarded
    assert "__shfl_xor_sync(0xffffffff, value, offset)" in guarded

    # Undo, twice: both originals are as they were, byte for byte.
    for _ in range(2):
        page.click('[data-name="check"]')
        page.wait_for_selector('[data-name="check"]:not([aria-disabled])')
        page.focus('[data-name="check"]')
        page.keyboard.press("Control+z")
        page.wait_for_selector(".fpt-receipt:has-text('Taken back.')")
        page.wait_for_selector('[data-name="check"]:not([aria-disabled])')
    assert {path: path.read_bytes() for path in before} == before
    until_message(page, "rsqrtf")

    # A reload of the page finds the review where it was.
    notebook.command("docmanager:save")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    notebook.load()
    page.wait_for_selector(".fpt[data-review] .cm-line")
    until_message(page, "rsqrtf")

    # A restart: the view says that there is no kernel; run again, it is back at the first error.
    notebook.evaluate(
        "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
    )
    page.wait_for_selector(".fpt[data-review] [role=alert]:has-text('No kernel.')")
    assert page.get_attribute('[data-name="accept"]', "aria-disabled") == "true"
    notebook.idle()
    notebook.run(0)
    notebook.run(1)
    page.wait_for_selector('.fpt [data-name="accept"]:not([aria-disabled])')
    until_message(page, "rsqrtf")

    # No kernel and a new page: the static copy stands in.
    notebook.command("docmanager:save")
    page.wait_for_function("!window.jupyterapp.shell.currentWidget.context.model.dirty")
    notebook.evaluate("() => window.jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    notebook.load()
    page.wait_for_selector(".fpt-static")
    assert page.locator(".fpt-static").first.is_visible()
    assert "rsqrtf" in page.locator(".fpt-static").first.inner_text()


@need_chromium
@need_hipcc
def test_a_running_check_is_cancelled_and_the_cell_is_free_meanwhile(
    lab: Lab, page: Page
) -> None:
    notebook, folder = opened(lab, page, "cancelled")
    page.wait_for_selector(".fpt-chip:has-text('tried: compiles')")
    source = folder / "csrc" / "softmax.cu"
    source.write_text(source.read_text() + "\n// changed, so that there is work\n")
    slow = lab.folder / "slow"
    slow.touch()
    try:
        page.click('[data-name="check"]')
        page.wait_for_selector('[data-name="cancel"]')
        notebook.run(2)
        page.click('[data-name="cancel"]')
        page.wait_for_selector(".fpt[data-review] [role=alert]")
        page.wait_for_selector('[data-name="check"]:not([aria-disabled])')
    finally:
        slow.unlink()
    until_message(page, "rsqrtf")


@need_chromium
@need_hipcc
def test_a_busy_kernel_answers_when_the_cell_ends(lab: Lab, page: Page) -> None:
    folder = project(lab, "busy")
    gate = folder / "gate"
    wait = "import pathlib, time\nwhile not pathlib.Path('busy/gate').exists(): time.sleep(0.1)"
    code = REVIEW.format(name="busy", compiler=compiler(lab.folder))
    lab.notebook("busy.ipynb", [LOAD, code, wait])
    notebook = Notebook(lab, page, "busy.ipynb")
    notebook.run(0)
    notebook.run(1)
    page.wait_for_selector(".fpt-chip:has-text('tried: compiles')")
    notebook.start(2)
    page.wait_for_selector(".jp-InputPrompt:has-text('*')")
    page.click('[data-name="accept"]')
    # Kernels with subshells answer at once; on others the request says that it is queued.
    page.wait_for_function(
        """() => [...document.querySelectorAll(".fpt-receipt")].some((line) =>
          /Queued|Accepted|Checking|Transcoding/.test(line.textContent))"""
    )
    scale = folder / "csrc" / "scale.cu"
    if page.locator("text=Queued.").count():
        assert b"__device__ inline" not in scale.read_bytes()
    gate.touch()
    until_message(page, "__shfl_xor_sync")
    assert b"__device__ inline" in scale.read_bytes()


@need_chromium
@need_hipcc
def test_the_plug_in_offers_checks_lists_problems_and_opens_places(
    lab: Lab, page: Page
) -> None:
    project(lab, "plugged")
    lab.notebook("plugged.ipynb", [LOAD, "1 + 1"])
    notebook = Notebook(lab, page, "plugged.ipynb")
    notebook.run(0)

    # The file browser's menu is there for CUDA sources and folders, not for others.
    notebook.command("filebrowser:go-to-path", {"path": "plugged"})
    item = page.locator(".jp-DirListing-item", has_text="README.md")
    item.click(button="right")
    page.wait_for_selector(".lm-Menu")
    assert page.locator(".lm-Menu-item:visible", has_text="Check under HIP").count() == 0
    page.keyboard.press("Escape")
    page.locator(".jp-DirListing-item", has_text="csrc").click(button="right")
    page.locator(".lm-Menu-item", has_text="Check under HIP").click()
    page.wait_for_selector(".jp-Cell:has-text('%fastpt_check plugged/csrc')")
    notebook.idle()
    assert notebook.errors() == []

    # Status and panel follow the session of that cell.
    page.wait_for_selector("#fastpt-lab-status:has-text('first: scale.cu:4')")
    page.click("#fastpt-lab-status button")
    page.wait_for_selector("#fastpt-lab-problems:visible [role=treeitem]")
    panel = page.locator("#fastpt-lab-problems")
    assert "rsqrtf" in panel.inner_text()
    SHOTS.mkdir(exist_ok=True)
    page.screenshot(path=SHOTS / "lab_problems.png")
    page.fill(".fpt-problems__filter", "sync-shuffle")
    rows = panel.locator("[role=treeitem][aria-level='2']")
    assert rows.count() == 1
    assert "__shfl_xor_sync" in rows.inner_text()

    # A place opens in JupyterLab's own editor, with the caret on it.
    rows.locator(".fpt-link").click()
    page.wait_for_selector(".jp-FileEditor .cm-line")
    page.wait_for_function(
        """() => {
          const { content, context } = window.jupyterapp.shell.currentWidget;
          return context.path.endsWith("warp.cuh") && content.editor.getCursorPosition().line === 16;
        }"""
    )

    # "Review fix" brings a review into the notebook where there is none yet.
    page.locator(".jp-DirListing-item").first.wait_for(state="attached")
    notebook.command("docmanager:open", {"path": "plugged.ipynb"})
    page.wait_for_function(
        "window.jupyterapp.shell.currentWidget.context.path === 'plugged.ipynb'"
    )
    page.fill(".fpt-problems__filter", "")
    page.click('[data-name="review-fix"]')
    page.wait_for_selector(".fpt[data-review] .fpt-focus__message")
    assert notebook.errors() == []


@need_chromium
@need_hipcc
def test_the_second_notebook_runs_in_the_browser_and_its_review_is_live(
    lab: Lab, page: Page
) -> None:
    name = "02_review_and_rules.ipynb"
    shutil.copy(ROOT / "notebooks" / name, lab.root)
    shutil.copytree(EXAMPLE, lab.root / "examples" / "softmax")
    notebook = Notebook(lab, page, name)
    notebook.command("notebook:run-all-cells")
    page.wait_for_function(
        "document.querySelector('.jp-Notebook').textContent.includes(\"['undone']\")"
    )
    notebook.idle()
    assert notebook.errors() == []
    until_message(page, "rsqrtf")


@need_chromium
@need_hipcc
@need_torch
def test_the_first_notebook_s_extension_is_reviewed_in_the_browser(
    lab: Lab, page: Page
) -> None:
    name = "01_port_an_extension.ipynb"
    example = ROOT / "notebooks" / "examples" / "fused_norm"
    shutil.copytree(example, lab.root / "examples" / "fused_norm")
    content = json.loads((ROOT / "notebooks" / name).read_text())
    copy = next(cell for cell in content["cells"] if cell["id"] == "copy")
    lab.notebook(name, ["".join(copy["source"]), "%fastpt_review csrc", "print(project)"])
    notebook = Notebook(lab, page, name)
    for cell in range(3):
        notebook.run(cell)
    assert notebook.errors() == []
    until_message(page, "no matching function for call to 'rsqrtf'")
    place = page.locator(".fpt-focus__place .fpt-link").inner_text()
    path, line, _ = place.split(":")
    printed = page.locator("[data-mime-type='application/vnd.jupyter.stdout']").last
    original = Path(printed.inner_text().strip()) / path
    before = original.read_bytes()
    assert b"rsqrtf" in before.splitlines()[int(line) - 1]
    numbers = page.locator(".cm-lineNumbers .fpt-num--first").all_inner_texts()
    assert line in numbers
    page.wait_for_selector(".fpt-chip:has-text('tried:')")
    page.click('[data-name="accept"]')
    page.wait_for_selector(".fpt-receipt:has-text('Accepted.')")
    assert b"__device__" in original.read_bytes()
    assert original.read_bytes() != before
    page.click('[data-name="undo"]')
    page.wait_for_selector(".fpt-receipt:has-text('Taken back.')")
    assert original.read_bytes() == before
