"""Bytes of a build's log to diagnostics, as they arrive and in bounded memory.

The dialects (one file each) say what one line means; this file joins lines: frames before a
message, notes, snippets and call stacks after it. Lines without a word that could begin anything
are skipped unread, which is most of a log.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.logs import python
from fastpt_lab.build.logs.lines import MAX_LINE, clean
from fastpt_lab.build.logs.mark import Mark, Role
from fastpt_lab.build.logs.pending import Pending, location_of
from fastpt_lab.build.logs.recognise import recognise
from fastpt_lab.build.logs.skip import Finder, without_progress
from fastpt_lab.core.diagnostic import Related

if TYPE_CHECKING:
    from fastpt_lab.core.diagnostic import Diagnostic

_BLOCK = 1024 * 1024
_MAX_FRAMES = 100
_MAX_FOLDERS = 64


class LogParser:
    """Reads one log, whatever tools wrote it.

    `feed` takes any bytes and gives the diagnostics that they finished, in printed order; `close`
    gives the last one. A place is the printed one: `generated` has zero-based lines and
    zero-based columns in the unit of the tool, until `locate` reads the file.
    """

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False
        self._done: list[Diagnostic] = []
        self._pending: Pending | None = None
        self._frames: list[tuple[str, Related]] = []
        self._traceback: int | None = None
        self._folders: list[Path] = []

    def feed(self, chunk: bytes) -> list[Diagnostic]:
        """Read more of the log and return the diagnostics that are now complete."""
        for start in range(0, len(chunk), _BLOCK):
            self._block(chunk[start : start + _BLOCK])
        return self._take()

    def close(self) -> list[Diagnostic]:
        """Read the last, unfinished line and return what is left."""
        rest, self._rest = self._rest, b""
        if rest and not self._too_long:
            self._read(rest)
        self._finish()
        self._frames.clear()
        return self._take()

    @property
    def unfinished(self) -> Diagnostic | None:
        """The diagnostic whose lines are still being read, as far as they are.

        A build that goes on without a word would keep it back: whoever shows errors live looks
        here after each `feed`.
        """
        return self._pending.finish() if self._pending is not None else None

    @property
    def held(self) -> int:
        """Bytes of an unfinished line that are kept; never much more than `MAX_LINE`."""
        return len(self._rest)

    def _take(self) -> list[Diagnostic]:
        done, self._done = self._done, []
        return done

    def _block(self, block: bytes) -> None:
        end = block.rfind(b"\n") + 1
        if end == 0:
            self._hold(block)
            return
        data = self._rest + block[:end]
        self._rest = block[end:]
        if self._too_long:
            # The beginning of this line was read when it grew too long.
            self._too_long = False
            data = data[data.find(b"\n") + 1 :]
        self._hold(b"")
        self._read(data)

    def _hold(self, more: bytes) -> None:
        """Keep an unfinished line; read it early, and once, if it never ends."""
        if self._too_long:
            self._rest = b""
            return
        self._rest += more
        if len(self._rest) <= MAX_LINE:
            return
        # A progress bar is one long line of carriage returns: each redraw is a line.
        last = self._rest.rfind(b"\r", 0, len(self._rest) - 1)
        if last >= 0:
            self._read(self._rest[: last + 1])
            self._rest = self._rest[last + 1 :]
        if len(self._rest) > MAX_LINE:
            self._read(self._rest[:MAX_LINE])
            self._rest = b""
            self._too_long = True

    @property
    def _inside(self) -> bool:
        return self._pending is not None or bool(self._frames) or self._traceback is not None

    def _read(self, data: bytes) -> None:
        data = without_progress(data)
        finder = Finder(data)
        position = 0
        while position < len(data):
            if not self._inside:
                hit = finder.next(position)
                if hit is None:
                    return
                position = max(data.rfind(b"\n", position, hit) + 1, position)
            end = data.find(b"\n", position)
            end = len(data) if end < 0 else end
            self._line(data[position:end])
            position = end + 1

    def _line(self, line: bytes) -> None:
        if b"\r" in line:
            for part in line.split(b"\r"):
                if part:
                    self._text(clean(part[:MAX_LINE]))
            return
        self._text(clean(line[:MAX_LINE]))

    def _text(self, text: str) -> None:
        mark = recognise(text)
        pending = self._pending
        if (
            mark is not None
            and pending is not None
            and pending.wants_source
            and _weak(mark, text)
        ):
            mark = None
        if mark is None:
            self._plain(text)
        elif mark.role is Role.FRAME:
            self._frame(mark, text)
        elif mark.role is Role.NOTE:
            self._note(mark, text)
        elif mark.role is Role.MESSAGE:
            self._message(mark, text)
        else:
            self._finish()
            self._frames.clear()
            self._folder(mark)

    def _plain(self, text: str) -> None:
        if self._traceback is not None:
            if self._within_traceback(text):
                return
            mark = python.end_of_traceback(text)
            if mark is not None:
                self._message(mark, text)
                return
            self._traceback = None
        if self._pending is not None and self._pending.accepts(text):
            return
        self._finish()
        self._frames.clear()

    def _within_traceback(self, text: str) -> bool:
        indent = len(text) - len(text.lstrip())
        return bool(text.strip()) and indent > (self._traceback or 0)

    def _frame(self, mark: Mark, text: str) -> None:
        if mark.source == "python":
            self._finish()
            indent = len(text) - len(text.lstrip())
            if mark.place is None:
                self._traceback = indent
                self._frames.clear()
                return
            if self._traceback is None:
                # A syntax error has a frame and no headline.
                self._traceback = max(indent - 2, 0)
        frame = Related(
            message=mark.message, generated=location_of(mark.place, self._current_folder)
        )
        self._frames.append((mark.source, frame))
        del self._frames[:-_MAX_FRAMES]

    def _note(self, mark: Mark, text: str) -> None:
        if self._pending is None:
            return
        before = tuple(frame for source, frame in self._frames if source != "python")
        self._frames.clear()
        self._pending.add_note(mark, text, before)

    def _message(self, mark: Mark, text: str) -> None:
        self._finish()
        of_python = mark.source in ("python", "loader") and self._traceback is not None
        related = tuple(
            frame for source, frame in self._frames if (source == "python") == of_python
        )
        self._frames.clear()
        self._traceback = None
        if of_python:
            mark = python.placed(mark, related)
        self._pending = Pending(mark, text, related=related, folder=self._current_folder)

    def _finish(self) -> None:
        if self._pending is not None:
            self._done.append(self._pending.finish())
            self._pending = None

    @property
    def _current_folder(self) -> Path | None:
        return self._folders[-1] if self._folders else None

    def _folder(self, mark: Mark) -> None:
        folder = Path(mark.message)
        if mark.role is Role.ENTER:
            if self._folders and not folder.is_absolute():
                folder = self._folders[-1] / folder
            self._folders.append(folder)
            del self._folders[:-_MAX_FOLDERS]
        elif mark.role is Role.LEAVE and folder in self._folders:
            del self._folders[self._folders.index(folder) :]


def _weak(mark: Mark, text: str) -> bool:
    """Return whether a line is rather the source line of a snippet than a message."""
    return mark.source in ("hip", "unknown", "rocminfo") and text[:1].isspace()
