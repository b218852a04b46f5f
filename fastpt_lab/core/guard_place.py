"""Put guards around whole lines: the smallest closed set of them around each replacement.

A directive may stand between statements, declarations, members and directives; never in a
macro's body, an argument list, an initializer, a literal or a comment. What a call's
parentheses enclose may be a macro's argument, where C++ leaves a directive undefined
([cpp.replace]), so a replacement inside parentheses takes the whole statement.
"""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.code import all_tokens, code_around
from fastpt_lab.core.guard import (
    DEFAULT_STYLE,
    Style,
    conditionals_close,
    dead_under_cuda,
    guarded,
    line_bounds,
    same_cuda_view,
)
from fastpt_lab.core.scan import Kind, conditional_groups, enclosing_directive
from fastpt_lab.core.statement import Span, Statements
from fastpt_lab.core.text import TextEdit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastpt_lab.core.code import Code
    from fastpt_lab.core.text import Document

_UNGUARDED = frozenset(
    {"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"}
)


class Replacement(NamedTuple):
    """What text `document.text[start:end]` becomes under HIP."""

    start: int
    end: int
    new: str


@dataclass(slots=True)
class _Region:
    """Whole lines and the replacements in them."""

    start: int
    end: int
    replacements: list[Replacement]


def place(
    document: Document, replacements: Iterable[Replacement], style: Style = DEFAULT_STYLE
) -> tuple[TextEdit, ...] | None:
    """Return the edits that make `replacements` under HIP and keep CUDA's view byte for byte.

    Replacements that share a line or statement share a guard; text that CUDA does not see is
    replaced without one. None if one of them stands where no guard can be put, or the file's
    own conditionals do not close.
    """
    if not conditionals_close(document.text):
        return None
    plain: list[Replacement] = []
    regions: list[_Region] = []
    hidden = dead_under_cuda(document.text)
    for replacement in sorted(set(replacements)):
        if any(start <= replacement.start and replacement.end <= end for start, end in hidden):
            plain.append(replacement)
            continue
        holder = next(
            (r for r in regions if r.start <= replacement.start and replacement.end <= r.end),
            None,
        )
        if holder is not None:
            holder.replacements.append(replacement)
            continue
        lines = closed_lines(document.text, replacement.start, replacement.end)
        if lines is None:
            return None
        regions.append(_Region(*lines, [replacement]))
    merged = _merged(regions)
    edits = []
    for alone in plain:
        around = next(
            (r for r in merged if r.start <= alone.start and alone.end <= r.end), None
        )
        if around is not None:
            around.replacements.append(alone)
            continue
        span = document.range_of(alone.start, alone.end)
        edits.append(TextEdit(range=span, new_text=alone.new))
    for region in merged:
        hip = _replaced(document.text, region)
        text = guarded(
            hip=hip if hip.strip() else "",
            cuda=document.text[region.start : region.end],
            newline=document.newline,
            style=style,
        )
        edits.append(TextEdit(range=document.range_of(region.start, region.end), new_text=text))
    made = tuple(sorted(edits, key=lambda edit: edit.range))
    # What the scan did not foresee, a line that ends in a backslash at the file's end for
    # one, must not become another program.
    if not same_cuda_view(document.text, document.apply(made).text):
        return None
    return made


def insert_under_hip(
    document: Document, offset: int, lines: str, style: Style = DEFAULT_STYLE
) -> TextEdit:
    """Return the edit that adds `lines`, for HIP alone, before the line of `offset`."""
    start, _ = line_bounds(document.text, offset, offset)
    text = lines.replace("\n", document.newline)
    return TextEdit(
        range=document.range_of(start, start),
        new_text=guarded(hip=text, cuda="", newline=document.newline, style=style),
    )


def closed_lines(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the smallest whole lines around `text[start:end]` that a guard may enclose."""
    directive = enclosing_directive(text, start)
    if directive is not None:
        if directive.name in _UNGUARDED or end > directive.end:
            return None
        return _grown(text, directive.start, directive.end)
    code = code_around(text, start)
    span = Span(code.first_at(start), code.before(end))
    for statement, block in reversed(Statements(code).chain(*span)):
        lines = _lines_of(text, code, statement, block)
        if lines is not None:
            return lines
    return None


def _lines_of(text: str, code: Code, statement: Span, block: Span) -> tuple[int, int] | None:
    """Return the lines of `statement` and of the siblings that share them, if they close."""
    siblings = Statements(code).of(block)
    taken = statement
    while True:
        grown = _grown(text, code.starts[taken.first], code.ends[taken.end - 1])
        if grown is None:
            return None
        first, end = code.first_at(grown[0]), code.before(grown[1])
        if first < block.first or end > block.end or _splits_else(code, Span(first, end)):
            return None
        wider = Span(
            min((s.first for s in siblings if s.end > first), default=first),
            max((s.end for s in siblings if s.first < end), default=end),
        )
        if wider == taken:
            return grown
        taken = wider


def _splits_else(code: Code, span: Span) -> bool:
    """Whether the lines would begin or end inside an `if … else` or `do … while`."""
    return code.words[span.first] in ("else", "catch") if span.first < span.end else True


def _grown(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return whole lines that cut no comment, literal, directive or `#if` group in two."""
    while True:
        first, last = line_bounds(text, start, max(end - 1, start))
        first, last = _outside_tokens(text, first, last)
        for group in conditional_groups(text):
            if group.endif is None:
                return None
            opening, _ = line_bounds(text, group.branches[0].directive.start, 0)
            _, closing = line_bounds(text, group.endif.start, group.endif.end)
            marks = [b.directive.start for b in group.branches] + [group.endif.start]
            if any(first <= mark < last for mark in marks):
                first, last = min(first, opening), max(last, closing)
        if (first, last) == (start, end):
            return first, last
        start, end = first, last


def _outside_tokens(text: str, first: int, last: int) -> tuple[int, int]:
    """Move both offsets out of tokens that span lines, and over continued lines."""
    every = all_tokens(text)
    for moves_back in (True, False):
        offset = first if moves_back else last
        index = bisect.bisect_left(every, offset, key=lambda token: token.end)
        if index < len(every):
            token = every[index]
            continued = token.kind is Kind.SPACE and "\\" in text[token.start : token.end]
            if token.start < offset < token.end or (continued and token.end == offset):
                if moves_back:
                    first = token.start
                else:
                    last = token.end + 1 if continued else token.end
    return first, min(last, len(text))


def _merged(regions: list[_Region]) -> list[_Region]:
    """Join regions that touch: one guard for a statement, a line, or lines that follow."""
    merged: list[_Region] = []
    for region in sorted(regions, key=lambda r: (r.start, -r.end)):
        if merged and region.start <= merged[-1].end:
            merged[-1].end = max(merged[-1].end, region.end)
            merged[-1].replacements += region.replacements
        else:
            merged.append(region)
    return merged


def _replaced(text: str, region: _Region) -> str:
    parts: list[str] = []
    at = region.start
    for start, end, new in sorted(region.replacements):
        if start < at:
            continue
        parts += (text[at:start], new)
        at = end
    return "".join(parts) + text[at : region.end]
