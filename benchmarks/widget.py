"""Time the review in Chromium, and its line diff against CodeMirror's own, as JSON.

Run: python benchmarks/widget.py. Needs Chromium, and `npm ci` in extension/review for the peer.

- `dense_diff`: texts of 5,000 lines that nearly all differ are there; until they are painted.
- `files`: a snapshot with 300 files arrives; until the list is painted.
- `problems`: a snapshot with 1,000 diagnostics arrives; until painted.
- `click_to_file`: a click on a file of 800 lines; until its diff is painted, the kernel's side
  and its messages included; `view_*` is the part of it from the answer's arrival on.
- `longest_task_ms` of each: the longest time in which the page answered nothing, as the browser
  itself reports it (Long Tasks; 0 is none of 50 ms or more).
- `state`: bytes of a snapshot of 3,000 files and 3,000 diagnostics, which stay beside the bundle.
- `bundle`: bytes of script and style sheet.
- `peer`: milliseconds of the line diff and of @codemirror/merge on the same dense pair.
"""

from __future__ import annotations

import json
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from browser.standalone import CHROMIUM, FLAGS, STATIC, Standalone

from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.report import FileReport, Report, UnitReport
from fastpt_lab.core.text import Location
from fastpt_lab.widgets.desk import Desk
from fastpt_lab.widgets.snapshot import size_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Browser

RUNS = 5
PROJECT = Path("/project")

# The review draws in the next frame; a task queued there runs after that frame is painted.
PAINTED = """async ([name, value]) => {
  const start = performance.now();
  window.fromKernel(name, value);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - start;
}"""
WATCHED = """() => {
  window.longest = 0;
  new PerformanceObserver((found) => {
    for (const task of found.getEntries()) window.longest = Math.max(window.longest, task.duration);
  }).observe({ type: "longtask" });
}"""
CLICKED = """(path) => new Promise((done) => {
  const start = performance.now();
  const deliver = window.fromKernel;
  let arrived = start;
  window.fromKernel = (name, value) => {
    if (name === "msg:custom") arrived = performance.now();
    deliver(name, value);
  };
  const painted = () => {
    window.fromKernel = deliver;
    const now = performance.now();
    done([now - start, now - arrived]);
  };
  const head = document.querySelector(".fpt-diff");
  new MutationObserver((_, watcher) => {
    if (!head.querySelector(`code[title="${path}"]`)) return;
    watcher.disconnect();
    requestAnimationFrame(() => setTimeout(painted));
  }).observe(head, { childList: true, subtree: true });
  document.querySelector(`.fpt-files__row[data-path="${path}"]`).click();
})"""


def source(api: str, lines: int) -> str:
    """Return a kernel in which nearly every line names the API."""
    row = "  check({0}MemcpyAsync(out + {1}, in, n * sizeof(float), {0}MemcpyDefault, s{2}));"
    return "\n".join(
        f"  // step {n % 90}: 每个线程处理一行"
        if n % 7 == 0
        else row.format(api, n % 50, n % 9)
        for n in range(lines)
    )


class Big:
    """A session with many files or diagnostics; it only answers readers."""

    def __init__(self, *, files: int, lines: int, problems: int) -> None:
        self.root = PROJECT
        self.lines = lines
        names = [PROJECT / "csrc" / f"kernel_{n:03}_forward.cu" for n in range(files)]
        found = tuple(
            Diagnostic(
                severity=Severity.ERROR,
                message=f"use of undeclared identifier 'name_{n}'",
                source="clang",
                id=f"d{n}",
                location=Location.at(names[n % files], n % lines, 4),
            )
            for n in range(problems)
        )
        self.report = Report(
            command="check",
            root=PROJECT,
            files=tuple(
                FileReport(original=name, generated=name.with_suffix(".hip"), status="written")
                for name in names
            ),
            units=tuple(
                UnitReport(original=name, generated=name, status="error") for name in names
            ),
            diagnostics=found,
        )

    def document(self, path: str) -> dict[str, Any]:
        """Return two texts that differ in nearly every line."""
        return {
            "original": path,
            "generated": path.replace(".cu", ".hip"),
            "text": source("cuda", self.lines),
            "generated_text": source("hip", self.lines),
            "digest": path,
        }

    def history(self) -> list[dict[str, Any]]:
        """Return an empty journal."""
        return []

    def subscribe(self, _: object) -> Callable[[], None]:
        """Nothing ever happens."""
        return lambda: None


