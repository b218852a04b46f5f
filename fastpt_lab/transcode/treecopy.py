"""The rest of a `<dir>_dtk` copy: every file of the project that is not a source to transcode."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import WriteError
from fastpt_lab.host.project import is_generated
from fastpt_lab.host.sourcetree import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

# `dist` may be a package of the project: its Python files belong to the copy.
_LEFT_OUT = LEFT_OUT - {"dist"}


def copy_rest(root: Path, copy: Path, sources: Collection[str]) -> tuple[str, ...]:
    """Bring the files of `root` that are not in `sources` to `copy`; return remarks.

    Files that are the same, by size and time, are not touched. A file in the copy that is newer
    than its original was edited there, and is kept.

    Raises:
        WriteError: the copy cannot be written.
    """
    remarks = []
    for name in _others(root, sources):
        original, target = root / name, copy / name
        try:
            if _same(original, target):
                continue
            if target.exists() and target.stat().st_mtime_ns > original.stat().st_mtime_ns:
                remarks.append(f"{target} is newer than {original} and was kept")
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copy2(original, target, follow_symlinks=False)
        except OSError as error:
            raise WriteError(
                f"{target} was not copied: {error.strerror}", next_step="Check the folder"
            ) from error
    return tuple(remarks)


def _others(root: Path, sources: Collection[str]) -> Iterator[str]:
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name for name in folders if name not in _LEFT_OUT and not name.endswith("_dtk")
        )
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if relative not in sources and (path.is_symlink() or not is_generated(path)):
                yield relative


def _same(original: Path, target: Path) -> bool:
    try:
        before, after = original.lstat(), target.lstat()
    except FileNotFoundError:
        return False
    return (before.st_size, before.st_mtime_ns) == (after.st_size, after.st_mtime_ns)
