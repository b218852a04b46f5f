"""Two texts side by side: which lines belong together, and which of them may be folded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.text import Document

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastpt_lab.core.sourcemap import Origin, SourceMap
    from fastpt_lab.core.text import TextDocumentEdit

CONTEXT = 3
"""Unchanged lines shown around a change or a message."""


class Row(NamedTuple):
    """A line of each side, zero-based; None where the other side has no such line."""

    left: int | None
    right: int | None
    changed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Hunk:
    """Rows that belong together; a folded one holds neither a change nor a message."""

    rows: tuple[Row, ...]
    folded: bool


def pair_lines(left: Document, right: Document, source_map: SourceMap) -> tuple[Row, ...]:
    """Return the rows of a side-by-side view, both texts whole and in order.

    Line starts that are copied pair up; what lies between two pairs stands side by side as far
    as it goes.
    """
    pairs: list[tuple[int, int]] = []
    for number in range(right.line_count):
        offset = source_map.to_original(right.offset(right.line_range(number).start))
        if offset is None:
            continue
        place = left.position(offset)
        rising = not pairs or place.line > pairs[-1][0]
        if place.character == 0 and rising:
            pairs.append((place.line, number))
    rows: list[Row] = []
    last_left = last_right = -1
    for at_left, at_right in [*pairs, (left.line_count, right.line_count)]:
        rows += _between(last_left + 1, at_left, last_right + 1, at_right)
        if at_left < left.line_count:
            changed = left.line(at_left).rstrip("\r\n") != right.line(at_right).rstrip("\r\n")
            rows.append(Row(at_left, at_right, changed))
        last_left, last_right = at_left, at_right
    return tuple(rows)


def _between(left: int, left_end: int, right: int, right_end: int) -> list[Row]:
    height = max(left_end - left, right_end - right)
    return [
        Row(
            left + i if left + i < left_end else None,
            right + i if right + i < right_end else None,
            changed=True,
        )
        for i in range(height)
    ]


def fold(rows: Iterable[Row], *, keep_left: Iterable[int] = ()) -> tuple[Hunk, ...]:
    """Return `rows` as hunks; changed lines, `keep_left` and their context are never folded."""
    rows = tuple(rows)
    kept = set(keep_left)
    shown = [False] * len(rows)
    for index, row in enumerate(rows):
        if row.changed or row.left in kept:
            for near in range(max(0, index - CONTEXT), min(len(rows), index + CONTEXT + 1)):
                shown[near] = True
    hunks: list[Hunk] = []
    start = 0
    for index in range(1, len(rows) + 1):
        if index == len(rows) or shown[index] != shown[start]:
            # A fold that hides two lines saves nothing.
            folded = not shown[start] and index - start > 2
            hunks.append(Hunk(rows=rows[start:index], folded=folded))
            start = index
    return tuple(hunks)


def side_by_side(origin: Origin, *, keep_left: Iterable[int] = ()) -> tuple[Hunk, ...]:
    """Return an original beside its output, folded."""
    return fold(
        pair_lines(origin.original, origin.generated, origin.source_map), keep_left=keep_left
    )


class EditLine(NamedTuple):
    """A line of the mini diff of an edit: `mark` is `+`, `-` or a space; `number` zero-based.

    `number` counts lines of the text as it will be, of the text as it is for `-`.
    """

    mark: str
    number: int
    text: str


def edit_lines(
    before: Document, edit: TextDocumentEdit, *, context: int = 1
) -> tuple[EditLine, ...]:
    """Return the lines that `edit` adds and removes in `before`, with lines around them.

    Only touched lines are compared, so that a guard shows as lines added around the old ones.
    """
    after = before.apply(edit.edits)
    out: list[EditLine] = []
    shift = 0
    done = 0
    for first, last, grown in _touched(before, edit):
        for number in range(max(done, first - context), first):
            out.append(EditLine(" ", number + shift, _content(before, number)))
        old = [_content(before, number) for number in range(first, last)]
        new = [_content(after, n) for n in range(first + shift, last + shift + grown)]
        out += _merge(old, new, first, first + shift)
        shift += grown
        done = min(last + context, before.line_count)
        following = [n for n in range(last, done) if before.line(n)]
        out += [EditLine(" ", n + shift, _content(before, n)) for n in following]
    return tuple(dict.fromkeys(out))


def _content(document: Document, number: int) -> str:
    return document.line(number).rstrip("\r\n")


def _touched(before: Document, edit: TextDocumentEdit) -> list[tuple[int, int, int]]:
    """Return blocks of touched lines: first, end excluded, and by how many lines they grow."""
    blocks: list[tuple[int, int, int]] = []
    for change in sorted(edit.edits, key=lambda e: e.range):
        start, end = change.range.start, change.range.end
        # Whole lines end at the beginning of a line that stays as it is.
        whole = end.character == 0 and change.new_text[-1:] in ("", "\n", "\r")
        last = end.line if whole else end.line + 1
        grown = Document(change.new_text).line_count - 1 - (end.line - start.line)
        if blocks and start.line < blocks[-1][1]:
            first, old_last, old_grown = blocks.pop()
            blocks.append((first, max(last, old_last), grown + old_grown))
        else:
            blocks.append((start.line, last, grown))
    return blocks


def _merge(old: list[str], new: list[str], old_at: int, new_at: int) -> list[EditLine]:
    """Return a line diff of two short lists by their longest common subsequence."""
    height, width = len(old), len(new)
    table = [[0] * (width + 1) for _ in range(height + 1)]
    for i in range(height - 1, -1, -1):
        for j in range(width - 1, -1, -1):
            table[i][j] = (
                table[i + 1][j + 1] + 1
                if old[i] == new[j]
                else max(table[i + 1][j], table[i][j + 1])
            )
    out: list[EditLine] = []
    i = j = 0
    while i < height or j < width:
        if i < height and j < width and old[i] == new[j]:
            out.append(EditLine(" ", new_at + j, new[j]))
            i, j = i + 1, j + 1
        elif j < width and (i == height or table[i][j + 1] > table[i + 1][j]):
            out.append(EditLine("+", new_at + j, new[j]))
            j += 1
        else:
            out.append(EditLine("-", old_at + i, old[i]))
            i += 1
    return out
