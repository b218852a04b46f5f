"""Resolve `#include` as the compiler does, within a project."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

_STANDARD = frozenset(
    f"{name}.h"
    for name in (
        "assert", "complex", "ctype", "errno", "fenv", "float", "inttypes", "iso646", "limits",
        "locale", "malloc", "math", "memory", "pthread", "setjmp", "signal", "stdalign", "stdarg",
        "stdatomic", "stdbool", "stddef", "stdint", "stdio", "stdlib", "stdnoreturn", "string",
        "tgmath", "threads", "time", "uchar", "unistd", "wchar", "wctype",
    )
)  # fmt: skip
"""Headers of C and POSIX. A project's file of that name is meant only where it is passed on."""


class Found(NamedTuple):
    """A project file that an include names, and the folder it was found from; both relative.

    `guessed` is whether that folder was neither the including file's nor passed on.
    """

    path: str
    folder: str
    guessed: bool = False


class Resolver:
    """Finds the project file behind an include.

    Quotes look beside the including file first, then everything looks through the include
    folders in their order, and the first match wins (clang and gcc, `-I`).
    """

    def __init__(
        self, files: Collection[str], include_dirs: Sequence[str], *, guess: bool
    ) -> None:
        """Take the project's files and include folders, all relative to the root.

        With `guess`, a header that no folder has is looked for in every folder that holds
        headers: a build script knows folders that nobody passed on. Of several, the nearest to
        the including file is meant, then the shallowest.
        """
        self._files = frozenset(files)
        self._dirs = tuple(_tidy(folder) for folder in include_dirs)
        self._guessed = _header_folders(files) if guess else ()
        self._names = frozenset(posixpath.basename(name) for name in files)
        self._known: dict[tuple[str, str, bool, bool], Found | None] = {}

    def find(
        self, including: str, path: str, *, angled: bool, known: bool = False
    ) -> Found | None:
        """Return the project file that `path` means in the file `including`, if it is one.

        A header that the tables know is only the project's where a compiler would find it.
        """
        if path.rpartition("/")[2] not in self._names or path.startswith("/"):
            return None
        key = (including.rpartition("/")[0], path, angled, known)
        if key not in self._known:
            self._known[key] = self._search(*key)
        return self._known[key]

    def _search(self, beside: str, path: str, angled: bool, known: bool) -> Found | None:
        if not angled:
            found = self._in(beside, path)
            if found:
                return found
        for folder in self._dirs:
            found = self._in(folder, path)
            if found:
                return found
        if known or path in _STANDARD:
            return None
        guesses = [found for folder in self._guessed if (found := self._in(folder, path))]
        nearest = min(guesses, key=lambda found: _steps(beside, found.folder), default=None)
        return nearest._replace(guessed=True) if nearest else None

    def _in(self, folder: str, path: str) -> Found | None:
        full = posixpath.normpath(posixpath.join(folder, path))
        return Found(full, folder) if full in self._files else None


def relative_path(path: str, folder: str) -> str:
    """Return `path` as seen from `folder`, both from one root, tidy, and with `/`.

    >>> relative_path("csrc/hip/a.h", "csrc/cuda")
    '../hip/a.h'
    """
    if not folder:
        return path
    if path.startswith(folder + "/"):
        return path[len(folder) + 1 :]
    steps, target = folder.split("/"), path.split("/")
    common = 0
    while common < min(len(steps), len(target) - 1) and steps[common] == target[common]:
        common += 1
    return "/".join([".."] * (len(steps) - common) + target[common:])


def _steps(one: str, other: str) -> int:
    """Return how many folders lie between two folders, up and down."""
    up, down = (folder.split("/") if folder else [] for folder in (one, other))
    common = len(posixpath.commonprefix([up, down]))
    return len(up) + len(down) - 2 * common


def _tidy(folder: str) -> str:
    tidy = posixpath.normpath(folder)
    return "" if tidy == "." else tidy


def _header_folders(files: Iterable[str]) -> tuple[str, ...]:
    folders: set[str] = {""}
    for name in files:
        folder = posixpath.dirname(name)
        while folder and folder not in folders:
            folders.add(folder)
            folder = posixpath.dirname(folder)
    return tuple(sorted(folders, key=lambda f: (f.count("/") + bool(f), f)))
