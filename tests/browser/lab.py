"""JupyterLab as a user has it, in folders of its own, and Chromium in front of it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page

ROOT = Path(__file__).parents[2]
EXTENSION = ROOT / "extension" / "labextension" / "dist"
TOKEN = "fastpt"
MILLISECONDS = 300_000
"""Milliseconds to wait for anything; what is waited for is never a fixed time."""


class Lab:
    """A running server.

    Args:
        folder: of its own; `root` in it is what it serves.
        python: of the environment that runs it; this checkout's by default.
        environment: set over what the server inherits.
    """

    def __init__(
        self,
        folder: Path,
        *,
        python: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.root = folder / "root"
        self.root.mkdir(parents=True)
        self._python = python
        self._set = environment or {}
        extensions = folder / "share" / "labextensions"
        extensions.mkdir(parents=True)
        if python is None:
            (extensions / "fastpt-lab-extension").symlink_to(EXTENSION)
        # The question about news would lie over what is looked at.
        quiet = folder / "settings" / "@jupyterlab" / "apputils-extension"
        quiet.mkdir(parents=True)
        (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self._log = (folder / "server.log").open("wb")
        self._process = subprocess.Popen(
            [
                str(self._python or sys.executable),
                "-m",
                "jupyterlab",
                "--no-browser",
                "--allow-root",
                "--ip=127.0.0.1",
                f"--port={self.port}",
                "--ServerApp.port_retries=0",
                f"--IdentityProvider.token={TOKEN}",
                f"--ServerApp.root_dir={self.root}",
                "--LabApp.expose_app_in_browser=True",
                "--LabServerApp.extension_manager=readonly",
                "--LabApp.news_url=",
            ],
            cwd=folder,
            env=self._environment(),
            stdout=self._log,
            stderr=subprocess.STDOUT,
        )
        self._wait()

    def _environment(self) -> dict[str, str]:
        own = {
            f"JUPYTER_{name}_DIR": str(self.folder / name.lower())
            for name in ("CONFIG", "DATA", "RUNTIME")
        }
        own |= {
            f"JUPYTERLAB_{name}_DIR": str(self.folder / name.lower())
            for name in ("SETTINGS", "WORKSPACES")
        }
        own |= {
            "JUPYTER_PATH": str(self.folder / "share"),
            "IPYTHONDIR": str(self.folder / "ipython"),
        }
        if self._python is None:
            own["PYTHONPATH"] = str(ROOT)
        return {**os.environ, **own, **self._set}

    def _wait(self) -> None:
        for _ in range(600):
            try:
                with urllib.request.urlopen(self.url("api/status"), timeout=5):
                    return
            except OSError:
                if self._process.poll() is not None:
                    break
                time.sleep(0.1)
        raise AssertionError((self.folder / "server.log").read_text())

    def url(self, path: str) -> str:
        """Return the address of `path` with the token."""
        joint = "&" if "?" in path else "?"
        return f"http://127.0.0.1:{self.port}/{path}{joint}token={TOKEN}"

    def notebook(self, name: str, cells: list[str]) -> None:
        """Write a notebook of code cells into the server's folder."""
        content = {
            "cells": [
                {
                    "cell_type": "code",
                    "id": f"c{number}",
                    "metadata": {},
                    "execution_count": None,
                    "outputs": [],
                    "source": source,
                }
                for number, source in enumerate(cells)
            ],
            "metadata": {
                "kernelspec": {
                    "name": "python3",
                    "display_name": "Python 3",
                    "language": "python",
                }
            },
            "nbformat": 4,
            "nbformat_minor": 5,
        }
        (self.root / name).write_text(json.dumps(content))

    def close(self) -> None:
        """Stop the server and its kernels."""
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
        self._log.close()


