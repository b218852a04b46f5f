"""The operands of a product or quotient, where they can be read without a parser of C++."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.code import code_around
from fastpt_lab.core.scan import Kind

if TYPE_CHECKING:
    from fastpt_lab.core.code import Code

_PRODUCTS = frozenset({"*", "/"})
_BEGINS = frozenset({"=", "(", "[", ",", "{", ";", "return", "?", "+=", "-=", "<<"})
"""What may stand before a left operand: nothing here binds to it more closely."""

_CLOSERS = frozenset({")", "]"})
_ENDS = frozenset({"<", "++", "--", "{", ".*", "->*"})
_SIGNS = frozenset({"+", "-", "*", "&"})
_MEMBER = frozenset({".", "->", "::"})
_NO_NAME = frozenset(
    {"return", "sizeof", "alignof", "new", "delete", "case", "throw", "if", "else", "for",
     "while", "do", "switch"}
)  # fmt: skip


class Operands(NamedTuple):
    """Offsets of both operands of the operator between them."""

    left: tuple[int, int]
    right: tuple[int, int]


def operands_at(text: str, offset: int) -> Operands | None:
    """Return the operands of the `*` or `/` that stands at `offset`.

    Only names, numbers, calls, subscripts and parentheses with what follows them by `.`, `->`
    or `::` are read as operands; None for anything else, for an operator in a directive, and
    where another product stands to the left.
    """
    code = code_around(text, offset)
    index = code.at(offset)
    if index is None or code.words[index] not in _PRODUCTS:
        return None
    first, last = _back(code, index - 1), _forth(code, index + 1)
    if first is None or last is None:
        return None
    before = code.words[first - 1] if first else ";"
    if before not in _BEGINS and not _adds(code, first - 1):
        return None
    return Operands(
        (code.starts[first], code.ends[index - 1]), (code.starts[index + 1], code.ends[last])
    )


def _adds(code: Code, index: int) -> bool:
    """Whether the token is a `+` or `-` between two operands, not a sign."""
    return (
        index > 0
        and code.words[index] in ("+", "-")
        and (_named(code, index - 1) or code.words[index - 1] in _CLOSERS)
    )


def _named(code: Code, index: int) -> bool:
    kinds = (Kind.IDENTIFIER, Kind.NUMBER)
    return code.kinds[index] in kinds and code.words[index] not in _NO_NAME


def _back(code: Code, index: int) -> int | None:
    """Return the first token of the operand that ends with the token at `index`."""
    while index >= 0:
        if code.words[index] in _CLOSERS:
            opening = code.match.get(index)
            if opening is None:
                return None
            index = opening
            called = index > 0 and (
                _named(code, index - 1) or code.words[index - 1] in _CLOSERS
            )
            if called:
                index -= 1
                continue
        elif not _named(code, index):
            return None
        if index > 0 and code.words[index - 1] in _MEMBER:
            index -= 2
            continue
        return index
    return None


def _forth(code: Code, index: int) -> int | None:
    """Return the last token of the operand that begins with the token at `index`."""
    words, count = code.words, len(code.words)
    if index >= count or not (_named(code, index) or words[index] == "("):
        return None
    last = code.match.get(index, -1) if words[index] == "(" else index
    while last >= 0 and last + 1 < count:
        following = words[last + 1]
        if following in ("(", "["):
            last = code.match.get(last + 1, -1)
        elif following in _MEMBER:
            last = last + 2 if last + 2 < count and _named(code, last + 2) else -1
        else:
            return None if following in _ENDS or _cast(code, index, last) else last
    return None


def _cast(code: Code, first: int, last: int) -> bool:
    """Whether `(…)` is followed by an operand, or a sign of one, which it may then cast."""
    following = code.words[last + 1]
    if code.words[first] != "(" or code.match.get(first) != last:
        return False
    type_like = all(kind is Kind.IDENTIFIER for kind in code.kinds[first + 1 : last])
    return (
        _named(code, last + 1) or following in ("~", "!") or (type_like and following in _SIGNS)
    )
