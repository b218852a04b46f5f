"""What a view is told of running work: not more than it can draw, and always the end."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fastpt_lab.widgets.model import Json

SECONDS = 0.1
"""At most one report in this time."""


class Progress:
    """Turns a session's `progress` events into activities; nested work shows the innermost."""

    def __init__(self, tell: Callable[[Json | None], None]) -> None:
        self._tell = tell
        self._lock = threading.Lock()
        self._told = 0.0
        self._running: list[str] = []

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Take one event, from whichever thread works."""
        with self._lock:
            name = event["activity"]
            if event["finished"]:
                self._end(name)
                return
            if name not in self._running:
                self._running.append(name)
            now = time.monotonic()
            if now - self._told >= SECONDS:
                self._told = now
                self._tell(activity(event))

    def _end(self, name: str) -> None:
        if name in self._running:
            self._running.remove(name)
        if not self._running:
            self._told = 0.0
            self._tell(None)


def activity(event: Mapping[str, Any]) -> Json:
    """Return what a view shows of a `progress` event; `started` is seconds since the epoch."""
    return {
        "activity": event["activity"],
        "done": event["done"],
        "total": event["total"],
        "current": event["current"] or None,
        "in_cell": event.get("in_cell", False),
        "started": time.time() - event.get("seconds", 0.0),
    }
