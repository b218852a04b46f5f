"""The sources of a project by name, with what the directory says of each: one fast walk.

The same files as `Project.sources`, for callers that need thousands of them in milliseconds.
"""

from __future__ import annotations

import os
from fnmatch import fnmatch
from typing import TYPE_CHECKING

from fastpt_lab.host.project import (
    _SKIPPED,
    _SKIPPED_SUFFIXES,
    BREADCRUMB,
    SOURCE_SUFFIXES,
    is_generated_text,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.host.project import Project


def source_names(project: Project) -> dict[str, os.stat_result]:
    """Return the status of every original source, by its path from the root with `/`."""
    root = os.fspath(project.root)
    found = {}
    for name, entry in _walk(root, ""):
        if any(fnmatch(name, pattern) for pattern in project.exclude):
            continue
        if entry.is_symlink() and not _link_stays(root, entry.path):
            continue
        if "hip" in name.lower() and _is_generated(entry.path):
            continue
        try:
            found[name] = entry.stat()
        except OSError:
            continue
    return dict(sorted(found.items()))


def _walk(folder: str, prefix: str) -> Iterator[tuple[str, os.DirEntry[str]]]:
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:
        return
    for entry in listed:
        name = entry.name
        if entry.is_dir(follow_symlinks=False):
            if (
                name not in _SKIPPED
                and not name.endswith(_SKIPPED_SUFFIXES)
                and not os.path.exists(f"{entry.path}/pyvenv.cfg")  # noqa: PTH110 - hot loop
            ):
                yield from _walk(entry.path, f"{prefix}{name}/")
        elif os.path.splitext(name)[1] in SOURCE_SUFFIXES:  # noqa: PTH122 - hot loop
            yield prefix + name, entry


def _is_generated(path: str) -> bool:
    try:
        with open(path, "rb") as stream:  # noqa: PTH123 - hot loop
            return is_generated_text(stream.read(len(BREADCRUMB) + 3))
    except OSError:
        return False


def _link_stays(root: str, path: str) -> bool:
    real = os.path.realpath(path)
    return os.path.isfile(real) and real.startswith(root + os.sep)  # noqa: PTH113 - hot loop
