"""A patch of what was proposed or written makes the same originals in another copy."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc

from fastpt_lab import Session
from fastpt_lab.cli import main
from fastpt_lab.core.action import Applicability, CudaEffect
from fastpt_lab.core.errors import CudaViewError, UnknownNameError
from fastpt_lab.core.text import Position, Range, TextEdit, WorkspaceEdit

if TYPE_CHECKING:
    from pathlib import Path

SHUFFLE = """\
#include <cuda_runtime.h>
// 每一步与间隔 offset 的线程交换
__global__ void sum(float* x) {
  x[threadIdx.x] += __shfl_xor_sync(0xffffffff, x[threadIdx.x], 1);
}
"""
ROOT_OF = """\
#include <cuda_runtime.h>
inline float inverse(float v) { return rsqrtf(v); }
__global__ void norm(float* x) { x[0] = inverse(x[0]); }
"""


@pytest.fixture(scope="module")
def ported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a GBK file with CRLF and one more error, checked once."""
    root = tmp_path_factory.mktemp("ported")
    (root / "pyproject.toml").write_text("[tool.fastpt-lab]\n")
    (root / "a.cu").write_bytes(SHUFFLE.replace("\n", "\r\n").encode("gb18030"))
    (root / "b.cu").write_text(ROOT_OF)
    return root


def sources(root: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in root.glob("*.cu")}


def applied(root: Path, patch: Path) -> dict[str, bytes]:
    done = subprocess.run(
        ["git", "apply", str(patch)], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return sources(root)


@need_hipcc
def test_proposed_and_written_changes_as_a_patch(
    ported: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = sources(ported)
    copy, proposed, written = (tmp_path / name for name in ("copy", "p.patch", "w.patch"))
    shutil.copytree(ported, copy, ignore=shutil.ignore_patterns(".fastpt"))
    options = ["--root", str(ported), "-q"]
    assert main(["fix", "--all", "--unsafe", "--patch", str(proposed), *options]) == 1
    assert "the originals are as they were" in capsys.readouterr().out
    assert sources(ported) == before
    elsewhere = applied(copy, proposed)
    assert elsewhere != before

    assert main(["fix", "--all", "--unsafe", "--apply", *options]) == 0
    assert sources(ported) == elsewhere, "a patch is what --apply would write"
    assert main(["status", "--patch", str(written), *options]) == 0
    assert written.read_bytes() == proposed.read_bytes()

    session = Session(ported)
    session.undo()
    assert session.patch() == b"", "what was taken back is in no patch"
    assert main(["fix", "--apply", "--patch", str(proposed), *options]) == 2


@need_hipcc
def test_an_edited_proposal_is_judged_tried_and_written_by_its_own_id(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SHUFFLE)
    session = Session(root=tmp_path)
    base = session.check().actions[0]
    assert base.edit is not None
    assert base.applicability is Applicability.SAFE

    def with_text(change: tuple[str, str]) -> WorkspaceEdit:
        (document,) = base.edit.documents
        edits = tuple(replace(e, new_text=e.new_text.replace(*change)) for e in document.edits)
        return WorkspaceEdit(documents=(replace(document, edits=edits),))

    made = session.revise(base.id, with_text(("__shfl_xor(", "__shfl_xor( ")))
    assert made.applicability is Applicability.UNSAFE
    assert made.cuda_effect is CudaEffect.IDENTICAL
    assert session.action(base.id) == base, "the proposal itself stays"

    at = Position(0, 0)
    (document,) = base.edit.documents
    more = replace(document, edits=(TextEdit(range=Range(at, at), new_text="int more;\n"),))
    other = session.revise(made.id, WorkspaceEdit(documents=(more,)))
    assert (other.id, other.cuda_effect) == (made.id, CudaEffect.DIFFERS)
    with pytest.raises(CudaViewError):
        session.apply(other.id)
    with pytest.raises(CudaViewError):
        session.patch(other.id)

    again = session.revise(base.id, with_text(("__shfl_xor(", "__shfl_xor( ")))
    session.trial(again.id)
    report = session.apply(again.id)
    assert report.green
    assert "__shfl_xor( " in (tmp_path / "a.cu").read_text()
    assert session.journal()[-1].title.endswith("(edited)")
    with pytest.raises(UnknownNameError):
        session.revise("a99", with_text(("", "")))