class Notebook:
    """One notebook in one page."""

    def __init__(self, lab: Lab, page: Page, name: str) -> None:
        self.page = page
        self.lab = lab
        self.name = name
        page.set_default_timeout(MILLISECONDS)
        self.load()

    def load(self) -> None:
        """Open, or open again, and wait for the kernel."""
        self.page.goto(self.lab.url(f"lab/tree/{self.name}?reset"))
        self.page.wait_for_function(
            """() => {
              const app = window.jupyterapp;
              const panel = app?.shell?.currentWidget;
              return panel?.context?.isReady
                && panel.sessionContext?.session?.kernel?.connectionStatus === "connected";
            }"""
        )

    def evaluate(self, script: str, argument: object = None) -> Any:  # noqa: ANN401 - JSON
        """Evaluate a function in the page."""
        return self.page.evaluate(script, argument)

    def command(self, name: str, arguments: dict[str, object] | None = None) -> None:
        """Execute one of JupyterLab's commands."""
        self.evaluate(
            "([name, args]) => { void window.jupyterapp.commands.execute(name, args); }",
            [name, arguments or {}],
        )

    def run(self, cell: int) -> None:
        """Run one cell and wait for its end."""
        self.start(cell)
        self.idle()

    def start(self, cell: int) -> None:
        """Run one cell and do not wait."""
        self.activate(cell)
        self.command("notebook:run-cell")

    def activate(self, cell: int) -> None:
        """Make a cell the one that commands are about."""
        self.evaluate(
            "(cell) => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell; }",
            cell,
        )

    def idle(self) -> None:
        """Wait until every cell that was started has ended."""
        self.page.wait_for_function(
            """() => {
              const panel = window.jupyterapp.shell.currentWidget;
              return panel.sessionContext.session?.kernel?.status === "idle"
                && ![...document.querySelectorAll(".jp-InputPrompt")].some((p) => p.textContent === "[*]:");
            }"""
        )

    def theme(self, name: str) -> None:
        """Change JupyterLab's theme."""
        self.command("apputils:change-theme", {"theme": name})
        self.page.wait_for_function(
            "(name) => document.body.dataset.jpThemeName === name", arg=name
        )
        self.page.wait_for_selector("#jupyterlab-splash", state="detached")

    def restart(self) -> None:
        """Restart the kernel."""
        self.evaluate(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
        )

    def save(self) -> None:
        """Save, and wait until there is nothing left to save."""
        self.command("docmanager:save")
        self.page.wait_for_function(
            "!window.jupyterapp.shell.currentWidget.context.model.dirty"
        )

    def cell(self, name: str) -> int:
        """Return the number of the cell with this id."""
        return int(
            self.evaluate(
                """(id) => window.jupyterapp.shell.currentWidget.content.widgets
                  .findIndex((cell) => cell.model.id === id)""",
                name,
            )
        )

    def show(self, cell: int) -> None:
        """Scroll to a cell; JupyterLab draws the outputs of those in view, and of no others."""
        self.evaluate(
            """async (cell) => {
              const { content } = window.jupyterapp.shell.currentWidget;
              await content.scrollToItem(cell, "start");
              content.widgets[cell].node.scrollIntoView({ block: "start", behavior: "instant" });
            }""",
            cell,
        )

    def shown(self, cell: int, selector: str) -> None:
        """Scroll to a cell until `selector` is drawn in it, as a reader would.

        What changes its height while JupyterLab draws it is scrolled out of view again, and then
        not drawn. All tries together take as long as one wait of a page may.
        """
        from playwright.sync_api import TimeoutError as NotYet

        tries = 60
        for left in reversed(range(tries)):
            self.show(cell)
            try:
                self.page.wait_for_selector(selector, timeout=MILLISECONDS / tries)
            except NotYet:
                if not left:
                    raise
            else:
                return

    def errors(self) -> list[str]:
        """Return what cells have printed as errors."""
        selector = "[data-mime-type$='.stderr'], [data-mime-type$='.error']"
        return self.page.locator(selector).all_inner_texts()
