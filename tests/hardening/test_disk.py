"""A disk that is full, a folder that may not be written, two that write at once."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hardening.crash_operations import apply_to_two, proposed
from needs import need_torch

from fastpt_lab.core.errors import LockedError, RefusedError, WriteError
from fastpt_lab.fix.journal import Journal, State
from fastpt_lab.fix.undo import recover, undo
from fastpt_lab.host.files import lock
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from multiprocessing.queues import Queue
    from multiprocessing.synchronize import Barrier

    Answers = Queue[str]

LINES = b"".join(b"line %d;\n" % n for n in range(600))
KERNEL = b"__global__ void k() {}\nvoid f() { cudaFree(0); }\n" * 20
NOBODY = 65534


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A real file system of 64 KiB; where none may be mounted the test says so."""
    if os.geteuid() != 0:
        pytest.skip("needs the superuser, who may mount a tmpfs")
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(place)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        pytest.skip("needs the right to mount a tmpfs")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def project_in(place: Path, data: bytes) -> Path:
    root = place / "p"
    (root / "sub").mkdir(parents=True)
    for name in ("a.cu", "sub/b.cu"):
        (root / name).write_bytes(data)
    return root


def fill(place: Path, *, leave: int) -> Path:
    """Fill the file system but for `leave` pages of 4 KiB."""
    ballast = place / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        try:
            while True:
                stream.write(b"x" * 4096)
        except OSError:
            stream.truncate(max(0, stream.tell() // 4096 - leave) * 4096)
    return ballast


@pytest.mark.parametrize("pages", range(7))
def test_a_full_disk_while_applying(small_disk: Path, pages: int) -> None:
    root = project_in(small_disk, LINES)
    ballast = fill(small_disk, leave=pages)
    with pytest.raises(WriteError, match=r"No space left|not written"):
        apply_to_two(root)
    assert all((root / n).read_bytes() == LINES for n in ("a.cu", "sub/b.cu"))
    assert not list(root.rglob(".*.fastpt-tmp"))
    ballast.unlink()
    recover(root)
    apply_to_two(root)
    assert [e.state for e in Journal(root).entries()][-1] is State.APPLIED
    undo(root, every=True)
    assert all((root / n).read_bytes() == LINES for n in ("a.cu", "sub/b.cu"))


@pytest.mark.torch
@need_torch
@pytest.mark.parametrize("pages", [0, 2])
def test_a_full_disk_while_transcoding(small_disk: Path, pages: int) -> None:
    root = project_in(small_disk, KERNEL)
    ballast = fill(small_disk, leave=pages)
    with pytest.raises(WriteError, match="No space left"):
        transcode(Project(root))
    assert all((root / n).read_bytes() == KERNEL for n in ("a.cu", "sub/b.cu"))
    assert not list(root.rglob(".*.fastpt-tmp"))
    ballast.unlink()
    assert {f.status for f in transcode(Project(root)).files} <= {"written", "unchanged"}


def _as_nobody(root: Path, answer: Answers) -> None:
    os.setgroups([])
    os.setgid(NOBODY)
    os.setuid(NOBODY)
    try:
        apply_to_two(root)
        answer.put("written")
    except WriteError as error:
        answer.put(str(error))


def test_a_folder_of_somebody_else(tmp_path_factory: pytest.TempPathFactory) -> None:
    if os.geteuid() != 0:
        pytest.skip("needs the superuser, who may become another user")
    place = Path("/tmp") if os.access("/tmp", os.W_OK) else tmp_path_factory.getbasetemp()
    root = project_in(place / f"fastpt-hardening-{os.getpid()}", LINES)
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    try:
        child = context.Process(target=_as_nobody, args=(root, answer))
        child.start()
        said = answer.get(timeout=120)
        child.join()
    finally:
        subprocess.run(["rm", "-r", "--", str(root.parent)], check=True)
    assert "Permission denied" in said or "read-only" in said
    assert "write permission" in said or "writable" in said


def _apply_when_all_have_read(root: Path, barrier: Barrier, answer: Answers) -> None:
    edit = proposed(root)
    barrier.wait(120)
    try:
        apply_to_two(root, edit)
        answer.put("applied")
    except RefusedError as error:
        answer.put(type(error).__name__)


def test_two_processes_apply_at_once(tmp_path: Path) -> None:
    root = project_in(tmp_path, LINES)
    context = multiprocessing.get_context("spawn")
    answer = context.Queue()
    arguments = (root, context.Barrier(3), answer)
    children = [
        context.Process(target=_apply_when_all_have_read, args=arguments) for _ in "abc"
    ]
    for child in children:
        child.start()
    said = sorted(answer.get(timeout=120) for _ in children)
    for child in children:
        child.join()
    entries = [e for e in Journal(root).entries() if e.state is State.APPLIED]
    # Each read the files, then waited: what was changed meanwhile is not written over.
    assert said == ["StaleEditError", "StaleEditError", "applied"]
    assert len(entries) == 1
    undo(root, every=True)
    assert all((root / n).read_bytes() == LINES for n in ("a.cu", "sub/b.cu"))


def test_a_project_that_is_being_written_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project_in(tmp_path, LINES)
    monkeypatch.setattr("fastpt_lab.fix.apply.lock", lambda folder: lock(folder, wait=0.05))
    with lock(Journal(root).folder), pytest.raises(LockedError, match="another process"):
        apply_to_two(root)
    apply_to_two(root)
