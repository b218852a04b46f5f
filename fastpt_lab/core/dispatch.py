"""Dispatches on a tensor's `type()`, which torch once took for its scalar type.

*Source*: torch 1.13 ATen/Dispatch.h, `detail::scalar_type(const at::DeprecatedTypeProperties&)`,
which is `t.scalarType()`; torch 2.13 torch/headeronly/core/Dispatch.h has no such overload.
"""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind, call_arguments, code_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

MACRO = re.compile(r"AT_DISPATCH_\w+")
_TYPE = re.compile(r".*?(?:\.|->)\s*(type\s*\(\s*\))", re.DOTALL)
_BEFORE_NAME = 4
"""AT_DISPATCH_…_AND3 has three scalar types before the one that is asked for."""


def dispatched_type(
    text: str, arguments: tuple[tuple[int, int], ...]
) -> tuple[int, int] | None:
    """Return the place of the `type()` on which a dispatch with these arguments is made.

    Only an argument that is `….type()` as a whole counts.

    Args:
        text: the source.
        arguments: offsets of the macro's arguments in it.
    """
    for start, end in arguments[:_BEFORE_NAME]:
        found = _TYPE.fullmatch(text, start, end)
        if found is not None:
            return found.span(1)
    return None


def dispatched_types(text: str) -> Iterator[tuple[int, int]]:
    """Yield the place of each `type()` on which `text` dispatches, in order."""
    code = code_tokens(text)
    for word, paren in itertools.pairwise(code):
        if word.kind is not Kind.IDENTIFIER or text[paren.start : paren.end] != "(":
            continue
        if MACRO.fullmatch(text, word.start, word.end):
            call = call_arguments(text, paren.start)
            at = dispatched_type(text, call.arguments) if call else None
            if at is not None:
                yield at
