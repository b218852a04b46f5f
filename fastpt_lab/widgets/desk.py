"""Answer a view's requests: readers at once, work one at a time in the background.

Knows nothing of Jupyter; docs/review.md describes the messages.
"""

from __future__ import annotations

import base64
import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.action import NOT_TRIED
from fastpt_lab.core.errors import (
    FastptError,
    PathMissingError,
    UnknownNameError,
    UsageError,
)
from fastpt_lab.core.text import Document
from fastpt_lab.show.json import read_edit, relative
from fastpt_lab.show.language import say
from fastpt_lab.widgets.receipt import receipt_of
from fastpt_lab.widgets.snapshot import (
    PAGE,
    detail,
    file_rows,
    marks,
    place_rows,
    problem_rows,
    snapshot,
)
from fastpt_lab.widgets.words import action_said

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from fastpt_lab.core.report import Report
    from fastpt_lab.widgets.model import Json, ReviewModel

_WORK = frozenset({"check", "apply", "undo", "redo", "trial", "revise"})
_RECEIPTS = {"apply": "accepted", "undo": "undone", "redo": "redone"}


def failure_json(error: FastptError) -> Json:
    """Return an expected failure as data, in the user's language: a view shows it as it is."""
    return {
        "error": type(error).__name__,
        "message": say(error.message),
        "next_step": say(error.next_step),
        "exit_code": error.exit_code,
        "details": error.details,
    }


class Desk:
    """Stands between one session and all views of it.

    Args:
        model: the session.
        send: gives a message to the views; called from any thread.
        show: takes a new snapshot.
    """

    def __init__(
        self,
        model: ReviewModel,
        send: Callable[[Json], None],
        show: Callable[[Json], None],
    ) -> None:
        self._model = model
        self._send = send
        self._show = show
        self._receipt: Json | None = None
        self._numbers = (0, 0)
        self._shown: Report | None = None
        self._turn = threading.Lock()
        self._drawing = threading.RLock()
        self._trying = False

    def receive(self, message: Mapping[str, Any]) -> None:
        """Take one request; its answer is sent, now or later."""
        method, params = message["method"], message.get("params", {})
        if method not in _WORK:
            self._answer(message["id"], lambda: self._read(method, params))
            return
        if self._trying and method != "trial":
            # A trial only measures; whoever acts meanwhile need not wait for it.
            self._model.cancel()
        job = threading.Thread(
            target=self._work, args=(message["id"], method, params), daemon=True
        )
        job.start()

    def _answer(self, number: str, do: Callable[[], object]) -> None:
        done = False
        try:
            result = do()
            done = True
            self._send({"id": number, "result": result})
        except FastptError as error:
            done = True
            self._send({"id": number, "failure": failure_json(error)})
        finally:
            # Anything else is a defect: it goes its way, and the view does not wait for ever.
            if not done:
                defect = FastptError("the kernel could not do it", next_step="See its log")
                self._send({"id": number, "failure": failure_json(defect)})

    def _read(self, method: str, params: Mapping[str, Any]) -> object:
        """Return what a reader asks for.

        Raises:
            UnknownNameError: there is no such method.
        """
        if method == "ping":
            return None
        if method == "cancel":
            self._model.cancel()
            return None
        if method == "dismiss":
            self._receipt = None
            self.refresh()
            return None
        if method == "history":
            return self._model.history()
        if method == "document":
            return self._document(params["path"])
        if method == "patch":
            return self._patch(params["ids"])
        report = self._report()
        if method == "files":
            return file_rows(report)[params["offset"] : params["offset"] + PAGE]
        if method == "problems":
            return problem_rows(report)[params["offset"] : params["offset"] + PAGE]
        if method == "detail":
            return self._detail(report, params["id"])
        if method == "places":
            return place_rows(report, params["rule"], self._text)
        raise UnknownNameError(f"the review has no method {method!r}")

    def _patch(self, ids: Sequence[str]) -> Json:
        """Return a diff as a file to be saved; bytes, since sources are not all UTF-8."""
        data = self._model.patch(*ids)
        if not data:
            raise UsageError("no original differs from what it was", next_step="Accept a fix")
        name = f"{self._model.root.name}.patch"
        return {"name": name, "data": base64.b64encode(data).decode("ascii")}

    def _report(self) -> Report:
        report = self._model.report
        if report is None:
            raise UnknownNameError("nothing was checked yet", next_step="Check first")
        return report

    def _detail(self, report: Report, number: str) -> Json:
        for found in report.diagnostics:
            if found.id == number:
                return detail(report, found)
        raise UnknownNameError(f"there is no diagnostic {number}", next_step="Check again")

    def _document(self, path: str) -> Json:
        texts = self._model.document(path)
        report = self._model.report
        found = marks(report, texts["original"], texts["generated"]) if report else []
        return {"texts": texts, "marks": found}

    def _text(self, path: Path) -> Document | None:
        try:
            texts = self._model.document(relative(path, self._model.root))
        except FastptError:
            return None
        return Document(texts["text"], digest=texts["digest"])

    def _work(self, number: str, method: str, params: Mapping[str, Any]) -> None:
        with self._turn:
            self._trying = method == "trial"
            self._answer(number, lambda: self._do(method, params))
            self._trying = False

    def _do(self, method: str, params: Mapping[str, Any]) -> object:
        model = self._model
        before = model.report
        if method == "check":
            model.check(tuple(params.get("paths", ())))
        elif method == "apply":
            model.apply(*params["ids"])
        elif method == "undo":
            model.undo(**params)
        elif method == "redo":
            model.redo()
        elif method == "trial":
            model.trial(*params["ids"])
        else:
            root = model.root
            edited = model.revise(params["id"], read_edit(params["edit"], root))
            return action_said(edited, root)
        if method in _RECEIPTS:
            history = model.history()
            self._receipt = receipt_of(_RECEIPTS[method], history, before, model.report)
        elif method == "check":
            self._receipt = None
        self.refresh()
        return None

    def refresh(self) -> None:
        """Give the views a new snapshot."""
        # Events come from any thread; the numbers must rise in the order of the pictures.
        with self._drawing:
            report = self._model.report
            same = _same_ids(self._shown, report)
            self._shown = report
            self._numbers = (self._numbers[0] + 1, self._numbers[1] + (not same))
            self._show(
                snapshot(
                    report,
                    project=self._model.root.name,
                    numbers=self._numbers,
                    history=self._model.history(),
                    receipt=self._receipt,
                    document=self._texts,
                )
            )

    def _texts(self, path: str) -> Json | None:
        try:
            return self._model.document(path)
        except PathMissingError:
            return None


def _same_ids(one: Report | None, other: Report | None) -> bool:
    """Tell whether an id means the same in both reports: trials differ, edited fixes come."""
    if one is None or other is None:
        return one is other
    if one.diagnostics != other.diagnostics or one.files != other.files:
        return False
    before, after = (
        {action.id: replace(action, trial=NOT_TRIED) for action in report.actions}
        for report in (one, other)
    )
    return all(before[name] == after[name] for name in before.keys() & after.keys())
