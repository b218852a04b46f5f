"""Evaluate the condition of an `#if` with macros that are defined, undefined or unknown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind, code_tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.core.scan import Directive

_POSITIVE = frozenset({"ifdef", "elifdef"})
_NEGATIVE = frozenset({"ifndef", "elifndef"})


def evaluate(text: str, directive: Directive, values: Mapping[str, bool | None]) -> bool | None:
    """Return the truth of an `#if`-like directive, None where it is not decided.

    `values` tells which macros are defined; others are unknown. A defined macro counts as 1,
    an undefined one as 0. Numbers and all operators but `!`, `&&`, `||` and parentheses are
    not decided, so `#if 0` is left to the compiler, as `unifdef` does.
    """
    words = _words(text, directive)
    if directive.name in _POSITIVE | _NEGATIVE:
        known = values.get(words[0]) if len(words) == 1 else None
        if known is None:
            return None
        return known if directive.name in _POSITIVE else not known
    return _Expression(words, values).value()


def names_of(text: str, directive: Directive) -> frozenset[str]:
    """Return the identifiers of a condition, `defined` excluded; numbers and operators count.

    Anything that is neither an identifier, `!`, `&&`, `||` nor a parenthesis is included as it
    stands, so a set within a set of macro names means a condition of those macros alone.
    """
    logic = {"defined", "!", "&&", "||", "(", ")"}
    return frozenset(word for word in _words(text, directive) if word not in logic)


def _words(text: str, directive: Directive) -> list[str]:
    """Return the tokens of the argument; `&&` and `||` are one however they were scanned."""
    words: list[str] = []
    previous_end = -1
    for token in code_tokens(text, directive.argument_start, directive.argument_end):
        word = text[token.start : token.end]
        if word in ("&", "|") and words and words[-1] == word and token.start == previous_end:
            words[-1] = word + word
        else:
            words.append(word if token.kind is not Kind.OTHER else "?")
        previous_end = token.end
    return words


class _Expression:
    """A recursive-descent evaluation in which every part may be unknown."""

    def __init__(self, words: list[str], values: Mapping[str, bool | None]) -> None:
        self._words = words
        self._values = values
        self._at = 0

    def value(self) -> bool | None:
        result = self._either()
        return result if self._at == len(self._words) else None

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _take(self) -> str:
        word = self._peek()
        self._at += 1
        return word

    def _either(self) -> bool | None:
        result = self._both()
        while self._peek() == "||":
            self._take()
            other = self._both()
            if result is True or other is True:
                result = True
            elif result is None or other is None:
                result = None
        return result

    def _both(self) -> bool | None:
        result = self._comparison()
        while self._peek() == "&&":
            self._take()
            other = self._comparison()
            if result is False or other is False:
                result = False
            elif result is None or other is None:
                result = None
        return result

    def _comparison(self) -> bool | None:
        """Return one operand; None, all of it consumed, if it is compared or calculated with."""
        result = self._unary()
        while self._peek() not in ("", "&&", "||", ")"):
            result = None
            if self._take() == "(":
                self._skip_to_close()
        return result

    def _unary(self) -> bool | None:
        word = self._take()
        if word == "!":
            inner = self._unary()
            return None if inner is None else not inner
        if word == "(":
            inner = self._either()
            if self._peek() == ")":
                self._take()
            return inner
        if word == "defined":
            return self._defined()
        return self._values.get(word)

    def _defined(self) -> bool | None:
        if self._peek() != "(":
            return self._values.get(self._take())
        self._take()
        known = self._values.get(self._take())
        if self._peek() == ")":
            self._take()
        return known

    def _skip_to_close(self) -> None:
        depth = 1
        while depth and self._at < len(self._words):
            depth += {"(": 1, ")": -1}.get(self._take(), 0)
