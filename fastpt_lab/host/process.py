"""Run one command: stream its output, limit its time and memory, cancel all of its children."""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.command import CommandResult
from fastpt_lab.core.errors import ToolMissingError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

KEPT_BYTES = 64 * 1024 * 1024
"""Output kept of one command; a longer one keeps its head, where the first error stands."""

_POLL_SECONDS = 0.1
_GRACE_SECONDS = 2.0


class Cancel:
    """A wish to stop, shared between threads."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Ask all who hold this to stop."""
        self._event.set()

    def is_set(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()


def decode_output(data: bytes) -> str:
    """Return what a tool printed: UTF-8, else GB18030, else with escapes for odd bytes."""
    for encoding in ("utf-8", "gb18030"):
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return data.decode("utf-8", errors="backslashreplace")


def session_members(session: int) -> tuple[int, ...]:
    """Return the processes of a session, its leader included (Linux: field 6 of `stat`).

    A process group is not enough: ninja puts each command that it starts in one of its own
    (ninja 1.11), and they stay in the session.
    """
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        with contextlib.suppress(OSError, IndexError, ValueError):
            fields = (entry / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                found.append(int(entry.name))
    return tuple(found)


def end_session(leader: int) -> None:
    """End every process of the session that `leader` leads: politely, then for good."""
    for wanted, patience in (
        (signal.SIGTERM, _GRACE_SECONDS),
        (signal.SIGKILL, _GRACE_SECONDS),
    ):
        deadline = time.monotonic() + patience
        members = session_members(leader)
        for pid in members:
            with contextlib.suppress(OSError):
                os.kill(pid, wanted)
        while members and time.monotonic() < deadline:
            time.sleep(0.02)
            members = session_members(leader)
        if not members:
            return


def _start(
    argv: Sequence[str], cwd: Path, env: Mapping[str, str] | None, stdin: int
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=None if env is None else dict(env),
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            bufsize=0,
        )
    except (FileNotFoundError, NotADirectoryError, PermissionError, OSError) as error:
        missing = not Path(cwd).is_dir()
        what = f"the folder {cwd} does not exist" if missing else f"{argv[0]} cannot be started"
        raise ToolMissingError(
            f"{what}: {error.strerror}",
            next_step="Check the path"
            if missing
            else f"Install {Path(argv[0]).name} or set PATH",
        ) from error


def run(
    argv: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    timeout: float | None = None,
    memory: int | None = None,
    cancel: Cancel | None = None,
    on_output: Callable[[bytes], None] | None = None,
    keep: int = KEPT_BYTES,
    stdin: bytes = b"",
) -> CommandResult:
    """Run a command to its end, in a session of its own, and return what it gave back.

    Args:
        argv: words; no shell is involved.
        cwd: folder to run in, the current one by default.
        env: the whole environment of the child, this process's by default.
        timeout: seconds, then it and all its children are ended.
        memory: bytes of address space for the command and each child.
        cancel: looked at ten times a second.
        on_output: called with each piece of output as it comes; when it raises, the command is
            ended and the exception goes on.
        keep: bytes of output to keep in the result.
        stdin: what the command can read.

    Raises:
        ToolMissingError: the program or folder is not there.
    """
    here = Path.cwd() if cwd is None else cwd
    argv = [os.fspath(word) for word in argv]
    started = time.monotonic()
    process = _start(argv, here, env, subprocess.PIPE if stdin else subprocess.DEVNULL)
    if memory is not None:
        with contextlib.suppress(OSError, ProcessLookupError):
            resource.prlimit(process.pid, resource.RLIMIT_AS, (memory, memory))
    if stdin:
        threading.Thread(target=_feed, args=(process, stdin), daemon=True).start()
    ended = ""
    kept: list[bytes] = []
    size = dropped = 0
    assert process.stdout is not None
    try:
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while True:
                if cancel is not None and cancel.is_set():
                    ended = "cancelled"
                    break
                if timeout is not None and time.monotonic() - started > timeout:
                    ended = "timeout"
                    break
                if not selector.select(_POLL_SECONDS):
                    # A grandchild may hold the pipe open after the command is gone.
                    if process.poll() is not None:
                        break
                    continue
                chunk = os.read(process.stdout.fileno(), 1 << 16)
                if not chunk:
                    break
                part = chunk[: max(0, keep - size)]
                size += len(part)
                dropped += len(chunk) - len(part)
                if part:
                    kept.append(part)
                if on_output is not None:
                    on_output(chunk)
        if not ended:
            ended = _wait(process, started, timeout, cancel)
    finally:
        if process.poll() is None or ended:
            end_session(process.pid)
        returncode = process.wait()
        process.stdout.close()
    return CommandResult(
        argv=tuple(argv),
        cwd=here,
        returncode=returncode,
        output=decode_output(b"".join(kept)),
        seconds=time.monotonic() - started,
        timed_out=ended == "timeout",
        cancelled=ended == "cancelled",
        truncated=dropped,
    )


def _wait(
    process: subprocess.Popen[bytes],
    started: float,
    timeout: float | None,
    cancel: Cancel | None,
) -> str:
    """Wait for a command that has closed its output; return what ended the wait early."""
    while process.poll() is None:
        if cancel is not None and cancel.is_set():
            return "cancelled"
        if timeout is not None and time.monotonic() - started > timeout:
            return "timeout"
        time.sleep(0.01)
    return ""


def _feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write standard input from a thread, so that a full pipe cannot block the reader."""
    assert process.stdin is not None
    with contextlib.suppress(OSError):
        process.stdin.write(data)
    with contextlib.suppress(OSError):
        process.stdin.close()
