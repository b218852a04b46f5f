from __future__ import annotations

import json
import re
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from browser.recorded_session import GUARD, RecordedSession
from needs import need_torch

from fastpt_lab.core.errors import FastptError
from fastpt_lab.session.session import Session
from fastpt_lab.widgets.desk import Desk
from fastpt_lab.widgets.of_session import SessionModel
from fastpt_lab.widgets.progress import Progress
from fastpt_lab.widgets.snapshot import LIMIT

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.widgets.model import ReviewModel


class Views:
    """The views' end: what was answered, and the last snapshot."""

    def __init__(self, model: ReviewModel) -> None:
        self.answers: dict[str, dict[str, Any]] = {}
        self.arrived = threading.Condition()
        self.snapshots: list[dict[str, Any]] = []
        self.desk = Desk(model, self.answer, self.snapshots.append)
        self.desk.refresh()

    def answer(self, content: dict[str, Any]) -> None:
        with self.arrived:
            self.answers[content["id"]] = content
            self.arrived.notify_all()

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        number = f"n{len(self.answers)}"
        self.desk.receive({"id": number, "method": method, "params": params})
        with self.arrived:
            assert self.arrived.wait_for(lambda: number in self.answers, timeout=60)
            return self.answers[number]


@pytest.fixture
def views() -> Views:
    return Views(RecordedSession())


def test_reading_gives_values_and_unknown_names_a_failure(views: Views) -> None:
    assert views.ask("ping")["result"] is None
    assert views.ask("detail", id="d1")["result"]["diagnostic"]["id"] == "d1"
    assert views.ask("document", path="csrc/mlp.cu")["result"]["marks"]
    assert len(views.ask("problems", offset=2)["result"]) == 4
    failure = views.ask("detail", id="d99")["failure"]
    assert (failure["error"], failure["exit_code"]) == ("UnknownNameError", 2)
    assert views.ask("document", path="nowhere.cu")["failure"]["error"] == "PathMissingError"
    assert views.ask("tea")["failure"]["error"] == "UnknownNameError"


def test_work_is_answered_after_the_snapshot_that_shows_it(views: Views) -> None:
    assert views.ask("apply", ids=["a1"])["result"] is None
    shown = views.snapshots[-1]
    assert shown["receipt"]["kind"] == "accepted"
    assert shown["receipt"]["gone"] == 2
    assert shown["fixes"] == 1
    views.ask("undo")
    assert views.snapshots[-1]["receipt"]["kind"] == "undone"
    views.ask("dismiss")
    assert views.snapshots[-1]["receipt"] is None


def test_numbers_rise_and_a_trial_keeps_the_report_s(views: Views) -> None:
    before = views.snapshots[-1]
    views.ask("trial", ids=["a1"])
    after = views.snapshots[-1]
    assert after["revision"] > before["revision"]
    assert after["report"] == before["report"]
    views.ask("apply", ids=["a1"])
    assert views.snapshots[-1]["report"] > after["report"]


def test_an_edited_fix_is_judged_by_what_cuda_would_see(views: Views) -> None:
    edit = views.ask("detail", id="d1")["result"]["actions"][0]["edit"]
    same = views.ask("revise", id="a1", edit=edit)["result"]
    assert (same["cuda_effect"], same["applicability"]) == ("identical", "unsafe")
    edit["documents"][0]["edits"][1]["newText"] = "#endif\nint more;\n"
    assert views.ask("revise", id="a1", edit=edit)["result"]["cuda_effect"] == "differs"


def test_a_defect_is_answered_too_and_is_not_hidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    session = RecordedSession()
    monkeypatch.setattr(session, "check", lambda paths: 1 / 0)
    raised: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda args: raised.append(args.exc_type))
    views = Views(session)
    assert views.ask("check")["failure"]["error"] == FastptError.__name__
    for _ in range(100):
        if raised:
            break
        time.sleep(0.01)
    assert raised == [ZeroDivisionError]
    assert views.ask("apply", ids=["a1"])["result"] is None, "the next request is done"


def test_acting_ends_a_trial_that_only_measures() -> None:
    session = RecordedSession()
    started = threading.Event()

    def trial(*ids: str) -> None:
        started.set()
        assert session.cancelled.wait(30), "the trial was not cancelled"

    session.trial = trial  # type: ignore[method-assign]
    views = Views(session)
    views.desk.receive({"id": "t", "method": "trial", "params": {"ids": ["a1"]}})
    assert started.wait(30)
    assert views.ask("apply", ids=["a1"])["result"] is None
    assert GUARD in session.disk["csrc/layer_norm_cuda_kernel.cu"]


