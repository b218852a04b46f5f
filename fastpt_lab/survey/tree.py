"""Find what a project holds besides its C++ sources: Python, build files, binaries."""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.host.sourcetree import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterator

_SKIPPED = LEFT_OUT | {
    "venv", ".eggs", ".tox", ".mypy_cache", ".ruff_cache", ".pytest_cache"
}  # fmt: skip
_BUILD_NAMES = frozenset(
    {"CMakeLists.txt", "setup.py", "setup.cfg", "pyproject.toml", "Makefile", "makefile",
     "meson.build", "BUILD", "BUILD.bazel", "requirements.txt", "environment.yml"}
)  # fmt: skip
_BINARIES = frozenset({".so", ".a", ".o", ".obj", ".lib", ".cubin", ".fatbin", ".ptx", ".dll"})
_NVIDIA = (b".nv_fatbin", b"__cudaRegisterFatBinary", b"libcudart.so", b".nvFatBinSegment")
_CUBIN_MACHINE = b"\xbe\x00"
_MAX_BINARY = 512 * 1024 * 1024


class Tree(NamedTuple):
    """The other files of a project, each list sorted."""

    python: tuple[Path, ...]
    build: tuple[Path, ...]
    binaries: tuple[Path, ...]


def walk(root: Path) -> Tree:
    """Return the Python, build and binary files below `root`; links are not followed."""
    python: list[Path] = []
    build: list[Path] = []
    binaries: list[Path] = []
    for path in _files(root):
        name = path.name
        if name in _BUILD_NAMES or path.suffix == ".cmake" or name.startswith("requirements"):
            build.append(path)
        if path.suffix == ".py":
            python.append(path)
        elif path.suffix in _BINARIES or ".so." in name:
            binaries.append(path)
    return Tree(tuple(sorted(python)), tuple(sorted(build)), tuple(sorted(binaries)))


def _files(folder: Path) -> Iterator[Path]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    if any(entry.name == "pyvenv.cfg" for entry in entries):
        return
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            if entry.name not in _SKIPPED and not entry.name.endswith(".egg-info"):
                yield from _files(Path(entry.path))
        elif entry.is_file(follow_symlinks=False):
            yield Path(entry.path)


def is_nvidia_binary(path: Path) -> bool | None:
    """Return whether a binary holds NVIDIA device code or asks for its runtime; None: unread.

    *Source*: nvcc 13 puts device code in `.nv_fatbin` and registers it by
    `__cudaRegisterFatBinary`; a cubin is an ELF file of machine 190.
    """
    if path.suffix in {".ptx", ".cubin", ".fatbin"}:
        return True
    try:
        with path.open("rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            if size == 0 or size > _MAX_BINARY:
                return None if size else False
            with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
                if data[:4] == b"\x7fELF" and data[18:20] == _CUBIN_MACHINE:
                    return True
                return any(data.find(mark) >= 0 for mark in _NVIDIA)
    except (OSError, ValueError):
        return None
