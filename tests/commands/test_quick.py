"""The answer that needs no session is the session's own, and is given only where it holds."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab.cli import main
from fastpt_lab.commands.quick import unchanged
from fastpt_lab.session.session import Session


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    root = (tmp_path / "项目").resolve()
    (root / "csrc" / "sub").mkdir(parents=True)
    (root / "setup.py").touch()
    (root / "csrc" / "a.cu").write_text('#include "sub/h.cuh"\nvoid f() { cudaFree(0); }\n')
    (root / "csrc" / "b.cu").write_text("void g() { cudaFree(0); }\n")
    (root / "csrc" / "sub" / "h.cuh").write_text("cudaError_t h();\n")
    (root / "csrc" / "plain.h").write_text("int plain();\n")
    age(root)
    monkeypatch.chdir(root)
    assert main(["transcode"]) == 0
    return root


def age(root: Path, seconds: float = 60) -> None:
    """Move every file's time into the past: a young one could change without a new time."""
    then = time.time() - seconds
    for path in root.rglob("*"):
        if path.is_file():
            os.utime(path, (then, then))


@pytest.mark.parametrize(
    "words", [[], ["csrc"], ["csrc/sub"], ["csrc/b.cu", "csrc/sub"], ["."]]
)
@need_torch
def test_it_says_what_a_whole_run_says(
    project: Path, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    quick = unchanged(["transcode", *words])
    assert quick is not None
    capsys.readouterr()
    assert main(["transcode", "--root", str(project), *words]) == 0
    assert capsys.readouterr().out.strip() == quick
    assert main(["transcode", *words]) == 0
    assert capsys.readouterr().out.strip() == quick


@need_torch
def test_from_another_folder_the_project_is_found(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert unchanged(["transcode"]) is not None
    # Mappings are looked for in the current folder, so another folder is another run.
    monkeypatch.chdir(project / "csrc")
    assert unchanged(["transcode"]) is None
    assert main(["transcode"]) == 0
    assert unchanged(["transcode"]) is not None


def edit_source(root: Path) -> None:
    (root / "csrc" / "b.cu").write_text("void g() { cudaDeviceSynchronize(); }\n")


def edit_output(root: Path) -> None:
    (root / "csrc" / "b.hip").write_text("// mine\n")


def remove_output(root: Path) -> None:
    (root / "csrc" / "b.hip").unlink()


def add_source(root: Path) -> None:
    (root / "csrc" / "c.cu").write_text("void k() {}\n")


def remove_source(root: Path) -> None:
    (root / "csrc" / "b.cu").unlink()


def add_mapping(root: Path) -> None:
    (root / "custom_hipify_mappings.json").write_text('{"custom_map": {"g": "gg"}}')


def configure(root: Path) -> None:
    (root / "pyproject.toml").write_text('[tool.fastpt-lab]\nexclude = ["csrc/b.cu"]\n')


def begin_a_journal(root: Path) -> None:
    (root / ".fastpt" / "journal").mkdir()


def damage_the_record(root: Path) -> None:
    (root / ".fastpt" / "uptodate.json").write_bytes(b'{"key": [')


def make_the_record_odd(root: Path) -> None:
    (root / ".fastpt" / "uptodate.json").write_bytes(b"[1, 2]")


@pytest.mark.parametrize(
    "change",
    [
        edit_source,
        edit_output,
        remove_output,
        add_source,
        remove_source,
        add_mapping,
        configure,
        begin_a_journal,
        damage_the_record,
        make_the_record_odd,
    ],
)
@need_torch
def test_what_changed_has_to_be_run(project: Path, change: object) -> None:
    assert unchanged(["transcode"]) is not None
    change(project)  # type: ignore[operator]
    assert unchanged(["transcode"]) is None


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["check"],
        ["transcode", "--json"],
        ["transcode", "csrc", "--verbose"],
        ["transcode", "nowhere"],
        ["transcode", "/"],
        ["transcode", "csrc", ".."],
        ["transcode", "csrc/a.hip"],
    ],
)
@need_torch
def test_other_words_are_left_to_the_session(project: Path, words: list[str]) -> None:
    assert unchanged(words) is None


@need_torch
def test_a_link_is_left_to_the_session(project: Path) -> None:
    (project / "link").symlink_to(project / "csrc")
    assert main(["transcode"]) == 0
    assert unchanged(["transcode", "link"]) is None


@need_torch
def test_nothing_is_written_and_no_event_is_told(project: Path) -> None:
    def state() -> dict[Path, tuple[int, int]]:
        files = (p for p in project.rglob("*") if p.is_file())
        return {p: (p.stat().st_mtime_ns, p.stat().st_ino) for p in files}

    before = state()
    assert main(["transcode"]) == 0
    assert main(["transcode", "--verbose"]) == 0
    Session(project).transcode()
    assert state() == before


@need_torch
def test_neither_typing_nor_the_session_is_loaded(project: Path) -> None:
    code = (
        "import sys; from fastpt_lab.cli import main; main(['transcode']);"
        "print([m for m in ('typing', 'pathlib', 'dataclasses', 'argparse',"
        " 'fastpt_lab.session.session', 'torch') if m in sys.modules])"
    )
    # Without site, whose .pth files may load anything.
    path = os.pathsep.join([str(Path(__file__).parents[2]), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["Transcoded 4 files: 1 skipped, 3 unchanged", "[]"]
