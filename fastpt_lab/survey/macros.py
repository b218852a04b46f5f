"""Expand the macros of one file in a sequence of words, `#` and `##` left out.

*Source*: C++17 [cpp.replace]: a macro is not expanded again inside its own expansion.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import code_tokens
from fastpt_lab.survey.unit import Unit, Word, macro_bodies

if TYPE_CHECKING:
    from collections.abc import Mapping

_MAX_WORDS = 20_000
_PARAMETERS = re.compile(r"\(\s*(?P<names>(?:\w+\s*(?:,\s*\w+\s*)*)?)\)")


class Macro(NamedTuple):
    """A macro: its parameters, None for one without brackets, and its words."""

    parameters: tuple[str, ...] | None
    body: tuple[Word, ...]


def macros_of(unit: Unit) -> dict[str, Macro]:
    """Return the live macros of a file that can be expanded: no `#`, no variable arguments."""
    found: dict[str, Macro] = {}
    for name, (call, body, _) in macro_bodies(unit).items():
        parameters: tuple[str, ...] | None = None
        start = 0
        if call:
            match = _PARAMETERS.match(body)
            if match is None:
                continue
            parameters = tuple(n.strip() for n in match["names"].split(",") if n.strip())
            start = match.end()
        words = tuple(
            Word(body[t.start : t.end], t.start, t.end, t.kind)
            for t in code_tokens(body, start)
        )
        if not any(word.text in {"#", "##"} for word in words):
            found[name] = Macro(parameters, words)
    return found


def expand(words: tuple[Word, ...], macros: Mapping[str, Macro]) -> tuple[Word, ...]:
    """Return `words` with the macros replaced; an expansion that grows too far is kept short."""
    if not any(word.text in macros for word in words):
        return words
    result: list[Word] = []
    _expand(words, macros, frozenset(), result)
    return tuple(result)


def _expand(
    words: tuple[Word, ...],
    macros: Mapping[str, Macro],
    hidden: frozenset[str],
    out: list[Word],
) -> None:
    index = 0
    while index < len(words) and len(out) < _MAX_WORDS:
        word = words[index]
        macro = macros.get(word.text) if word.text not in hidden else None
        index += 1
        if macro is None:
            out.append(word)
            continue
        arguments: tuple[tuple[Word, ...], ...] = ()
        if macro.parameters is not None:
            if index >= len(words) or words[index].text != "(":
                out.append(word)
                continue
            arguments, index = _arguments(words, index)
        _expand(
            _substituted(macro, arguments, macros, hidden), macros, hidden | {word.text}, out
        )


def _arguments(
    words: tuple[Word, ...], opening: int
) -> tuple[tuple[tuple[Word, ...], ...], int]:
    depth = 0
    items: list[tuple[Word, ...]] = []
    start = opening + 1
    for index in range(opening, len(words)):
        text = words[index].text
        depth += (text in {"(", "[", "{"}) - (text in {")", "]", "}"})
        if depth == 0 or (depth == 1 and text == ","):
            items.append(words[start:index])
            start = index + 1
            if depth == 0:
                return tuple(items), index + 1
    return tuple(items), len(words)


def _substituted(
    macro: Macro,
    arguments: tuple[tuple[Word, ...], ...],
    macros: Mapping[str, Macro],
    hidden: frozenset[str],
) -> tuple[Word, ...]:
    if not macro.parameters:
        return macro.body
    given: dict[str, list[Word]] = {}
    for name, argument in zip(macro.parameters, arguments, strict=False):
        given[name] = []
        _expand(argument, macros, hidden, given[name])
    result: list[Word] = []
    for word in macro.body:
        result += given.get(word.text, [word])
    return tuple(result)
