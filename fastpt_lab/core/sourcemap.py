"""From a place in a generated file back to the original, and forward."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.text import Document, Location, Range

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Segment(NamedTuple):
    """`original_length` characters at `original` became `generated_length` at `generated`.

    Offsets and lengths count code points. An `original_length` of 0 is text that the
    transcoder added.
    """

    original: int
    original_length: int
    generated: int
    generated_length: int


@dataclass(frozen=True)
class SourceMap:
    """The places where two texts differ, in order; everything between them is copied.

    Attributes:
        segments: sorted, not overlapping, in both texts.
        exact: whether the transcoder recorded them; False if they were found by alignment.
    """

    segments: tuple[Segment, ...] = ()
    exact: bool = True

    @classmethod
    def from_replacements(cls, replacements: Iterable[tuple[int, int, str]]) -> SourceMap:
        """Return the map of replacing `original[start:end]` by a text, in rising order."""
        segments: list[Segment] = []
        shift = 0
        for start, end, new in replacements:
            segments.append(Segment(start, end - start, start + shift, len(new)))
            shift += len(new) - (end - start)
        return cls(tuple(segments))

    @cached_property
    def _generated_starts(self) -> list[int]:
        return [segment.generated for segment in self.segments]

    @cached_property
    def _original_starts(self) -> list[int]:
        return [segment.original for segment in self.segments]

    def to_original(self, offset: int) -> int | None:
        """Return the original offset of a generated one; None inside text that was added.

        The first character of replaced text maps to the first of what it replaced, a later one
        to the same distance from it, at most the last replaced character.
        """
        index = bisect.bisect_right(self._generated_starts, offset) - 1
        # A deletion leaves no generated character; the text after it belongs to the copy.
        if index < 0:
            return offset
        segment = self.segments[index]
        inside = offset - segment.generated
        if inside >= segment.generated_length:
            return (
                segment.original + segment.original_length + inside - segment.generated_length
            )
        if segment.original_length == 0:
            return None
        return segment.original + min(inside, segment.original_length - 1)

    def to_generated(self, offset: int) -> int:
        """Return the generated offset of an original one."""
        index = bisect.bisect_right(self._original_starts, offset) - 1
        if index < 0:
            return offset
        segment = self.segments[index]
        inside = offset - segment.original
        if inside >= segment.original_length:
            return (
                segment.generated + segment.generated_length + inside - segment.original_length
            )
        return segment.generated + min(inside, max(segment.generated_length - 1, 0))


@dataclass(frozen=True)
class Origin:
    """Where a generated file came from: both texts and the map between them."""

    original_path: Path
    original: Document
    generated: Document
    source_map: SourceMap

    def locate(self, span: Range) -> Location | None:
        """Return the original location of a range of the generated file, None if it was added.

        A range of which only the end lies in added text keeps its start and becomes empty.
        """
        start = self.source_map.to_original(self.generated.offset(span.start))
        if start is None:
            return None
        end = self.source_map.to_original(self.generated.offset(span.end))
        if end is None or end < start:
            end = start
        return Location(self.original_path, self.original.range_of(start, end))
