"""What this engine does otherwise than torch's hipify, place by place, each with its kind.

Every kind but UNKNOWN is intended, for the reason in `core.parity.REASONS`; an UNKNOWN difference
is a defect of one of the two.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fastpt_lab.core import half2
from fastpt_lab.core.parity import Difference, Place
from fastpt_lab.core.scan import Kind, code_tokens, tokens
from fastpt_lab.transcode.draft import RUNTIME_INCLUDE
from fastpt_lab.transcode.engine import BREADCRUMB
from fastpt_lab.transcode.gaps import (
    GAPS,
    NAMESPACES,
    OLDER_HEADERS,
    OLDER_WORDS,
    STANDARD_HEADERS,
    WHOLE_FOLDERS,
)
from fastpt_lab.transcode.names import hip_path
from fastpt_lab.transcode.notes import NoteKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.transcode.notes import Note


_GAP_NAMES = frozenset(gap.cuda for gap in GAPS)
_OLDER = {**OLDER_WORDS, **OLDER_HEADERS}
_MATH_NAMES = frozenset(
    {"max", "min", "ceil", "floor", "exp", "log", "pow", "fabs", "fmod", "remainder", "frexp"}
)
_EXACT_INCLUDE = re.compile(r'#include (?:"[^"]+"|<[^>]+>)')
_INCLUDE = re.compile(r'[ \t]*(?:#|%:)[ \t]*include[ \t]*[<"]([^>"]*)')
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n|\Z)")
_HEADING = (
    BREADCRUMB,
    "// transcoded by fastpt-lab",
    RUNTIME_INCLUDE,
    *(f"#include <{header}>" for header, _ in STANDARD_HEADERS),
)
_HALVES = {function: member for member, function in half2.READERS.items()}
_CASTS = tuple(
    [text[token.start : token.end] for token in code_tokens(text)]
    for text in map(half2.CAST.format, ("", "const "))
)
_LAUNCH_WORDS = frozenset({"hipLaunchKernelGGL", "dim3", "0"})


def compare(original: str, ours: str, theirs: str, notes: Sequence[Note]) -> tuple[Place, ...]:
    """Return the lines on which two outputs of one original differ, each with its kind.

    Args:
        original: the source.
        ours: this engine's output, or the original if there is none.
        theirs: torch's output, or the original if there is none.
        notes: this engine's, which tell what it left alone on purpose.
    """
    before = _Text(original)
    left, left_runtime = _body(ours, len(before.lines))
    right, right_runtime = _body(theirs, len(before.lines))
    found: list[Place] = []
    if left_runtime != right_runtime:
        runtime = (RUNTIME_INCLUDE * left_runtime, RUNTIME_INCLUDE * right_runtime)
        found.append(Place(Difference.RUNTIME_INCLUDE, 0, "", *runtime))
    if not len(before.lines) == len(left.lines) == len(right.lines):
        sizes = [f"{len(text.lines)} lines" for text in (before, left, right)]
        found.append(Place(Difference.UNKNOWN, 0, *sizes))
        return tuple(found)
    kept = _kept_lines(notes)
    launches = _launch_lines(before)
    for number, (o, a, b) in enumerate(zip(before.lines, left.lines, right.lines, strict=True)):
        if a.raw != b.raw:
            kinds = _kinds(o, a, b, kept.get(number), launch=number in launches)
            found += [Place(kind, number, o.raw, a.raw, b.raw) for kind in sorted(kinds)]
    return tuple(found)


@dataclass(slots=True)
class _Line:
    """A line as it is, its words of code, and the comments and literals that begin on it."""

    raw: str
    words: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    inert: list[str] = field(default_factory=list)
    inside: bool = False


class _Text:
    """A text cut into lines and their tokens."""

    def __init__(self, text: str) -> None:
        spans = [m.span() for m in _LINE.finditer(text) if m[0]]
        self.lines = [_Line(text[a:b].rstrip("\r\n")) for a, b in spans]
        starts = [a for a, _ in spans]
        for token in tokens(text):
            index = bisect.bisect_right(starts, token.start) - 1
            word = text[token.start : token.end]
            line = self.lines[index]
            if token.kind in {Kind.COMMENT, Kind.STRING, Kind.CHARACTER}:
                # A line comment takes its newline's style along when it is continued.
                line.inert.append("\n".join(word.split("\r\n")))
                last = bisect.bisect_right(starts, token.end - 1) - 1
                for inside in self.lines[index + 1 : last + 1]:
                    inside.inside = True
            elif token.kind > Kind.COMMENT:
                line.words.append(word)
                if token.kind in {Kind.IDENTIFIER, Kind.NUMBER}:
                    line.names.append(word)


def _body(text: str, length: int) -> tuple[_Text, bool]:
    """Return an output without what was put on top, and whether the runtime was among it."""
    lines = _LINE.findall(text.removeprefix("\ufeff"))
    added = max(0, sum(1 for line in lines if line) - length)
    runtime = any(line.startswith(RUNTIME_INCLUDE) for line in lines[:added])
    heading = all(line.startswith(_HEADING) for line in lines[:added])
    return _Text("".join(lines[added if heading else 0 :])), runtime


def _kept_lines(notes: Sequence[Note]) -> dict[int, Difference]:
    kinds = {
        NoteKind.KEPT_CUDA_BRANCH: Difference.CUDA_BRANCH,
        NoteKind.KEPT_HIP_LINE: Difference.HIP_DEFINITION,
    }
    return {
        line: kinds[note.kind]
        for note in notes
        if note.kind in kinds
        for line in range(note.range.start.line, note.range.end.line + 1)
    }


def _launch_lines(text: _Text) -> set[int]:
    """Return the lines of every launch, from its statement's start to its first argument."""
    found: set[int] = set()
    statement = 0
    launch = False
    for number, line in enumerate(text.lines):
        for word in line.words:
            if word == "<<<":
                launch = True
                found.update(range(statement, number + 1))
            elif word in {";", "{", "}"} and not launch:
                statement = number
            elif word == ">>>":
                launch = False
                found.update((number, number + 1))
        if launch:
            found.add(number)
        elif line.words and line.words[-1] in {";", "{", "}"}:
            statement = number + 1
    return found


