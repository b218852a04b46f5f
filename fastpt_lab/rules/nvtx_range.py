"""Mark profiling ranges for CUDA only where no roctx is installed.

Why: NVTX becomes roctx, which belongs to roctracer and is often not installed; some NVTX calls
have no counterpart.

Safety: safe: ranges and marks only label a profile. A call whose result is used becomes 0.

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
from fastpt_lab.rules.kit.remove import edited, include_at, removal, statement_at

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


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the file without its ranges."""
    named = _NAME.fullmatch(undeclared(diagnostic) or "")
    if named is None and _MISSING.search(diagnostic.message) is None:
        return
    found = point(diagnostic.location, workspace)
    if found is None or diagnostic.location is None or _has_roctx(stack, named):
        return
    document, offset = found
    include = include_at(document, offset)
    start, end = (include.start, include.end) if include else (offset, offset + 1)
    at = Place(diagnostic.location.path, document, start, end)
    replacements = [*_includes(document), *_calls(at)]
    if replacements:
        yield from edited(
            f"Mark the profiling ranges of {at.path.name} for CUDA only",
            at,
            replacements,
            stack,
            "ranges and marks only label a profile",
        )


def _has_roctx(stack: Stack, named: re.Match[str] | None) -> bool:
    return named is None and bool(stack.has_header("roctracer/roctx.h"))


def _includes(document: Document) -> Iterator[Replacement]:
    for directive in directives(document.text):
        argument = document.text[directive.argument_start : directive.argument_end]
        if directive.name == "include" and _INCLUDE.search(argument):
            yield Replacement(directive.start, directive.end, "")


def _calls(at: Place) -> Iterator[Replacement]:
    names = {name for name in live_names(at.document) if _NAME.fullmatch(name)}
    for place in occurrences(at.path, at.document, names):
        statement, out = statement_at(place), removal(place)
        if statement is not None and out is not None and statement[0] == place.start:
            yield out
        elif statement is not None and "=" not in at.document.text[statement[0] : place.start]:
            # `::nvtxRangePop();`, or the declaration of a range object.
            before = at.document.text[statement[0] : place.start].strip()
            if before in ("", "::", "const", "auto") and out is not None:
                yield out
                continue
            call = call_of(place)
            if call is not None:
                yield Replacement(place.start, call.close + 1, "0")
        else:
            call = call_of(place)
            if call is not None:
                yield Replacement(place.start, call.close + 1, "0")
