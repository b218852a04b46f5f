"""The main notebook after its run, as a page without a kernel, a script or a network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from browser.standalone import CHROMIUM, FLAGS
from needs import need_chromium, need_hipcc, need_torch

if TYPE_CHECKING:
    from pathlib import Path

    from conftest import Executed

pytestmark = [pytest.mark.notebook, pytest.mark.xdist_group("ported")]


@need_chromium
@need_hipcc
@need_torch
def test_the_page_shows_diff_first_error_and_fixes_by_itself(
    ported: Executed, tmp_path: Path
) -> None:
    from nbconvert import HTMLExporter
    from playwright.sync_api import sync_playwright

    body, _ = HTMLExporter().from_notebook_node(ported.notebook)
    page_file = tmp_path / "port.html"
    page_file.write_text(body, encoding="utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        context = browser.new_context(java_script_enabled=False, offline=True)
        page = context.new_page()
        page.goto(page_file.as_uri(), wait_until="commit")
        page.wait_for_selector(".fpt-static")
        reviews = page.locator(".fpt-static")
        first = reviews.filter(has_text="First error").filter(has_text="rsqrtf").first
        assert first.is_visible()
        text = first.inner_text()
        assert "csrc/numeric.cuh:12:10" in text
        assert "missing-device-attribute" in text
        marked = first.locator("table.fpt-code tr.fpt-first").first
        assert marked.is_visible()
        assert "rsqrtf" in marked.inner_text()
        assert "__device__" in text, "the fix shows the lines as they will be"
        browser.close()
