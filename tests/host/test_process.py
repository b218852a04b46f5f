from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest
from needs import need_ninja

from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.host.process import Cancel, run, session_members


def alive(pid: str) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        status = Path(f"/proc/{pid.strip()}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] != "Z"


def test_a_failed_command_is_a_value() -> None:
    result = run(["sh", "-c", "echo out; echo err >&2; exit 3"])
    assert (result.returncode, result.output, result.ok) == (3, "out\nerr\n", False)


def test_a_command_that_cannot_start_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ToolMissingError, match="Install no-such-tool"):
        run(["no-such-tool"])
    with pytest.raises(ToolMissingError, match="folder"):
        run(["true"], cwd=tmp_path / "none")


def test_the_time_limit_ends_children_as_well(tmp_path: Path) -> None:
    pidfile = tmp_path / "pid"
    result = run(
        ["sh", "-c", f"sh -c 'echo $$ > {pidfile}; sleep 600' & sleep 600"], timeout=1.0
    )
    assert result.timed_out
    assert not alive(pidfile.read_text())


@need_ninja
def test_cancel_ends_the_commands_that_ninja_put_in_groups_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "build.ninja").write_text(
        "rule wait\n  command = echo $$$$ > pid; exec sleep 600\nbuild out: wait\n"
    )
    cancel = Cancel()

    def cancel_once_started() -> None:
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text().strip():
            if cancel.is_set():
                return
        cancel.set()

    watcher = threading.Thread(target=cancel_once_started)
    watcher.start()
    result = run(["ninja"], cwd=tmp_path, cancel=cancel, timeout=60)
    cancel.set()
    watcher.join()
    assert result.cancelled
    assert not alive((tmp_path / "pid").read_text())


def test_output_is_streamed_and_its_tail_dropped_at_the_cap() -> None:
    chunks: list[bytes] = []
    result = run(
        [sys.executable, "-c", "print('x' * 100_000)"], on_output=chunks.append, keep=1000
    )
    assert len(b"".join(chunks)) == 100_001
    assert (len(result.output), result.truncated) == (1000, 99_001)


def test_a_callback_that_raises_ends_the_command() -> None:
    seen: list[int] = []

    def stop(_: bytes) -> None:
        seen.append(1)
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        run(["sh", "-c", "echo $$; exec sleep 600"], on_output=stop)
    assert seen == [1]


def test_large_input_does_not_block() -> None:
    assert len(run(["cat"], stdin=b"x" * 1_000_000).output) == 1_000_000


def test_memory_is_limited() -> None:
    code = "import sys\ntry:\n    bytearray(8 << 30)\nexcept MemoryError:\n    sys.exit(7)"
    assert run([sys.executable, "-c", code], memory=2 << 30).returncode == 7


def test_output_in_gbk_is_read() -> None:
    code = "import sys; sys.stdout.buffer.write('错误：未声明'.encode('gbk'))"
    assert run([sys.executable, "-c", code]).output == "错误：未声明"


def test_a_session_lists_its_members() -> None:
    assert session_members(2**22 + 1) == ()
