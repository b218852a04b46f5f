from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from needs import need_gxx, need_ninja

from fastpt_lab.build.buildcommand import BuildPlan
from fastpt_lab.build.buildprogress import BuildProgress, plain_line, steps_of
from fastpt_lab.build.run import start_build
from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.host.process import session_members

NINJA = """
rule slow
  command = echo starting $out && sleep 600 && touch $out
rule fail
  command = echo 'a.hip:1:2: error: on purpose' && exit 1
rule quick
  command = echo made > $out
build one: quick
build two: quick
"""


def shell(body: str, cwd: Path) -> BuildPlan:
    return BuildPlan(argv=("/bin/sh", "-c", body), cwd=cwd)


def python(body: str, cwd: Path) -> BuildPlan:
    return BuildPlan(argv=(sys.executable, "-c", body), cwd=cwd)


def wait_for(path: Path) -> None:
    deadline = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < deadline, f"{path} never came"
        time.sleep(0.01)


def pid_in(path: Path) -> int:
    wait_for(path)
    deadline = time.monotonic() + 60
    while not path.read_text().strip():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return int(path.read_text())


@pytest.mark.parametrize(
    ("line", "steps"),
    [
        ("[3/7] hipcc -c a.hip", (3, 7)),
        ("\x1b[1m[12/40]\x1b[0m x", (12, 40)),
        ("[ 45%] Building HIP object", (45, 100)),
        ("[100%] Built target x", (100, 100)),
        ("downloading\r[2/3] x", (2, 3)),
        ("  [3/7] quoted", None),
        ("error: x[3/7]", None),
        ("", None),
    ],
)
def test_steps(line: str, steps: tuple[int, int] | None) -> None:
    assert steps_of(line) == steps


def test_line_as_a_terminal_shows_it() -> None:
    assert plain_line("10%\r20%\r\x1b[32m30%\x1b[0m\r\n") == "30%"


def test_good_build(tmp_path: Path) -> None:
    lines: list[str] = []
    told: list[BuildProgress] = []
    body = "printf '[1/2] a\\n[2/2] b\\r\\n'; printf 'no end' >&2"
    build = start_build(
        shell(body, tmp_path),
        log_dir=tmp_path / "logs",
        on_line=lines.append,
        on_progress=told.append,
    )
    run = build.result()
    assert (run.status, run.returncode) == ("ok", 0)
    assert lines == ["[1/2] a", "[2/2] b", "no end"]
    assert (told[-1].done, told[-1].total, told[-1].line) == (2, 2, "no end")
    assert run.log_path.read_bytes() == b"[1/2] a\n[2/2] b\r\nno end"
    assert run.log_bytes == run.log_path.stat().st_size
    assert not build.running


def test_failed_build_is_a_value(tmp_path: Path) -> None:
    run = start_build(shell("echo no; exit 7", tmp_path), log_dir=tmp_path).result()
    assert (run.status, run.returncode) == ("failed", 7)


def test_steps_before_the_build(tmp_path: Path) -> None:
    first = ("/bin/sh", "-c", "echo configured")
    plan = BuildPlan(argv=("/bin/sh", "-c", "echo built"), cwd=tmp_path, before=(first,))
    run = start_build(plan, log_dir=tmp_path / "logs").result()
    assert run.log_path.read_text() == "configured\nbuilt\n"
    broken = BuildPlan(argv=plan.argv, cwd=tmp_path, before=(("/bin/sh", "-c", "exit 2"),))
    run = start_build(broken, log_dir=tmp_path / "logs").result()
    assert (run.status, run.returncode, run.command[-1]) == ("failed", 2, "exit 2")


def test_command_that_is_missing(tmp_path: Path) -> None:
    build = start_build(BuildPlan(argv=("no-such-tool",), cwd=tmp_path), log_dir=tmp_path)
    with pytest.raises(ToolMissingError, match="no-such-tool"):
        build.wait()


def test_environment_is_the_builds_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTPT_TEST_GONE", "1")
    before = dict(os.environ)
    plan = BuildPlan(
        argv=("/bin/sh", "-c", "echo $HIP_PLATFORM${FASTPT_TEST_GONE-unset}"),
        cwd=tmp_path,
        env_changes=(("HIP_PLATFORM", "amd"), ("FASTPT_TEST_GONE", None)),
    )
    run = start_build(plan, log_dir=tmp_path / "logs").result()
    assert run.log_path.read_text() == "amdunset\n"
    assert dict(os.environ) == before


def test_time_limit(tmp_path: Path) -> None:
    body = f"echo $$ > {tmp_path}/pid; sleep 600 & wait"
    run = start_build(shell(body, tmp_path), log_dir=tmp_path / "logs", timeout=0.5).result()
    assert run.status == "timeout"
    assert session_members(pid_in(tmp_path / "pid")) == ()


