"""Names of half-written files: who writes one can be told from it, so only what is left goes."""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_TEMPORARY = ".fastpt-tmp"
_WRITER = re.compile(rf"\.(\d{{1,10}})\.[0-9a-f]{{12}}{re.escape(_TEMPORARY)}")


def temporary_name() -> str:
    """Return a name for bytes that are to replace a file's; its writer can be told from it.

    The file's own name is no part of it: that one may be as long as names can be.
    """
    return f".{os.getpid()}.{os.urandom(6).hex()}{_TEMPORARY}"


def remove_leftovers(folder: Path) -> tuple[Path, ...]:
    """Delete the temporary files that killed runs left in `folder`; return their paths.

    One whose writer is still at work is left to it.
    """
    try:
        names = [name for name in os.listdir(folder) if name.endswith(_TEMPORARY)]  # noqa: PTH208
    except OSError:
        return ()
    found = tuple(folder / name for name in sorted(names) if _is_left(name))
    for path in found:
        with contextlib.suppress(OSError):
            path.unlink()
    return found


def _is_left(name: str) -> bool:
    writer = _WRITER.fullmatch(name)
    if writer is None or writer[1] == str(os.getpid()):
        return False
    try:
        os.kill(int(writer[1]), 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False
