"""Write a kernel launch as both compilers read it.

Why: nvcc takes `k << <grid, block >> >(x)`, which formatters make of `<<<`, and braces for a
`dim3`; clang says "expected expression". torch's hipify leaves the one and cuts the other.

Safety: safe: blanks between the signs mean nothing, and the braces initialise what a launch has
at their place (grid and block are `dim3`, then a `size_t` and a stream).

Never offered: where nothing closes the launch.

Source: nvcc 13.0 and clang 15, tried.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.launch import unreadable_launches
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.launch import Change
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = re.compile(r"expected (?:expression|'[^']+')")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the launches of the file, if one of them is on the line of the message."""
    found = point(diagnostic.location, workspace)
    if _MESSAGE.search(diagnostic.message) is None or found is None:
        return
    path, document, offset = found
    launches = unreadable_launches(document.text)
    line = document.position(offset).line
    if not any(_covers(document, launch, line) for launch in launches):
        return
    changes = [change for launch in launches for change in launch]
    yield from edited(
        "Write the launch as hipcc reads it, under HIP",
        Place(path, document, changes[0].start, changes[0].end),
        [Replacement(change.start, change.end, change.new) for change in changes],
        stack,
        "the signs and types of a launch are the same, spelled out",
    )


def _covers(document: Document, launch: tuple[Change, ...], line: int) -> bool:
    first, last = launch[0].start, launch[-1].end
    return document.position(first).line <= line <= document.position(last).line