def opened(browser: Browser, session: Big) -> Standalone:
    """Return a page that shows the session."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    shown = Standalone(page, session)  # type: ignore[arg-type] # readers are all it is asked for
    shown.open()
    shown.settle()
    page.evaluate(WATCHED)
    return shown


def longest(shown: Standalone) -> float:
    """Return the longest task since the page was opened, in milliseconds."""
    # The observer is told after the task.
    shown.page.wait_for_timeout(100)
    return float(shown.page.evaluate("window.longest"))


def rounded(times: list[float]) -> dict[str, float]:
    """Return median and worst, in milliseconds."""
    return {"median_ms": round(statistics.median(times), 1), "worst_ms": round(max(times), 1)}


def dense_diff(browser: Browser) -> dict[str, float]:
    """Time from texts to paint, a new page each time."""
    times = []
    blocked = 0.0
    for _ in range(RUNS):
        shown = opened(browser, Big(files=2, lines=5000, problems=0))
        shown.deaf = True
        path = "csrc/kernel_001_forward.cu"
        shown.page.click(f'.fpt-files__row[data-path="{path}"]')
        shown.page.wait_for_timeout(50)
        request = next(r for r in shown.requests if r["params"].get("path") == path)
        texts = Big(files=2, lines=5000, problems=0).document(path)
        answer = {"id": request["id"], "result": {"texts": texts, "marks": []}}
        times.append(shown.page.evaluate(PAINTED, ["msg:custom", answer]))
        assert shown.page.locator(".fpt-changed").count() > 10
        blocked = max(blocked, longest(shown))
        shown.page.close()
    return {**rounded(times), "longest_task_ms": blocked}


def arriving(browser: Browser, session: Big) -> dict[str, float]:
    """Time from a snapshot to paint."""
    shown = opened(browser, Big(files=1, lines=20, problems=1))
    other = Standalone(browser.new_page(), session)  # type: ignore[arg-type]
    other.desk.refresh()
    snapshot = dict(other._drain())["change:snapshot"]
    assert isinstance(snapshot, dict)
    times = []
    for number in range(RUNS):
        picture = {**snapshot, "revision": 100 + number, "report": 100 + number}
        times.append(shown.page.evaluate(PAINTED, ["change:snapshot", picture]))
    blocked = longest(shown)
    shown.page.close()
    return {**rounded(times), "longest_task_ms": blocked}


def click_to_file(browser: Browser) -> dict[str, float]:
    """Time from a click to the painted diff of another file."""
    shown = opened(browser, Big(files=12, lines=800, problems=0))
    page = shown.page
    whole, view = [], []
    for number in range(1, 1 + RUNS):
        path = f"csrc/kernel_{number:03}_forward.cu"
        page.evaluate(
            f"(path) => {{ window.measured = null;"
            f" ({CLICKED})(path).then((ms) => {{ window.measured = ms; }}); }}",
            path,
        )
        while page.evaluate("window.measured") is None:
            shown.pump()
        total, own = page.evaluate("window.measured")
        whole.append(total)
        view.append(own)
    blocked = longest(shown)
    page.close()
    own_times = {f"view_{name}": value for name, value in rounded(view).items()}
    return {**rounded(whole), **own_times, "longest_task_ms": blocked}


def state() -> dict[str, int]:
    """Return the bytes of the picture of a large project."""
    pictures: list[dict[str, Any]] = []
    session = Big(files=3000, lines=400, problems=3000)
    desk = Desk(session, lambda _: None, pictures.append)  # type: ignore[arg-type] # a reader
    desk.refresh()
    return {"snapshot": size_of(pictures[-1])}


def peer() -> object:
    """Return the line diff and CodeMirror's on the same pair; None without node_modules."""
    folder = ROOT / "extension" / "review"
    node = shutil.which("node")
    if node is None or not (folder / "node_modules").is_dir():
        return None
    subprocess.run([node, "build.mjs", "--tests"], cwd=folder, check=True)
    done = subprocess.run(
        [node, ".tests/bench/linediff.mjs"], cwd=folder, check=True, capture_output=True
    )
    return json.loads(done.stdout)


def main() -> None:
    """Measure everything and print one JSON document."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, headless=True, args=list(FLAGS)
        )
        result = {
            "dense_diff": dense_diff(browser),
            "files": arriving(browser, Big(files=300, lines=20, problems=0)),
            "problems": arriving(browser, Big(files=40, lines=400, problems=1000)),
            "click_to_file": click_to_file(browser),
            "bundle": {
                name: (STATIC / name).stat().st_size for name in ("review.js", "review.css")
            },
            "state": state(),
            "peer": peer(),
        }
        browser.close()
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
