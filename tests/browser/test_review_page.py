"""The review's bundle in Chromium, against the real `Desk` and a recorded session."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from browser.recorded_session import GUARD, LONG, ROOT, RecordedSession
from browser.standalone import CHROMIUM, FLAGS, Standalone
from needs import need_chromium

from fastpt_lab.core.action import Trial, TrialStatus
from fastpt_lab.core.diagnostic import Related
from fastpt_lab.core.text import (
    Location,
    Position,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
    digest_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Browser

KERNEL = "csrc/layer_norm_cuda_kernel.cu"
SHOTS = Path(__file__).parents[2] / ".artifacts"
CONTRAST = (Path(__file__).parent / "contrast.js").read_text()

pytestmark = pytest.mark.xdist_group("browser")
Open = "Callable[..., tuple[Standalone, RecordedSession]]"


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
def opened(chromium: Browser) -> Iterator[Open]:
    pages = []
    faults: list[str] = []

    def open_page(
        *, width: int = 1240, session: RecordedSession | None = None, **options: object
    ) -> tuple[Standalone, RecordedSession]:
        page = chromium.new_page(
            viewport={"width": width, "height": 1050},
            reduced_motion=options.pop("motion", None),
        )
        pages.append(page)
        page.on("pageerror", lambda error: faults.append(str(error)))
        session = session or RecordedSession()
        shown = Standalone(page, session)
        shown.open(**options)
        shown.until(".cm-line")
        shown.settle()
        return shown, session

    yield open_page
    for page in pages:
        page.close()
    assert faults == []


def press(shown: Standalone, name: str) -> None:
    shown.page.click(f'[data-name="{name}"]')
    shown.settle()


def focused(shown: Standalone) -> str | None:
    return shown.page.evaluate("document.activeElement.dataset.name")


@need_chromium
def test_the_first_error_is_stated_and_marked_at_its_line_on_both_sides(opened: Open) -> None:
    shown, _ = opened()
    page = shown.page
    assert (
        page.inner_text(".fpt-focus__message")
        == "use of undeclared identifier '__shfl_xor_sync'"
    )
    assert page.locator(".fpt-side--first").count() == 2
    assert (
        page.locator(".fpt-side--first .fpt-range").all_inner_texts() == ["__shfl_xor_sync"] * 2
    )
    numbers = page.locator(".cm-lineNumbers .fpt-num--first").all_inner_texts()
    assert numbers == ["44", "45"]
    assert page.locator(".fpt-signs .fpt-num--first [role=img]").count() == 2
    assert focused(shown) is None, "nothing takes the focus when a cell merely ran"


@need_chromium
@pytest.mark.parametrize(("width", "sides"), [(1240, 2), (700, 1)])
def test_a_fold_never_hides_a_message_or_its_note(opened: Open, width: int, sides: int) -> None:
    shown, _ = opened(width=width)
    page = shown.page
    assert (
        page.locator("button.fpt-fold").first.inner_text() == "33 unchanged lines, no messages"
    )
    for tone, count in (("first", sides), ("warn", sides), ("note", 1)):
        assert page.locator(f".fpt-diff .fpt-side--{tone}").count() >= min(count, 1), tone
    page.locator("button.fpt-fold").first.press("Enter")
    shown.settle()
    assert page.locator("button.fpt-fold").count() == 1, (
        "a fold opens by keyboard, on both sides"
    )


@need_chromium
def test_accept_by_mouse_then_by_keyboard_then_undo(opened: Open) -> None:
    shown, session = opened()
    page = shown.page
    original = session.disk[KERNEL]
    press(shown, "accept")
    assert GUARD in session.disk[KERNEL]
    assert "sync-shuffle wrote 4 lines" in page.inner_text(".fpt-receipt")
    assert "so are 2 that followed" in page.inner_text(".fpt-receipt")
    assert page.inner_text(".fpt-focus__message").startswith("no matching function")
    assert focused(shown) == "fix-title", (
        "Enter must not accept an unread fix that needs a look"
    )
    page.keyboard.press("Tab")
    assert focused(shown) == "accept"
    page.keyboard.press("Enter")
    shown.settle()
    assert GUARD in session.disk["csrc/mlp.cu"]
    page.keyboard.press("Control+z")
    shown.settle()
    assert GUARD not in session.disk["csrc/mlp.cu"]
    page.keyboard.press("Control+z")
    shown.settle()
    assert session.disk[KERNEL] == original
    assert focused(shown) == "accept", "after Undo the same fix's Accept"


@need_chromium
def test_keys_move_between_problems_and_changes_and_show_a_sheet(opened: Open) -> None:
    shown, _ = opened()
    page = shown.page
    page.focus('[data-name="accept"]')
    page.keyboard.press("ArrowRight")
    assert focused(shown) == "edit"
    page.keyboard.press("F8")
    shown.settle()
    assert page.get_attribute("[data-problem]", "data-problem") == "d2"
    page.keyboard.press("Shift+F8")
    shown.settle()
    assert page.get_attribute("[data-problem]", "data-problem") == "d1"
    page.keyboard.press("F7")
    shown.settle()
    assert page.evaluate("document.activeElement.closest('.cm-editor') !== null")
    page.keyboard.press("?")
    shown.settle()
    assert focused(shown) == "help-close"
    page.keyboard.press("Escape")
    shown.settle()
    assert page.locator(".fpt-help").count() == 0


@need_chromium
def test_an_edited_fix_says_what_cuda_would_see_and_is_never_safe(opened: Open) -> None:
    shown, session = opened()
    page = shown.page
    press(shown, "edit")
    text = page.input_value("textarea")
    page.fill("textarea", text.replace("mask, value", "mask, 2 * value"))
    shown.until(".fpt-chip--error")
    assert "CUDA view differs" in page.inner_text(".fpt-fix")
    assert focused(shown) == "edit-text", "typing is never interrupted"
    page.fill("textarea", text.replace("shfl_xor(", "shfl_xor( "))
    shown.until(".fpt-chip--error", gone=True)
    assert page.locator(".fpt-fix .fpt-btn--primary").count() == 0
    press(shown, "accept")
    assert "__shfl_xor( " in session.disk[KERNEL]
    assert session.entries[-1]["edited"]


@need_chromium
def test_all_places_of_a_rule_are_listed_and_only_safe_ones_ticked(opened: Open) -> None:
    shown, session = opened()
    press(shown, "all")
    boxes = shown.page.locator(".fpt-places__row input")
    assert [boxes.nth(n).is_checked() for n in range(boxes.count())] == [True, False]
    assert shown.page.inner_text('[data-name="accept-all"]') == "Accept 1"
    press(shown, "accept-all")
    assert len(session.entries) == 1
    assert GUARD in session.disk[KERNEL]


@need_chromium
def test_what_was_accepted_or_proposed_is_saved_as_a_patch(
    opened: Open, tmp_path: Path
) -> None:
    shown, session = opened()
    page = shown.page
    before = dict(session.disk)
    assert page.locator('[data-name="patch"]').count() == 0, "nothing was accepted yet"

    def saved(name: str) -> dict[str, str]:
        with page.expect_download() as event:
            press(shown, name)
        assert event.value.suggested_filename == "fused_layer_norm.patch"
        folder = tmp_path / name
        for path, text in before.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(text.encode())
        event.value.save_as(folder / "a.patch")
        subprocess.run(["git", "apply", "a.patch"], cwd=folder, check=True)
        return {path: (folder / path).read_bytes().decode() for path in before}

    press(shown, "all")
    proposed = saved("patch-all")
    assert session.disk == before, "saving writes nothing to the originals"
    press(shown, "back")
    press(shown, "accept")
    assert saved("patch") == session.disk == proposed
    assert "git apply fused_layer_norm.patch" in page.inner_text(".fpt")
    press(shown, "dismiss-saved")
    assert focused(shown) == "patch"


@need_chromium
def test_a_file_that_changed_on_disk_is_not_written_and_shows_three_versions(
    opened: Open,
) -> None:
    shown, session = opened()
    session.disk[KERNEL] = session.disk[KERNEL].replace(
        "value += __shfl", "value = value + __shfl"
    )
    mine = session.disk[KERNEL]
    shown.page.click('[data-name="accept"]')
    shown.until(".fpt-conflict")
    assert session.disk[KERNEL] == mine
    assert shown.page.inner_text(".fpt-conflict b >> nth=0") == "Nothing was written."
    assert shown.page.locator(".fpt-merge > *").count() == 3
    press(shown, "accept")
    assert GUARD in session.disk[KERNEL]
    assert "value = value + __shfl_xor_sync" in session.disk[KERNEL]


@need_chromium
def test_a_busy_kernel_queues_and_the_request_can_be_taken_back(opened: Open) -> None:
    shown, session = opened()
    shown.deaf = True
    shown.page.click('[data-name="accept"]')
    shown.page.wait_for_selector('[data-name="accept"][aria-busy="true"]')
    shown.until('[data-name="take-back"]')
    press(shown, "take-back")
    shown.hear()
    shown.settle()
    assert session.entries == [], "what was taken back is never done"
    press(shown, "accept")
    assert len(session.entries) == 1


@need_chromium
def test_a_running_check_shows_its_clock_and_is_cancelled(opened: Open) -> None:
    shown, session = opened()
    session.slow.clear()
    shown.page.click('[data-name="check"]')
    shown.until('[data-name="cancel"]')
    shown.until(".fpt-receipt:has-text('3 of 6 units')")
    assert shown.page.get_attribute("[role=progressbar]", "aria-valuenow") == "3"
    assert shown.page.get_attribute('[data-name="accept"]', "aria-disabled") == "true"
    press(shown, "cancel")
    assert "cancelled" in shown.page.inner_text("[role=alert]")
    session.slow.set()
    press(shown, "dismiss-failure")
    press(shown, "check")
    assert shown.page.locator("[role=alert]").count() == 0


@need_chromium
def test_work_of_a_cell_is_ended_by_interrupting_it_where_the_host_can(opened: Open) -> None:
    shown, session = opened()
    page = shown.page
    facts = {"activity": "build", "done": 0, "total": 2, "current": "ninja", "seconds": 1.0}
    session.tell("progress", **facts, finished=False, in_cell=True)
    shown.until('[data-name="cancel"]')
    shown.deaf = True
    page.click('[data-name="cancel"]')
    shown.until("[role=alert]")
    assert "interrupt the kernel" in page.inner_text("[role=alert]")
    page.evaluate(
        "window.host.widget_manager = { kernel: { interrupt: async () => { window.stopped = 1; } } }"
    )
    page.click('[data-name="cancel"]')
    page.wait_for_function("window.stopped === 1")
    shown.hear()
    remarks = ("the build was cancelled", "log: .fastpt/logs/build.log")
    session.report = replace(session.report, command="build", failed=True, advice=remarks)
    session.tell("progress", **facts, finished=True, in_cell=True)
    session.tell("report")
    shown.until(".fpt-receipt:has-text('the build was cancelled')")
    assert "The build did not succeed." in page.inner_text(".fpt")


@need_chromium
def test_without_a_kernel_reading_works_and_buttons_say_why_not(opened: Open) -> None:
    shown, session = opened()
    shown.deaf = True
    shown.page.evaluate("window.fromKernel('comm_live_update')")
    shown.settle()
    assert "No kernel." in shown.page.inner_text("[role=alert]")
    # Playwright waits for a disabled button to become enabled; a person just clicks.
    shown.page.click('[data-name="accept"]', force=True)
    shown.settle()
    assert session.entries == []
    assert shown.page.get_attribute('[data-name="accept"]', "title") == "Needs a running kernel"
    shown.hear()
    shown.settle()
    assert shown.page.locator("[role=alert]").count() == 0, "a kernel that answers is alive"


@need_chromium
def test_green_lists_what_was_changed_and_does_not_call_it_a_proof(opened: Open) -> None:
    shown, _ = opened(dark=True)
    for _ in range(3):
        press(shown, "accept")
        shown.settle()
    page = shown.page
    assert "All 5 units compile." in page.inner_text(".fpt-green")
    assert "not proof" in page.inner_text(".fpt-green")
    assert page.locator(".fpt-table tbody tr").count() == 3
    assert focused(shown) == "green"


@need_chromium
@pytest.mark.parametrize("theme", [{}, {"dark": True}, {"high_contrast": True}], ids=str)
@pytest.mark.parametrize("width", [1240, 700])
def test_every_text_has_a_contrast_of_at_least_four_and_a_half(
    opened: Open, theme: dict[str, bool], width: int
) -> None:
    shown, _ = opened(width=width, **theme)
    press(shown, "notes")
    lowest = shown.page.evaluate(f"({CONTRAST})(document.querySelector('.fpt'))")
    assert len(lowest) > 100
    assert lowest[0][0] >= 4.5, lowest[:5]


@need_chromium
def test_chinese_keeps_compiler_text_and_translates_the_rest(opened: Open) -> None:
    shown, _ = opened(language="zh-CN", width=900)
    text = shown.page.inner_text(".fpt")
    for words in ("首个错误", "修改建议", "采纳", "CUDA 视图一致", "33 行未改动，无诊断信息"):
        assert words in text
    assert "use of undeclared identifier '__shfl_xor_sync'" in text
    assert shown.page.get_attribute(".fpt", "lang") == "zh-CN"


@need_chromium
def test_the_view_follows_its_own_width_and_keeps_the_error_in_sight(opened: Open) -> None:
    shown, _ = opened()
    page = shown.page
    assert page.locator(".cm-mergeView").count() == 1
    page.set_viewport_size({"width": 720, "height": 1050})
    shown.settle()
    assert page.locator(".cm-mergeView").count() == 0
    signs = page.locator(".fpt-signs .cm-gutterElement").all_inner_texts()
    assert {"C", "H"} <= set(signs)
    assert page.locator(".fpt-side--first").count() == 1
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 720, "no sideways scrolling"


@need_chromium
def test_reduced_motion_stops_the_ring(opened: Open) -> None:
    shown, session = opened(motion="reduce")
    session.slow.clear()
    shown.page.click('[data-name="check"]')
    shown.until(".fpt-icon--busy")
    ring = "getComputedStyle(document.querySelector('.fpt-icon--busy')).animationName"
    assert shown.page.evaluate(ring) == "none"
    session.slow.set()
    shown.settle()


@need_chromium
def test_files_by_keyboard_and_names_that_tell_files_apart(opened: Open) -> None:
    session = RecordedSession()
    session.disk["other/mlp.cu"] = "#include <cuda_runtime.h>\n"
    session.check()
    shown, _ = opened(session=session)
    page = shown.page
    names = page.locator(".fpt-files__row .fpt-name").all_inner_texts()
    assert {"csrc/mlp.cu", "other/mlp.cu"} <= set(names)
    page.focus('[data-name="files"]')
    active = (
        "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
    )
    for _ in range(10):
        page.keyboard.press("m")
        page.keyboard.press("u")
        if "multi" in page.evaluate(f"{active}.innerText"):
            break
        # On a busy machine the letters came too far apart to be one name; begin again.
        page.wait_for_timeout(1000)
    page.keyboard.press("Enter")
    shown.settle()
    assert page.inner_text(".fpt-diff__head code").endswith(LONG)
    assert focused(shown) == "files"


MARKUP = "<img src=x onerror=alert(1)><script>alert(2)</script>"
NAME = "<img src=x onerror=alert(3)>"


def hostile() -> RecordedSession:
    """Return a session in which every text that can come from outside is markup."""
    session = RecordedSession()
    path = f"csrc/{NAME}.cu"
    text = f"#include <cuda_runtime.h>\n// {MARKUP}\nint a; // {MARKUP}\n"
    session.disk = {path: text}
    base = session.report
    place = Location(ROOT / path, Range(Position(2, 4), Position(2, 5)))
    note = Related(message=MARKUP, location=place)
    first = replace(
        base.diagnostics[0],
        message=MARKUP,
        location=place,
        generated=None,
        related=(note, note),
    )
    later = replace(first, id="d2", message=f"{MARKUP} again")
    edit = TextEdit(range=Range(Position(1, 0), Position(1, 0)), new_text=f"// {MARKUP}\n")
    document = TextDocumentEdit(
        path=ROOT / path, digest=digest_of(text.encode()), edits=(edit,)
    )
    action = replace(
        base.actions[0],
        title=MARKUP,
        rule=NAME,
        advice=f"`{MARKUP}` {MARKUP}",
        evidence=(MARKUP,),
        edit=WorkspaceEdit(documents=(document,)),
        diagnostics=("d1",),
        trial=Trial(status=TrialStatus.ADVANCED, first_error_after=MARKUP),
    )
    session.report = replace(
        base,
        stack=(("HIP", MARKUP), ("arch", MARKUP)),
        files=(replace(base.files[0], original=ROOT / path, generated=None),),
        units=(replace(base.units[0], original=ROOT / path),),
        diagnostics=(first, later),
        actions=(action, replace(action, id="a2", diagnostics=("d2",))),
    )
    session.root = session.root.with_name(NAME)
    session.report = replace(session.report, root=ROOT)
    return session


@need_chromium
@pytest.mark.parametrize("width", [1240, 700])
def test_what_comes_from_sources_and_compilers_is_text_and_never_markup(
    opened: Open, width: int
) -> None:
    shown, _ = opened(session=hostile(), width=width)
    page = shown.page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for name in ("notes", "evidence"):
        press(shown, name)
    for part, words in {
        ".fpt-head": NAME,
        ".fpt-focus__message": MARKUP,
        ".fpt-focus__notes": MARKUP,
        ".fpt-fix": MARKUP,
        ".fpt-diff": MARKUP,
        ".fpt-queue": f"{MARKUP} again",
        ".fpt-foot": MARKUP,
    }.items():
        assert words in page.inner_text(part), part
    press(shown, "all")
    assert NAME in page.inner_text(".fpt-places")
    for state in ("back", "edit"):
        press(shown, state)
    page.wait_for_timeout(100)
    assert page.locator(".fpt :is(img, script, iframe, [onerror])").count() == 0
    assert dialogs == []


@need_chromium
def test_screenshots_for_the_eye(opened: Open) -> None:
    SHOTS.mkdir(exist_ok=True)
    for name, options in {
        "review_light": {},
        "review_dark": {"dark": True},
        "review_narrow": {"width": 800},
        "review_zh_dark": {"dark": True, "width": 800, "language": "zh-CN"},
    }.items():
        shown, _ = opened(**options)
        target = SHOTS / f"{name}.png"
        shown.page.screenshot(path=target, full_page=True)
        assert target.stat().st_size > 20_000
