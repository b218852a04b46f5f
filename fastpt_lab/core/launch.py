"""Kernel launches that nvcc reads and clang does not, in the spelling that both take.

*Source*: nvcc 13.0 accepts `<<` and `<` with blanks between them, which formatters make of
`<<<`, and braces for a `dim3`; clang 15 takes neither ("expected expression").
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import code_tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.scan import Token

_TYPES = ("dim3", "dim3", "size_t", "hipStream_t")
"""Of grid, block, bytes of shared memory, and stream, which braces alone initialise.

They get parentheses: torch's hipify splits a launch at the commas inside braces.
"""


class Change(NamedTuple):
    """`text[start:end]` becomes `new`."""

    start: int
    end: int
    new: str


def launch_changes(text: str) -> list[Change]:
    """Return what makes the launches of `text` readable for clang, in order."""
    return [change for launch in unreadable_launches(text) for change in launch]


def unreadable_launches(text: str) -> list[tuple[Change, ...]]:
    """Return the changes of each launch of `text` that clang does not read, in order."""
    code = code_tokens(text)
    found: list[tuple[Change, ...]] = []
    at = 1
    while at < len(code):
        opened = _sign(text, code, at, "<")
        if not opened or _is_operator(text, code[at - 1]):
            at += 1
            continue
        inside = _launch(text, code, at + opened)
        changes = _joined(code, at, opened, "<<<") + (inside or [])
        if inside is not None and changes:
            found.append(tuple(changes))
        at += opened
    return found


def _launch(text: str, code: Sequence[Token], at: int) -> list[Change] | None:
    """Return the changes of a launch's arguments from token `at` on; None if nothing closes it."""
    depth = argument = 0
    begins, braced = True, False
    changes: list[Change] = []
    while at < len(code):
        word = text[code[at].start : code[at].end]
        closed = _sign(text, code, at, ">") if not depth else 0
        if closed:
            return changes + _joined(code, at, closed, ">>>")
        if word == ";" and not depth:
            break
        if word == "{" and begins and not depth and argument < len(_TYPES):
            changes.append(Change(code[at].start, code[at].end, f"{_TYPES[argument]}("))
            braced = True
        depth += word in "([{"
        depth -= word in ")]}"
        if braced and not depth:
            changes.append(Change(code[at].start, code[at].end, ")"))
            braced = False
        if depth < 0:
            break
        begins = word == "," and not depth
        argument += begins
        at += 1
    return None


def _sign(text: str, code: Sequence[Token], at: int, sign: str) -> int:
    """Return how many tokens from `at` on make up three of `sign`; 0 where they do not."""
    word = text[code[at].start : code[at].end]
    if word == 3 * sign:
        return 1
    following = at + 1
    if word == 2 * sign and following < len(code):
        rest = text[code[at].end : code[following].end]
        return 2 if rest[:1] in " \t" and rest.strip(" \t") == sign else 0
    return 0


def _is_operator(text: str, before: Token) -> bool:
    return text[before.start : before.end] == "operator"


def _joined(code: Sequence[Token], at: int, tokens: int, whole: str) -> list[Change]:
    """Return the change that puts the parts of a sign together."""
    return [] if tokens == 1 else [Change(code[at].start, code[at + 1].end, whole)]
