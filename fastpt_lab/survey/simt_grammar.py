"""Parse the expressions and types of a device function; `simt_syntax` adds the statements."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.condition import number

if TYPE_CHECKING:
    from fastpt_lab.survey.unit import Word


class NotEmulatedError(Exception):
    """The function uses something that the emulation does not know; the text says what."""


class Type(NamedTuple):
    """`base` is `i8`…`u64`, `f`, `bool` or `any`; `pointer` counts stars, `reference` is `&`."""

    base: str
    pointer: int = 0
    reference: bool = False


class Node(NamedTuple):
    """One expression or statement: `kind` names it, `parts` are its operands."""

    kind: str
    parts: tuple[object, ...]


BASES = {
    "bool": "bool", "char": "i8", "short": "i16", "int": "i32", "long": "i64", "float": "f",
    "double": "f", "half": "f", "__half": "f", "size_t": "u64", "ptrdiff_t": "i64", "auto": "any",
    "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32",
    "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64", "uint": "u32", "void": "any",
    "uchar": "u8", "ushort": "u16", "ulong": "u64", "lane_mask_t": "any",
}  # fmt: skip
SIGNS = frozenset({"unsigned", "signed"})
SKIPPED = frozenset(
    {"const", "volatile", "constexpr", "static", "register", "inline", "__restrict__", "typename",
     "__device__", "__forceinline__", "restrict", "__restrict", "std", "::", "extern"}
)  # fmt: skip
_ASSIGNMENTS = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})
_LEVELS = (
    ("||",), ("&&",), ("|",), ("^",), ("&",), ("==", "!="), ("<", ">", "<=", ">="),
    ("<<", ">>"), ("+", "-"), ("*", "/", "%"),
)  # fmt: skip
_FLOAT = re.compile(r"(?:[0-9][0-9']*\.?[0-9']*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?[fFlL]?")
_CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast"})


def literal(text: str) -> Node:
    """Return the constant that a number is, with the type that its suffix and size give."""
    value = number(text)
    if value is not None:
        suffix = text.lower().lstrip("0123456789abcdefx'") if "x" in text.lower() else text
        suffix = suffix.lower().lstrip("0123456789'")
        unsigned = "u" in suffix
        wide = "l" in suffix or value >= 1 << 32
        if not wide and value >= 1 << 31:
            unsigned, wide = (True, False) if text.lower().startswith("0x") else (False, True)
        return Node("const", (("u" if unsigned else "i") + ("64" if wide else "32"), value))
    if _FLOAT.fullmatch(text):
        return Node("const", ("f", float(text.rstrip("fFlL").replace("'", ""))))
    raise NotEmulatedError(f"the number {text}")


class ExpressionParser:
    """Reads the expressions in `words`; `types` are names of types, `templates` of functions."""

    def __init__(
        self, words: tuple[Word, ...], types: frozenset[str], templates: frozenset[str]
    ) -> None:
        self._words = words
        self._types = types
        self._templates = templates
        self._at = 0

    def done(self) -> bool:
        """Whether every word was read."""
        return self._at >= len(self._words)

    def _peek(self, ahead: int = 0) -> str:
        index = self._at + ahead
        return self._words[index].text if index < len(self._words) else ""

    def _kind(self, ahead: int = 0) -> Kind:
        index = self._at + ahead
        return self._words[index].kind if index < len(self._words) else Kind.OTHER

    def _take(self, wanted: str = "") -> str:
        word = self._peek()
        if not word or (wanted and word != wanted):
            raise NotEmulatedError(f"the text at {word!r}" if word else "its end")
        self._at += 1
        return word

    def _accept(self, word: str) -> bool:
        if self._peek() == word:
            self._at += 1
            return True
        return False

    def type(self) -> Type:
        """Read a type with its stars and reference mark."""
        base, sign = "", ""
        while self._kind() is Kind.IDENTIFIER or self._peek() == "::":
            word = self._peek()
            if word in SKIPPED:
                self._take()
            elif word in SIGNS:
                sign = self._take()
            elif word in BASES and (not base or word in {"long", "int", "double"}):
                self._take()
                wide = base == "i64" or (word == "int" and base in {"i16", "i64"})
                base = base if wide else BASES[word]
            elif not base and not sign:
                self._take()
                base = "any"
            else:
                break
        if sign:
            base = ("u" if sign == "unsigned" else "i") + (base or "i32")[1:]
        pointer, reference = 0, False
        while self._peek() in {"*", "&", "const", "__restrict__", "volatile", "__restrict"}:
            word = self._take()
            pointer += word == "*"
            reference = reference or word == "&"
        if not base:
            raise NotEmulatedError(f"the type at {self._peek()!r}")
        return Type(base, pointer, reference)

    def expression(self) -> Node:
        """Read an expression; a comma keeps the last value."""
        value = self._assignment()
        while self._accept(","):
            value = Node("comma", (value, self._assignment()))
        return value

    def _assignment(self) -> Node:
        target = self._ternary()
        if self._peek() in _ASSIGNMENTS:
            operator = self._take()
            return Node("assign", (operator[:-1], target, self._assignment()))
        return target

    def _ternary(self) -> Node:
        test = self._binary(0)
        if not self._accept("?"):
            return test
        first = self._assignment()
        self._take(":")
        return Node("choose", (test, first, self._assignment()))

    def _binary(self, level: int) -> Node:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._peek() in _LEVELS[level]:
            operator = self._take()
            left = Node("binary", (operator, left, self._binary(level + 1)))
        return left

    def _unary(self) -> Node:
        word = self._peek()
        if word in {"-", "+", "!", "~", "*", "&"}:
            self._take()
            return Node("unary", (word, self._unary()))
        if word in {"++", "--"}:
            self._take()
            one = Node("const", ("i32", 1))
            return Node("assign", (word[0], self._unary(), one))
        if word == "(" and self._is_cast():
            self._take("(")
            kind = self.type()
            self._take(")")
            return Node("cast", (kind, self._unary()))
        return self._postfix()

    def _is_cast(self) -> bool:
        ahead = 1
        while self._peek(ahead) in SKIPPED:
            ahead += 1
        word = self._peek(ahead)
        if word not in BASES and word not in SIGNS and word not in self._types:
            return False
        while self._kind(ahead) is Kind.IDENTIFIER or self._peek(ahead) in {"*", "&", "::"}:
            ahead += 1
        return self._peek(ahead) == ")"

    def _postfix(self) -> Node:
        value = self._primary()
        while True:
            if self._accept("["):
                value = Node("index", (value, self.expression()))
                self._take("]")
            elif self._accept("."):
                value = Node("member", (value, self._take()))
            elif self._peek() in {"++", "--"}:
                value = Node("post", (self._take()[0], value))
            else:
                return value

    def _primary(self) -> Node:
        kind, word = self._kind(), self._take()
        if kind is Kind.NUMBER:
            return literal(word)
        if word == "(":
            value = self.expression()
            self._take(")")
            return value
        if kind is Kind.CHARACTER and len(word) == len("'c'"):
            return Node("const", ("i8", ord(word[1])))
        if kind is not Kind.IDENTIFIER and word != "::":
            raise NotEmulatedError(f"the text at {word!r}")
        while word == "::" or self._peek() == "::":
            if word != "::":
                self._take("::")
            word = self._take()
        if word in {"true", "false"}:
            return Node("const", ("bool", int(word == "true")))
        if word == "numeric_limits":
            return self._limit()
        if word in _CASTS:
            self._take("<")
            target = self.type()
            self._take(">")
            return Node("cast", (target, self._primary()))
        arguments = self._template_arguments(word)
        if self._peek() != "(":
            return Node("name", (word,))
        if word in BASES or word in self._types:
            return Node("cast", (Type(BASES.get(word, "any")), self._primary()))
        return Node("call", (word, arguments, self._call_arguments()))

    def _limit(self) -> Node:
        """Read `<T>::max()` and its like."""
        self._take("<")
        base = self.type().base
        self._take(">")
        self._take("::")
        which = self._take()
        self._take("(")
        self._take(")")
        if base in {"f", "any"}:
            values = {"max": 3.4e38, "lowest": -3.4e38, "infinity": math.inf, "min": 1.2e-38}
        elif base == "bool":
            values = {"max": 1.0, "lowest": 0.0, "min": 0.0}
        else:
            bits = int(base[1:]) - (base[0] == "i")
            low = -(1 << bits) if base[0] == "i" else 0
            values = {"max": (1 << bits) - 1, "lowest": low, "min": low}
        if which not in values:
            raise NotEmulatedError(f"numeric_limits::{which}")
        return Node("const", ("f" if base == "any" else base, values[which]))

    def _template_arguments(self, name: str) -> tuple[Node | None, ...]:
        """Read `<…>` after a template's name; a type is None, a constant its expression."""
        if self._peek() != "<" or name not in self._templates:
            return ()
        self._take("<")
        found: list[Node | None] = []
        while True:
            if self._kind() is Kind.NUMBER or (
                self._peek() not in BASES
                and self._peek() not in SIGNS
                and self._peek() not in self._types
            ):
                found.append(self._binary(7))
            else:
                self.type()
                found.append(None)
            if self._accept(">"):
                return tuple(found)
            self._take(",")

    def _call_arguments(self) -> tuple[Node, ...]:
        self._take("(")
        found: list[Node] = []
        while not self._accept(")"):
            found.append(self._assignment())
            if self._peek() != ")":
                self._take(",")
        return tuple(found)
