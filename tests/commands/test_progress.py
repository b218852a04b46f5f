"""Progress is drawn on a terminal after a second, wiped out at the end, and nowhere else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SLOW = """
import sys, time
from fastpt_lab.commands.progress import TerminalProgress
from fastpt_lab.session.events import Events
events = Events()
events.subscribe(TerminalProgress())
with events.activity("outer"):
    with events.activity("inner") as progress:
        for number in range(3):
            progress(number, 3, sys.argv[1])
            time.sleep(float(sys.argv[2]))
"""


def on_terminal(*words: str) -> str:
    """Run the slow work with a terminal as its standard error; return what that was sent."""
    here, there = os.openpty()
    argv = [sys.executable, "-c", SLOW, *words]
    child = subprocess.Popen(argv, stderr=there, env={**os.environ, "COLUMNS": "60"})
    os.close(there)
    shown = b""
    while True:
        try:
            chunk = os.read(here, 4096)
        # Linux: a terminal without a writer is an error, not an end.
        except OSError:
            break
        if not chunk:
            break
        shown += chunk
    os.close(here)
    assert child.wait() == 0
    return shown.decode()


def test_what_takes_longer_than_a_second_is_shown_and_goes_away() -> None:
    shown = on_terminal("k.cu", "0.6")
    lines = shown.split("\r\x1b[K")
    assert lines[0] == ""
    assert lines[-1] == ""
    assert re.fullmatch(r"inner \[#{8}\.{16}\] 1/3 [12] s k\.cu", lines[1])
    # The seconds go on although nothing is told meanwhile.
    assert len(lines) > 4
    assert "\n" not in shown


def test_what_is_short_shows_nothing() -> None:
    assert on_terminal("k.cu", "0") == ""


@pytest.mark.parametrize("name", ["\x1b[2J\r\n" * 40, "核" * 300], ids=["escapes", "wide"])
def test_a_hostile_name_neither_drives_the_terminal_nor_wraps_its_line(name: str) -> None:
    lines = on_terminal(name, "0.5").split("\r\x1b[K")
    assert len(lines) > 2
    for line in lines:
        assert "\x1b" not in line
        assert "\r" not in line
        assert sum(2 if c == "核" else 1 for c in line) < 60


def test_nothing_is_written_to_a_pipe(tmp_path: Path) -> None:
    argv = [sys.executable, "-c", SLOW, "k.cu", "0.5"]
    done = subprocess.run(argv, capture_output=True, check=True)
    assert done.stderr == b""
