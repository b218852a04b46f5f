"""Take a `__grid_constant__` parameter as a plain `const` one under HIP.

Why: hipcc does not know the word.

Safety: safe: the parameter is const on both sides, and the word only lets CUDA read it where
it lies instead of from a copy.

Never offered: where the parameter's address is handed to a function that keeps it.

Source: CUDA C++ Programming Guide, `__grid_constant__`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.places import named_place, occurrences, undeclared
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_WORD = "__grid_constant__"


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the file's kernels without the word."""
    if undeclared(diagnostic) != _WORD:
        return
    at = named_place(diagnostic, workspace, (_WORD,))
    if at is None:
        return
    text = at.document.text
    replacements = []
    for place in occurrences(at.path, at.document, (_WORD,)):
        blank = text[place.end : place.end + 1] == " "
        replacements.append(Replacement(place.start, place.end + blank, ""))
    yield from edited(
        f"Take the grid constants of {at.path.name} as const parameters under HIP",
        at,
        replacements,
        stack,
        "the parameter is const on both sides",
    )
