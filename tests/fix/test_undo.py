from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fastpt_lab.core.errors import ConfigError, ConflictError, UnknownNameError, WriteError
from fastpt_lab.core.guard import guarded
from fastpt_lab.core.text import TextDocumentEdit, TextEdit, WorkspaceEdit
from fastpt_lab.fix.apply import apply
from fastpt_lab.fix.journal import Journal, JournalEntry, State
from fastpt_lab.fix.merge import ThreeWayError, merge
from fastpt_lab.fix.undo import recover, redo, undo
from fastpt_lab.host.files import read_source

LINES = b"".join(b"line %d;\n" % n for n in range(12))


def fix(root: Path, *places: tuple[str, int]) -> JournalEntry:
    """Guard a line of each named file."""
    documents = []
    for name, number in places:
        document = read_source(root / name).document
        new = guarded(hip=f"hip {number};\n", cuda=document.line(number))
        edit = TextEdit(range=document.line_range(number), new_text=new)
        documents.append(
            TextDocumentEdit(path=root / name, digest=document.digest, edits=(edit,))
        )
    edit_of_all = WorkspaceEdit(documents=tuple(documents))
    return apply(edit_of_all, root=root, journal=Journal(root), rule="r", title="t")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    for name in ("a.cu", "b.cu"):
        (tmp_path / name).write_bytes(LINES)
    return tmp_path


def bytes_of(root: Path) -> dict[str, bytes]:
    return {name: (root / name).read_bytes() for name in ("a.cu", "b.cu")}


def test_undo_and_redo_are_byte_exact(root: Path) -> None:
    before = bytes_of(root)
    fix(root, ("a.cu", 2), ("b.cu", 3))
    after = bytes_of(root)
    assert [e.id for e in undo(root)] == ["j1"]
    assert bytes_of(root) == before
    entry = redo(root)
    assert entry is not None
    assert (entry.id, entry.state) == ("j1", State.APPLIED)
    assert bytes_of(root) == after


def test_nothing_to_undo_or_redo(root: Path) -> None:
    assert undo(root) == ()
    assert redo(root) is None
    fix(root, ("a.cu", 2))
    assert redo(root) is None


def test_undo_takes_the_last_first_and_redo_the_last_undone(root: Path) -> None:
    for number in (1, 5, 9):
        fix(root, ("a.cu", number))
    assert [e.id for e in (*undo(root), *undo(root))] == ["j3", "j2"]
    again = redo(root)
    assert again is not None
    assert again.id == "j2"


def test_undo_by_file(root: Path) -> None:
    fix(root, ("a.cu", 1))
    fix(root, ("b.cu", 1))
    assert [e.id for e in undo(root, path=root / "a.cu")] == ["j1"]
    assert bytes_of(root)["a.cu"] == LINES
    assert bytes_of(root)["b.cu"] != LINES
    assert undo(root, path=root / "a.cu", every=True) == ()


def test_undo_everything(root: Path) -> None:
    for number in (1, 5, 9):
        fix(root, ("a.cu", number), ("b.cu", number))
    assert [e.id for e in undo(root, every=True)] == ["j3", "j2", "j1"]
    assert bytes_of(root) == {"a.cu": LINES, "b.cu": LINES}


def test_undo_of_an_earlier_change_keeps_the_later_ones(root: Path) -> None:
    fix(root, ("a.cu", 1))
    fix(root, ("a.cu", 12))
    undo(root, id="j1")
    text = (root / "a.cu").read_text()
    assert "hip 1;" not in text
    assert "hip 12;" in text
    undo(root, id="j2")
    assert (root / "a.cu").read_bytes() == LINES


def test_edits_of_the_user_elsewhere_are_kept(root: Path) -> None:
    fix(root, ("a.cu", 2))
    path = root / "a.cu"
    path.write_bytes(path.read_bytes().replace(b"line 9;", b"mine 9;"))
    undo(root)
    assert path.read_bytes() == LINES.replace(b"line 9;", b"mine 9;")
    redo(root)
    assert b"hip 2;" in path.read_bytes()
    assert b"mine 9;" in path.read_bytes()


def test_edits_of_the_user_in_the_same_lines_are_a_conflict(root: Path) -> None:
    fix(root, ("a.cu", 2), ("b.cu", 2))
    path = root / "a.cu"
    path.write_bytes(path.read_bytes().replace(b"hip 2;", b"mine 2;"))
    before = bytes_of(root)
    with pytest.raises(ThreeWayError) as raised:
        undo(root)
    assert bytes_of(root) == before
    (conflict,) = raised.value.conflicts
    assert conflict.path == path
    assert (conflict.ours, conflict.theirs) == (before["a.cu"], LINES)
    assert b"hip 2;" in conflict.base
    assert Journal(root).entry("j1").state is State.APPLIED


