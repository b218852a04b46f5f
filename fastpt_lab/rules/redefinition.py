"""Leave a function of the project out under HIP, which has one of the same name.

Why: CUDA has no `atomicMax(float*, float)`, so projects define it; HIP has it, and newer HIP
also has `__syncwarp` and the `_sync` intrinsics that projects supply.

Safety: safe for `atomicAdd` on `double` that is, word by word, the compare-and-swap loop of
the CUDA manual, which adds as HIP's does. Otherwise unsafe: the two may treat NaN, signed zero or the return value in other
ways, and only a person can compare them.

Never offered: where the earlier definition is the project's own.

Source: HIP 5.2.3 amd_hip_atomic.h; CUDA C++ Programming Guide, atomic functions; clang 15 "redefinition of"; hypre-space/hypre#1490.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import code_tokens
from fastpt_lab.rules.kit.functions import Function, function_around
from fastpt_lab.rules.kit.places import point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = re.compile(
    r"redefinition of '(\w+)'$|static declaration of '(\w+)' follows non-static declaration"
    r"|functions that differ only in their return type cannot be overloaded"
)
_PARAMETERS = re.compile(r"double\s*\*\s*(\w+)\s*,\s*(?:const\s+)?double\s+(\w+)")
_WORD = r"unsignedlonglong(?:int)?"
_SUM_BY_SWAP = re.compile(
    rf"\{{{_WORD}\*(?P<word>\w+)="
    rf"(?:\({_WORD}\*\)(?P<from>\w+)|reinterpret_cast<{_WORD}\*>\((?P<cast>\w+)\));"
    rf"{_WORD}(?P<old>\w+)=\*(?P=word)(?:,|;{_WORD})(?P<assumed>\w+);"
    r"do\{(?P=assumed)=(?P=old);(?P=old)=atomicCAS\((?P=word),(?P=assumed),"
    r"__double_as_longlong\((?P<left>\w+(?:\(\w+\))?)\+(?P<right>\w+(?:\(\w+\))?)\)\);"
    r"\}while\((?:(?P=assumed)!=(?P=old)|(?P=old)!=(?P=assumed))\);"
    r"return__longlong_as_double\((?P=old)\);\}"
)
"""The loop of the CUDA C++ Programming Guide, in the spellings that projects give it."""
_NOTE = re.compile(r"previous (?:definition|declaration) is here")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the definition for CUDA only."""
    if _MESSAGE.search(diagnostic.message) is None:
        return
    found = point(diagnostic.location, workspace)
    earlier = [r for r in diagnostic.related if _NOTE.search(r.message)]
    if found is None or not earlier or any(point(r.location, workspace) for r in earlier):
        return
    function = function_around(*found)
    if function is None or not function.name.start <= found.offset < function.name.end:
        return
    name = function.name.word
    doubts = [] if _is_double_sum(function) else [f"compare {name} with HIP's: see the note"]
    yield from edited(
        f"Leave {name} to HIP, which has it",
        function.name,
        [Replacement(function.start, function.end, "")],
        stack,
        "the compiler names a definition in HIP's own headers",
        doubts=doubts,
    )


def _is_double_sum(function: Function) -> bool:
    """Whether this is the usual `atomicAdd` on `double` by compare-and-swap, and nothing else."""
    text = function.name.document.text
    if function.name.word != "atomicAdd" or function.body is None:
        return False
    start, end = function.parameters
    head = _PARAMETERS.fullmatch(text[start + 1 : end].strip())
    words = [text[t.start : t.end] for t in code_tokens(text, *function.body)]
    loop = _SUM_BY_SWAP.fullmatch("".join(words))
    return (
        head is not None
        and loop is not None
        and (loop["from"] or loop["cast"]) == head[1]
        and {loop["left"], loop["right"]}
        == {head[2], f"__longlong_as_double({loop['assumed']})"}
    )
