"""A folder in which candidate fixes are transcoded and compiled; the originals stay as they are."""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import WriteError
from fastpt_lab.host.config import cache_dir
from fastpt_lab.host.project import is_generated
from fastpt_lab.host.sourcetree import SOURCE_SUFFIXES
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.host.project import Project
    from fastpt_lab.transcode.result import TranscodeOptions, TranscodeResult

_MARK = ".fastpt-scratch"


class Scratch:
    """Outputs of a project with some texts changed, below the cache folder.

    The transcoder copies the sources that need no change; everything else beside them is
    linked, so that an `#include` of a data file still works.
    """

    def __init__(self, project: Project, number: int = 0) -> None:
        """Name the folder; each of several at once has its own `number`."""
        self._project = project
        name = hashlib.sha256(os.fsencode(project.root)).hexdigest()[:16]
        self._folder = _parent() / f"{name}-{os.getpid()}-{number}"
        # The root keeps its name: messages and `__FILE__` look as they do in the project.
        self.root = self._folder / project.root.name

    def here(self, path: Path) -> Path:
        """Return the scratch path of a path of the project; others stay as they are."""
        if path.is_relative_to(self._project.root):
            return self.root / path.relative_to(self._project.root)
        return path

    def there(self, path: Path) -> Path:
        """Return the project's path of a path of the scratch copy; others stay as they are."""
        if path.is_relative_to(self.root):
            return self._project.root / path.relative_to(self.root)
        return path

    def transcode(
        self,
        texts: Mapping[Path, str],
        options: TranscodeOptions,
        cancel: Cancel | None = None,
    ) -> TranscodeResult:
        """Transcode the project with `texts` in place of those files' contents.

        Raises:
            WriteError: the cache folder cannot be written.
            FastptError: as `transcode` does.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            (self._folder / _MARK).touch()
            result = transcode(self._project, (), options=options, cancel=cancel, texts=texts)
            for folder in {file.original.parent for file in result.files}:
                self._link_others(folder)
        except OSError as error:
            raise _not_written(self._folder, error) from error
        return result

    def fill(self, files: Mapping[Path, bytes]) -> None:
        """Write a plain copy: these files of the project, and links to what lies beside them.

        Raises:
            WriteError: the cache folder cannot be written.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True)
            (self._folder / _MARK).touch()
            for path, data in files.items():
                target = self.here(path)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)
            for folder in {path.parent for path in files}:
                self._link_others(folder)
        except OSError as error:
            raise _not_written(self._folder, error) from error

    def _link_others(self, folder: Path) -> None:
        for entry in os.scandir(folder):
            path = folder / entry.name
            if not entry.is_file() or path.suffix in SOURCE_SUFFIXES or is_generated(path):
                continue
            target = self.here(path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with contextlib.suppress(FileExistsError):
                target.symlink_to(path)

    def remove(self) -> None:
        """Delete the folder; only one that this class made."""
        if (self._folder / _MARK).exists():
            shutil.rmtree(self._folder, ignore_errors=True)


def _not_written(folder: Path, error: OSError) -> WriteError:
    return WriteError(
        f"the scratch folder {folder} was not written: {error.strerror}",
        next_step="Free some space, or name another folder with FASTPT_CACHE_DIR",
    )


def _parent() -> Path:
    """Return the folder of this machine's copies.

    Several may share one home: a process number means something on its own machine only.
    """
    return cache_dir() / "scratch" / (platform.node() or "this")


def remove_abandoned() -> None:
    """Delete the scratch folders of processes that are gone."""
    parent = _parent()
    for folder in parent.iterdir() if parent.is_dir() else ():
        pid = folder.name.split("-")[1:2]
        if pid and not Path(f"/proc/{pid[0]}").exists() and (folder / _MARK).exists():
            shutil.rmtree(folder, ignore_errors=True)
