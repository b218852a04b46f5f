"""Pass a kernel as `const void*` to the functions that HIP declares so.

Why: `cudaFuncSetAttribute` and its kind are templates over the kernel's type in CUDA's C++
header; HIP 5's take `const void*` alone.

Safety: safe: CUDA's template passes the same address as `const void*`.

Never offered: for arguments that are not a kernel's name.

Source: CUDA 13 cuda_runtime.h; HIP 5.2.3 hip_runtime_api.h; ROCm/hip#1439.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_CALL = re.compile(r"no matching function for call to 'hip\w+'")
_NOTE = re.compile(
    r"(?:no known conversion from '[^']*' to|no overload of '[^']*' matching)"
    r" 'const void ?\*' for (\d+)(?:st|nd|rd|th) argument"
)
_KERNEL = re.compile(r"&?\s*(?:\w+::)*\w+(?:\s*<.*>)?", re.DOTALL)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the call with the kernel cast."""
    found = point(diagnostic.location, workspace)
    if _CALL.search(diagnostic.message) is None or found is None:
        return
    path, document, offset = found
    note = next((m for r in diagnostic.related if (m := _NOTE.search(r.message))), None)
    name = re.compile(r"\w+").match(document.text, offset)
    if note is None or name is None:
        return
    at = Place(path, document, offset, name.end())
    call, index = call_of(at), int(note[1]) - 1
    if call is None or index >= len(call.arguments):
        return
    kernel = call.argument(index)
    if _KERNEL.fullmatch(kernel) is None:
        return
    start, end = call.arguments[index]
    address = kernel if kernel.startswith("&") else f"&{kernel}"
    yield from edited(
        f"Pass {kernel} as const void*",
        at,
        [Replacement(start, end, f"reinterpret_cast<const void*>({address})")],
        stack,
        f"HIP declares const void* for argument {index + 1}",
        "CUDA's template passes the same address",
    )