@need_ninja
def test_cancel_leaves_no_child_of_ninja(tmp_path: Path) -> None:
    (tmp_path / "build.ninja").write_text(NINJA + "build x: slow\nbuild y: slow\n", "utf-8")
    seen: list[str] = []
    started = threading.Event()

    def on_line(line: str) -> None:
        seen.append(line)
        if "[2/4]" in line:
            started.set()

    body = f"echo $$ > {tmp_path}/pid; exec ninja -j4"
    build = start_build(shell(body, tmp_path), log_dir=tmp_path / "logs", on_line=on_line)
    assert started.wait(60), seen
    assert build.running
    assert build.progress.total == 4
    build.cancel()
    run = build.result()
    assert run.status == "cancelled"
    assert session_members(pid_in(tmp_path / "pid")) == ()


@need_ninja
def test_watch_ends_the_build_at_the_first_error(tmp_path: Path) -> None:
    text = NINJA + "build bad: fail\nbuild x: slow\n"
    (tmp_path / "build.ninja").write_text(text, "utf-8")
    heard = bytearray()

    def watch(data: bytes) -> bool:
        heard.extend(data)
        return b"error: on purpose" in heard

    body = "exec ninja -j4 -k0"
    run = start_build(shell(body, tmp_path), log_dir=tmp_path / "logs", watch=watch).result()
    assert run.status == "stopped"
    assert b"error: on purpose" in run.log_path.read_bytes()


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Take SIGINT even under nohup, or behind a shell's `&`, where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_interrupt_while_waiting_ends_the_build(tmp_path: Path) -> None:
    body = f"echo $$ > {tmp_path}/pid; sleep 600"
    build = start_build(shell(body, tmp_path), log_dir=tmp_path / "logs")
    pid = pid_in(tmp_path / "pid")
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        build.wait()
    assert not build.running
    assert session_members(pid) == ()
    assert build.result().status == "cancelled"


def test_waiting_for_a_moment(tmp_path: Path) -> None:
    build = start_build(shell("sleep 600", tmp_path), log_dir=tmp_path / "logs")
    assert build.wait(0.05) is None
    build.cancel()
    assert build.result().status == "cancelled"


def test_callback_that_fails_ends_the_build(tmp_path: Path) -> None:
    def on_line(line: str) -> None:
        raise ValueError(line)

    body = f"echo $$ > {tmp_path}/pid; echo x; sleep 600"
    build = start_build(shell(body, tmp_path), log_dir=tmp_path / "logs", on_line=on_line)
    with pytest.raises(ValueError, match="x"):
        build.wait()
    assert session_members(pid_in(tmp_path / "pid")) == ()


def test_log_keeps_head_and_tail(tmp_path: Path) -> None:
    body = "import sys\nfor i in range(20000): print('line', i)"
    run = start_build(
        python(body, tmp_path), log_dir=tmp_path / "logs", log_limit=16_000
    ).result()
    data = run.log_path.read_bytes()
    assert run.log_bytes > 200_000
    assert len(data) < 16_000 + 100
    assert data.startswith(b"line 0\nline 1\n")
    assert data.endswith(b"line 19999\n")
    assert b"bytes of output were not kept" in data


def test_log_below_the_limit_is_whole(tmp_path: Path) -> None:
    body = "print('x' * 15_500)"
    run = start_build(
        python(body, tmp_path), log_dir=tmp_path / "logs", log_limit=16_000
    ).result()
    assert run.log_path.read_bytes() == b"x" * 15_500 + b"\n"


def test_old_logs_are_removed(tmp_path: Path) -> None:
    for index in range(30):
        (tmp_path / f"build-20200101-0000{index:02}-0.log").write_text("", "utf-8")
    (tmp_path / "other.log").write_text("", "utf-8")
    start_build(shell("exit 0", tmp_path), log_dir=tmp_path).result()
    assert len(list(tmp_path.glob("build-*.log"))) == 20
    assert (tmp_path / "other.log").exists()


@need_gxx
def test_build_of_an_interpreter_that_exits_leaves_nothing(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from fastpt_lab.build.buildcommand import BuildPlan
from fastpt_lab.build.run import start_build
import time
plan = BuildPlan(argv=("/bin/sh", "-c", "echo $$ > {tmp_path}/pid; sleep 600"), cwd=Path("{tmp_path}"))
start_build(plan, log_dir=Path("{tmp_path}"))
while not Path("{tmp_path}/pid").exists(): time.sleep(0.01)
"""
    outer = python(script, tmp_path)
    plan = BuildPlan(
        argv=outer.argv,
        cwd=tmp_path,
        env_changes=(("PYTHONPATH", os.pathsep.join(sys.path)),),
    )
    run = start_build(plan, log_dir=tmp_path / "logs").result()
    assert run.status == "ok", run.log_path.read_text()
    assert session_members(pid_in(tmp_path / "pid")) == ()
