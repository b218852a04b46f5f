"""Run operations in forked children that count what they do to the disk, or die at one such point.

A line in: JSON with `operation`, `root` and `die_at` (0 counts only). A line out: JSON with the
child's exit code and the kinds of points that it passed. Forked from here because this process
is warm and has no thread.

Opens, renames, removals and folders are seen by an audit hook, which no code of the product can
go around; written bytes and flushes by taking the place of `os.write`, `os.fsync` and of the
streams that `open` gives. A child that is to die at a write writes half of it.
"""

# What stands in for functions of `os` and `io` takes whatever they take.
# ruff: noqa: ANN401, PYI034
from __future__ import annotations

import builtins
import io
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

EVENTS = {"os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink",
          "os.chmod", "os.truncate"}  # fmt: skip
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Points:
    """Counts the points of one child, and ends it at the chosen one."""

    def __init__(self, root: str, die_at: int) -> None:
        self.kinds: Counter[str] = Counter()
        self.opened = self.streamed = 0
        self._root = root
        self._die_at = die_at

    def reach(self, kind: str, half: Callable[[], object] | None = None) -> None:
        self.kinds[kind] += 1
        if self.kinds.total() == self._die_at:
            if half is not None:
                half()
            os.kill(os.getpid(), signal.SIGKILL)

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            inside = isinstance(path, str) and path.startswith(self._root)
            if inside and isinstance(flags, int) and flags & WRITING:
                self.opened += 1
                self.reach("open")
        elif event in EVENTS:
            path = arguments[0]
            if isinstance(path, int) or os.fspath(path).startswith(self._root):
                self.reach(event.removeprefix("os."))


class Stream:
    """A stream whose writes are points."""

    def __init__(self, stream: Any, points: Points) -> None:
        self._stream = stream
        self._points = points

    def write(self, data: Any) -> Any:
        def half() -> None:
            self._stream.write(data[: len(data) // 2])
            self._stream.flush()

        self._points.reach("write", half)
        return self._stream.write(data)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *raised: object) -> None:
        self._stream.close()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def watch(points: Points) -> None:
    """Take the place of what writes, in this process and for the rest of its life."""
    write, fsync, opened = os.write, os.fsync, io.open

    def watched_write(descriptor: int, data: Any) -> int:
        points.streamed += 1
        points.reach("write", lambda: write(descriptor, bytes(data)[: len(data) // 2]))
        return write(descriptor, data)

    def watched_fsync(descriptor: int) -> None:
        points.reach("fsync")
        fsync(descriptor)

    def stream(real: Any, mode: str) -> Any:
        if not set(mode) & set("wxa+"):
            return real
        points.streamed += 1
        return Stream(real, points)

    def watched_open(file: Any, mode: str = "r", *rest: Any, **named: Any) -> Any:
        return stream(opened(file, mode, *rest, **named), mode)

    # `os.fdopen` and pathlib call `io.open`.
    os.write, os.fsync = watched_write, watched_fsync
    io.open = builtins.open = watched_open
    sys.addaudithook(points.audit)


def run(operation: Callable[[Path], object], root: Path, die_at: int, answer: int) -> None:
    points = Points(str(root), die_at)
    tell = os.write
    watch(points)
    operation(root)
    streams = {"opened": points.opened, "streamed": points.streamed}
    tell(answer, json.dumps({"kinds": points.kinds, **streams}).encode())


def serve(operations: dict[str, Callable[[Path], object]]) -> None:
    """Answer one line for each line of standard input."""
    for line in sys.stdin:
        asked = json.loads(line)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            run(operations[asked["operation"]], Path(asked["root"]), asked["die_at"], write)
            os._exit(0)
        os.close(write)
        with os.fdopen(read, "rb") as stream:
            answer = json.loads(stream.read() or b"{}")
        _, status = os.waitpid(child, 0)
        code = os.waitstatus_to_exitcode(status)
        sys.stdout.write(json.dumps({"code": code, **answer}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    from crash_operations import OPERATIONS

    serve(OPERATIONS)
