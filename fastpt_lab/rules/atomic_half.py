"""Add to half values atomically by compare-and-swap of the 32-bit word under HIP.

Why: HIP 5 has no `atomicAdd` for `__half2` and `__half`.

Safety: safe for `__half2`: each half is added by the same rounding, and the word is replaced
only if nobody changed it since, which is at least as atomic as CUDA's. Unsafe for `__half`,
whose neighbour in the word is read and written back too.

Never offered: as an overload of `atomicAdd`, which newer HIP defines itself.

Source: CUDA C++ Programming Guide, `atomicAdd`; HIP 5.2.3 amd_hip_atomic.h.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.places import named_place
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_CALL = "no matching function for call to 'atomicAdd'"
_TYPE = re.compile(r"no known conversion from '(__half2?|half2?) \*'(?: \(aka '\w+ \*'\))? to")
_FENCE = 'asm volatile("" ::: "memory");'
"""Makes the compiler forget what it knows of memory: the word is another type than the halves,
so it might else use a half that it knows from before the loop.
"""

_PAIR = (
    "[](__half2* p, __half2 v) {{ "
    + _FENCE
    + " unsigned int *q = (unsigned int*)p, old = *q, seen;"
    " do {{ seen = old; __half2 s = __hadd2(__builtin_bit_cast(__half2, seen), v);"
    " old = atomicCAS(q, seen, __builtin_bit_cast(unsigned int, s)); }} while (seen != old);"
    " " + _FENCE + " return __builtin_bit_cast(__half2, old); }}({0}, {1})"
)
_ONE = (
    "[](__half* p, __half v) {{ "
    + _FENCE
    + " unsigned int* q = (unsigned int*)((size_t)p & ~(size_t)2);"
    " const unsigned int b = ((size_t)p & 2) * 8; unsigned int old = *q, seen; do {{ seen = old;"
    " __half h = __builtin_bit_cast(__half, (unsigned short)(seen >> b));"
    " unsigned int s = __builtin_bit_cast(unsigned short, __hadd(h, v));"
    " old = atomicCAS(q, seen, (seen & ~(0xffffu << b)) | s << b); }} while (seen != old);"
    " "
    + _FENCE
    + " return __builtin_bit_cast(__half, (unsigned short)(old >> b)); }}({0}, {1})"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the loop in place of the call."""
    if _CALL not in diagnostic.message:
        return
    found = next((m for r in diagnostic.related if (m := _TYPE.search(r.message))), None)
    if found is None:
        return
    at = named_place(diagnostic, workspace, ("atomicAdd",))
    call = call_of(at) if at else None
    if call is None or len(call.arguments) != 2:
        return
    pair = found[1].endswith("2")
    text = (_PAIR if pair else _ONE).format(call.argument(0), call.argument(1))
    doubt = "the other half of the 32-bit word is written back too: it must be the project's"
    yield from edited(
        f"Add to {found[1]} by compare-and-swap under HIP",
        call.name,
        [Replacement(call.name.start, call.close + 1, text)],
        stack,
        "HIP's atomicAdd does not take the type; the loop adds with the same rounding",
        doubts=() if pair else (doubt,),
    )
