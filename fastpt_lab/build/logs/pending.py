"""One diagnostic while its lines are still being read."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.logs import cmake, codes, nvcc, snippet
from fastpt_lab.build.logs.mark import Body
from fastpt_lab.core.diagnostic import Diagnostic, Related
from fastpt_lab.core.text import Location, Position, Range

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastpt_lab.build.logs.mark import Mark, Place

MAX_RELATED = 200
MAX_RAW_LINES = 120
MAX_TEXT = 8 * 1024
_MAX_PARAGRAPH = 16


@lru_cache(maxsize=1024)
def _path(name: str) -> Path:
    # A build names the same files over and over, and making a Path takes its time.
    return Path(name)


def location_of(place: Place | None, folder: Path | None) -> Location | None:
    """Return the printed place: zero-based line, zero-based *byte* column, path in `folder`."""
    if place is None or place.path.startswith("<"):
        # `<built-in>`, `<command line>` and `<string>` are no files.
        return None
    path = _path(place.path.strip())
    if folder is not None and not path.is_absolute():
        path = folder / path
    return Location.at(path, max(place.line - 1, 0), max(place.column - 1, 0))


class Pending:
    """Collects the lines of one diagnostic; `accepts` says when it is over."""

    def __init__(
        self, mark: Mark, text: str, *, related: tuple[Related, ...], folder: Path | None
    ) -> None:
        self.mark = mark
        self._folder = folder
        self._related = list(related[-MAX_RELATED:])
        self._raw = [text[:MAX_TEXT]]
        self._paragraph: list[str] = []
        self._stack = False
        self._since = 0
        self._caret_seen = False
        self._marked = ""
        self._in_notes = False
        self._indent = len(text) - len(text.lstrip())
        self._takers: dict[Body, Callable[[str], bool]] = {
            Body.SNIPPET: self._take_snippet,
            Body.INDENTED: self._take_indented,
            Body.CONTINUED: self._take_continued,
            Body.NEXT_LINE: self._take_message,
        }

    def add_note(self, mark: Mark, text: str, before: tuple[Related, ...] = ()) -> None:
        """Add a note, and the frames that were printed in front of it."""
        self._in_notes = True
        self._restart_snippet()
        note = Related(
            message=mark.message[:MAX_TEXT],
            generated=location_of(mark.place, self._folder),
        )
        room = MAX_RELATED - len(self._related)
        self._related += (*before, note)[: max(room, 0)]
        self._keep(text)

    def _restart_snippet(self) -> None:
        self._since = 0
        self._caret_seen = False

    def _keep(self, text: str) -> None:
        if len(self._raw) < MAX_RAW_LINES:
            self._raw.append(text[:MAX_TEXT])

    @property
    def wants_source(self) -> bool:
        """Whether the next line should be the source line of a snippet."""
        return self.mark.body in (Body.SNIPPET, Body.CONTINUED) and self._since == 0

    def accepts(self, text: str) -> bool:
        """Take a plain line if it still belongs here, and return whether it did."""
        take = self._takers.get(self.mark.body)
        taken = take is not None and take(text)
        if taken:
            self._keep(text)
        return taken

    def _take_snippet(self, text: str) -> bool:
        if snippet.is_caret(text):
            if not self._in_notes and not self._marked:
                self._marked = snippet.marked(self._raw[-1], text)
            self._caret_seen = True
            self._since += 1
            return True
        if snippet.is_gutter(text):
            self._since += 1
            return True
        if self._caret_seen:
            # One fix-it line: the replacement under the place where it would go.
            self._caret_seen = False
            return text[:1].isspace() and bool(text.strip())
        self._since += 1
        return self._since == 1 and bool(text.strip())

    def _take_continued(self, text: str) -> bool:
        if not text.strip():
            self._since += 1
            return self._since < 12
        if not text[:1].isspace():
            return False
        if snippet.is_caret(text):
            self._marked = self._marked or snippet.marked(self._raw[-1], text)
            self._caret_seen = True
            return True
        self._since += 1
        path = self.mark.place.path if self.mark.place else ""
        deep = len(text) - len(text.lstrip()) >= self._indent + 10
        found = nvcc.continuation(text, path) if deep else None
        if found is not None and len(self._related) < MAX_RELATED:
            related, place = found
            self._related.append(
                Related(message=related.message, generated=location_of(place, self._folder))
            )
        return self._since < 64

    def _take_indented(self, text: str) -> bool:
        words = text.strip()
        if words == cmake.STACK:
            self._stack = True
            return True
        if words and len(text) - len(text.lstrip()) <= self._indent:
            return False
        if self._stack:
            found = cmake.frame(text)
            if found is None:
                return not words and self._since < 2
            self._related.append(
                Related(message=found[0], generated=location_of(found[1], self._folder))
            )
            return True
        if not words:
            self._since += 1
            return self._since < 40
        # The message goes on over paragraphs until a sentence ends.
        ended = self._since and self._paragraph[-1:] and self._paragraph[-1][-1] in ".!?"
        if not ended and len(self._paragraph) < _MAX_PARAGRAPH:
            self._paragraph.append(words)
            self._since = 0
        return True

    def _take_message(self, text: str) -> bool:
        self._since += 1
        if self._paragraph or self._since > 3:
            return False
        if text.strip():
            self._paragraph.append(text.strip())
        return True

    def finish(self) -> Diagnostic:
        """Return the diagnostic."""
        message = self.mark.message
        if self._paragraph:
            message = " ".join((message, *self._paragraph)).strip()
        message = message[:MAX_TEXT] or self._raw[0].strip()
        raw = "\n".join(self._raw)
        notes = [related.message for related in self._related]
        code = self.mark.code or codes.refine(codes.kind_of(message), message, notes, raw)
        return Diagnostic(
            severity=self.mark.severity,
            message=message,
            source=self.mark.source,
            code=code,
            generated=self._generated(),
            related=tuple(self._related),
            raw=raw,
        )

    def _generated(self) -> Location | None:
        here = location_of(self.mark.place, self._folder)
        if here is None or not self.mark.place or not self.mark.place.column:
            return here
        start = here.range.start
        length = len(self._marked.encode("utf-8", errors="replace"))
        return Location(here.path, Range(start, Position(start.line, start.character + length)))
