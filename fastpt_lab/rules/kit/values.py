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

_DECLARATION = r"\b(\w+)\s*(?:&\s*|\s){name}\s*(?=[,;=){{\[])"


def declared_type(name: str, context: str) -> str | None:
    """Return the type word before the declaration of `name` in a definition, if there is one."""
    match = re.search(_DECLARATION.format(name=re.escape(name)), context)
    return match[1] if match else None


def carried(
    call: Call, index: int, context: str, function: str, stack: Stack
) -> tuple[Replacement, ...] | None:
    """Return edits that pass argument `index` of `call` as an integer, if that is needed.

    Empty where the installed `function` takes the type; None where the type is known and
    neither it nor an integer of its size can be passed.
    """
    value = call.argument(index)
    base = re.match(r"\w+\Z", value)
    word = declared_type(value, context) if base else None
    if word not in _CARRIERS:
        return ()
    if any(word.strip("_") in p[0] for p in stack.parameters(function) if p):
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
