"""Declare an index of the type it has in CUDA, where `auto` makes it a proxy under HIP.

Why: until HIP 6 `blockIdx.x` and its kind are objects that convert to `unsigned int`; `auto`
copies the object, and `i += gridDim.x` has no operator for it.

Safety: safe: in CUDA the type is `unsigned int`, so `auto` means just that.

Never offered: where the initializer is an expression, which has a number's type on both sides.

Source: HIP 5.2.3 amd_hip_runtime.h, `__HIP_Coordinates`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = re.compile(
    r"no viable overloaded '.*='|cannot (?:increment|decrement) value of type"
    r"|invalid operands to binary expression|no viable conversion|no matching function"
    r"|__HIP_Coordinates|deduced conflicting types"
)
_DECLARATION = re.compile(
    r"\b(?P<auto>(?:const\s+)?auto(?:\s+const)?)\s+(?P<name>\w+)\s*=\s*"
    r"(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]\s*[;,)]"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the declarations around the place with the type spelled out."""
    found = point(diagnostic.location, workspace)
    if _MESSAGE.search(diagnostic.message) is None or found is None:
        return
    path, document, offset = found
    bounds = definition_around(document.text, offset, offset + 1)
    if bounds is None:
        return
    line = document.line(document.position(offset).line)
    declared = list(_DECLARATION.finditer(document.text, *bounds))
    if not any(re.search(rf"\b{m['name']}\b", line) for m in declared):
        return
    replacements = []
    for match in declared:
        new = match["auto"].replace("auto", "unsigned int")
        replacements.append(Replacement(match.start("auto"), match.end("auto"), new))
    first = declared[0]
    at = Place(path, document, first.start("auto"), first.end("auto"))
    names = ", ".join(dict.fromkeys(m["name"] for m in declared))
    yield from edited(
        f"Declare {names} as unsigned int under HIP",
        at,
        replacements,
        stack,
        "in CUDA the type of blockIdx.x and its kind is unsigned int, so auto is that",
    )
