from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastpt_lab.core.errors import (
    LockedError,
    OutsideRootError,
    PathMissingError,
    UnreadableFileError,
    WriteError,
)
from fastpt_lab.host import files
from fastpt_lab.host.temporary import remove_leftovers, temporary_name


@given(st.binary(max_size=200).filter(lambda b: b"\0" not in b))
def test_any_text_is_written_back_byte_for_byte(data: bytes) -> None:
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return
    document, bom = files.decode_source(data, Path("x.cu"))
    source = files.SourceFile(path=Path("x.cu"), data=data, document=document, bom=bom, mode=0)
    assert source.encode(document.text) == data


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ("// 归一化\n".encode(), "utf-8"),
        ("// 归一化\n".encode("gbk"), "gb18030"),
        (b"\xef\xbb\xbf// bom\n", "utf-8"),
        (b"// caf\xe9\xff\n", "latin-1"),
    ],
    ids=["UTF-8", "GBK", "byte order mark", "neither"],
)
def test_encoding_is_found(data: bytes, encoding: str) -> None:
    document, _ = files.decode_source(data, Path("x.cu"))
    assert document.encoding == encoding
    assert "﻿" not in document.text


@pytest.mark.parametrize("data", [b"\x7fELF\0\0", "a".encode("utf-16")], ids=["ELF", "UTF-16"])
def test_what_is_no_source_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(data)
    with pytest.raises(UnreadableFileError, match=r"a\.cu"):
        files.read_source(path)


def test_missing_folder_and_device_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PathMissingError):
        files.read_source(tmp_path / "none.cu")
    with pytest.raises(UnreadableFileError):
        files.read_source(tmp_path)
    with pytest.raises(UnreadableFileError, match="regular"):
        files.read_source(Path("/dev/null"))


def test_a_character_that_the_encoding_has_not_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"// caf\xe9\xff\n")
    with pytest.raises(UnreadableFileError, match="latin-1"):
        files.read_source(path).encode("// 中\n")


def test_mode_and_link_are_kept(tmp_path: Path) -> None:
    target = tmp_path / "real.cu"
    target.write_bytes(b"old")
    target.chmod(0o640)
    link = tmp_path / "link.cu"
    link.symlink_to("real.cu")
    files.write_atomic(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert target.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("place", ["file", "folder"])
def test_read_only_is_respected_even_for_the_superuser(tmp_path: Path, place: str) -> None:
    first, second = tmp_path / "a" / "a.cu", tmp_path / "b" / "b.cu"
    for path in (first, second):
        path.parent.mkdir()
        path.write_bytes(b"old")
    marked = second if place == "file" else second.parent
    marked.chmod(0o555)
    try:
        with pytest.raises(WriteError, match="read-only"):
            files.write_all([(first, b"new"), (second, b"new")])
    finally:
        marked.chmod(0o755)
    assert first.read_bytes() == second.read_bytes() == b"old"
    assert sorted(p.name for p in tmp_path.rglob("*") if p.is_file()) == ["a.cu", "b.cu"]


def test_a_full_disk_loses_nothing(tmp_path: Path) -> None:
    # /dev/full cannot be renamed over; a limit on the file size fails the same write.
    path = tmp_path / "a.cu"
    path.write_bytes(b"old")
    script = f"""
        import resource, signal
        from pathlib import Path
        from fastpt_lab.core.errors import WriteError
        from fastpt_lab.host.files import write_atomic
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        try:
            write_atomic(Path({str(path)!r}), b"x" * 5000)
        except WriteError as error:
            print("refused:", error)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("refused:")
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.cu"]


def test_a_link_out_of_the_root_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret.cu").write_text("x")
    (root / "link.cu").symlink_to("../secret.cu")
    with pytest.raises(OutsideRootError):
        files.inside(root, root / "link.cu")
    with pytest.raises(OutsideRootError):
        files.inside(root, root / ".." / "secret.cu")


def test_a_lock_is_held_by_one_and_freed_by_death(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; from fastpt_lab.host.files import lock\n"
        f"with lock(Path({str(tmp_path)!r})): print('held', flush=True); sys.stdin.read()"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    assert holder.stdin is not None
    assert holder.stdout.readline() == b"held\n"
    with pytest.raises(LockedError), files.lock(tmp_path, wait=0):
        pass
    holder.kill()
    holder.wait()
    holder.stdin.close()
    holder.stdout.close()
    with files.lock(tmp_path, wait=5):
        pass


def test_leftovers_of_a_killed_run_are_removed_and_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text("keep")
    ended = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"],
                           capture_output=True, text=True, check=True).stdout.strip()  # fmt: skip
    left, mine = f".{ended}.0badf00d0bad.fastpt-tmp", temporary_name()
    other = f".{os.getppid()}.0badf00d0bad.fastpt-tmp"
    for name in (left, mine, other, ".a.cu.fastpt-tmp"):
        (tmp_path / name).write_text("half")
    assert [p.name for p in remove_leftovers(tmp_path)] == [left]
    # Those of writers that are still at work, and what is not ours, stay.
    assert {p.name for p in tmp_path.iterdir()} == {"a.cu", mine, other, ".a.cu.fastpt-tmp"}
