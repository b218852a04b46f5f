"""The map between two texts when nobody recorded it: lines first, then the words in a line.

Other transcoders add lines at the top and rename words, so nearly every line has its partner.
Lines that stand only once in each text are anchors; between two anchors the rest is matched by
its words, with everything that a rename touches made equal first.
"""

from __future__ import annotations

import bisect
import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from fastpt_lab.core.sourcemap import Segment, SourceMap

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_WORD = re.compile(r"\w+|\s+|[^\w\s]")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_RENAMED = re.compile(r"\w*(?:cuda|hip|cu[A-Z]|roc|thc|thh|cub)\w*", re.IGNORECASE)
_MAX_COMPARED = 400
"""Words of one differing stretch that are compared one by one: difflib takes their square."""


def align(original: str, generated: str) -> SourceMap:
    """Return the map from `generated` back to `original`, found by comparing them.

    What was added maps to nothing, what was renamed to what it was; where two stretches have
    nothing in common, their ends map to each other.
    """
    segments: list[Segment] = []
    before, after = _lines(original), _lines(generated)
    for (a0, a1), (b0, b1) in _blocks(
        [original[a:b] for a, b in before], [generated[a:b] for a, b in after]
    ):
        first = (_start(before, a0, original), _start(before, a1, original))
        second = (_start(after, b0, generated), _start(after, b1, generated))
        segments += _words(original, first, generated, second)
    return SourceMap(tuple(_merged(segments)), exact=False)


def _lines(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _LINE.finditer(text) if match.end() > match.start()]


def _start(lines: Sequence[tuple[int, int]], index: int, text: str) -> int:
    return lines[index][0] if index < len(lines) else len(text)


def _blocks(
    before: list[str], after: list[str]
) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the ranges of lines that differ, smallest first by position."""
    plain_a = [_RENAMED.sub("~", line).strip() for line in before]
    plain_b = [_RENAMED.sub("~", line).strip() for line in after]
    at_a = at_b = 0
    for a, b in [*_matched_lines(plain_a, plain_b), (len(before), len(after))]:
        if a > at_a or b > at_b:
            yield (at_a, a), (at_b, b)
        if a < len(before) and before[a] != after[b]:
            yield (a, a + 1), (b, b + 1)
        at_a, at_b = a + 1, b + 1


def _matched_lines(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """Return pairs of equal lines, rising in both texts.

    Anchors are the lines that are unique in both (patience); from each one the match grows
    over its equal neighbours.
    """
    anchors = _rising(_unique_pairs(before, after))
    found: list[tuple[int, int]] = []
    at_a = at_b = 0
    for a, b in [*anchors, (len(before), len(after))]:
        found += _grown(before, after, (at_a, a), (at_b, b))
        if a < len(before):
            found.append((a, b))
        at_a, at_b = a + 1, b + 1
    return found


def _unique_pairs(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    places_a, places_b = _once(before), _once(after)
    return [(a, places_b[line]) for line, a in places_a.items() if line in places_b]


def _once(lines: Sequence[str]) -> dict[str, int]:
    places: dict[str, int] = {}
    twice: set[str] = set()
    for index, line in enumerate(lines):
        if line in places:
            twice.add(line)
        places[line] = index
    return {line: index for line, index in places.items() if line and line not in twice}


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the longest chain of `pairs`, sorted by the first, that also rises in the second."""
    tails: list[int] = []
    tops: list[int] = []
    previous: list[int] = []
    for index, (_, b) in enumerate(pairs):
        place = bisect.bisect_left(tails, b)
        previous.append(tops[place - 1] if place else -1)
        if place == len(tails):
            tails.append(b)
            tops.append(index)
        else:
            tails[place] = b
            tops[place] = index
    chain: list[tuple[int, int]] = []
    index = tops[-1] if tops else -1
    while index >= 0:
        chain.append(pairs[index])
        index = previous[index]
    return chain[::-1]


def _grown(
    before: Sequence[str], after: Sequence[str], a: tuple[int, int], b: tuple[int, int]
) -> list[tuple[int, int]]:
    """Pair equal lines from both ends of a stretch between two anchors."""
    front: list[tuple[int, int]] = []
    i, j = a[0], b[0]
    while i < a[1] and j < b[1] and before[i] == after[j]:
        front.append((i, j))
        i, j = i + 1, j + 1
    back: list[tuple[int, int]] = []
    k, m = a[1] - 1, b[1] - 1
    while k >= i and m >= j and before[k] == after[m]:
        back.append((k, m))
        k, m = k - 1, m - 1
    if k - i == m - j:
        # As many lines on both sides: they are the same lines, changed.
        front += zip(range(i, k + 1), range(j, m + 1), strict=True)
    return front + back[::-1]


def _words(
    original: str, a: tuple[int, int], generated: str, b: tuple[int, int]
) -> Iterator[Segment]:
    """Yield the differences between two stretches of text, by words."""
    if original[slice(*a)] == generated[slice(*b)]:
        return
    spans_a = [match.span() for match in _WORD.finditer(original, *a)]
    spans_b = [match.span() for match in _WORD.finditer(generated, *b)]
    words_a = [original[s:e] for s, e in spans_a]
    words_b = [generated[s:e] for s, e in spans_b]
    if len(words_a) * len(words_b) > _MAX_COMPARED**2:
        yield Segment(a[0], a[1] - a[0], b[0], b[1] - b[0])
        return
    spans_a.append((a[1], a[1]))
    spans_b.append((b[1], b[1]))
    matcher = SequenceMatcher(None, words_a, words_b, autojunk=False)
    for tag, i0, i1, j0, j1 in matcher.get_opcodes():
        if tag != "equal":
            start_a, start_b = spans_a[i0][0], spans_b[j0][0]
            yield Segment(start_a, spans_a[i1][0] - start_a, start_b, spans_b[j1][0] - start_b)


def _merged(segments: list[Segment]) -> Iterator[Segment]:
    """Join segments that touch in both texts, so that each text lies in one of them once."""
    last: Segment | None = None
    for segment in segments:
        if (
            last is not None
            and last.original + last.original_length == segment.original
            and last.generated + last.generated_length == segment.generated
        ):
            last = Segment(
                last.original,
                last.original_length + segment.original_length,
                last.generated,
                last.generated_length + segment.generated_length,
            )
            continue
        if last is not None:
            yield last
        last = segment
    if last is not None:
        yield last
