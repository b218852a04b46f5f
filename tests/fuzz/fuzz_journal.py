"""The journal and the manifest: whatever they hold, no file outside the project is touched."""

from __future__ import annotations

import contextlib
import json
import shutil
from pathlib import Path

from harness import instrumented, main, scratch

with instrumented():
    from fastpt_lab.core.errors import FastptError
    from fastpt_lab.core.text import digest_of
    from fastpt_lab.fix.journal import Journal
    from fastpt_lab.fix.undo import recover, redo, undo
    from fastpt_lab.session.state import load_report

BASE = scratch("journal")
OLD, NEW = b"old\n", b"new\n"
KEPT = (("outside.cu", OLD), ("outside_too.cu", NEW))


def _fresh() -> Path:
    root = BASE / "p"
    shutil.rmtree(root, ignore_errors=True)
    blobs = root / ".fastpt" / "journal" / "blobs"
    blobs.mkdir(parents=True)
    for data in (OLD, NEW):
        (blobs / digest_of(data).rpartition(":")[2]).write_bytes(data)
    (root / "a.cu").write_bytes(NEW)
    for name, data in KEPT:
        (BASE / name).write_bytes(data)
    return root


def one(data: bytes) -> None:
    root = _fresh()
    journal = root / ".fastpt" / "journal"
    for number, part in enumerate(data.split(b"\n--\n")[:3], start=1):
        (journal / f"j{number}.json").write_bytes(part)
    (root / ".fastpt" / "session.json").write_bytes(data)
    load_report(root / ".fastpt", root)
    for act in (Journal(root).entries, lambda: recover(root), lambda: undo(root, every=True),
                lambda: redo(root)):  # fmt: skip
        with contextlib.suppress(FastptError):
            act()
    found = {path.name: path.read_bytes() for path in BASE.iterdir() if path.is_file()}
    assert found == dict(KEPT), found


def starts() -> list[bytes]:
    def entry(**changes: object) -> bytes:
        file = {"path": "a.cu", "before": digest_of(OLD), "after": digest_of(NEW)}
        value = {
            "version": 1,
            "id": "j1",
            "time": "2024-01-01T00:00:00+00:00",
            "rule": "r",
            "title": "t",
            "state": "applied",
            "turn": 1,
            "files": [file],
        }
        return json.dumps({**value, **changes}).encode()

    def file(path: str, before: bytes | None, after: bytes | None) -> dict[str, str]:
        ends = [digest_of(data) if data is not None else "" for data in (before, after)]
        return {"path": path, "before": ends[0], "after": ends[1]}

    return [
        entry(),
        *(entry(state=state) for state in ("undone", "aborted", "applying", "undoing")),
        entry(files=[file("new.cu", None, NEW)], state="undoing"),
        entry() + b"\n--\n" + entry(id="j2", turn=2, state="undone"),
        entry(files=[]),
        b"[" * 5000,
    ]


if __name__ == "__main__":
    main("journal", one, starts())
