"""Feed the JupyterLab plug-in: the diagnostics of the session that was used last.

The plug-in opens a comm to `TARGET`; what travels over it is what a review widget gets
(docs/review.md), wrapped as `{"name": …, "value": …}` because a comm has no traits.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.widgets.desk import Desk
from fastpt_lab.widgets.of_session import SessionModel
from fastpt_lab.widgets.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fastpt_lab.session.session import Session
    from fastpt_lab.widgets.model import Json

TARGET = "fastpt_lab"


class Problems:
    """All panels that are open on this kernel, and the session that they show."""

    def __init__(self) -> None:
        self._comms: dict[str, Any] = {}
        self._session: Session | None = None
        self._desk: Desk | None = None
        self._progress = Progress(lambda activity: self._change("activity", activity))
        self._state: dict[str, object] = {"snapshot": None, "activity": None}
        self._unsubscribe: Callable[[], None] = lambda: None

    def serve(self, comm_manager: Any) -> None:  # noqa: ANN401 - the comm package has no types
        """Answer panels that are opened from now on."""
        comm_manager.register_target(TARGET, self._open)

    def follow(self, session: Session) -> None:
        """Show this session in every panel, now and after each of its changes."""
        if session is self._session:
            return
        self._unsubscribe()
        self._session = session
        self._desk = Desk(SessionModel(session), self._answer, self._show)
        self._unsubscribe = session.subscribe(self._event)
        self._desk.refresh()

    def _open(self, comm: Any, _message: object) -> None:  # noqa: ANN401 - see `serve`
        self._comms[comm.comm_id] = comm
        comm.on_msg(lambda message: self._receive(message["content"]["data"]))
        comm.on_close(lambda _: self._comms.pop(comm.comm_id, None))
        for name, value in self._state.items():
            comm.send({"name": f"change:{name}", "value": value})

    def _receive(self, message: Mapping[str, Any]) -> None:
        if self._desk is not None:
            self._desk.receive(message)

    def _event(self, event: Mapping[str, Any]) -> None:
        if event["kind"] == "progress":
            self._progress(event)
        elif self._desk is not None and self._comms:
            self._desk.refresh()

    def _show(self, snapshot: Json) -> None:
        assert self._session is not None
        # The plug-in opens files by the server's paths, which may begin with `~`.
        places = {"root": str(self._session.root), "home": str(Path.home())}
        self._change("snapshot", {**snapshot, **places})

    def _change(self, name: str, value: object) -> None:
        self._state[name] = value
        self._send({"name": f"change:{name}", "value": value})

    def _answer(self, content: Json) -> None:
        self._send({"name": "msg:custom", "value": content})

    def _send(self, data: Json) -> None:
        for comm in tuple(self._comms.values()):
            comm.send(data)
