"""Empty braces assigned to a half2, with the type that HIP needs in front of them.

*Source*: nvcc 13.0 takes `x = {}` for a `__half2`; in HIP 5.2.3 amd_hip_fp16.h it is ambiguous,
because a `__half2` can also be assigned its raw storage.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.half2 import TYPES
from fastpt_lab.core.scan import Kind, code_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.core.scan import Token

_NO_TYPE = frozenset(
    {"return", "else", "case", "throw", "new", "delete", "do", "goto", "co_return", "in"}
)
_BEFORE_STATEMENT = frozenset({";", "{", "}", ")", "else", "do"})

_BEFORE_TYPE = frozenset({";", "{", "}", "(", ",", "const"})


def untyped_braces(text: str) -> Iterator[tuple[int, str]]:
    """Yield the offset of each `{` that needs a type, and the type.

    Only a whole statement `name = {};` counts, where every declaration of that name in `text`
    is of a half2, and one of them stands before it.
    """
    code = code_tokens(text)
    words = [text[token.start : token.end] for token in code]
    for at in range(1, len(words) - 4):
        if words[at + 1 : at + 5] != ["=", "{", "}", ";"]:
            continue
        if code[at].kind is not Kind.IDENTIFIER or words[at - 1] not in _BEFORE_STATEMENT:
            continue
        types = list(_declared(code, words, words[at]))
        before = [word for place, word in types if place < at]
        if before and all(word in TYPES for _, word in types):
            yield code[at + 2].start, before[-1]


def _declared(
    code: Sequence[Token], words: Sequence[str], name: str
) -> Iterator[tuple[int, str]]:
    """Yield where `name` is declared, and as what; "" for what is no plain type."""
    for at in range(1, len(words)):
        if words[at] != name:
            continue
        before = words[at - 1]
        if before == ",":
            begun = _statement(words, at)
            if words[begun] in TYPES and code[begun + 1].kind is Kind.IDENTIFIER:
                yield at, words[begun]
        elif code[at - 1].kind is Kind.IDENTIFIER and before not in _NO_TYPE:
            yield at, before
        elif before == ">" or (before in {"*", "&"} and words[at - 3] in _BEFORE_TYPE):
            # A reference is assigned as what it refers to; a pointer is not.
            yield at, words[at - 2] if before == "&" else ""


def _statement(words: Sequence[str], at: int) -> int:
    """Return the token that begins the statement or parameter list around `at`."""
    depth = 0
    while at > 0:
        word = words[at - 1]
        depth += word in ")]}"
        if depth == 0 and word in ";{(":
            return at
        depth -= word in "([{"
        at -= 1
    return at
