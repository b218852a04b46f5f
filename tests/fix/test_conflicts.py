"""Edits of the user's own are never lost, and a refusal shows the three texts."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastpt_lab import Session
from fastpt_lab.cli import main
from fastpt_lab.core.action import ActionKind, Applicability, CodeAction, CudaEffect
from fastpt_lab.core.errors import StaleEditError
from fastpt_lab.core.guard import guarded
from fastpt_lab.core.text import TextDocumentEdit, TextEdit, WorkspaceEdit
from fastpt_lab.fix.apply import apply
from fastpt_lab.fix.journal import Journal
from fastpt_lab.fix.merge import StaleThreeWayError, ThreeWayError
from fastpt_lab.fix.threeway import ThreeWay, shown
from fastpt_lab.fix.undo import redo, undo
from fastpt_lab.host.files import read_source
from fastpt_lab.widgets.desk import failure_json

LINES = [b"int a%d;\n" % number for number in range(9)]


def guard_line(path: Path, number: int) -> WorkspaceEdit:
    document = read_source(path).document
    new = guarded(hip="hip;\n", cuda=document.line(number), newline=document.newline)
    edit = TextEdit(range=document.line_range(number), new_text=new)
    return WorkspaceEdit(
        documents=(TextDocumentEdit(path=path, digest=document.digest, edits=(edit,)),)
    )


EDIT = st.one_of(
    st.tuples(st.just("insert"), st.integers(0, 20), st.binary(min_size=1, max_size=4)),
    st.tuples(st.just("delete"), st.integers(0, 20), st.just(b"")),
    st.tuples(
        st.just("replace"),
        st.integers(0, 20),
        st.sampled_from([b"x;\r\n", b"y;", b"\n", b"\xe4"]),
    ),
)


def edited(data: bytes, edits: list[tuple[str, int, bytes]]) -> bytes:
    """What a user makes of a file, line by line."""
    lines = data.splitlines(keepends=True)
    for kind, place, new in edits:
        at = place % (len(lines) + 1)
        if kind == "insert":
            lines.insert(at, new.replace(b"\0", b"0"))
        elif at < len(lines):
            lines[at : at + 1] = [new] if kind == "replace" else []
    return b"".join(lines)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 8), st.lists(EDIT, max_size=4), st.sampled_from([b"\n", b"\r\n"]))
def test_no_edit_between_proposal_and_acceptance_is_lost(
    number: int, edits: list[tuple[str, int, bytes]], newline: bytes
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = root / "a.cu"
        before = b"".join(LINES).replace(b"\n", newline)
        path.write_bytes(before)
        proposal = guard_line(path, number)
        mine = edited(before, edits)
        path.write_bytes(mine)
        try:
            apply(proposal, root=root, journal=Journal(root), rule="r")
        except StaleEditError:
            assert path.read_bytes() == mine != before
        else:
            assert mine == before
            undo(root)
            assert path.read_bytes() == before


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 8), st.lists(EDIT, max_size=4))
def test_no_edit_after_acceptance_is_lost_by_undo_or_redo(
    number: int, edits: list[tuple[str, int, bytes]]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = root / "a.cu"
        path.write_bytes(b"".join(LINES))
        apply(guard_line(path, number), root=root, journal=Journal(root), rule="r")
        block = guarded(hip="hip;\n", cuda=LINES[number].decode()).encode()
        mine = edited(path.read_bytes(), edits)
        path.write_bytes(mine)
        refused = None
        try:
            undo(root)
        except ThreeWayError as error:
            refused = error
        if refused is not None:
            assert path.read_bytes() == mine
            assert [one.ours for one in refused.conflicts] == [mine]
            return
        assert mine.count(block) == 1, "the guard was edited, and taken back all the same"
        assert path.read_bytes() == mine.replace(block, LINES[number])
        redo(root)
        assert path.read_bytes() == mine


TEXTS = st.lists(st.sampled_from([b"a\n", b"b\n", b"c\n", b"d"]), max_size=6).map(b"".join)


@settings(deadline=None, max_examples=60)
@given(TEXTS, TEXTS, TEXTS)
def test_a_three_way_view_holds_every_changed_line(
    base: bytes, ours: bytes, theirs: bytes
) -> None:
    one = ThreeWay(path=Path("a.cu"), base=base, ours=ours, theirs=theirs)
    lines = shown([one], "wanted").splitlines()
    marks = [line[:7] for line in lines]
    assert marks.count("<<<<<<<") == marks.count("|||||||") == marks.count(">>>>>>>")
    for side, other in ((ours, theirs), (theirs, ours), (base, ours)):
        for line in set(side.decode().splitlines()) - set(other.decode().splitlines()):
            if line not in base.decode().splitlines() or side is base:
                assert line in lines


def test_the_command_line_shows_the_three_texts(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"".join(LINES))
    apply(guard_line(path, 4), root=tmp_path, journal=Journal(tmp_path), rule="r")
    mine = path.read_bytes().replace(b"hip;\n", b"mine; // \xe4\xb8\xad\n")
    path.write_bytes(mine)
    assert main(["undo", "--root", str(tmp_path)]) == 3
    shown = capsys.readouterr().err
    for words in ("<<<<<<< line", "mine; // 中", "||||||| ", "hip;", "======= what undo would"):
        assert words in shown
    assert path.read_bytes() == mine


def test_a_session_refuses_a_stale_proposal_with_the_three_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.cu"
    path.write_bytes(b"".join(LINES))
    action = CodeAction(
        id="a1",
        title="t",
        rule="r",
        kind=ActionKind.EDIT,
        applicability=Applicability.SAFE,
        cuda_effect=CudaEffect.IDENTICAL,
        edit=guard_line(path, 4),
    )
    workbench = Session(tmp_path)._workbench
    workbench.bases.keep([action])
    mine = path.read_bytes().replace(b"int a4;\n", b"int mine;\n")
    path.write_bytes(mine)
    with pytest.raises(StaleThreeWayError) as raised:
        workbench.write([action])
    failure = failure_json(raised.value)
    assert failure["exit_code"] == 3
    for words in ("int mine;", "int a4;", "hip;", "what the proposal would write"):
        assert words in failure["details"]
    (conflict,) = raised.value.conflicts
    assert (conflict.ours, conflict.base) == (mine, b"".join(LINES))
    assert path.read_bytes() == mine
