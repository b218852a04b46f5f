"""Reduce over a tile by shuffles, and copy with plain loads, where HIP lacks the group calls.

Why: HIP has one header of cooperative groups, without what CUDA has in `reduce.h`, `scan.h` and
`memcpy_async.h`.

Safety: never safe: the butterfly adds in another order than CUDA may, and needs all lanes of
the tile; the plain copy is done when the group's `sync` returns.

Never offered: for scans, for coalesced groups, whose lanes are not a power of two, and for
operations without a counterpart.

Source: CUDA C++ Programming Guide, cooperative groups; HIP 5.2.3
amd_hip_cooperative_groups.h; ROCm/rocm-systems#2301.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import directives
from fastpt_lab.rules.kit.calls import Call, call_of
from fastpt_lab.rules.kit.places import Place, occurrences, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MISSING = re.compile(r"cooperative_groups/(reduce|memcpy_async|scan)\.h")
_LACKING = re.compile(
    r"no (?:member|template) named '(?:reduce|memcpy_async|wait|plus|less|greater|bit_\w+)' in "
    r"namespace 'cooperative_groups'"
)
"""What is said where the include was mapped to HIP's one header."""

_STEPS = {
    "plus": "v += o",
    "less": "v = o < v ? o : v",
    "greater": "v = v < o ? o : v",
    "bit_and": "v &= o",
    "bit_or": "v |= o",
    "bit_xor": "v ^= o",
}
_REDUCE = (
    "[](const auto& t, auto v) {{ for (unsigned int m = t.size() / 2; m; m >>= 1)"
    " {{ auto o = t.shfl_xor(v, m); {step}; }} return v; }}({tile}, {value})"
)
_COPY = (
    "[](const auto& g, auto* d, const auto* s, size_t n) {{ for (size_t i = g.thread_rank();"
    " i < n; i += g.size()) ((char*)d)[i] = ((const char*)s)[i]; }}({0}, {1}, {2}, {3})"
)
_QUALIFIED = re.compile(r"(?:::)?(?:cg|cooperative_groups)\s*::\s*\Z")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the file with the includes for CUDA only and the calls written out."""
    found = point(diagnostic.location, workspace)
    said = diagnostic.message
    if found is None or not (_MISSING.search(said) or _LACKING.search(said)):
        return
    path, document, _ = found
    includes = [
        d
        for d in directives(document.text)
        if d.name == "include" and _MISSING.search(document.text[d.start : d.end])
    ]
    if not includes:
        return
    at = Place(path, document, includes[0].start, includes[0].end)
    replacements = [Replacement(d.start, d.end, "") for d in includes]
    names = ("reduce", "memcpy_async", "wait", "wait_prior", "inclusive_scan", "exclusive_scan")
    for place in occurrences(at.path, document, names):
        qualifier = _QUALIFIED.search(document.text, 0, place.start)
        call = call_of(place)
        if qualifier is None or call is None:
            continue
        text = _written(call)
        if text is None:
            return
        replacements.append(Replacement(qualifier.start(), call.close + 1, text))
    yield from edited(
        f"Write out the group calls of {at.path.name} under HIP",
        at,
        replacements,
        stack,
        "HIP's cooperative groups have shfl_xor, thread_rank and sync",
        doubts=("all lanes of the tile must take part, and sums are added in a fixed order",),
    )


def _written(call: Call) -> str | None:
    arguments = [call.argument(i) for i in range(len(call.arguments))]
    shape = (call.name.word, len(arguments))
    if shape == ("reduce", 3):
        operation = re.search(r"(\w+)\s*<[^<>]*>\s*(?:\(\s*\)|\{\s*\})\Z", arguments[2])
        step = _STEPS.get(operation[1]) if operation else None
        if step is None:
            return None
        return _REDUCE.format(step=step, tile=arguments[0], value=arguments[1])
    if shape == ("memcpy_async", 4):
        return _COPY.format(*arguments)
    if shape == ("wait", 1):
        return f"{arguments[0]}.sync()"
    return None