def test_progress_is_told_seldom_and_its_end_always() -> None:
    told: list[Any] = []
    progress = Progress(told.append)

    def event(name: str, done: int, *, finished: bool = False) -> None:
        facts = {"done": done, "total": 9, "current": "", "seconds": 0.5}
        progress({"kind": "progress", "activity": name, "finished": finished, **facts})

    event("check", 0)
    event("transcode", 1)
    event("transcode", 1, finished=True)
    assert told[-1] is not None, "the outer work still runs"
    for done in range(500):
        event("check", done)
    assert len(told) < 50
    event("check", 9, finished=True)
    assert told[-1] is None


def test_one_widget_a_session_and_a_bounded_state(tmp_path: Path) -> None:
    from fastpt_lab.widgets.review import review

    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\n")
    session = Session(root=tmp_path)
    widget = review(session)
    assert review(session) is widget
    state = {
        name: value
        for name, value in widget.get_state().items()
        if name not in ("_esm", "_css")
    }
    assert len(json.dumps(state)) < LIMIT + 2000
    assert "0 errors" in repr(widget)
    widget.close()


@need_torch
def test_a_session_s_texts_and_journal_in_the_review_s_words(tmp_path: Path) -> None:
    from fastpt_lab.fix.apply import apply
    from fastpt_lab.fix.journal import Journal
    from fastpt_lab.show.json import read_edit

    source = tmp_path / "内核.cu"
    source.write_bytes("#include <cuda_runtime.h>\r\n// 中文\r\n".encode())
    session = Session(root=tmp_path)
    report = session.transcode()
    session.report = report
    model = SessionModel(session)
    texts = model.document("内核.cu")
    assert "cuda_runtime" in texts["text"]
    assert "hip_runtime" in texts["generated_text"]
    place = {"line": 1, "character": 0}
    edit = {
        "range": {"start": place, "end": place},
        "newText": "#if defined(USE_ROCM)\r\nint hip;\r\n#endif\r\n",
    }
    document = {"path": "内核.cu", "digest": texts["digest"], "edits": [edit]}
    wanted = read_edit({"documents": [document]}, tmp_path)
    apply(wanted, root=tmp_path, journal=Journal(tmp_path), rule="x, y", title="t (edited)")
    (entry,) = model.history()
    assert entry["rules"] == ["x", "y"]
    (file,) = entry["files"]
    assert file == {"path": "内核.cu", "added": 3, "removed": 0, "cuda": "identical"}
    assert entry["edited"]
    session.undo()
    assert model.history()[0]["undone"]


class Recorded:
    """A session that keeps which of its public names were used."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.used: list[str] = []

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the session has
        self.used.append(name)
        return getattr(self._session, name)


EDIT = {"documents": []}
METHOD_OF = {
    "check": ("check", {}),
    "apply": ("apply", {"ids": ["a1"]}),
    "undo": ("undo", {}),
    "redo": ("redo", {}),
    "trial": ("trial", {"ids": ["a1"]}),
    "revise": ("revise", {"id": "a1", "edit": EDIT}),
    "patch": ("patch", {"ids": ["a1"]}),
    "cancel": ("cancel", {}),
    "detail": ("report", {"id": "d1"}),
    "files": ("report", {"offset": 0}),
    "problems": ("report", {"offset": 0}),
    "places": ("report", {"rule": "sync-shuffle"}),
    "document": ("read", {"path": "a.cu"}),
    "history": ("journal", {}),
}
"""Every message of a view, and the one public name of `Session` that answers it."""
OF_THE_VIEW = {"ping", "dismiss"}
"""They change nothing but what is shown."""


def test_the_table_of_messages_is_the_front_end_s_own() -> None:
    from pathlib import Path

    source = Path(__file__).parents[2] / "extension" / "review" / "src" / "wire.ts"
    body = source.read_text().partition("export interface Methods {")[2]
    methods = set(re.findall(r"^  (\w+): \{ params", body, re.MULTILINE))
    assert methods == set(METHOD_OF) | OF_THE_VIEW - {"ping"}


@pytest.mark.parametrize("message", METHOD_OF)
def test_each_message_is_one_public_method_of_the_session(
    message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, params = METHOD_OF[message]
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\n")
    session = Recorded(Session(root=tmp_path))
    views = Views(SessionModel(session))  # type: ignore[arg-type] # it stands for a session
    called: list[tuple[object, ...]] = []
    if callable(getattr(Session, wanted, None)) and wanted not in ("read", "journal"):
        # What the method does is tested with the session; here, that the message ends there.
        answer = FastptError("called")

        def method(*arguments: object, **options: object) -> None:
            called.append((arguments, options))
            raise answer

        monkeypatch.setattr(session._session, wanted, method)
    session.used.clear()
    views.ask(message, **params)
    shown = {"root", "report", "read", "journal", "action"}
    assert wanted in session.used
    assert set(session.used) - shown == {wanted} - shown, "nothing else is done"
    assert not any(name.startswith("_") for name in session.used)