def test_what_is_not_in_force_cannot_be_undone(root: Path) -> None:
    fix(root, ("a.cu", 2))
    undo(root, id="j1")
    with pytest.raises(ConflictError, match="not in force"):
        undo(root, id="j1")
    with pytest.raises(UnknownNameError):
        undo(root, id="j7")
    redo(root, id="j1")
    with pytest.raises(ConflictError, match="not undone"):
        redo(root, id="j1")


def test_a_file_that_is_gone_is_a_conflict(root: Path) -> None:
    fix(root, ("a.cu", 2))
    (root / "a.cu").unlink()
    with pytest.raises(ConflictError, match="gone"):
        undo(root)


CRASH = """
import os, sys
from pathlib import Path
from fastpt_lab.host import files
import fastpt_lab.fix.apply as module

root, renames = Path(sys.argv[1]), int(sys.argv[2])
replace = Path.replace

def dying(self, target):
    global renames
    if Path(target).suffix == ".cu":
        if renames == 0:
            os._exit(9)
        renames -= 1
    return replace(self, target)

Path.replace = dying
sys.path.insert(0, sys.argv[3])
import test_undo
test_undo.fix(root, ("a.cu", 2), ("b.cu", 2))
os._exit(0)
"""


@pytest.mark.parametrize("renames", [0, 1])
def test_a_crash_leaves_old_or_new_files(root: Path, renames: int) -> None:
    argv = [sys.executable, "-c", CRASH, str(root), str(renames), str(Path(__file__).parent)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    assert subprocess.run(argv, env=environment, check=False).returncode == 9
    assert [n for n, data in bytes_of(root).items() if data != LINES] == ["a.cu"][:renames]
    said = recover(root)
    assert bytes_of(root) == {"a.cu": LINES, "b.cu": LINES}
    assert "interrupted" in said[0]
    assert Journal(root).entry("j1").state is State.ABORTED
    assert not list(root.glob(".*fastpt-tmp"))
    assert recover(root) == ()
    assert fix(root, ("a.cu", 2)).id == "j2"


def test_a_crash_after_the_last_file_counts_as_done(root: Path) -> None:
    entry = fix(root, ("a.cu", 2))
    Journal(root).mark(entry, State.APPLYING)
    assert "in force" in recover(root)[0]
    assert undo(root)[0].id == "j1"
    assert bytes_of(root)["a.cu"] == LINES


def test_a_full_disk_leaves_the_old_bytes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = Path.replace

    def full(self: Path, target: Path) -> Path:
        if Path(target).name == "b.cu":
            raise OSError(errno.ENOSPC, "No space left on device")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(WriteError, match="old bytes"):
        fix(root, ("a.cu", 2), ("b.cu", 2))
    monkeypatch.undo()
    assert bytes_of(root) == {"a.cu": LINES, "b.cu": LINES}
    assert Journal(root).entry("j1").state is State.ABORTED


def test_the_journal_survives_a_restart(root: Path) -> None:
    fix(root, ("a.cu", 2))
    code = "import sys; from pathlib import Path; from fastpt_lab.fix.undo import undo; undo(Path(sys.argv[1]))"
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", code, str(root)], env=environment, check=True)
    assert bytes_of(root)["a.cu"] == LINES


def test_a_damaged_journal_says_so(root: Path) -> None:
    fix(root, ("a.cu", 2))
    path = root / ".fastpt" / "journal" / "j1.json"
    value = json.loads(path.read_text())
    path.write_text("{")
    with pytest.raises(ConfigError, match="damaged"):
        undo(root)
    path.write_text(json.dumps({**value, "version": 99}))
    with pytest.raises(ConfigError, match="another version"):
        undo(root)
    path.write_text(json.dumps(value))
    for blob in (root / ".fastpt" / "journal" / "blobs").iterdir():
        blob.write_bytes(b"x")
    with pytest.raises(ConfigError, match="missing or damaged"):
        undo(root)


def test_merge() -> None:
    base = b"a\nb\nc\nd\ne\nf\n"
    assert merge(base, base, b"x\n") == b"x\n"
    assert merge(base, b"x\n", base) == b"x\n"
    assert merge(base, b"x\n", b"x\n") == b"x\n"
    assert merge(base, b"A\nb\nc\nd\ne\nf\n", b"a\nb\nc\nd\nE\nf\n") == b"A\nb\nc\nd\nE\nf\n"
    assert merge(base, b"a\nB\nc\nd\ne\nf\n", b"a\nX\nc\nd\ne\nf\n") is None
    assert merge(base, b"a\nB\nc\nd\ne\nf\n", b"a\nb\nX\nd\ne\nf\n") is None
