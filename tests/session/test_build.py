"""The example's own build: its first error live and in the original, ended without a trace."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from needs import need_hipcc, need_ninja, need_torch

from fastpt_lab import Session
from fastpt_lab.core.diagnostic import Diagnostic
from fastpt_lab.verify.cache import read_stamp

ROOT = Path(__file__).parents[2]
INTERRUPTED = """
import sys
from fastpt_lab import Session
from fastpt_lab.core.errors import FastptError

session = Session(sys.argv[1])

def tell(event):
    # The compiler runs as soon as ninja counts.
    if event["kind"] == "progress" and event["activity"] == "build" and event["total"]:
        print("compiling", flush=True)

session.subscribe(tell)
try:
    session.build()
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.fixture
def example(tmp_path: Path) -> Path:
    project = tmp_path / "fused_norm"
    shutil.copytree(ROOT / "notebooks" / "examples" / "fused_norm", project)
    return project


def mentions(text: str) -> list[str]:
    """Command lines of living processes that name `text`."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and entry.name != str(os.getpid()):
            try:
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
            if text in line:
                found.append(line)
    return found


@need_hipcc
@need_torch
@need_ninja
def test_an_interrupt_leaves_no_process_and_the_next_build_reports(example: Path) -> None:
    child = subprocess.Popen(
        # Under nohup, or behind a shell's `&`, SIGINT is ignored and would stay so.
        ["env", "--default-signal=INT", sys.executable, "-c", INTERRUPTED, str(example)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert child.stdout is not None
    first = child.stdout.readline()
    assert first == "compiling\n", first
    child.send_signal(signal.SIGINT)
    rest, _ = child.communicate(timeout=120)
    assert "interrupted" in rest
    assert mentions(str(example)) == []

    live: list[Diagnostic] = []
    report = Session(example).build(stop_at_first=True, on_first=live.append)
    assert report.exit_code == 1
    first_error = report.first_error
    assert first_error is not None
    assert first_error.location is not None
    assert [d.message for d in live] == [first_error.message]
    # torch's own hipify made the outputs of this build; the place is the original's all the same.
    assert first_error.location.path.parent == example / "csrc"
    assert first_error.location.path.suffix in (".cu", ".cuh", ".inl")
    assert mentions(str(example)) == []


@need_torch
def test_a_build_that_succeeds_leaves_what_it_was_built_with(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    make = "mkdir -p build/temp && echo > build/temp/build.ninja"
    report = Session(tmp_path).build(["sh", "-c", make])
    assert report.exit_code == 0
    stamp = read_stamp(tmp_path / "build" / "temp")
    assert stamp is not None
    assert stamp.torch


def test_a_build_that_fails_is_never_green(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("")
    report = Session(tmp_path).build(["sh", "-c", "exit 3"])
    assert report.exit_code == 1
    assert not report.green
    assert "the build failed with exit code 3" in report.advice
