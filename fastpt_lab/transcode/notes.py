"""What the transcoder wants a person to know about a place of an original."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from fastpt_lab.core.text import Document, Position, Range

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence


class NoteKind(str, Enum):
    """Why a place is worth a look.

    UNMAPPED: no table knows the CUDA name, so it stays.
    MISSING_HERE: it was mapped, and the installed HIP headers do not have the HIP name.
    KEPT_CUDA_BRANCH: a branch that the project keeps for CUDA was left as it is.
    KEPT_HIP_LINE: a line of a HIP branch defines a CUDA name by its HIP one, and stays.
    INCLUDE_REWRITTEN, INCLUDE_SYSTEM, INCLUDE_NOT_FOUND: what became of an `#include`.
    RUNTIME_INCLUDE: the HIP runtime header was added, as nvcc adds CUDA's by itself.
    VERSION_BRANCH: a condition on a CUDA version, with its value on this stack.
    CUSTOM_MAPPING: something about the custom mapping file itself.
    EDITED_OUTPUT: the generated file was edited by hand; the edited copy was kept.
    """

    UNMAPPED = "unmapped"
    MISSING_HERE = "missing-here"
    KEPT_CUDA_BRANCH = "kept-cuda-branch"
    KEPT_HIP_LINE = "kept-hip-line"
    INCLUDE_REWRITTEN = "include-rewritten"
    INCLUDE_SYSTEM = "include-system"
    INCLUDE_NOT_FOUND = "include-not-found"
    RUNTIME_INCLUDE = "runtime-include"
    VERSION_BRANCH = "version-branch"
    CUSTOM_MAPPING = "custom-mapping"
    EDITED_OUTPUT = "edited-output"


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One remark; `range` is the place in the original."""

    kind: NoteKind
    message: str
    range: Range


class Remark(NamedTuple):
    """A note by its offsets, before anyone asks for lines."""

    kind: NoteKind
    message: str
    start: int
    end: int


def rows_of(text: str, remarks: Iterable[Remark]) -> list[list[Any]]:
    """Return remarks on `text` as the record keeps them.

    Each is its kind, its message, and the line and character of its start and end. A few places
    in a text are found faster by counting on than by an index of all its lines.
    """
    found: list[list[Any]] = []
    if "\r" in text:
        position = Document(text).position
        for r in remarks:
            found.append([r.kind.value, r.message, *position(r.start), *position(r.end)])
        return found
    line, at = 0, 0
    for r in remarks:
        if r.start < at:
            line, at = 0, 0
        line, at = line + text.count("\n", at, r.start), r.start
        last = line + text.count("\n", at, r.end)
        found.append(
            [r.kind.value, r.message, line, _column(text, at), last, _column(text, r.end)]
        )
    return found


def _column(text: str, offset: int) -> int:
    return offset - text.rfind("\n", 0, offset) - 1


def from_rows(
    rows: Iterable[Sequence[Any]], own_names: Container[str] = ()
) -> tuple[Note, ...]:
    """Return the notes of rows, without those on names that the project defines itself."""
    unmapped = NoteKind.UNMAPPED.value
    return tuple(
        Note(
            kind=NoteKind(kind),
            message=message,
            range=Range(Position(line, character), Position(end_line, end_character)),
        )
        for kind, message, line, character, end_line, end_character in rows
        if kind != unmapped or message.partition(" ")[0] not in own_names
    )
