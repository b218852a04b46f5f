"""A batch ports copies, keeps what is done, goes on after a kill, and reports what remains."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from batch.batch_repositories import FINE, FIXABLE, HOPELESS, digests, make
from needs import need_hipcc, need_torch

from fastpt_lab.cli import main


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["batch", *words, "--json"])
    return code, json.loads(capsys.readouterr().out)


def by_name(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {Path(row["folder"]).name: row for row in document["repositories"]}


@need_hipcc
@need_torch
def test_copies_are_ported_and_what_remains_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    listed = tmp_path / "listed"
    make(listed / "fine", FINE)
    make(listed / "fixable", FINE, FIXABLE)
    make(listed / "hopeless", HOPELESS)
    (listed / "empty").mkdir()
    (listed / "a file").write_text("")
    (tmp_path / "list.txt").write_text(
        "# what to port\nlisted/fine\nlisted/fixable csrc  # only these\nlisted/hopeless\n\n"
        "listed/empty\nlisted/missing\n'listed/a file'\n"
    )
    before = digests(listed)
    out = tmp_path / "out"
    code, document = run(capsys, str(tmp_path / "list.txt"), "--out", str(out))
    assert code == 1
    assert digests(listed) == before
    rows = by_name(document)
    ends = {
        name: (row["outcome"], row["units"], row["before"], row["after"])
        for name, row in rows.items()
    }
    assert ends == {
        "fine": ("compiles", 1, 1, 1),
        "fixable": ("compiles", 2, 1, 2),
        "hopeless": ("errors remain", 1, 0, 0),
        "empty": ("no source", None, 0, 0),
        "missing": ("failed", None, 0, 0),
        "a file": ("failed", None, 0, 0),
    }
    assert rows["fixable"]["rules"] == {"sync-shuffle": 1}
    assert rows["hopeless"]["remaining"] == {"undeclared-identifier": 1}
    assert rows["hopeless"]["first_error"].startswith("csrc/k0.cu:1:")
    assert rows["hopeless"]["reason"] == "no rule has a fix for this error"
    assert "there is no folder" in rows["missing"]["reason"]
    totals = document["totals"]
    assert (totals["units"], totals["before"], totals["after"]) == (4, 2, 3)
    # What needs a person comes first.
    assert [row["outcome"] for row in document["repositories"]] == [
        "failed", "failed", "no source", "errors remain", "compiles", "compiles",
    ]  # fmt: skip
    assert json.loads((out / "report.json").read_text()) == document
    patch = out / "ported" / rows["fixable"]["name"] / "fixes.patch"
    subprocess.run(["git", "apply", "--check", patch], cwd=listed / "fixable", check=True)
    assert not (out / "work").exists()


@need_hipcc
@need_torch
def test_what_is_done_is_kept_until_the_repository_or_the_question_changes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, other = make(tmp_path / "one", FINE), make(tmp_path / "other", FINE)
    words = (str(one), str(other), "--out", str(tmp_path / "out"), "--no-fix")

    def kept(*more: str) -> dict[str, bool]:
        _, document = run(capsys, *words, *more)
        return {name: row["kept"] for name, row in by_name(document).items()}

    assert kept() == {"one": False, "other": False}
    assert kept() == {"one": True, "other": True}
    # As many at once as you like: it is the same question.
    assert kept("--jobs", "1") == {"one": True, "other": True}
    source = one / "csrc" / "k0.cu"
    stamp = source.stat()
    source.write_text(FINE.replace("2.f", "3.f"))
    os.utime(source, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    assert kept() == {"one": False, "other": True}
    assert kept("--std", "c++14") == {"one": False, "other": False}


def test_without_a_compiler_a_repository_is_surveyed_and_transcoded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make(tmp_path / "one", FIXABLE)
    out = tmp_path / "out"
    code, document = run(capsys, str(root), "--out", str(out), "--no-compile")
    (row,) = document["repositories"]
    assert code == 0
    assert (row["outcome"], row["files"], row["units"]) == ("transcoded", 1, None)
    assert (out / "ported" / row["name"] / "one" / "csrc" / "k0.hip").is_file()
    assert not (root / "csrc" / "k0.hip").exists()


def test_a_process_that_is_killed_is_tried_again_and_then_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The compiler of one repository kills the process that called it."""
    killer = tmp_path / "hipcc"
    killer.write_text(f"#!/bin/sh\necho >>{tmp_path}/killed\nkill -9 $PPID\n")
    killer.chmod(0o755)
    make(tmp_path / "bad", FINE)
    make(tmp_path / "plain", "int nothing;\n")
    (tmp_path / "list.txt").write_text(f"bad --compiler {killer}\nmissing\n")
    code, document = run(
        capsys, str(tmp_path / "list.txt"), "--out", str(tmp_path / "out"), "--no-fix"
    )
    rows = by_name(document)
    assert code == 1
    assert rows["bad"]["outcome"] == "failed"
    assert "3 processes died at it" in rows["bad"]["reason"]
    assert "SIGKILL" in rows["bad"]["reason"]
    assert (tmp_path / "killed").read_text().count("\n") == 3
    assert not (tmp_path / "out" / "work").exists()


def waiting_compiler(folder: Path) -> Path:
    """Return a hipcc that waits at each unit until `go` is there, and says that it waits."""
    script = folder / "hipcc"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *k0*) ;; *) exec hipcc "$@";; esac\n'
        f'echo $PPID >>"{folder}/waits"\n'
        f'while [ -d "{folder}" ] && [ ! -e "{folder}/go" ]; do sleep 0.05; done\nexec hipcc "$@"\n'
    )
    script.chmod(0o755)
    return script


