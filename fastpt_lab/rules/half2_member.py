"""Take the halves of a `half2` as halves where its members are integers under HIP.

Why: until HIP 6 `v.x` of a `__half2` is an `unsigned short` with the bits of the half. Calls then
fail ("no known conversion from 'unsigned short' to '__half'") or, worse, take an overload for
integers.

Safety: safe: `__low2half(v)` and `__high2half(v)` are the halves of `v` in both, and what is
written or passed by reference stays where it is; offered at all places of the function, so that
none is left that compiles and computes with the bits.

Never offered: for names whose nearest declaration in the function is not one of `half2`.

Source: HIP 5.2.3 amd_hip_fp16.h (`struct __half2`, its union with `unsigned short x, y`);
ROCm/hip#3290; ROCm/HIPIFY#801; CUDA math API, half precision conversion and data movement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.half2 import uses_within
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_INTEGER = r"'(?:const |volatile )*unsigned (?:short|int)(?: [*&])?'"
_BITS = re.compile(rf"{_INTEGER}.*(?:__)?half|(?:__)?half.*{_INTEGER}", re.DOTALL)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the function around the place with its halves read by function."""
    said = "\n".join((diagnostic.message, *(note.message for note in diagnostic.related)))
    found = point(diagnostic.location, workspace)
    if found is None or _BITS.search(said) is None:
        return
    path, document, offset = found
    bounds = definition_around(document.text, offset, offset + 1)
    if bounds is None:
        return
    uses = list(uses_within(document.text, bounds))
    line = document.position(offset).line
    here = [use for use in uses if document.position(use.start).line == line]
    if not here:
        return
    yield from edited(
        "Take the halves of half2 values as halves under HIP",
        Place(path, document, here[0].start, here[0].end),
        [Replacement(*edit) for use in uses for edit in use.edits],
        stack,
        "under HIP 5 the members of a half2 are its bits, as integers",
    )
