"""Evaluate a preprocessor condition where some macros are not known: three-valued, never guessed.

*Source*: C++17 [cpp.cond]: an identifier that is not a macro is 0; `&&` and `||` need no right
side once the left one decides.
"""

from __future__ import annotations

import operator
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind, code_tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"|": operator.or_},
    {"^": operator.xor},
    {"&": operator.and_},
    {"==": operator.eq, "!=": operator.ne},
    {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge},
    {"<<": lambda a, b: a << min(b, 64), ">>": lambda a, b: a >> min(b, 64)},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul, "/": lambda a, b: int(a / b), "%": lambda a, b: a - b * int(a / b)},
)
_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)[uUlLzZ]*")
_MAX_DEPTH = 16
_NOTHING = re.compile(r"(?!)")


@dataclass(frozen=True, slots=True)
class Macros:
    """Macros of one pass of one compiler.

    Attributes:
        values: name to replacement text; a function-like macro has no usable value.
        absent: matches the names that are surely not defined.
        hidden: names of which nothing is known, whatever the others say.
    """

    values: Mapping[str, str] = field(default_factory=dict)
    absent: re.Pattern[str] = _NOTHING
    hidden: frozenset[str] = frozenset()

    def defined(self, name: str) -> bool | None:
        """Return whether `name` is a macro; None is not known."""
        if name in self.hidden:
            return None
        if name in self.values:
            return True
        return False if self.absent.fullmatch(name) else None

    def shown(self, name: str) -> str:
        """Return the value of `name` for people."""
        state = self.defined(name)
        if state is None:
            return "not known"
        return (self.values[name] or "defined") if state else "not defined"


class _Unknown(Exception):
    """The text is not a condition that can be read."""


def number(text: str) -> int | None:
    """Return the integer that a C literal stands for; None if it is none."""
    match = _INTEGER.fullmatch(text)
    if match is None:
        return None
    digits = match[1].replace("'", "").lower()
    if digits.startswith("0") and digits.isdigit():
        return int(digits, 8) if not set(digits) & {"8", "9"} else None
    return int(digits, 0)


class _Reader:
    def __init__(self, text: str, macros: Macros, depth: int) -> None:
        self._words = [text[t.start : t.end] for t in code_tokens(text)]
        self._kinds = [t.kind for t in code_tokens(text)]
        self._at = 0
        self._macros = macros
        self._depth = depth

    def whole(self) -> int | None:
        value = self._choice()
        if self._at != len(self._words):
            raise _Unknown
        return value

    def _word(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def _take(self, *wanted: str) -> str:
        word = self._word()
        if not word or (wanted and word not in wanted):
            raise _Unknown
        self._at += 1
        return word

    def _choice(self) -> int | None:
        condition = self._either()
        if self._word() != "?":
            return condition
        self._take("?")
        first = self._choice()
        self._take(":")
        second = self._choice()
        if condition is None:
            return first if first == second else None
        return first if condition else second

    def _either(self) -> int | None:
        value = self._both()
        while self._word() in {"||", "or"}:
            self._take()
            right = self._both()
            value = 1 if value or right else None if value is None or right is None else 0
        return value

    def _both(self) -> int | None:
        value = self._binary(0)
        while self._word() in {"&&", "and"}:
            self._take()
            right = self._binary(0)
            if value == 0 or right == 0:
                value = 0
            else:
                value = None if value is None or right is None else 1
        return value

    def _binary(self, level: int) -> int | None:
        if level == len(_LEVELS):
            return self._unary()
        value = self._binary(level + 1)
        while self._word() in _LEVELS[level]:
            word = self._take()
            right = self._binary(level + 1)
            if value is None or right is None or (word in "/%" and right == 0):
                value = None
            else:
                value = int(_LEVELS[level][word](value, right))
        return value

    def _unary(self) -> int | None:
        word = self._word()
        if word in {"!", "not", "-", "+", "~"}:
            self._take()
            value = self._unary()
            if value is None:
                return None
            return {"-": -value, "+": value, "~": ~value}.get(word, int(not value))
        if word == "(":
            self._take("(")
            value = self._choice()
            self._take(")")
            return value
        return self._primary()

    def _primary(self) -> int | None:
        kind = self._kinds[self._at] if self._at < len(self._kinds) else Kind.OTHER
        word = self._take()
        if kind is Kind.NUMBER:
            value = number(word)
            if value is None:
                raise _Unknown
            return value
        if word == "defined":
            return self._defined()
        if kind is not Kind.IDENTIFIER:
            raise _Unknown
        if word in {"true", "false"}:
            return int(word == "true")
        if self._word() == "(":
            self._skip_call()
            return None
        return self._value(word)

    def _defined(self) -> int | None:
        bracket = self._word() == "("
        if bracket:
            self._take("(")
        state = self._macros.defined(self._take())
        if bracket:
            self._take(")")
        return None if state is None else int(state)

    def _skip_call(self) -> None:
        depth = 0
        while True:
            word = self._take()
            depth += (word == "(") - (word == ")")
            if depth == 0:
                return

    def _value(self, name: str) -> int | None:
        state = self._macros.defined(name)
        if state is None:
            return None
        if not state:
            return 0
        if self._depth >= _MAX_DEPTH:
            return None
        return evaluate(self._macros.values[name], self._macros, depth=self._depth + 1)


def evaluate(condition: str, macros: Macros, *, depth: int = 0) -> int | None:
    """Return the value of `condition`; None if a macro that decides it is not known."""
    try:
        return _Reader(condition, macros, depth).whole()
    except (_Unknown, RecursionError):
        return None


def names_in(condition: str) -> tuple[str, ...]:
    """Return the identifiers of a condition in order, each once, `defined` left out."""
    words = (
        condition[token.start : token.end]
        for token in code_tokens(condition)
        if token.kind is Kind.IDENTIFIER
    )
    return tuple(dict.fromkeys(w for w in words if w not in {"defined", "and", "or", "not"}))
