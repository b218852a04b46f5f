"""Read the halves of a `half2` by function where its members are integers under HIP.

Why: until HIP 6 `v.x` of a `__half2` is an `unsigned short` with the bits of the half. Calls then
fail ("no known conversion from 'unsigned short' to '__half'") or, worse, take an overload for
integers.

Safety: safe: `__low2half(v)` and `__high2half(v)` are the halves of `v` in both; offered at all
places of the function, so that none is left that compiles and computes with the bits.

Never offered: for names whose nearest declaration in the function is not one of `half2`, and
where a member is written or its address is taken.

Source: HIP 5.2.3 amd_hip_fp16.h (`struct __half2`, its union with `unsigned short x, y`); CUDA math
API, half precision conversion and data movement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.core.scan import Kind, code_tokens
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.scan import Token
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_BITS = re.compile(
    r"'unsigned (?:short|int)'.*(?:__)?half|(?:__)?half.*'unsigned (?:short|int)'", re.DOTALL
)
_NO_TYPES = frozenset({"return", "else", "case", "delete", "throw", "goto", "new", "operator"})
_BETWEEN = frozenset({"const", "__restrict__", "volatile", "*", "&"})
_BEFORE_TYPE = frozenset(
    {";", "{", "}", "(", ",", ">", "const", "static", "volatile", "__shared__"}
)
_AFTER_NAME = frozenset({"=", ";", ",", ")", "(", "{", "[", ":"})
_HALF2 = frozenset({"half2", "__half2"})
_READERS = {"x": "__low2half", "y": "__high2half"}
_WRITES = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the function around the place with its halves read by function."""
    said = "\n".join((diagnostic.message, *(note.message for note in diagnostic.related)))
    found = point(diagnostic.location, workspace)
    if found is None or _BITS.search(said) is None:
        return
    path, document, offset = found
    bounds = definition_around(document.text, offset, offset + 1)
    if bounds is None:
        return
    reads = list(_reads(document.text, code_tokens(document.text, *bounds)))
    line = document.position(offset).line
    here = [r for r in reads if document.position(r.start).line == line]
    if not here:
        return
    yield from edited(
        "Read the halves of half2 values by function under HIP",
        Place(path, document, here[0].start, here[0].end),
        reads,
        stack,
        "under HIP 5 the members of a half2 are its bits, as integers",
    )


def _reads(text: str, tokens: Sequence[Token]) -> Iterator[Replacement]:
    """Yield each member that is read of a name whose nearest declaration says `half2`.

    The tokens are a whole definition's: the first and the last are no part of an expression.
    """
    words = [text[token.start : token.end] for token in tokens]
    scopes: list[dict[str, str]] = [{}]
    for at, token in enumerate(tokens):
        if words[at] == "{":
            scopes.append({})
        elif words[at] == "}":
            # Both branches of an #if may close one block.
            scopes = scopes[:-1] or [{}]
        if token.kind != Kind.IDENTIFIER:
            continue
        declared = _type_of_declaration(tokens, words, at)
        if declared:
            scopes[-1][words[at]] = declared
            continue
        nearest = next((s[words[at]] for s in reversed(scopes) if words[at] in s), None)
        end = _after_subscripts(words, at + 1)
        if nearest in _HALF2 and _is_read(words, at, end):
            value = text[token.start : tokens[end - 1].end]
            reader = _READERS[words[end + 1]]
            yield Replacement(token.start, tokens[end + 1].end, f"{reader}({value})")


def _type_of_declaration(tokens: Sequence[Token], words: Sequence[str], at: int) -> str | None:
    """Return the type in front of the name at `at` if that looks like its declaration."""
    if words[at + 1 : at + 2] and words[at + 1] not in _AFTER_NAME:
        return None
    back = at - 1
    while words[back] in _BETWEEN:
        back -= 1
    if words[back] in {">", "]"}:
        # A template's arguments, or a comparison: either way no half2 for certain.
        return words[back]
    if tokens[back].kind != Kind.IDENTIFIER or words[back] in _NO_TYPES:
        return None
    is_argument = words[back - 1] not in _BEFORE_TYPE
    return None if is_argument and back + 1 < at else words[back]


def _is_read(words: Sequence[str], at: int, end: int) -> bool:
    """Whether `.x` or `.y` follows at `end`, and nothing writes it or takes its address."""
    if words[end : end + 1] != ["."] or words[end + 1 : end + 2] not in (["x"], ["y"]):
        return False
    if words[at - 1] in {".", "->", "::", "++", "--"} or _is_address(words, at):
        return False
    return words[end + 2] not in _WRITES | {"."}


def _after_subscripts(words: Sequence[str], at: int) -> int:
    """Return the index behind the `[…]` that begin at `at`, `at` itself if none does."""
    while words[at : at + 1] == ["["]:
        depth = 0
        while at < len(words):
            depth += (words[at] == "[") - (words[at] == "]")
            at += 1
            if not depth:
                break
    return at


def _is_address(words: Sequence[str], at: int) -> bool:
    """Whether the `&` in front, if any, takes an address and is no operator between values."""
    if words[at - 1] != "&":
        return False
    return not (words[at - 2][-1].isalnum() or words[at - 2][-1] in "_)]")