def _kinds(
    original: _Line, ours: _Line, theirs: _Line, kept: Difference | None, *, launch: bool
) -> set[Difference]:
    """Return the kinds of difference on one line; UNKNOWN if any of it is unexplained."""
    if kept is not None and ours.raw == original.raw:
        return {kept}
    found: set[Difference] = set()
    paths = [_INCLUDE.match(line.raw) for line in (original, ours, theirs)]
    if all(paths) and not original.inside:
        first, second, third = (path[1] for path in paths if path)
        if _rest(theirs.raw) != _rest(original.raw):
            found.add(Difference.COMMENT_OR_STRING)
        if second != third:
            found.add(_include_kind(original.raw, first, second, third))
        return found
    if theirs.inert != original.inert or original.inside:
        found.add(Difference.COMMENT_OR_STRING)
    if ours.inert != original.inert:
        found.add(Difference.UNKNOWN)
    words = [list(line.words) for line in (original, ours, theirs)]
    if launch:
        words = [
            [w for w in line.names if w not in _LAUNCH_WORDS]
            for line in (original, ours, theirs)
        ]
        found.add(Difference.LAUNCH)
    if words[1] != words[2]:
        dropped = [_drop_std(side) for side in words]
        found |= {Difference.MATH} if any(dropped) else set()
        found |= {Difference.BRACES} if _drop_brace_types(words[0], words[1]) else set()
        found |= {Difference.HALF_MEMBER} if _put_members_back(*words[:2]) else set()
    found |= _word_kinds(*words)
    return found or {Difference.UNKNOWN}


def _rest(line: str) -> str:
    """Return what follows the path on the line of an include."""
    return re.split('[>"]', line.partition("<")[2] or line.partition('"')[2], maxsplit=1)[-1]


def _drop_std(words: list[str]) -> bool:
    """Take `std` from before `::max(` and its kind; return whether there was any."""
    dropped = False
    for index in range(len(words) - 3, -1, -1):
        if words[index + 1] == "::" and words[index + 2] in _MATH_NAMES:
            if words[index] == "std":
                del words[index]
                dropped = True
            elif words[index].endswith("std"):
                words[index] = words[index].removesuffix("std")
                dropped = True
    return dropped


def _drop_brace_types(original: list[str], ours: list[str]) -> bool:
    """Take from `ours` the types before `{}` that `original` has not; return if there were."""
    dropped = False
    for index in range(len(ours) - 2, -1, -1):
        typed = ours[index] in half2.TYPES and ours[index + 1] == "{"
        if typed and original[index : index + 1] == ["{"]:
            del ours[index]
            dropped = True
    return dropped


def _put_members_back(original: list[str], ours: list[str]) -> bool:
    """Write the halves of a half2 in `ours` by member, as in `original`; return if there were."""
    found = False
    for at in range(len(ours) - 1, -1, -1):
        cast = any(ours[at : at + len(words)] == words for words in _CASTS)
        member = _HALVES.get(ours[at])
        if not (member or cast) or original[at : at + 3] == ours[at : at + 3]:
            continue
        opening = at + ours[at:].index("(")
        close = _closing(ours, opening)
        value = ours[opening + 1 : close]
        if member:
            value = [*value[1:], "->", member] if value[:1] == ["*"] else [*value, ".", member]
        ours[at : close + 1] = value
        found = True
    return found


def _closing(words: list[str], opening: int) -> int:
    depth = 0
    for at in range(opening, len(words)):
        depth += (words[at] == "(") - (words[at] == ")")
        if not depth:
            return at
    return len(words)


def _word_kinds(original: list[str], ours: list[str], theirs: list[str]) -> set[Difference]:
    if ours == theirs:
        return set()
    if not len(original) == len(ours) == len(theirs):
        return {Difference.UNKNOWN}
    return {
        _word_kind(o, a, b) for o, a, b in zip(original, ours, theirs, strict=True) if a != b
    }


def _word_kind(original: str, ours: str, theirs: str) -> Difference:
    if _OLDER.get(theirs) == ours:
        return Difference.OLDER_NAME
    if original in NAMESPACES and theirs in {original, NAMESPACES[original]}:
        return Difference.NAMESPACE
    if original in _GAP_NAMES and theirs == original:
        return Difference.GAP
    if (original, ours, theirs) == ("type", "scalar_type", "type"):
        return Difference.TORCH_API
    return Difference.UNKNOWN


def _include_kind(line: str, original: str, ours: str, theirs: str) -> Difference:
    if _OLDER.get(theirs) == ours:
        return Difference.OLDER_NAME
    if original in _GAP_NAMES or original.partition("/")[0] in WHOLE_FOLDERS:
        return Difference.GAP
    if theirs == original and not _EXACT_INCLUDE.search(line):
        return Difference.INCLUDE_SPELLING
    if theirs == original:
        return Difference.INCLUDE_FOUND
    if ours == original and theirs == hip_path(original):
        return Difference.INCLUDE_CYCLE
    if ours == original and theirs.rpartition("/")[0] != original.rpartition("/")[0]:
        return Difference.INCLUDE_PATH
    return Difference.UNKNOWN
