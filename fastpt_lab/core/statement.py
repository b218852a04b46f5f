"""Where statements, declarations and definitions begin and end; found by tokens, not parsed.

Types are not known, so a few forms are told by their look: `T{…}` after a name is an
initializer, a brace after `)` a body. A statement that is taken too long does no harm: a guard
around it is longer than needed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.code import Code

_CONTROL = frozenset({"if", "for", "while", "switch"})
_CLASS_KEYS = frozenset({"class", "struct", "union", "enum"})
_BEFORE_BODY = frozenset(
    {
        ")",
        "}",
        "const",
        "noexcept",
        "override",
        "final",
        "mutable",
        "volatile",
        "&",
        "&&",
        "try",
    }
)
_ACCESS = frozenset({"public", "private", "protected"})
_VALUES = frozenset({"return", "throw", "co_return", "co_yield", "delete", "new", "goto"})


class Span(NamedTuple):
    """Indices of the first token and after the last one."""

    first: int
    end: int


@dataclass(slots=True)
class _Seen:
    """What the part of a declaration before a brace has shown."""

    parenthesis: bool = False
    assignment: bool = False
    comma: bool = False
    arrow: bool = False
    colon: bool = False


class Statements:
    """The statements of one `Code`."""

    def __init__(self, code: Code) -> None:
        self._code = code
        self._words = code.words

    def chain(self, first: int, end: int) -> tuple[tuple[Span, Span], ...]:
        """Return the statements around tokens `first:end`, outermost first.

        Each comes with the block, as a span, whose list of statements it belongs to.
        """
        found: list[tuple[Span, Span]] = []
        block = Span(0, len(self._words))
        while True:
            holder = next(
                (s for s in self.of(block) if s.first <= first and end <= s.end), None
            )
            if holder is None:
                return tuple(found)
            found.append((holder, block))
            inner = next(
                (b for b in self.blocks(holder) if b.first <= first and end <= b.end), None
            )
            if inner is None or inner == block:
                return tuple(found)
            block = inner

    def of(self, block: Span) -> tuple[Span, ...]:
        """Return the statements of a block, in order and without a gap."""
        known = self._code.lists.get(block)
        if known is None:
            known = self._code.lists[block] = tuple(self._list(block))
        return tuple(Span(*bounds) for bounds in known)

    def _list(self, block: Span) -> Iterator[Span]:
        at = block.first
        while at < block.end:
            end = min(max(self.end_of(at, block.end), at + 1), block.end)
            yield Span(at, end)
            at = end

    def end_of(self, at: int, limit: int) -> int:
        """Return the index after the statement that begins at token `at`."""
        word = self._word(at, limit)
        if word == "{":
            return self._after(at, limit)
        if word == ";" or not word:
            return at + 1
        if word in _CONTROL:
            body = self._after_head(at, limit)
            return self._simple(at, limit) if body is None else self._with_else(at, body, limit)
        if word in ("else", "do", "try"):
            return self._tail_of(word, self.end_of(at + 1, limit), limit)
        label = self._label_end(at, limit)
        return self._simple(at, limit) if label is None else label

    def blocks(self, statement: Span) -> Iterator[Span]:
        """Yield the lists of statements directly inside a statement: bodies, substatements."""
        at, end = statement
        word = self._word(at, end)
        if word in _CONTROL and (body := self._after_head(at, end)) is not None:
            yield from self._substatement(body, end)
            after = self.end_of(body, end)
            while word == "if" and self._word(after, end) == "else":
                yield from self._substatement(after + 1, end)
                after = self.end_of(after + 1, end)
        elif word in ("else", "do", "try"):
            yield from self._substatement(at + 1, end)
            after = self.end_of(at + 1, end)
            while word == "try" and self._word(after, end) == "catch":
                body = self._after(after + 1, end)
                yield from self._substatement(body, end)
                after = self.end_of(body, end)
        else:
            yield from self._bodies(at, end)

    def is_scope(self, statement: Span) -> bool:
        """Whether a statement is a namespace or class, whose members are declarations."""
        head = self._head_word(*statement)
        if head not in _CLASS_KEYS:
            return head == "namespace"
        for index in range(*statement):
            if self._words[index] == "{":
                return self._words[index - 1] != ")"
        return False

    def is_lambda_body(self, brace: int) -> bool:
        """Whether the `{` at `brace` opens the body of a lambda."""
        at = brace - 1
        while at >= 0 and self._words[at] not in (")", "]", ";", "{", "}", "(", ","):
            at -= 1
        if at >= 0 and self._words[at] == ")" and at in self._code.match:
            at = self._code.match[at] - 1
            while at >= 0 and self._code.kinds[at] is Kind.IDENTIFIER:
                at -= 1
        if at < 0 or self._words[at] != "]" or at not in self._code.match:
            return False
        before = self._code.match[at] - 1
        return (
            before < 0
            or not (
                self._words[before] in (")", "]") or self._code.kinds[before] is Kind.IDENTIFIER
            )
            or self._words[before] in _VALUES
        )

    def _word(self, at: int, limit: int) -> str:
        return self._words[at] if at < limit else ""

    def _after(self, bracket: int, limit: int) -> int:
        """Return the index after the partner of a bracket, or the limit if it has none."""
        partner = self._code.match.get(bracket)
        return limit if partner is None or partner >= limit else partner + 1

    def _after_head(self, at: int, limit: int) -> int | None:
        """Return where the substatement of `if (…)`, `for (…)` … begins."""
        paren = at + 1
        while self._word(paren, limit) in ("constexpr", "consteval", "!"):
            paren += 1
        return self._after(paren, limit) if self._word(paren, limit) == "(" else None

    def _with_else(self, at: int, body: int, limit: int) -> int:
        # A loop, not recursion: generated code has chains of hundreds.
        end = self.end_of(body, limit)
        while self._words[at] == "if" and self._word(end, limit) == "else":
            at = end + 1
            head = self._after_head(at, limit) if self._word(at, limit) == "if" else None
            if head is None:
                return self.end_of(at, limit)
            end = self.end_of(head, limit)
        return end

    def _tail_of(self, word: str, end: int, limit: int) -> int:
        if word == "do" and self._word(end, limit) == "while":
            end = self._after(end + 1, limit)
            return end + 1 if self._word(end, limit) == ";" else end
        while word == "try" and self._word(end, limit) == "catch":
            end = self.end_of(self._after(end + 1, limit), limit)
        return end

    def _label_end(self, at: int, limit: int) -> int | None:
        word, following = self._words[at], self._word(at + 1, limit)
        if word == "case":
            colon = at + 1
            while self._word(colon, limit) not in (":", ";", "{", ""):
                opens = self._word(colon, limit) in ("(", "[")
                colon = self._after(colon, limit) if opens else colon + 1
            return colon + 1
        named = self._code.kinds[at] is Kind.IDENTIFIER
        return at + 2 if following == ":" and (word in _ACCESS or named) else None

    def _substatement(self, at: int, limit: int) -> Iterator[Span]:
        if at >= limit:
            return
        if self._words[at] == "{" and at in self._code.match:
            yield Span(at + 1, self._code.match[at])
        else:
            yield Span(at, min(self.end_of(at, limit), limit))

    def _head_word(self, at: int, limit: int) -> str:
        """Return the word that tells what a declaration declares."""
        skipped = {"typedef", "static", "inline", "const", "constexpr", "extern", "friend"}
        while True:
            word = self._word(at, limit)
            if word == "template":
                at = self._after_template(at, limit)
            elif at < limit and (word in skipped or self._code.kinds[at] is Kind.STRING):
                if word == "extern" and self._word(at + 2, limit) == "{":
                    return "namespace"
                at += 1
            else:
                return word

    def _after_template(self, at: int, limit: int) -> int:
        """Return the index after `template <…>`, `at` being on `template`."""
        at += 1
        if self._word(at, limit) != "<":
            return at
        depth = 0
        while at < limit:
            word = self._words[at]
            if word in ("(", "[", "{"):
                at = self._after(at, limit)
                continue
            depth += (word == "<") - (len(word) if word in (">", ">>", ">>>") else 0)
            at += 1
            if depth <= 0:
                break
        return at

    def _simple(self, at: int, limit: int) -> int:
        """Return the end of a declaration, a definition or an expression statement."""
        for brace, body in self._braces(at, limit):
            if brace < 0:
                return body
        return limit

    def _bodies(self, at: int, limit: int) -> Iterator[Span]:
        """Yield the bodies of functions, classes, namespaces and lambdas of a declaration."""
        if self._words[at] == "{" and at in self._code.match:
            yield Span(at + 1, self._code.match[at])
            return
        enumeration = self._head_word(at, limit) == "enum"
        for brace, body in self._braces(at, limit):
            if brace >= 0 and (self.is_lambda_body(brace) or (body and not enumeration)):
                yield Span(brace + 1, self._code.match[brace])

    def _braces(self, at: int, limit: int) -> Iterator[tuple[int, int]]:
        """Yield (index of `{`, whether it is a body) and at last (-1, end of the statement)."""
        head = self._head_word(at, limit)
        seen = _Seen(assignment=self._words[at] in _VALUES)
        index = at
        while index < limit:
            word = self._words[index]
            if word == "template":
                index = self._after_template(index, limit)
            elif word == "{" and index in self._code.match:
                body = self._is_body(index, head, seen)
                yield index, int(body)
                index = self._after(index, limit)
                if body and not self._goes_on(head, seen):
                    yield -1, index
                    return
            elif word in ("(", "["):
                seen.parenthesis |= word == "("
                index = self._after(index, limit)
            elif word == ";":
                yield -1, index + 1
                return
            else:
                self._note(index, seen)
                index += 1
        yield -1, limit

    def _note(self, index: int, seen: _Seen) -> None:
        word = self._words[index]
        seen.assignment |= word == "=" and self._words[index - 1] != "operator"
        seen.comma |= word == ","
        seen.arrow |= word == "->"
        seen.colon |= word == ":" and seen.parenthesis

    def _goes_on(self, head: str, seen: _Seen) -> bool:
        """Whether a declaration continues after this body, up to its semicolon."""
        return head in _CLASS_KEYS and not seen.parenthesis

    def _is_body(self, brace: int, head: str, seen: _Seen) -> bool:
        before = self._words[brace - 1]
        if seen.assignment:
            return False
        if head == "namespace":
            return True
        if head in _CLASS_KEYS and before != ")":
            return not seen.assignment
        if not seen.parenthesis:
            return False
        if seen.colon:
            return before in (")", "}")
        return before in _BEFORE_BODY or seen.arrow or not seen.comma
