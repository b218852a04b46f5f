"""Read a build's output while it runs, and say its first error the moment it appears."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from fastpt_lab.build.locate import first_error, locate
from fastpt_lab.build.logs import Collector, LogParser, is_wrapper

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.sourcemap import Origin
    from fastpt_lab.core.text import Document


class LiveLog:
    """A build's log as it grows; called from the build's thread, read from any.

    Args:
        root: the project.
        cwd: the folder that the build runs in.
        origin, read: as for `locate`.
        on_first: told of the first error once, at its place in the original.
        stop: end the build at its first error.
    """

    def __init__(
        self,
        *,
        root: Path,
        cwd: Path,
        origin: Callable[[Path], Origin | None],
        read: Callable[[Path], Document | None],
        on_first: Callable[[Diagnostic], None],
        stop: bool,
    ) -> None:
        self._root = root
        self._cwd = cwd
        self._origin = origin
        self._read = read
        self._on_first = on_first
        self._stop = stop
        self._parser = LogParser()
        self._found = Collector()
        self._told = False
        self._lock = threading.Lock()

    def watch(self, data: bytes) -> bool:
        """Take a piece of output; return whether the build should end here."""
        with self._lock:
            new = self._parser.feed(data)
            self._found.add(new)
            # The compiler may think for minutes before the line that ends this one's notes.
            pending = self._parser.unfinished
        if pending is not None:
            new = [*new, pending]
        # What only reports that a command failed is no reason to stop looking for the cause.
        if not self._told and any(d.is_error and not is_wrapper(d.message) for d in new):
            first = first_error(self.located(pending))
            if first is not None:
                self._told = True
                self._on_first(first)
        return self._told and self._stop

    def located(self, pending: Diagnostic | None = None) -> tuple[Diagnostic, ...]:
        """Return what was said so far, at the places in the originals; `pending` comes last."""
        with self._lock:
            found = self._found.result()
        if pending is not None:
            found = (*found, pending)
        return locate(
            found, origin=self._origin, document=self._read, root=self._root, cwd=self._cwd
        )

    def close(self) -> tuple[Diagnostic, ...]:
        """Return everything once the build has ended."""
        with self._lock:
            self._found.add(self._parser.close())
        return self.located()
