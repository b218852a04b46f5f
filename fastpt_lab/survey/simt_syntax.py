"""Parse the body of a device function: the subset of C++ that small reductions are written in.

What is not in the subset raises `NotEmulatedError` with the word that it stopped at: an unread
function is never half-understood.
"""

from __future__ import annotations

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.simt_grammar import (
    BASES,
    SIGNS,
    SKIPPED,
    ExpressionParser,
    Node,
    NotEmulatedError,
    Type,
)


class Parser(ExpressionParser):
    """Reads statements and blocks."""

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
        while self._peek(ahead) in SKIPPED or self._peek(ahead) == "__shared__":
            ahead += 1
        word = self._peek(ahead)
        if word in BASES or word in SIGNS or word in self._types:
            return self._peek(ahead + 1) not in {"(", "<"}
        both_names = self._kind(ahead) is Kind.IDENTIFIER is self._kind(ahead + 1)
        return ahead > 0 or both_names

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
