"""The project's texts as they are on disk now, read once per change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.errors import FastptError
from fastpt_lab.host.files import read_source

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fastpt_lab.core.text import Document
    from fastpt_lab.host.files import SourceFile
    from fastpt_lab.host.project import Project

_Stamp = tuple[int, int, int]


class Sources:
    """Reads originals and generated files; gives the same `Document` until the file changes.

    It is the `Workspace` that rules ask for texts.
    """

    def __init__(self, project: Project) -> None:
        self._project = project
        self._kept: dict[Path, tuple[_Stamp, SourceFile]] = {}

    def file(self, path: Path) -> SourceFile:
        """Return the file at `path`.

        Raises:
            PathMissingError, UnreadableFileError: it cannot be read.
        """
        try:
            info = path.stat()
        except OSError:
            return read_source(path)
        stamp = (info.st_mtime_ns, info.st_size, info.st_ino)
        kept = self._kept.get(path)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        found = read_source(path)
        self._kept[path] = (stamp, found)
        return found

    def document(self, path: Path) -> Document | None:
        """Return the text at `path`, None if there is none that can be read."""
        try:
            return self.file(path).document
        except FastptError:
            return None

    def originals(self) -> Iterable[Path]:
        """Return every original source of the project."""
        try:
            return self._project.sources()
        except FastptError:
            return ()
