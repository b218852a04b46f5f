"""Tell listeners what the session does: progress, new reports, new journal entries."""

from __future__ import annotations

import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    Listener = Callable[[Mapping[str, Any]], None]


class Events:
    """Calls every listener, from whichever thread works."""

    def __init__(self) -> None:
        self._listeners: list[Listener] = []
        self._lock = threading.Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event; return what ends that."""
        with self._lock:
            self._listeners.append(listener)

        def unsubscribe() -> None:
            with self._lock:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return unsubscribe

    @contextmanager
    def activity(self, name: str) -> Iterator[Activity]:
        """Announce the block's beginning, its progress, and its end whatever happens."""
        activity = Activity(self, name)
        activity(0, 0)
        try:
            yield activity
        finally:
            activity.finish()

    def send(self, kind: str, **facts: Any) -> None:  # noqa: ANN401 - JSON values
        """Send one event: `kind` and its facts."""
        with self._lock:
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener({"kind": kind, **facts})


class Activity:
    """The progress of one piece of work, as a callback `(done, total, current)`."""

    def __init__(self, events: Events, name: str) -> None:
        self._events = events
        self._name = name
        self._last = (0, 0)
        # In a notebook the main thread runs the cells: it answers no view until it is done.
        self._in_cell = threading.current_thread() is threading.main_thread()
        self._started = time.monotonic()

    def __call__(self, done: int, total: int, current: str = "") -> None:
        """Say that `done` of `total` are finished and `current` is being worked on."""
        self._last = (done, total)
        self._send(current, finished=False)

    def finish(self) -> None:
        """Say that the work has ended, done or not."""
        self._send("", finished=True)

    def _send(self, current: str, *, finished: bool) -> None:
        done, total = self._last
        self._events.send(
            "progress",
            activity=self._name,
            done=done,
            total=total,
            current=current,
            finished=finished,
            in_cell=self._in_cell,
            seconds=time.monotonic() - self._started,
        )
