"""Dispatch on a tensor's `scalar_type()` where torch no longer takes its `type()`.

Why: `AT_DISPATCH_…(x.type(), …)` is how extensions were written for torch 1; later torch takes
a `ScalarType` alone, so the oldest extensions fail here whatever they are compiled for.

Safety: safe: `type()` of a tensor gives the properties of its own scalar type, and the macro
asked them for nothing else. CUDA keeps its spelling, which an old torch wants.

Never offered: for an argument that is not `….type()` as a whole.

Source: torch 1.13 ATen/Dispatch.h, `detail::scalar_type(const at::DeprecatedTypeProperties&)`,
which is `t.scalarType()`; torch 2.13 torch/headeronly/core/Dispatch.h without it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.dispatch import MACRO, dispatched_type
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.batch import Judged, offers
from fastpt_lab.rules.kit.calls import Call, call_of
from fastpt_lab.rules.kit.places import live_names, named_place, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = re.compile(
    r"no viable conversion from '(?:const )?(?:at::)?DeprecatedTypeProperties' to"
    r"|no known conversion from '(?:const )?(?:at::)?DeprecatedTypeProperties"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the dispatch by `scalar_type()`, here and at all places of the file."""
    texts = (diagnostic.message, *(r.message for r in diagnostic.related))
    document = workspace.document(diagnostic.location.path) if diagnostic.location else None
    if document is None or not any(_MESSAGE.search(text) for text in texts):
        return
    names = [name for name in live_names(document) if MACRO.fullmatch(name)]
    at = named_place(diagnostic, workspace, names)
    if at is None:
        return
    calls = (call_of(place) for place in occurrences(at.path, at.document, names))
    judged = tuple(found for call in calls if call and (found := _judged(call)) is not None)
    yield from offers(
        f"Dispatch on scalar_type() in {at.word} under HIP",
        "Dispatch on scalar_type() under HIP",
        at,
        judged,
        stack,
    )


def _judged(call: Call) -> Judged | None:
    at = dispatched_type(call.name.document.text, call.arguments)
    if at is None:
        return None
    return Judged(
        call=call,
        replacements=(Replacement(*at, "scalar_type()"),),
        applicability=Applicability.SAFE,
        reasons=("a tensor's type() was asked for its scalar type and nothing else",),
    )
