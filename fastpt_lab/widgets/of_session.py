"""A `Session` in the shape that the review asks for: texts by path, the journal in lines."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.action import CudaEffect
from fastpt_lab.core.errors import FastptError, PathMissingError
from fastpt_lab.fix.journal import ABSENT, Journal, State
from fastpt_lab.host.files import decode_source
from fastpt_lab.session.revision import EDITED, effect_on
from fastpt_lab.show.json import relative
from fastpt_lab.widgets.snapshot import files_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.report import Report
    from fastpt_lab.core.text import WorkspaceEdit
    from fastpt_lab.fix.journal import FileChange, JournalEntry
    from fastpt_lab.session.session import Session
    from fastpt_lab.widgets.model import Json


class SessionModel:
    """See `fastpt_lab.widgets.model.ReviewModel`; each method is one of the session's."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, str], Json] = {}

    @property
    def root(self) -> Path:
        """The project's folder."""
        return self._session.root

    @property
    def report(self) -> Report | None:
        """The last report."""
        return self._session.report

    def document(self, path: str) -> Json:
        """Return both texts of an original.

        Raises:
            PathMissingError: it cannot be read.
        """
        original = self.root / path
        document = self._session.read(original)
        if document is None:
            raise PathMissingError(f"{path} cannot be read", next_step="Check again")
        generated = next(
            (f.generated for f in self._files() if f.original == original and f.generated), None
        )
        other = self._session.read(generated) if generated is not None else None
        return {
            "original": path,
            "generated": None
            if generated is None or other is None
            else relative(generated, self.root),
            "text": document.text,
            "generated_text": None if other is None else other.text,
            "digest": document.digest,
        }

    def _files(self) -> tuple[Any, ...]:
        return files_of(self.report) if self.report is not None else ()

    def history(self) -> list[Json]:
        """Return the journal's entries that were ever in force, oldest first."""
        journal = Journal(self.root)
        return [
            self._entry(journal, entry)
            for entry in self._session.journal()
            if entry.state in (State.APPLIED, State.UNDONE)
        ]

    def _entry(self, journal: Journal, entry: JournalEntry) -> Json:
        files = []
        for change in entry.files:
            path = relative(change.path, self.root)
            files.append({"path": path, **self._facts(journal, change)})
        return {
            "id": entry.id,
            "time": entry.time,
            "rules": entry.rule.split(", "),
            "files": files,
            "undone": entry.state is State.UNDONE,
            "edited": EDITED in entry.title,
        }

    def _facts(self, journal: Journal, change: FileChange) -> Json:
        """Return how many lines a change added and removed, and what CUDA sees of it.

        A moved line is neither added nor removed.
        """
        key = (change.before, change.after)
        if key not in self._known:
            try:
                self._known[key] = _facts(change.path, *(journal.bytes_of(d) for d in key))
            except FastptError:
                return {"added": 0, "removed": 0, "cuda": CudaEffect.NONE.value}
            if change.before == ABSENT:
                # No original includes a new file by itself.
                self._known[key]["cuda"] = CudaEffect.IDENTICAL.value
        return self._known[key]

    def subscribe(self, listener: Callable[[Mapping[str, Any]], None]) -> Callable[[], None]:
        """Follow the session."""
        return self._session.subscribe(listener)

    def check(self, paths: tuple[str, ...] = ()) -> object:
        """Check again; nothing named is the whole project."""
        return self._session.check([self.root / path for path in paths])

    def apply(self, *ids: str) -> object:
        """Write actions as one entry and check again."""
        return self._session.apply(*ids)

    def undo(
        self, path: str | None = None, *, id: str | None = None, all: bool = False
    ) -> object:
        """Take back, and check again."""
        where = None if path is None else self.root / path
        return self._session.undo(where, id=id, all=all or path is not None, recheck=True)

    def redo(self) -> object:
        """Make again, and check again."""
        return self._session.redo(recheck=True)

    def trial(self, *ids: str) -> object:
        """Try actions."""
        return self._session.trial(*ids)

    def revise(self, id: str, edit: WorkspaceEdit) -> CodeAction:
        """Put an edited action beside the one it was made from."""
        return self._session.revise(id, edit)

    def patch(self, *ids: str) -> bytes:
        """Return a diff of actions, or of what was written."""
        return self._session.patch(*ids)

    def cancel(self) -> None:
        """End the running work."""
        self._session.cancel()


def _facts(path: Path, before: bytes, after: bytes) -> Json:
    old, new = (Counter(data.split(b"\n")) for data in (before, after))
    texts = [decode_source(data, path)[0].text for data in (before, after)]
    return {
        "added": (new - old).total(),
        "removed": (old - new).total(),
        "cuda": effect_on(path, *texts).value,
    }
