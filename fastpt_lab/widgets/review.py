"""The review as a widget: one for a session, shown in as many cells as one likes."""

from __future__ import annotations

import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.widgets.desk import Desk
from fastpt_lab.widgets.of_session import SessionModel
from fastpt_lab.widgets.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.session.session import Session
    from fastpt_lab.widgets.model import ReviewModel

_STATIC = Path(__file__).parent / "static"
_shown: weakref.WeakKeyDictionary[Any, ReviewWidget] = weakref.WeakKeyDictionary()


class ReviewWidget(anywidget.AnyWidget):
    """A live view of a session; use `review` to get the session's own one."""

    _esm = _STATIC / "review.js"
    _css = _STATIC / "review.css"
    snapshot = traitlets.Dict().tag(sync=True)
    activity = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)
    language = traitlets.Unicode("").tag(sync=True)

    def __init__(self, model: ReviewModel, *, language: str = "") -> None:
        super().__init__(language=language)
        # traitlets types a Dict as never None, `allow_none` or not.
        self._progress = Progress(lambda activity: self.set_trait("activity", activity))
        self._desk = Desk(model, self.send, self._show)
        self._desk.refresh()
        self.on_msg(self._receive)
        self._unsubscribe = model.subscribe(self._event)

    def _show(self, snapshot: dict[str, Any]) -> None:
        self.snapshot = snapshot

    def _receive(self, _widget: object, content: Mapping[str, Any], _buffers: object) -> None:
        self._desk.receive(content)

    def _event(self, event: Mapping[str, Any]) -> None:
        """Follow what the session says, from whichever thread works."""
        if event["kind"] == "progress":
            self._progress(event)
        else:
            self._desk.refresh()

    def __repr__(self) -> str:
        shown = self.snapshot
        return f"Review of {shown['project']}: {shown['errors']} errors"

    def close(self) -> None:
        """Stop following the session and close the widget."""
        self._unsubscribe()
        super().close()


def review(session: Session, *, language: str = "") -> ReviewWidget:
    """Return the widget of a session, the same one each time.

    Args:
        session: whose report is shown and whose methods the buttons call.
        language: `en` or `zh-CN`; "" follows JupyterLab.

    Raises:
        ToolMissingError: the widget's script was not built.
    """
    if not (_STATIC / "review.js").is_file():
        raise ToolMissingError(
            "the review's script is not built",
            next_step="Run `make setup` with Node.js 20 or newer, or install a wheel",
        )
    widget = _shown.get(session)
    if widget is None:
        widget = _shown[session] = ReviewWidget(SessionModel(session), language=language)
    elif language:
        widget.language = language
    return widget