def until(true: Callable[[], object], what: str) -> None:
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    pytest.fail(f"never: {what}")


def start(*words: object) -> subprocess.Popen[bytes]:
    # Under nohup, or behind a shell's `&`, SIGINT is ignored and would stay so in the child.
    python = ["env", "--default-signal=INT", sys.executable]
    argv = [*python, "-m", "fastpt_lab", "batch", *map(str, words)]
    return subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@need_hipcc
@need_torch
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_a_run_that_was_ended_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], how: signal.Signals
) -> None:
    script = waiting_compiler(tmp_path)
    first, slow = make(tmp_path / "first", "int x;\n"), make(tmp_path / "slow", FINE)
    (first / "csrc" / "k0.cu").rename(first / "csrc" / "other.cu")
    before = digests(slow)
    out = tmp_path / "out"
    (tmp_path / "list.txt").write_text("first\nslow\n")
    words = [tmp_path / "list.txt", "--out", out, "--compiler", script, "--jobs", "1"]
    child = start(*words)
    until(lambda: (tmp_path / "waits").exists(), "the second repository is compiled")
    worker = int((tmp_path / "waits").read_text().split()[0])
    child.send_signal(how)
    output, _ = child.communicate(timeout=60)
    until(lambda: not alive(worker), "the worker ends with its parent")
    if how is signal.SIGINT:
        assert child.returncode == 130
        assert b"run it again and it goes on" in output
        ends = by_name(json.loads((out / "report.json").read_text()))
        assert ends["slow"]["outcome"] == "not run"
    (tmp_path / "go").touch()
    code, document = run(capsys, *map(str, words))
    rows = by_name(document)
    assert code == 0
    assert (rows["first"]["kept"], rows["slow"]["kept"]) == (True, False)
    assert rows["slow"]["outcome"] == "compiles"
    assert digests(slow) == before
    assert sorted(path.name for path in out.iterdir()) == [
        "ported", "report.html", "report.json", "state",
    ]  # fmt: skip


class Page(HTMLParser):
    """What a browser would make of a page: its elements and its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names.update(name for name, _ in attrs)

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_hostile_name_is_shown_and_does_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [
        b"<script>alert(1)<",
        b"\" onmouseover='x' &amp; ",
        b"\x1b[2J\nline\rtwo",
        "路径 \u202e gpj".encode(),
        b"not text \xff\xfe",
        b"--out",
        b"a" * 250,
    ]
    folders = [
        make(Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name)), FINE) for name in names
    ]
    out = tmp_path / "out"
    assert main(["batch", *map(str, folders), "--out", str(out), "--no-compile", "-v"]) == 0
    shown = capsys.readouterr().out
    assert "\x1b" not in shown
    assert "\r" not in shown
    page = Page()
    page.feed((out / "report.html").read_bytes().decode("utf-8"))
    assert not page.tags & {"script", "img", "link", "iframe"}
    assert not any(name.startswith("on") for name in page.names)
    assert not re.search(r"https?://|url\(", (out / "report.html").read_text("utf-8"))
    assert "<script>alert(1)<" in page.text
    kept = json.loads((out / "report.json").read_text())["repositories"]
    assert {os.fsencode(row["folder"]) for row in kept} == {os.fsencode(f) for f in folders}
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+", row["name"]) for row in kept)


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("# nothing\n", "names no folder"),
        ("one 'open\n", "list.txt:1: No closing quotation"),
        ("one\none\n", "is listed twice"),
        ("one --stdd c++17\n", "list.txt:1: unrecognized arguments"),
        ("one --jobs -1\n", "-1 is below 0"),
        ("out/one\n", "lie in one another"),
        (".\n", "lie in one another"),
    ],
)
def test_a_list_that_means_nothing_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, say: str
) -> None:
    make(tmp_path / "one", FINE)
    (tmp_path / "list.txt").write_text(text)
    before = digests(tmp_path)
    code = main(["batch", str(tmp_path / "list.txt"), "--out", str(tmp_path / "out")])
    assert code == 2
    assert say in capsys.readouterr().err
    assert digests(tmp_path) == before


def test_links_and_odd_files_are_copied_or_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make(tmp_path / "one", '#include "inside.cuh"\n' + FIXABLE)
    outside = tmp_path / "outside.cuh"
    outside.write_text("// mine\n")
    (root / "csrc" / "real.cuh").write_text("#pragma once\n#include <cuda_runtime.h>\n")
    (root / "csrc" / "inside.cuh").symlink_to("real.cuh")
    (root / "csrc" / "outside.cuh").symlink_to(outside)
    (root / "csrc" / "loop").symlink_to("loop")
    (root / "csrc" / "gone.cu").symlink_to("nowhere.cu")
    (root / "build").mkdir()
    (root / "build" / "old.cu").write_text(FINE)
    os.mkfifo(root / "csrc" / "pipe.cu")
    out = tmp_path / "out"
    code, document = run(capsys, str(root), "--out", str(out), "--no-compile")
    (row,) = document["repositories"]
    assert (code, row["outcome"]) == (0, "transcoded")
    copy = out / "ported" / row["name"] / "one"
    assert (copy / "csrc" / "inside.cuh").readlink() == Path("real.cuh")
    assert (copy / "csrc" / "outside.cuh").readlink() == outside
    assert outside.read_text() == "// mine\n"
    assert not (copy / "csrc" / "pipe.cu").exists()
    assert not (copy / "build").exists()
