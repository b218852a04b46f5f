"""Files before and after as one unified diff that `git apply` and `patch -p1` take. Pure."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CONTEXT = 3
"""Unchanged lines round each change."""

_NO_NEWLINE = b"\\ No newline at end of file\n"
_ESCAPES = {
    ord("\a"): "\\a",
    ord("\b"): "\\b",
    ord("\t"): "\\t",
    ord("\n"): "\\n",
    ord("\v"): "\\v",
    ord("\f"): "\\f",
    ord("\r"): "\\r",
    ord('"'): '\\"',
    ord("\\"): "\\\\",
}


class Changed(NamedTuple):
    """One file: its path from the root with `/`, and its bytes on both sides.

    A file that is new has none before.
    """

    path: str
    before: bytes | None
    after: bytes


def patch(files: Iterable[Changed]) -> bytes:
    """Return what makes each `after` of its `before`; empty where nothing differs.

    Bytes are kept as they are, whatever the encoding and the line endings. There is no
    `diff --git` line: without one, git takes the paths from the folder it is called in, which
    may lie below the top of the repository.
    """
    return b"".join(_file(changed) for changed in files if changed.before != changed.after)


def _file(changed: Changed) -> bytes:
    lines = difflib.diff_bytes(
        difflib.unified_diff,
        _lines(changed.before or b""),
        _lines(changed.after),
        b"a",
        b"b",
        n=CONTEXT,
    )
    # The two lines of names are written here: git quotes what a line cannot hold.
    next(lines)
    next(lines)
    old = "/dev/null" if changed.before is None else _name("a", changed.path)
    head = f"--- {old}\n+++ {_name('b', changed.path)}\n".encode()
    return head + b"".join(_ended(lines))


def _lines(data: bytes) -> list[bytes]:
    """Split at line feeds alone, as git does."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def _ended(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line
        if not line.endswith(b"\n"):
            yield b"\n" + _NO_NEWLINE


def _name(side: str, path: str) -> str:
    """Return a name as git writes it.

    *Source*: git 2.39, `quote.c`: names with control characters, quotes or backslashes stand in
    quotes; `diff.c`: a tab ends a name that holds a space.
    """
    name = f"{side}/{path}"
    if any(ord(letter) in _ESCAPES or ord(letter) < 32 for letter in name):
        quoted = (
            _ESCAPES.get(ord(letter))
            or (f"\\{ord(letter):03o}" if ord(letter) < 32 else letter)
            for letter in name
        )
        return f'"{"".join(quoted)}"'
    return f"{name}\t" if " " in name else name
