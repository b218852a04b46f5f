"""The files of a repository: their digest, and a copy of them to work in; it is never written."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from fastpt_lab.core.errors import PathMissingError, UnreadableFileError, WriteError
from fastpt_lab.host.files import MAX_SOURCE_BYTES
from fastpt_lab.host.project import is_generated
from fastpt_lab.host.sourcetree import LEFT_OUT

if TYPE_CHECKING:
    from collections.abc import Iterator

_CHUNK = 1 << 20


class _Entry(NamedTuple):
    """A file or link of a repository, by its path from the root."""

    name: str
    path: Path
    status: os.stat_result


def copy_repository(root: Path, target: Path) -> str:
    """Copy `root` to `target` and return the digest of what was copied.

    Version control, build folders, environments and generated files are left out, and so is what
    is no regular file. A link inside stays one; one that leads out, and a file too large to be a
    source, becomes a link to the original, which nothing writes through: `host.files.inside`
    refuses it.

    Raises:
        PathMissingError: there is no such folder.
        UnreadableFileError: something in it cannot be read.
        WriteError: the copy cannot be written.
    """
    found = hashlib.sha256()
    target.mkdir(parents=True, exist_ok=True)
    for entry in _entries(root):
        copy = target / entry.name
        try:
            copy.parent.mkdir(parents=True, exist_ok=True)
            if stat.S_ISLNK(entry.status.st_mode):
                copy.symlink_to(_link_target(root, entry.path))
            elif entry.status.st_size > MAX_SOURCE_BYTES:
                copy.symlink_to(entry.path)
            else:
                shutil.copyfile(entry.path, copy)
                copy.chmod(stat.S_IMODE(entry.status.st_mode) | stat.S_IRUSR | stat.S_IWUSR)
        except OSError as error:
            _refuse(error, entry.path, copy)
        # What was copied is what counts, whatever happens to the original meanwhile.
        _add(found, entry, copy)
    return found.hexdigest()


def digest_of_repository(root: Path) -> str:
    """Return the digest that `copy_repository` would return.

    Raises:
        PathMissingError: there is no such folder.
        UnreadableFileError: something in it cannot be read.
    """
    found = hashlib.sha256()
    for entry in _entries(root):
        _add(found, entry, entry.path)
    return found.hexdigest()


def _add(found: hashlib._Hash, entry: _Entry, path: Path) -> None:
    """Add an entry's name, kind and content, read at `path`; large files count by their size."""
    name = os.fsencode(entry.name)
    if stat.S_ISLNK(entry.status.st_mode):
        content = b"link " + os.fsencode(entry.path.readlink())
    elif entry.status.st_size > MAX_SOURCE_BYTES:
        content = b"size %d %d" % (entry.status.st_size, entry.status.st_mtime_ns)
    else:
        content = b"file " + _file_digest(path)
    for part in (name, content):
        found.update(b"%d:" % len(part) + part)


def _file_digest(path: Path) -> bytes:
    digest = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            while chunk := stream.read(_CHUNK):
                digest.update(chunk)
    except OSError as error:
        _refuse(error, path, path)
    return digest.digest()


def _entries(root: Path) -> Iterator[_Entry]:
    """Yield the files and links of a repository, sorted by path.

    Raises:
        PathMissingError, UnreadableFileError: as `copy_repository` does.
    """
    if not root.is_dir():
        raise PathMissingError(f"there is no folder {root}", next_step="Correct the list")
    yield from _walk(root, "")


def _walk(folder: Path, prefix: str) -> Iterator[_Entry]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)
        for entry in listed:
            path, name = folder / entry.name, prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if not _left_out(path):
                    yield from _walk(path, f"{name}/")
                continue
            status = entry.stat(follow_symlinks=False)
            regular = stat.S_ISREG(status.st_mode)
            if stat.S_ISLNK(status.st_mode) or (regular and not _is_output(path)):
                yield _Entry(name, path, status)
    except OSError as error:
        _refuse(error, folder, folder)


def _is_output(path: Path) -> bool:
    # Names of outputs always hold "hip" (transcode/names.py); the rest need no look.
    return "hip" in path.name.lower() and is_generated(path)


def _left_out(folder: Path) -> bool:
    return folder.name in LEFT_OUT or (folder / "pyvenv.cfg").exists()


def _link_target(root: Path, link: Path) -> Path:
    target = link.readlink()
    # pathlib's resolve raises RuntimeError at a loop of links (Python 3.12).
    real = Path(os.path.realpath(link))
    return target if not target.is_absolute() and real.is_relative_to(root) else real


def _refuse(error: OSError, source: Path, copy: Path) -> NoReturn:
    """Raise what an operating system's error means here."""
    if error.filename is not None and Path(os.fsdecode(error.filename)) == source:
        raise UnreadableFileError(
            f"{source} cannot be read: {error.strerror}", next_step="Check its permissions"
        ) from error
    raise WriteError(
        f"{copy} was not written: {error.strerror}",
        next_step="Free some space, or name another --out",
    ) from error
