"""Name the type of a braced list that is assigned to a half-precision value under HIP.

Why: HIP's `__half` and `__half2` can also be assigned their raw storage, so `x = {}` and
`x = {a, b}` are ambiguous there; CUDA takes them for `__half2`.

Safety: safe for empty braces and CUDA's own half types: what CUDA assigns is a value-initialised
one. With elements it is unsafe: the constructor that they choose has to be looked at.

Never offered: where the compiler names another type than the half and bfloat16 ones.

Source: HIP 5.2.3 amd_hip_fp16.h, `operator=(const __half2_raw&)`; nvcc 13.0 takes `= {}`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import code_tokens
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = re.compile(
    r"use of overloaded operator '=' is ambiguous \(with operand types "
    r"'(?P<type>(?:__)?(?:half2?|(?:nv|hip)_bfloat162?))'(?: \(aka '[^']*'\))? and 'void'\)"
)

_NEAR = 200
"""Characters from the operator on in which its braces begin."""


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the assignment at the place with its type in front of the braces."""
    said = _MESSAGE.search(diagnostic.message)
    found = point(diagnostic.location, workspace)
    if said is None or found is None:
        return
    path, document, offset = found
    text = document.text
    tokens = code_tokens(text, offset, offset + _NEAR)
    words = [text[token.start : token.end] for token in tokens]
    if words[:2] != ["=", "{"]:
        return
    brace = tokens[1].start
    empty = words[2:3] == ["}"]
    doubts = () if empty else ("look at which constructor the elements choose",)
    yield from edited(
        f"Assign a {said['type']} under HIP instead of bare braces",
        Place(path, document, brace, brace + 1),
        [Replacement(brace, brace + 1, said["type"] + "{")],
        stack,
        f"the compiler names the type: {said['type']}; in CUDA braces assign one of it",
        doubts=doubts,
    )
