"""Mark profiling ranges for CUDA only where no roctx is installed.

Why: NVTX becomes roctx, which belongs to roctracer and is often not installed; some NVTX calls
have no counterpart.

Safety: safe for statements that are a mark and nothing else: they only label a profile. Unsafe
where a value is used, which becomes 0, and where an argument calls or assigns anything.

Never offered: where `roctracer/roctx.h` is found.

Source: NVTX 3 documentation; torch 2.13 hipify tables; cupy/cupy#8618.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import directives
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.places import Place, live_names, occurrences, point, undeclared
from fastpt_lab.rules.kit.remove import (
    edited,
    lost_effects,
    removal,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MISSING = re.compile(
    r"(?:roctracer/roctx|nvToolsExt\w*|nvtx3?/\S*)\.h(?:pp)?'? ?(?:file not|: No)"
)
_NAME = re.compile(r"nvtx[A-Z]\w*|nvtx3|NVTX\w*|roctx[A-Z]\w*")
_INCLUDE = re.compile(r"nvtx|nvToolsExt|roctx")
_BEFORE = ("", "::", "const", "auto")
_OPENING = re.compile(r"[({=]")
_DISCARDED = re.compile(r"\(\s*void\s*\)\s*\Z")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the file without its ranges."""
    named = _NAME.fullmatch(undeclared(diagnostic) or "")
    if named is None and _MISSING.search(diagnostic.message) is None:
        return
    found = point(diagnostic.location, workspace)
    if found is None or _has_roctx(stack, named):
        return
    at = Place(*found, found.offset + 1)
    doubts: list[str] = []
    replacements = [*_includes(at.document), *_left_out(at, doubts)]
    if replacements:
        yield from edited(
            f"Mark the profiling ranges of {at.path.name} for CUDA only",
            at,
            replacements,
            stack,
            "ranges and marks only label a profile",
            doubts=tuple(dict.fromkeys(doubts)),
        )


def _has_roctx(stack: Stack, named: re.Match[str] | None) -> bool:
    return named is None and bool(stack.has_header("roctracer/roctx.h"))


def _includes(document: Document) -> Iterator[Replacement]:
    for directive in directives(document.text):
        argument = document.text[directive.argument_start : directive.argument_end]
        if directive.name == "include" and _INCLUDE.search(argument):
            yield Replacement(directive.start, directive.end, "")


def _left_out(at: Place, doubts: list[str]) -> Iterator[Replacement]:
    """Yield what becomes of each mark: nothing, or 0 where a value is asked for."""
    text = at.document.text
    names = {name for name in live_names(at.document) if _NAME.fullmatch(name)}
    for place in occurrences(at.path, at.document, names):
        call, out = call_of(place), _statement(place)
        if out is not None:
            opening = _OPENING.search(text, place.end, out.end)
            effects = lost_effects(opening.end() if opening else place.end, out.end, text)
            doubts += [effects] if effects else []
            yield out
        elif call is not None:
            if not _DISCARDED.search(text, 0, place.start):
                doubts.append(f"the value of {place.word} is used: it is 0 under HIP")
            yield Replacement(place.start, call.close + 1, "0")


def _statement(place: Place) -> Replacement | None:
    """Return what takes a statement out that is a mark, or declares a range object."""
    out, call = removal(place), call_of(place)
    text = place.document.text
    if out is None or text[out.start : place.start].strip() not in _BEFORE:
        return None
    if call is not None and text[call.close + 1 : out.end].strip() != ";":
        return None
    return out
