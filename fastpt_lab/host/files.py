"""Read and replace bytes: encoding, newline style, byte order mark, mode, digest, locks.

Nothing here changes a byte that it was not given: what cannot be decoded is refused or kept
as latin-1, where every byte is one character.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import fcntl
import os
import stat
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import (
    LockedError,
    OutsideRootError,
    PathMissingError,
    UnreadableFileError,
    WriteError,
)
from fastpt_lab.core.text import Document, digest_of
from fastpt_lab.host.temporary import remove_leftovers, temporary_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MAX_SOURCE_BYTES = 64 * 1024 * 1024
"""Larger files are data, not sources; torch 2.13's largest header has 2 MB."""

STATE_FOLDER = ".fastpt"
"""Where a project's manifest, journal and session live."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """A source as read: its bytes, their meaning, and how to write it back."""

    path: Path
    data: bytes
    document: Document
    bom: bytes
    mode: int

    def encode(self, text: str) -> bytes:
        """Return the bytes of `text` in this file's encoding, byte order mark included.

        Raises:
            UnreadableFileError: `text` has a character that the encoding has not.
        """
        try:
            return self.bom + text.encode(self.document.encoding)
        except UnicodeEncodeError as error:
            raise UnreadableFileError(
                f"{self.path.name} is {self.document.encoding} and cannot hold "
                f"{error.object[error.start : error.end]!r}",
                next_step="Convert the file to UTF-8 first",
            ) from error


def decode_source(data: bytes, path: Path) -> tuple[Document, bytes]:
    """Return the document in `data` and its byte order mark.

    UTF-8 first, then GB18030 (a superset of GBK and GB2312) if it gives the bytes back, then
    latin-1.

    Raises:
        UnreadableFileError: the bytes are UTF-16/32 or not text.
    """
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableFileError(
            f"{path} is UTF-16, which neither nvcc nor hipcc reads",
            next_step="Save it as UTF-8",
        )
    if b"\0" in data:
        raise UnreadableFileError(
            f"{path} holds binary data", next_step="Leave it out, or name the sources"
        )
    bom = codecs.BOM_UTF8 if data.startswith(codecs.BOM_UTF8) else b""
    body = data[len(bom) :]
    text, encoding = _decoded(body)
    return Document(text, encoding, digest_of(data)), bom


def _decoded(body: bytes) -> tuple[str, str]:
    with contextlib.suppress(UnicodeDecodeError):
        # What this takes, it gives back: overlong forms and surrogates are refused.
        return body.decode("utf-8"), "utf-8"
    with contextlib.suppress(UnicodeDecodeError):
        text = body.decode("gb18030")
        if text.encode("gb18030") == body:
            return text, "gb18030"
    return body.decode("latin-1"), "latin-1"


def read_bytes(path: Path, *, limit: int | None = None) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        PathMissingError: there is no such file.
        UnreadableFileError: it is not a regular file, too large, or may not be read.
    """
    return _read(path, limit)[0]


