"""What is killed: each writes below the root that it is given and touches nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from fastpt_lab.core.guard import guarded
from fastpt_lab.core.port import EventKind
from fastpt_lab.core.report import Report
from fastpt_lab.core.text import TextDocumentEdit, TextEdit, WorkspaceEdit
from fastpt_lab.fix.apply import apply
from fastpt_lab.fix.journal import Journal
from fastpt_lab.fix.undo import recover, redo, undo
from fastpt_lab.host.files import read_source
from fastpt_lab.host.project import Project
from fastpt_lab.session.state import save_report
from fastpt_lab.session.story import Story
from fastpt_lab.transcode.run import clean, transcode
from fastpt_lab.verify.snapshot import Snapshot, save_snapshot

NAMES = ("a.cu", "sub/b.cu")


def proposed(root: Path) -> WorkspaceEdit:
    documents = []
    for name in NAMES:
        document = read_source(root / name).document
        new = guarded(hip="hip;\n", cuda=document.line(1))
        edit = TextEdit(range=document.line_range(1), new_text=new)
        documents.append(
            TextDocumentEdit(path=root / name, digest=document.digest, edits=(edit,))
        )
    return WorkspaceEdit(documents=tuple(documents))


def apply_to_two(root: Path, edit: WorkspaceEdit | None = None) -> None:
    apply(edit or proposed(root), root=root, journal=Journal(root), rule="r", title="t")


def save_state(root: Path) -> None:
    save_report(root / ".fastpt", Report(command="check", root=root, advice=("a",) * 50))
    Story(root / ".fastpt", root).happened(EventKind.FIXED, "a line of the story")


def save_record(root: Path) -> None:
    facts = dict.fromkeys(Snapshot.__dataclass_fields__, "x" * 100)
    packages = (("torch", "2.5.1"),)
    record = Snapshot(**{**facts, "packages": packages, "variables": ()})  # type: ignore[arg-type]
    save_snapshot(record, root / "snapshot.json", {})


OPERATIONS: dict[str, Callable[[Path], object]] = {
    "apply": apply_to_two,
    "undo": lambda root: undo(root),
    "redo": lambda root: redo(root),
    "recover": lambda root: recover(root),
    "state": save_state,
    "snapshot": save_record,
    "transcode": lambda root: transcode(Project(root)),
    "clean": lambda root: clean(Project(root)),
}
