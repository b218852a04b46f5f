"""The chronology of a port, kept line by line below `.fastpt/` so that a report can tell it."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.port import EventKind, PortEvent
from fastpt_lab.core.text import Location
from fastpt_lab.host.files import refuse_links

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.report import AppliedEdit

_FILE = "story.jsonl"


class Story:
    """Appends events and reads them back; a line that cannot be read is left out."""

    def __init__(self, folder: Path, root: Path) -> None:
        self._path = folder / _FILE
        self._root = root

    def error(self, found: Diagnostic) -> None:
        """A first error was met."""
        self._add(EventKind.FIRST_ERROR, found.message, found.location)

    def fixed(self, applied: AppliedEdit, trial: str = "") -> None:
        """An action was written; `trial` is what its compile showed."""
        where = Location.at(applied.paths[0], 0) if applied.paths else None
        words = f"{applied.title} ({trial})" if trial else applied.title
        self._add(EventKind.FIXED, words, where, rule=applied.rule, id=applied.id)

    def happened(self, kind: EventKind, text: str, *, id: str = "") -> None:
        """Something else happened."""
        self._add(kind, text, None, id=id)

    def events(self) -> tuple[PortEvent, ...]:
        """Return everything that happened, in the order of time."""
        try:
            lines = self._path.read_text("utf-8", errors="replace").splitlines()
        except OSError:
            return ()
        found = (self._read(line) for line in lines)
        return tuple(event for event in found if event is not None)

    def _add(self, kind: EventKind, text: str, where: Location | None, **more: str) -> None:
        data: dict[str, Any] = {
            "kind": kind.value,
            "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
            "text": text,
            **more,
        }
        if where is not None and where.path.is_relative_to(self._root):
            data["path"] = where.path.relative_to(self._root).as_posix()
            data["line"], data["character"] = where.range.start
        line = json.dumps(data, ensure_ascii=False)
        refuse_links(self._path)
        try:
            with self._path.open("a", encoding="utf-8") as stream:
                stream.write(line + "\n")
        except OSError:
            # A project that cannot be written has no story; its checks still work.
            return

    def _read(self, line: str) -> PortEvent | None:
        try:
            data = json.loads(line)
            where = None
            if "path" in data:
                where = Location.at(self._root / data["path"], data["line"], data["character"])
            return PortEvent(
                kind=EventKind(data["kind"]),
                text=data["text"],
                time=data["time"],
                location=where,
                rule=data.get("rule", ""),
                id=data.get("id", ""),
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            return None
