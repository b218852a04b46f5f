"""The review and the plug-in in JupyterLab, with a real kernel, session and compiler."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.lab import ROOT, Lab, Notebook
from browser.standalone import CHROMIUM, FLAGS
from needs import need_chromium, need_hipcc, need_ninja, need_torch

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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


def undo_twice(page: Page) -> None:
    """Take back two fixes by key, each when the view has nothing else to do."""
    for _ in range(2):
        page.wait_for_selector('[data-name="check"]:not([aria-disabled])')
        page.focus('[data-name="check"]')
        page.keyboard.press("Control+z")
        page.wait_for_selector(".fpt-receipt:has-text('Taken back.')")
        page.wait_for_selector('[data-name="check"]:not([aria-disabled])')
        page.click('[data-name="dismiss"]')
        page.wait_for_selector(".fpt-receipt:has-text('Taken back.')", state="detached")


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
    undo_twice(page)
    assert {path: path.read_bytes() for path in before} == before
    until_message(page, "rsqrtf")

    # A reload of the page finds the review where it was.
    notebook.save()
    notebook.load()
    page.wait_for_selector(".fpt[data-review] .cm-line")
    until_message(page, "rsqrtf")

    # A restart: the view says that there is no kernel; run again, it is back at the first error.
    notebook.restart()
    page.wait_for_selector(".fpt[data-review] [role=alert]:has-text('No kernel.')")
    assert page.get_attribute('[data-name="accept"]', "aria-disabled") == "true"
    notebook.idle()
    notebook.run(0)
    notebook.run(1)
    page.wait_for_selector('.fpt [data-name="accept"]:not([aria-disabled])')
    until_message(page, "rsqrtf")

    # No kernel and a new page: the static copy stands in.
    notebook.save()
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


def shipped(lab: Lab, page: Page, name: str, example: str, more: Mapping[str, str]) -> Notebook:
    """Open a copy of a notebook of ours beside its example, with code cells more by their id."""
    shutil.copytree(ROOT / "notebooks" / "examples" / example, lab.root / "examples" / example)
    content = json.loads((ROOT / "notebooks" / name).read_text())
    for number, source in more.items():
        cell = {"cell_type": "code", "id": number, "metadata": {}, "outputs": []}
        content["cells"].append({**cell, "execution_count": None, "source": source})
    (lab.root / name).write_text(json.dumps(content))
    return Notebook(lab, page, name)


@need_chromium
@need_hipcc
def test_the_second_notebook_runs_in_the_browser_and_its_review_is_live(
    lab: Lab, page: Page
) -> None:
    more = {"green": "%fastpt_fix csrc --until-green --unsafe"}
    notebook = shipped(lab, page, "02_review_and_rules.ipynb", "softmax", more)
    green = notebook.cell("green")
    notebook.activate(green)
    notebook.command("notebook:run-all-above")
    page.wait_for_function(
        "document.querySelector('.jp-Notebook').textContent.includes(\"['undone']\")"
    )
    notebook.idle()
    assert notebook.errors() == []
    until_message(page, "rsqrtf")

    # The session of the magics is the review's own: what a cell does is seen there.
    notebook.run(green)
    assert notebook.errors() == []
    notebook.show(notebook.cell("review"))
    page.wait_for_selector(".fpt-green:has-text('All 2 units compile.')")


@need_chromium
def test_the_launcher_starts_a_port_in_a_new_notebook(lab: Lab, page: Page) -> None:
    folder = project(lab, "toured")
    (folder / "Untitled.ipynb").write_text("mine")
    lab.notebook("launcher.ipynb", ["1 + 1"])
    notebook = Notebook(lab, page, "launcher.ipynb")
    notebook.command("filebrowser:go-to-path", {"path": "toured"})
    page.locator(".jp-DirListing-item", has_text="csrc").wait_for()
    notebook.command("launcher:create", {"cwd": "toured"})
    page.click(".jp-LauncherCard:has-text('Port a CUDA extension')")
    page.wait_for_function(
        """() => {
          const { content, context } = window.jupyterapp.shell.currentWidget;
          return context?.path === "toured/Untitled1.ipynb" && content.widgets.length === 12;
        }"""
    )
    page.wait_for_selector(".jp-OutputArea:has-text('Survey of toured')")
    notebook.idle()
    assert notebook.errors() == []
    assert (folder / "Untitled.ipynb").read_text() == "mine"


BUILD = """\
rule hip
  command = hipcc --offload-arch=gfx906 -fconstexpr-steps=2147483647 -c $in -o $out
build a.o: hip a.cu
build b.o: hip b.cu
"""
ENDLESS = """\
constexpr int spin() {
  int sum = 0;
  for (int i = 0; i < 2000000000; ++i) sum ^= i;
  return sum;
}
static_assert(spin() != 1, "");
"""


def running(folder: Path) -> list[str]:
    """Return the command lines of the processes that work in `folder`."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            here = (process / "cwd").readlink()
            words = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            # It ended while it was looked at.
            continue
        if here == folder and words:
            found.append(words)
    return found


