"""Keep a build's log on disk: its head and its tail, never more than a limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_TAIL_PART = 16
_KEPT_LOGS = 20


class CappedLog:
    """A log file that keeps the first bytes, where the first error stands, and the last ones.

    A sixteenth of the limit is the tail's. `written` counts all bytes, kept or not.
    """

    def __init__(self, path: Path, limit: int) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.written = 0
        self._head_limit = limit - limit // _TAIL_PART
        self._tail_limit = limit // _TAIL_PART
        self._tail = bytearray()
        self._stream = path.open("wb")

    def write(self, data: bytes) -> None:
        """Add output."""
        room = max(0, self._head_limit - self.written)
        self.written += len(data)
        self._stream.write(data[:room])
        self._stream.flush()
        self._tail += data[room:]
        # Cut seldom: each cut moves the whole tail.
        if len(self._tail) > 2 * self._tail_limit:
            del self._tail[: len(self._tail) - self._tail_limit]

    def close(self) -> None:
        """Write the tail, with a line that says how much is missing before it."""
        tail = bytes(self._tail[-self._tail_limit :]) if self._tail_limit else b""
        dropped = self.written - self._head_limit - len(tail)
        if dropped > 0:
            self._stream.write(f"\n[{dropped} bytes of output were not kept]\n".encode())
        if self._tail:
            self._stream.write(tail)
        self._stream.close()


def prune_logs(folder: Path) -> None:
    """Remove all but the newest logs of a folder, so that builds do not fill the disk."""
    logs = sorted(folder.glob("build-*.log"))
    for old in logs[:-_KEPT_LOGS]:
        old.unlink(missing_ok=True)
