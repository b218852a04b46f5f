"""git itself says whether a patch is one: it makes the new bytes of the old, whatever they are."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastpt_lab.show.patch import Changed, patch

LINES = st.lists(
    st.sampled_from([b"int a;", b"", b"\xb0\xa1 GBK", b"-- x", b"++ y", b"a\rb", b"\x00"]),
    max_size=30,
)
ENDS = st.sampled_from([b"\n", b"\r\n"])


@st.composite
def texts(draw: st.DrawFn) -> bytes:
    end = draw(ENDS)
    text = end.join(draw(LINES))
    return text + draw(st.sampled_from([b"", end]))


def git_apply(folder: Path, made: bytes) -> None:
    done = subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder,
        input=made,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()


@settings(max_examples=60, deadline=None)
@given(before=texts(), after=texts())
def test_git_makes_after_of_before(before: bytes, after: bytes) -> None:
    # A file that comes into being or goes is no change of an original.
    before, after = before or b"\n", after or b"\n"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "csrc", "a.cu")
        path.parent.mkdir()
        path.write_bytes(before)
        made = patch([Changed("csrc/a.cu", before, after)])
        if before == after:
            assert made == b""
            return
        git_apply(Path(folder), made)
        assert path.read_bytes() == after


@pytest.mark.parametrize(
    "name",
    ["a b.cu", '引 "号".cu', "tab\there.cu", "back\\slash.cu", "推理/融合.cu", "a.cu\r"],
    ids=ascii,
)
def test_any_name_is_one_that_git_finds(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"one\n")
    git_apply(tmp_path, patch([Changed(name, b"one\n", b"two\n")]))
    assert path.read_bytes() == b"two\n"


def test_below_the_top_of_a_repository_the_paths_are_the_folder_s(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    inner = tmp_path / "ext"
    inner.mkdir()
    for folder in (tmp_path, inner):
        (folder / "a.cu").write_bytes(b"one\n")
    git_apply(inner, patch([Changed("a.cu", b"one\n", b"two\n")]))
    assert (inner / "a.cu").read_bytes() == b"two\n"
    assert (tmp_path / "a.cu").read_bytes() == b"one\n"
