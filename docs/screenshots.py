"""Take the pictures of the README in JupyterLab: the shipped extension, a real hipcc.

    make screenshots            or: python docs/screenshots.py [FOLDER]

FOLDER (default: docs/images) gets review_light.png, review_dark.png and loop.png. Needs what the
tests in tests/browser need: hipcc, torch, Chromium.
"""

from __future__ import annotations

import base64
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser.lab import Lab, Notebook
from browser.standalone import CHROMIUM, FLAGS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Browser, Page

EXAMPLE = ROOT / "notebooks" / "examples" / "fused_norm"
SIZE = {"width": 1400, "height": 960}
CELLS = ("%load_ext fastpt_lab", "%fastpt_survey fused_norm", "%fastpt_review fused_norm/csrc")
REVIEW = 2

STRIP = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; padding: 16px; background: #fff; color: #1f2328; font: 22px/1.4 sans-serif; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; }
figure { margin: 0; }
figcaption { padding: 0 0 8px 2px; }
b { display: inline-block; min-width: 30px; border-radius: 15px; text-align: center;
    background: #0969da; color: #fff; margin-right: 8px; }
img { width: 100%; border: 1px solid #d0d7de; border-radius: 6px; display: block; }
</style><main>"""


def picture(page: Page) -> bytes:
    """Return the window as it is, without a caret or a pointer in it."""
    page.mouse.move(1, 1)
    return page.screenshot(animations="disabled", caret="hide")


def show(notebook: Notebook, cell: int) -> None:
    """Bring a cell to the top of the window, its prompt included."""
    notebook.evaluate(
        """(cell) => {
          const { content } = window.jupyterapp.shell.currentWidget;
          content.activeCellIndex = cell;
          content.widgets[cell].node.scrollIntoView({ block: "start", behavior: "instant" });
        }""",
        cell,
    )
    notebook.page.wait_for_timeout(500)


def opened(lab: Lab, browser: Browser) -> Notebook:
    """Return the notebook with nothing but itself in the window."""
    page = browser.new_page(viewport=SIZE)
    notebook = Notebook(lab, page, "port.ipynb")
    notebook.command("application:toggle-left-area")
    notebook.command("application:toggle-mode")
    return notebook


def until(page: Page, selector: str) -> None:
    """Wait for an element of the review and for the end of the work that leads to it."""
    page.wait_for_selector(selector)
    page.wait_for_selector('[data-name="check"]:not([aria-disabled])')


def story(lab: Lab, browser: Browser) -> tuple[dict[str, bytes], list[tuple[str, bytes]]]:
    """Return the pictures of the first error by theme, and the steps of the loop."""
    notebook = opened(lab, browser)
    page = notebook.page
    for cell in range(len(CELLS)):
        notebook.run(cell)
    if notebook.errors():
        raise SystemExit(f"screenshots: {notebook.errors()[0]}")
    show(notebook, 1)
    steps = [("Survey: what it uses, which route fits", picture(page))]
    until(page, ".fpt-chip:has-text('tried:')")
    first = {}
    for theme in ("Dark", "Light"):
        notebook.theme(f"JupyterLab {theme}")
        page.click(".fpt-focus__place .fpt-link")
        show(notebook, REVIEW)
        first[theme.lower()] = picture(page)
    steps.append(("The first error, in the original, with a fix", first["light"]))
    page.click('[data-name="accept"]')
    until(page, ".fpt-receipt:has-text('Accepted.')")
    until(page, ".fpt-chip:has-text('tried:')")
    show(notebook, REVIEW)
    steps.append(("Accepted: written under a guard; the next error comes", picture(page)))
    while page.locator(".fpt-green").count() == 0:
        before = page.locator(".fpt-receipt").first.inner_text()
        page.wait_for_selector('[data-name="accept"]:not([aria-disabled])')
        page.click('[data-name="accept"]')
        page.wait_for_function(
            "(text) => document.querySelector('.fpt-receipt')?.innerText !== text", arg=before
        )
        until(page, ".fpt-receipt:has-text('Accepted.')")
    show(notebook, REVIEW)
    steps.append(("Every unit compiles; each change can be taken back", picture(page)))
    page.close()
    return first, steps


def strip(browser: Browser, steps: Sequence[tuple[str, bytes]]) -> bytes:
    """Return the steps in one picture, in the order of reading."""
    page = browser.new_page(viewport={"width": 2000, "height": 1000})
    figures = "".join(
        f"<figure><figcaption><b>{number}</b>{words}</figcaption>"
        f'<img src="data:image/png;base64,{base64.b64encode(data).decode()}"></figure>'
        for number, (words, data) in enumerate(steps, 1)
    )
    page.set_content(STRIP + figures)
    taken = page.screenshot(full_page=True)
    page.close()
    return taken


def main() -> int:
    """Write the pictures."""
    from playwright.sync_api import sync_playwright

    target = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "docs" / "images")
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        lab = Lab(Path(folder) / "lab")
        shutil.copytree(EXAMPLE, lab.root / "fused_norm")
        lab.notebook("port.ipynb", list(CELLS))
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        try:
            first, steps = story(lab, browser)
            made = {f"review_{theme}": data for theme, data in first.items()}
            made["loop"] = strip(browser, steps)
        finally:
            browser.close()
            lab.close()
    for name, data in made.items():
        (target / f"{name}.png").write_bytes(data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