def _read(path: Path, limit: int | None) -> tuple[bytes, int]:
    """Return the bytes of a regular file and its mode, and never wait at a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            info = os.fstat(descriptor)
            if not stat.S_ISREG(info.st_mode):
                raise UnreadableFileError(
                    f"{path} is not a regular file", next_step="Name a source file"
                )
            if limit is not None and info.st_size > limit:
                raise UnreadableFileError(
                    f"{path} has {info.st_size:,} bytes, more than {limit:,}",
                    next_step="Leave it out, or split it",
                )
            return _all_bytes(descriptor, info.st_size), stat.S_IMODE(info.st_mode)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise PathMissingError(
            f"there is no file {path}", next_step="Check the path"
        ) from error
    except OSError as error:
        raise UnreadableFileError(
            f"{path} cannot be read: {error.strerror}",
            next_step="Check its type and permissions",
        ) from error


def _all_bytes(descriptor: int, size: int) -> bytes:
    parts = []
    while part := os.read(descriptor, max(size + 1, 1 << 16)):
        parts.append(part)
        if len(part) == size:
            break
    return b"".join(parts) if len(parts) != 1 else parts[0]


def read_source(path: Path) -> SourceFile:
    """Read a source file.

    Raises:
        PathMissingError: there is no such file.
        UnreadableFileError: it is not text, too large, or may not be read.
    """
    data, mode = _read(path, MAX_SOURCE_BYTES)
    document, bom = decode_source(data, path)
    return SourceFile(path=path, data=data, document=document, bom=bom, mode=mode)


def inside(root: Path, path: Path) -> Path:
    """Return `path` with its symbolic links resolved, if that lies in `root`.

    Raises:
        OutsideRootError: it leads out of `root`.
    """
    resolved = path.resolve()
    if not resolved.is_relative_to(root.resolve()):
        raise OutsideRootError(
            f"{path} leads out of the project {root}",
            next_step="Pass --root with the folder that holds both",
        )
    return resolved


def _write_error(path: Path, error: OSError) -> WriteError:
    steps = {
        errno.ENOSPC: "Free some space and run it again",
        errno.EDQUOT: "Free some of your quota and run it again",
        errno.EROFS: "Copy the project to a writable place",
        errno.EACCES: "Give yourself write permission on the folder",
        errno.EPERM: "Give yourself write permission on the folder",
    }
    return WriteError(
        f"{path} was not written: {error.strerror}; the old bytes are still there",
        next_step=steps.get(error.errno or 0, "Check the folder and run it again"),
    )


def check_writable(path: Path) -> None:
    """Refuse a file or folder that is marked read-only.

    The superuser may write anywhere, so the mode bits are looked at and not only the rights:
    a file that somebody marked read-only was meant to stay.

    Raises:
        WriteError: no write bit is set on the file or its folder, or the rights are missing.
    """
    for place in (path, path.parent):
        try:
            mode = place.stat().st_mode
        except FileNotFoundError:
            continue
        if not mode & 0o222 or not os.access(place, os.W_OK):
            raise WriteError(
                f"{path} was not written: {place} is read-only",
                next_step="Make it writable (chmod u+w) or copy the project",
            )


def refuse_links(path: Path) -> None:
    """Refuse a path of ours, in a project's `.fastpt`, of which a part is a symbolic link.

    A project that came from elsewhere could lead what is kept there to any file of the user's.

    Raises:
        OutsideRootError: `.fastpt`, or something below it on the way, is a link.
    """
    if STATE_FOLDER not in path.parts:
        return
    for place in (path, *path.parents):
        if place.is_symlink():
            raise OutsideRootError(
                f"{place} is a symbolic link, and nothing is written through it",
                next_step="Remove the link; the folder is made anew",
            )
        if place.name == STATE_FOLDER:
            return


def _stage(path: Path, data: bytes, mode: int) -> Path:
    """Write `data` durably beside `path` and return the temporary file."""
    temporary = path.with_name(temporary_name())
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise _write_error(path, error) from error
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fchmod(stream.fileno(), mode)
            os.fsync(stream.fileno())
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _write_error(path, error) from error
    return temporary


def write_all(changes: Sequence[tuple[Path, bytes]]) -> None:
    """Replace the bytes of several files: all are staged before the first is replaced.

    Each replacement is one atomic rename, so a reader sees old or new bytes, never a part.
    Mode bits are kept; a symbolic link stays one and its target is replaced. A crash between
    two renames leaves whole files; the journal of `fix/` tells which.

    Raises:
        WriteError: read-only, no space, no permission; nothing was replaced.
    """
    staged: list[tuple[Path, Path]] = []
    try:
        for path, data in changes:
            target = path.resolve()
            check_writable(target)
            try:
                mode = stat.S_IMODE(target.stat().st_mode)
            except FileNotFoundError:
                mode = 0o666 & ~_umask()
            staged.append((_stage(target, data, mode), target))
        while staged:
            temporary, target = staged[0]
            try:
                temporary.replace(target)
            except OSError as error:
                raise _write_error(target, error) from error
            staged.pop(0)
    finally:
        for temporary, _ in staged:
            temporary.unlink(missing_ok=True)


def _umask() -> int:
    """Return the process's file mode mask without changing it (Linux; else the usual 022)."""
    with contextlib.suppress(OSError, ValueError):
        for line in Path("/proc/self/status").read_text("ascii", "replace").splitlines():
            if line.startswith("Umask:"):
                return int(line.split()[1], 8)
    return 0o022


def write_atomic(path: Path, data: bytes) -> None:
    """Replace the bytes of one file, creating its folder where that is missing.

    What a killed run left half-written beside it goes.

    Raises:
        WriteError: read-only, no space, no permission; the old bytes are still there.
        OutsideRootError: it is one of ours, and a link leads to it.
    """
    refuse_links(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise _write_error(path, error) from error
    remove_leftovers(path.parent)
    write_all([(path, data)])


@contextlib.contextmanager
def lock(folder: Path, *, wait: float = 10.0) -> Iterator[None]:
    """Hold the one lock of `folder`, for writers of its files, while the block runs.

    The kernel releases it when the holder dies, so no stale lock can stay behind.

    Args:
        folder: created if missing.
        wait: seconds to wait for another holder.

    Raises:
        LockedError: another process holds it.
        WriteError: the folder cannot be made.
        OutsideRootError: it is one of ours, and a link leads to it.
    """
    refuse_links(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(folder / "lock", flags, 0o644)
    except OSError as error:
        raise _write_error(folder / "lock", error) from error
    try:
        deadline = time.monotonic() + wait
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if time.monotonic() >= deadline:
                    raise LockedError(
                        f"another process is working in {folder.parent}",
                        next_step="Wait for it, or stop it, and run this again",
                    ) from error
                time.sleep(0.05)
        yield
    finally:
        os.close(descriptor)
