"""Where generated files go, what stands at their top, and what must never be overwritten."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.errors import WriteError
from fastpt_lab.host.files import refuse_links
from fastpt_lab.host.project import is_generated
from fastpt_lab.host.temporary import temporary_name
from fastpt_lab.transcode.engine import BREADCRUMB
from fastpt_lab.transcode.names import hip_path

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fastpt_lab.host.files import SourceFile

_ORIGIN = re.compile(
    rb"// transcoded by fastpt-lab from (?P<name>[^\r\n]*) (?P<digest>sha256:[0-9a-f]{64})[\r\n]"
)
_SHORT = 200
"""Characters of a file's name that leave room for a time stamp behind it, if they are ASCII."""
_DTK_MACROS = ("USE_ROCM", "__HIP_PLATFORM_AMD__", "__HIP_PLATFORM_HCC__")
"""What torch and HIP's own headers define between them, for builds that pass no such flag."""


class Claim(NamedTuple):
    """What the second line of a generated file says: its original and that one's digest."""

    original: str
    digest: str


def heading(source: SourceFile, original: str, *, newline: str, dtk_macros: bool) -> str:
    """Return the first lines of a generated file.

    The first is torch's own, whole, so that torch's hipify does not take the file for a source;
    the second names the original, relative to the generated file, and its digest.
    """
    name = original.encode("ascii", "backslashreplace").decode("ascii").replace("\\", "/")
    lines = [BREADCRUMB, f"// transcoded by fastpt-lab from {name} {source.document.digest}"]
    if dtk_macros:
        for macro in _DTK_MACROS:
            lines += [f"#ifndef {macro}", f"#define {macro} 1", "#endif"]
    return "".join(line + newline for line in lines)


def claim_of(path: Path) -> Claim | None:
    """Return what a generated file says of its original; None if it is not this engine's."""
    try:
        with path.open("rb") as stream:
            head = stream.read(4096)
    except OSError:
        return None
    found = _ORIGIN.search(head)
    return (
        Claim(found["name"].decode("ascii", "replace"), found["digest"].decode())
        if found
        else None
    )


def output_name(relative: str, *, keep: bool) -> str:
    """Return the output's path from the output root, for an original's path from the root."""
    return relative if keep else hip_path(relative)


def collisions(names: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the originals that share an output with others, each with those others."""
    by_output: dict[str, list[str]] = {}
    for original, output in names.items():
        by_output.setdefault(output, []).append(original)
    return {
        original: tuple(name for name in group if name != original)
        for group in by_output.values()
        if len(group) > 1
        for original in group
    }


def leading_out(out: Path, folders: Iterable[str]) -> frozenset[str]:
    """Return those of `folders`, paths from the output root, that symbolic links lead out of it."""
    root = os.path.realpath(out)
    real = {folder: os.path.realpath(os.path.join(root, folder)) for folder in folders}  # noqa: PTH118
    return frozenset(
        folder for folder, path in real.items() if not f"{path}/".startswith(f"{root}/")
    )


def is_hand_written(path: Path) -> bool:
    """Whether there is a file at `path` that no transcoder wrote."""
    return path.exists() and not is_generated(path)


def replace_bytes(path: Path, data: bytes, mode: int) -> os.stat_result:
    """Replace the bytes of a generated file at once; return what it is on disk now.

    Nothing waits for the disk: the file can be made again, and a reader or a killed process
    still sees the old bytes or the new ones.

    Raises:
        WriteError: the folder is read-only, full, or cannot be made.
    """
    temporary = f"{path.parent}/{temporary_name()}"
    try:
        try:
            descriptor = _open_new(temporary, mode)
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
            descriptor = _open_new(temporary, mode)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            info = os.fstat(descriptor)
            if stat.S_IMODE(info.st_mode) != mode:
                os.fchmod(descriptor, mode)
                info = os.fstat(descriptor)
        finally:
            os.close(descriptor)
        os.replace(temporary, path)  # noqa: PTH105 - in the hot loop
    except OSError as error:
        Path(temporary).unlink(missing_ok=True)
        raise WriteError(
            f"{path} was not written: {error.strerror}; the old bytes are still there",
            next_step="Check the folder's permissions and free space",
        ) from error
    return info


def _open_new(path: str, mode: int) -> int:
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)


def keep_edited_copy(path: Path, state_dir: Path) -> Path:
    """Save the bytes of a generated file that somebody edited, and return where."""
    info = path.stat()
    target = state_dir / "edited-outputs" / f"{path.name[:_SHORT]}.{info.st_mtime_ns}"
    refuse_links(target)
    replace_bytes(target, path.read_bytes(), stat.S_IMODE(info.st_mode))
    return target


def remove_outputs(out: Path, paths: Iterable[Path]) -> tuple[Path, ...]:
    """Delete generated files below `out`, and only those; return what was deleted."""
    removed = []
    for path in paths:
        if is_generated(path) and not leading_out(out, [str(path.parent)]):
            path.unlink(missing_ok=True)
            removed.append(path)
    return tuple(removed)
