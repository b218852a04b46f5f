"""Call complex types and functions by HIP's names under HIP.

Why: the transcoder turns `cuComplex.h` into `hip/hip_complex.h` and leaves the names in it, or
some of them, in CUDA's spelling.

Safety: safe where HIP has every name and no operator is applied in the file to a complex
value: HIP's functions compute as CUDA's. HIP's `hipFloatComplex` is a `float2`, whose `*` and
`/` work by components: arithmetic with operators would compile and be wrong, so it is unsafe.

Never offered: for a name that the installed header has not.

Source: HIP 5.2.3 amd_hip_complex.h; CUDA 13 cuComplex.h; ROCm/hip#1575.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.places import live_names, named_place, occurrences, undeclared
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_NAME = re.compile(
    r"cu(?:(?:Float|Double)?Complex|C(?:real|imag|add|sub|mul|div|abs|onj|fma)f?)"
    r"|make_cu(?:Float|Double)?Complex|cuComplex(?:FloatToDouble|DoubleToFloat)"
)
_COMPLEX_VALUE = re.compile(
    r"\bcu(?:Float|Double)?Complex\s*[*&]?\s*(?:__restrict__\s+)?(\w+)\s*[=,;)\[]"
)
_SPELLING = {"make_cuComplex": "make_hipFloatComplex", "cuComplex": "hipFloatComplex"}


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield HIP's names at all places of the file."""
    name = undeclared(diagnostic)
    if name is None:
        return
    at = named_place(diagnostic, workspace, (name,))
    if at is None:
        return
    names = {n for n in live_names(at.document) if _NAME.fullmatch(n)}
    # What the transcoder renames by itself must not be renamed twice.
    spelling = {n: _hip(n) for n in names if stack.has(n) is False and stack.has(_hip(n))}
    if name not in spelling:
        return
    replacements = [
        Replacement(p.start, p.end, spelling[p.word])
        for p in occurrences(at.path, at.document, spelling)
    ]
    values = set(_COMPLEX_VALUE.findall(at.document.text))
    used = sorted(v for v in values if _operated(v, at.document.text))
    doubts = (
        [f"an operator is applied to {', '.join(used)}: HIP's works by components"]
        if used
        else []
    )
    yield from edited(
        f"Call the complex types and functions of {at.path.name} by HIP's names",
        at,
        replacements,
        stack,
        "the installed header has " + ", ".join(sorted(set(spelling.values()))),
        doubts=doubts,
    )


def _hip(name: str) -> str:
    return _SPELLING.get(name, name.replace("cu", "hip", 1))


def _operated(name: str, text: str) -> bool:
    """Whether `*`, `/` or their assignments take a value of that name, whole."""
    value = rf"\b{re.escape(name)}(?:\[[^\]]*\])?"
    text = re.sub(r"\b\w*Complex\s*[*&]", " ", text)
    return bool(
        re.search(rf"{value}\s*(?:[*/]=|[*/])\s*[\w(]", text)
        or re.search(rf"[\w)\]]\s*[*/]\s*{value}(?!\s*\.)", text)
    )
