"""Write some files and remove others, as one step of the journal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.errors import WriteError
from fastpt_lab.host.files import check_writable, write_all

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def write_or_remove(changes: Sequence[tuple[Path, bytes | None]]) -> None:
    """Replace the bytes of files; those without bytes are removed, after the others are written.

    Raises:
        WriteError: read-only, no space, no permission; a file that stays has its old bytes.
    """
    gone = [path for path, data in changes if data is None]
    for path in gone:
        check_writable(path)
    write_all([(path, data) for path, data in changes if data is not None])
    for path in gone:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise WriteError(
                f"{path} was not removed: {error.strerror}", next_step="Remove it by hand"
            ) from error
