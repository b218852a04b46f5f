"""Parse the body of a device function: the subset of C++ that small reductions are written in.

What is not in the subset raises `NotEmulatedError` with the word that it stopped at: an unread
function is never half-understood.
"""

from __future__ import annotations

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


_BASES = {
    "bool": "bool", "char": "i8", "short": "i16", "int": "i32", "long": "i64", "float": "f",
    "double": "f", "half": "f", "__half": "f", "size_t": "u64", "ptrdiff_t": "i64", "auto": "any",
    "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32",
    "uint32_t": "u32", "int64_t": "i64", "uint64_t": "u64", "uint": "u32", "void": "any",
    "uchar": "u8", "ushort": "u16", "ulong": "u64", "lane_mask_t": "any",
}  # fmt: skip
_SIGNS = frozenset({"unsigned", "signed"})
_SKIPPED = frozenset(
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


class Parser:
    """Reads `words`; `types` are further names of types, such as template parameters."""

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

    def block(self) -> Node:
        """Read `{ … }`."""
        self._take("{")
        body: list[Node] = []
        while not self._accept("}"):
            body.append(self.statement())
        return Node("block", tuple(body))

    def statement(self) -> Node:
        """Read one statement."""
        word = self._peek()
        if word == "{":
            return self.block()
        if word == ";":
            self._take()
            return Node("block", ())
        reader = {
            "if": self._if, "for": self._for, "while": self._while, "do": self._do,
            "return": self._return,
        }.get(word)  # fmt: skip
        if reader is not None:
            return reader()
        if word in {"break", "continue"}:
            self._take()
            self._take(";")
            return Node(word, ())
        if word in {"switch", "goto", "asm", "using", "typedef", "struct", "case", "try"}:
            raise NotEmulatedError(f"`{word}`")
        found = self._declaration() if self._declares() else Node("do", (self.expression(),))
        self._take(";")
        return found

    def _if(self) -> Node:
        self._take("if")
        self._accept("constexpr")
        self._take("(")
        test = self.expression()
        self._take(")")
        then = self.statement()
        other = self.statement() if self._accept("else") else Node("block", ())
        return Node("if", (test, then, other))

    def _for(self) -> Node:
        self._take("for")
        self._take("(")
        first = Node("block", ())
        if self._peek() != ";":
            first = (
                self._declaration() if self._declares() else Node("do", (self.expression(),))
            )
        self._take(";")
        test = self.expression() if self._peek() != ";" else Node("const", ("bool", 1))
        self._take(";")
        step = Node("do", (self.expression(),)) if self._peek() != ")" else Node("block", ())
        self._take(")")
        return Node("block", (first, Node("loop", (test, self.statement(), step, True))))

    def _while(self) -> Node:
        self._take("while")
        self._take("(")
        test = self.expression()
        self._take(")")
        return Node("loop", (test, self.statement(), Node("block", ()), True))

    def _do(self) -> Node:
        self._take("do")
        body = self.statement()
        self._take("while")
        self._take("(")
        test = self.expression()
        self._take(")")
        self._take(";")
        return Node("loop", (test, body, Node("block", ()), False))

    def _return(self) -> Node:
        self._take("return")
        value = None if self._peek() == ";" else self.expression()
        self._take(";")
        return Node("return", (value,))

    def _declares(self) -> bool:
        ahead = 0
        while self._peek(ahead) in _SKIPPED or self._peek(ahead) == "__shared__":
            ahead += 1
        word = self._peek(ahead)
        if word in _BASES or word in _SIGNS or word in self._types:
            return self._peek(ahead + 1) not in {"(", "<"}
        both_names = self._kind(ahead) is Kind.IDENTIFIER is self._kind(ahead + 1)
        return ahead > 0 or both_names

    def type(self) -> Type:
        """Read a type with its stars and reference mark."""
        base, sign = "", ""
        while self._kind() is Kind.IDENTIFIER or self._peek() == "::":
            word = self._peek()
            if word in _SKIPPED:
                self._take()
            elif word in _SIGNS:
                sign = self._take()
            elif word in _BASES and (not base or word in {"long", "int", "double"}):
                self._take()
                wide = base == "i64" or (word == "int" and base in {"i16", "i64"})
                base = base if wide else _BASES[word]
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

    def _declaration(self) -> Node:
        shared = self._peek() == "__shared__" or self._peek(1) == "__shared__"
        dynamic = self._peek() == "extern"
        while self._peek() in {"extern", "__shared__"}:
            self._take()
        kind = self.type()
        items: list[Node] = []
        while True:
            stars = 0
            while self._accept("*"):
                stars += 1
            name = self._take()
            dims: list[Node | None] = []
            while self._accept("["):
                dims.append(None if self._peek() == "]" else self.expression())
                self._take("]")
            own = Type(kind.base, kind.pointer + stars, kind.reference)
            items.append(Node("var", (own, name, tuple(dims), self._initial(), shared)))
            if not self._accept(","):
                break
        if dynamic and not shared:
            raise NotEmulatedError("an extern declaration")
        return Node("block", tuple(items)) if len(items) > 1 else items[0]

    def _initial(self) -> Node | None:
        if self._accept("="):
            if self._peek() == "{":
                return self._braces()
            return self._assignment()
        if self._peek() == "{":
            return self._braces()
        if self._accept("("):
            value = self.expression()
            self._take(")")
            return value
        return None

    def _braces(self) -> Node:
        self._take("{")
        items: list[Node] = []
        while not self._accept("}"):
            items.append(self._assignment())
            self._accept(",")
        return Node("braces", tuple(items))

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
        while self._peek(ahead) in _SKIPPED:
            ahead += 1
        word = self._peek(ahead)
        if word not in _BASES and word not in _SIGNS and word not in self._types:
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
        if kind is not Kind.IDENTIFIER and word != "::":
            raise NotEmulatedError(f"the text at {word!r}")
        while word == "::" or self._peek() == "::":
            if word != "::":
                self._take("::")
            word = self._take()
        if word in {"true", "false"}:
            return Node("const", ("bool", int(word == "true")))
        if word in _CASTS:
            self._take("<")
            target = self.type()
            self._take(">")
            return Node("cast", (target, self._primary()))
        arguments = self._template_arguments(word)
        if self._peek() != "(":
            return Node("name", (word,))
        if word in _BASES or word in self._types:
            return Node("cast", (Type(_BASES.get(word, "any")), self._primary()))
        return Node("call", (word, arguments, self._call_arguments()))

    def _template_arguments(self, name: str) -> tuple[Node | None, ...]:
        """Read `<…>` after a template's name; a type is None, a constant its expression."""
        if self._peek() != "<" or name not in self._templates:
            return ()
        self._take("<")
        found: list[Node | None] = []
        while True:
            if self._kind() is Kind.NUMBER or (
                self._peek() not in _BASES
                and self._peek() not in _SIGNS
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
