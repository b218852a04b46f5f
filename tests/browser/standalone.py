"""The review's bundle in a bare page: Chromium on one side, the real `Desk` on the other."""

from __future__ import annotations

import json
import queue
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.widgets.desk import Desk
from fastpt_lab.widgets.progress import activity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page

    from fastpt_lab.widgets.model import ReviewModel

LAB = Path(sys.prefix) / "share" / "jupyter" / "lab"
STATIC = Path(__import__("fastpt_lab").__file__).parent / "widgets" / "static"
THEMES = LAB / "themes" / "@jupyterlab"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
    "--disable-component-update",
    "--disable-sync",
    "--force-color-profile=srgb",
)
CHROMIUM = "/usr/bin/chromium"

PAGE = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>review</title>
<link rel="icon" href="data:,"><style>{theme}</style><style>{style}</style>
<style>body {{ background: var(--jp-layout-color0); margin: 12px; }}</style>
<div class="jp-OutputArea"><div id="view"></div></div>
<script type="module">
import review from "/review.js";
const state = {state};
const listeners = {{}};
const model = {{
  get: (name) => state[name],
  on: (name, call) => (listeners[name] ??= new Set()).add(call),
  off: (name, call) => listeners[name]?.delete(call),
  send: (content) => window.toKernel(JSON.stringify(content)),
}};
window.host = model;
window.fromKernel = (name, value) => {{
  if (name !== "msg:custom") state[name.slice(7)] = value;
  for (const call of listeners[name] ?? []) call(value);
}};
window.dispose = review.render({{ model, el: document.getElementById("view") }});
</script></html>"""


def theme(name: str) -> str:
    """Return a theme's style sheet, and the palette that JupyterLab's core gives all themes."""
    (core,) = (LAB / "static").glob("jlab_core.*.js")
    palette = dict(re.findall(r"(--md-[\w-]+): *(#[0-9a-fA-F]+)", core.read_text("utf-8")))
    assert len(palette) > 100, "the palette is no longer where it was"
    colours = "".join(f"{key}:{value};" for key, value in palette.items())
    return f":root{{{colours}}}" + (THEMES / name / "index.css").read_text()


class Standalone:
    """One page that shows a session."""

    def __init__(self, page: Page, model: ReviewModel) -> None:
        self.page = page
        self.requests: list[dict[str, Any]] = []
        self.deaf = False
        self._held: list[dict[str, Any]] = []
        self._out: queue.SimpleQueue[tuple[str, object]] = queue.SimpleQueue()
        self._state: dict[str, object] = {"activity": None}
        self.desk = Desk(model, self._send, self._show)
        model.subscribe(self._event)
        page.expose_function("toKernel", self._receive)

    def open(
        self, *, dark: bool = False, high_contrast: bool = False, language: str = "en"
    ) -> None:
        """Load the page in one of JupyterLab's own themes."""
        self.desk.refresh()
        self._drain()
        name = "theme-dark-extension" if dark else "theme-light-extension"
        if high_contrast:
            name = "theme-dark-high-contrast-extension"
        body = PAGE.format(
            language=language,
            theme=theme(name),
            style=(STATIC / "review.css").read_text(),
            state=json.dumps({**self._state, "language": language}).replace("<", "\\u003c"),
        )
        self.page.route(
            "http://review/", lambda route: route.fulfill(body=body, content_type="text/html")
        )
        self.page.route(
            "http://review/review.js",
            lambda route: route.fulfill(
                path=STATIC / "review.js", content_type="text/javascript"
            ),
        )
        self.page.goto("http://review/")
        self.until(".fpt-head")

    def _receive(self, text: str) -> None:
        message = json.loads(text)
        self.requests.append(message)
        if self.deaf:
            self._held.append(message)
        else:
            self.desk.receive(message)

    def hear(self) -> None:
        """End the cell that kept the kernel busy: what waited is answered."""
        self.deaf = False
        for message in self._held:
            self.desk.receive(message)
        self._held.clear()

    def _send(self, content: dict[str, Any]) -> None:
        self._out.put(("msg:custom", content))

    def _show(self, snapshot: dict[str, Any]) -> None:
        self._out.put(("change:snapshot", snapshot))

    def _event(self, event: Mapping[str, Any]) -> None:
        if event["kind"] == "progress":
            self._out.put(("change:activity", None if event["finished"] else activity(event)))
        else:
            self.desk.refresh()

    def _drain(self) -> list[tuple[str, object]]:
        found = []
        while not self._out.empty():
            name, value = self._out.get()
            if name != "msg:custom":
                self._state[name.removeprefix("change:")] = value
            found.append((name, value))
        return found

    def pump(self) -> None:
        """Deliver what the kernel's side has said."""
        self.page.wait_for_timeout(15)
        for name, value in self._drain():
            self.page.evaluate(
                "([name, value]) => window.fromKernel(name, value)", [name, value]
            )

    def until(self, selector: str, *, gone: bool = False) -> None:
        """Deliver until `selector` is there, or gone.

        Raises:
            AssertionError: it did not come to pass within some 20 seconds.
        """
        for _ in range(600):
            if (self.page.locator(selector).count() == 0) is gone:
                return
            self.pump()
        raise AssertionError(f"{selector} {'stayed' if gone else 'did not come'}")

    def settle(self) -> None:
        """Deliver until nothing more is said or drawn."""
        for _ in range(12):
            self.pump()