@need_chromium
@need_hipcc
@need_ninja
def test_a_running_build_is_cancelled_from_the_review_with_all_its_children(
    lab: Lab, page: Page
) -> None:
    project(lab, "built")
    # Elsewhere, so that a check of the project does not wait for them.
    folder = lab.folder / "endless"
    folder.mkdir()
    (folder / "build.ninja").write_text(BUILD)
    for name in ("a.cu", "b.cu"):
        (folder / name).write_text(ENDLESS)
    review = REVIEW.format(name="built/csrc", compiler=compiler(lab.folder))
    cells = [LOAD, review, f"%fastpt_build -- ninja -C {folder}", "print(6 * 7)"]
    lab.notebook("built.ipynb", cells)
    notebook = Notebook(lab, page, "built.ipynb")
    notebook.run(0)
    notebook.run(1)
    page.wait_for_selector(".fpt-chip:has-text('tried: compiles')")
    notebook.start(2)
    page.wait_for_selector(".fpt[data-review] .fpt-receipt:has-text('Building')")
    for _ in range(600):
        words = running(folder)
        if any("ninja" in line for line in words) and any("-cc1" in line for line in words):
            break
        page.wait_for_timeout(100)
    else:
        raise AssertionError(words)
    page.click(".fpt[data-review] [data-name='cancel']")
    page.wait_for_selector(".fpt[data-review] .fpt-receipt:has-text('the build was cancelled')")
    notebook.idle()
    assert running(folder) == []
    assert not (folder / "a.o").exists()
    notebook.run(3)
    printed = page.locator("[data-mime-type='application/vnd.jupyter.stdout']").last
    assert printed.inner_text().strip() == "42"
    page.click('[data-name="check"]')
    until_message(page, "rsqrtf")


@need_chromium
@need_hipcc
@need_torch
def test_the_first_notebook_cell_by_cell(lab: Lab, page: Page) -> None:
    note = lab.root / "where"
    # A restarted kernel comes back to the same copy, as a reader does the next day.
    more = {
        "where": f"Path({str(note)!r}).write_text(str(project))",
        "back": f"%cd -q {{open({str(note)!r}).read()}}\n{LOAD}",
    }
    notebook = shipped(lab, page, "01_port_an_extension.ipynb", "fused_norm", more)

    def run(*names: str) -> None:
        for name in names:
            notebook.run(notebook.cell(name))
            assert notebook.errors() == [], name

    run("copy", "where", "survey", "transcode", "check", "review")
    csrc = Path(note.read_text()) / "csrc"
    before = {path: path.read_bytes() for path in csrc.iterdir() if path.is_file()}

    # The first error, at its line in the original.
    until_message(page, "no matching function for call to 'rsqrtf'")
    place = page.locator(".fpt-focus__place .fpt-link").inner_text()
    path, line, _ = place.split(":")
    original = csrc.parent / path
    assert b"rsqrtf" in before[original].splitlines()[int(line) - 1]
    assert page.locator(".cm-lineNumbers .fpt-num--first").first.inner_text() == line
    page.wait_for_selector(".fpt-chip:has-text('tried:')")

    # By mouse; the next error comes, its fix is safe and has the focus, so Enter accepts it.
    page.click('[data-name="accept"]')
    page.wait_for_selector(".fpt-receipt:has-text('missing-device-attribute wrote')")
    assert b"__device__" in original.read_bytes()
    until_message(page, "use of overloaded operator '*' is ambiguous")
    page.wait_for_function("document.activeElement.dataset.name === 'accept'")
    page.wait_for_selector("[data-name='accept']:focus:not([aria-disabled])")
    page.keyboard.press("Enter")
    page.wait_for_selector(".fpt-receipt:has-text('ambiguous-operator wrote')")
    guarded = (csrc / "vector_ops.cuh").read_text()
    assert "#if !(defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__)" in guarded

    # Undo both, byte for byte.
    undo_twice(page)
    assert {path: path.read_bytes() for path in before} == before
    until_message(page, "rsqrtf")

    # A reload and a restart come back to the same error.
    notebook.save()
    notebook.load()
    review = notebook.cell("review")
    notebook.shown(review, ".fpt-focus__message:has-text('rsqrtf')")
    notebook.restart()
    notebook.shown(review, ".fpt[data-review] [role=alert]:has-text('No kernel.')")
    notebook.idle()
    run("back", "review")
    notebook.shown(review, '.fpt [data-name="accept"]:not([aria-disabled])')
    notebook.shown(review, ".fpt-focus__message:has-text('rsqrtf')")
