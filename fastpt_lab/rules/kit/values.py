"""Carry values through intrinsics that take words only: half pairs and other small types."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement

if TYPE_CHECKING:
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.rules.kit.calls import Call

_CARRIERS = {
    "half2": "int",
    "__half2": "int",
    "nv_bfloat162": "int",
    "__nv_bfloat162": "int",
    "half": "unsigned short",
    "__half": "unsigned short",
    "nv_bfloat16": "unsigned short",
    "__nv_bfloat16": "unsigned short",
}
"""Types of CUDA's own shuffles that HIP's have not, and an integer of the same size."""

_NO_TYPES = frozenset({"return", "else", "const", "volatile", "throw"})
_DECLARATION = r"\b(\w+)\s*(?:&\s*|\s){name}\s*(?=[,;=){{\[])"


def declared_type(name: str, context: str) -> str | None:
    """Return the type word before `name` where a definition declares it, with one type only."""
    found = set(re.findall(_DECLARATION.format(name=re.escape(name)), context)) - _NO_TYPES
    return found.pop() if len(found) == 1 else None


def carried(
    call: Call, index: int, context: str, function: str, stack: Stack
) -> tuple[Replacement, ...]:
    """Return edits that pass argument `index` of `call` as an integer, if that is needed.

    Empty where the installed `function` takes the type, or the type is not shown.
    """
    word = declared_type(call.argument(index), context)
    if word not in _CARRIERS:
        return ()
    taken = re.compile(rf"\b_*{word.strip('_')}\b")
    if any(taken.search(p[0]) for p in stack.parameters(function) if p):
        return ()
    carrier = _CARRIERS[word]
    start, end = call.arguments[index]
    result = f"__builtin_bit_cast({word}, "
    through = f"__builtin_bit_cast({carrier}, "
    narrowed = f"static_cast<{carrier}>(" if carrier != "int" else ""
    return (
        Replacement(call.name.start, call.name.start, result + narrowed),
        Replacement(start, start, through),
        Replacement(end, end, ")"),
        Replacement(call.close + 1, call.close + 1, ")" * (2 if narrowed else 1)),
    )
