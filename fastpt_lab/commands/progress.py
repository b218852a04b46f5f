"""One line on a terminal's standard error for what takes longer than a second."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from fastpt_lab.show.language import say
from fastpt_lab.show.text import printable, width

if TYPE_CHECKING:
    from collections.abc import Mapping

_BEFORE_SHOWING = 1.0
_TICK = 0.2
_BAR = 24


class TerminalProgress:
    """A listener that draws the innermost piece of work, and wipes it out when all has ended.

    A thread redraws it, so that the seconds go on while one compiler thinks. Where standard
    error is no terminal nothing is written.
    """

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._running: dict[str, _Work] = {}
        self._shown = False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Take one event of a session."""
        if event["kind"] != "progress" or not self._live:
            return
        with self._lock:
            if event["finished"]:
                self._running.pop(event["activity"], None)
                if not self._running:
                    self._wipe()
                return
            work = self._running.setdefault(event["activity"], _Work(event["seconds"]))
            work.event = event
            if self._thread is None:
                self._thread = threading.Thread(target=self._tick, daemon=True)
                self._thread.start()

    def _tick(self) -> None:
        while True:
            time.sleep(_TICK)
            with self._lock:
                if not self._running:
                    self._thread = None
                    return
                works = list(self._running.values())
                if works[0].seconds >= _BEFORE_SHOWING:
                    columns = shutil.get_terminal_size().columns
                    sys.stderr.write(f"\r\x1b[K{works[-1].line(columns - 1)}")
                    sys.stderr.flush()
                    self._shown = True

    def _wipe(self) -> None:
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False


class _Work:
    """One piece of work: its last event, and since when it goes on."""

    def __init__(self, seconds: float) -> None:
        self._started = time.monotonic() - seconds
        self.event: Mapping[str, Any] = {}

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self._started

    def line(self, columns: int) -> str:
        """Return what to show of it in so many columns."""
        done, total = self.event["done"], self.event["total"]
        bar = ""
        if total:
            full = _BAR * min(done, total) // total
            bar = f"[{'#' * full}{'.' * (_BAR - full)}] {done}/{total} "
        current = printable(say(str(self.event["current"])).replace("\n", "\\n"))
        return _cut(
            f"{say(self.event['activity'])} {bar}{self.seconds:.0f} s {current}", columns
        )


def _cut(text: str, columns: int) -> str:
    """Return as much of `text` as fits; names may be wide."""
    while text and width(text) > columns:
        text = text[: max(0, len(text) - max(1, (width(text) - columns) // 2))]
    return text
