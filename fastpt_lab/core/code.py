"""The code of one way through a file's conditionals: tokens and the brackets that match."""

from __future__ import annotations

import bisect
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.condition import evaluate
from fastpt_lab.core.guard import HIP_VALUES
from fastpt_lab.core.scan import Kind, conditional_groups, directives, tokens

if TYPE_CHECKING:
    from fastpt_lab.core.scan import Group, Token

_CLOSES = {")": "(", "]": "[", "}": "{"}


class Code(NamedTuple):
    """Code tokens without directives, in the branches that were chosen.

    Attributes:
        words: the spelling of each token.
        kinds, starts, ends: its kind and offsets into the text.
        match: index of the partner of each bracket that has one.
        lists: the statements of the blocks that were asked for, kept by `statement`.
    """

    words: tuple[str, ...]
    kinds: tuple[Kind, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    match: dict[int, int]
    lists: dict[tuple[int, int], tuple[tuple[int, int], ...]]

    def first_at(self, offset: int) -> int:
        """Return the index of the first token that ends after `offset`."""
        return bisect.bisect_right(self.ends, offset)

    def at(self, offset: int) -> int | None:
        """Return the index of the token that covers `offset`."""
        index = self.first_at(offset)
        if index < len(self.starts) and self.starts[index] <= offset:
            return index
        return None

    def before(self, offset: int) -> int:
        """Return the index after the last token that starts before `offset`."""
        return bisect.bisect_left(self.starts, offset)


def code_around(text: str, offset: int) -> Code:
    """Return the code that is compiled together with what stands at `offset`.

    Of each `#if` group the branch that holds `offset` is taken; of others the first one that
    a HIP compiler may take, so that braces opened in two branches count once.
    """
    return _code(text, _left_out(text, offset))


def all_tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of `text`, comments included; the last few texts are remembered."""
    return _tokens(text)


@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[Token, ...]:
    return tokens(text)


def _left_out(text: str, offset: int) -> tuple[tuple[int, int], ...]:
    """Return the spans of directives and of branches not taken, in order."""
    spans = [(d.start, d.end) for d in directives(text)]
    for group in conditional_groups(text):
        taken = _taken(text, group, offset)
        spans += [
            (branch.body_start, branch.body_end)
            for number, branch in enumerate(group.branches)
            if number != taken and branch.body_start < branch.body_end
        ]
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)


def _taken(text: str, group: Group, offset: int) -> int | None:
    for number, branch in enumerate(group.branches):
        if branch.body_start <= offset < max(branch.body_end, branch.body_start + 1):
            return number
    for number, branch in enumerate(group.branches):
        directive = branch.directive
        if directive.name == "else":
            return number
        condition = text[directive.argument_start : directive.argument_end].strip()
        if condition != "0" and evaluate(text, directive, HIP_VALUES) is not False:
            return number
    return None


@lru_cache(maxsize=64)
def _code(text: str, left_out: tuple[tuple[int, int], ...]) -> Code:
    words: list[str] = []
    kept: list[Token] = []
    gaps = iter((*left_out, (len(text) + 1, len(text) + 2)))
    gap_start, gap_end = next(gaps)
    for token in _tokens(text):
        while token.start >= gap_end:
            gap_start, gap_end = next(gaps)
        if token.kind > Kind.COMMENT and token.end <= gap_start:
            words.append(text[token.start : token.end])
            kept.append(token)
    return Code(
        tuple(words),
        tuple(token.kind for token in kept),
        tuple(token.start for token in kept),
        tuple(token.end for token in kept),
        _matches(words),
        {},
    )


def _matches(words: list[str]) -> dict[int, int]:
    """Pair the brackets; a closing one that fits none of the open ones is left alone."""
    match: dict[int, int] = {}
    stack: list[int] = []
    for index, word in enumerate(words):
        if word in ("(", "[", "{"):
            stack.append(index)
        elif word in _CLOSES:
            partner = next((i for i in reversed(stack) if words[i] == _CLOSES[word]), None)
            if partner is not None:
                while stack and stack[-1] != partner:
                    stack.pop()
                stack.pop()
                match[partner], match[index] = index, partner
    return match
