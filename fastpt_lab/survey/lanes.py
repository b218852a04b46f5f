"""What the names of a device function stand for: a thread, a lane of 32 or of the wave, a ballot.

A value is followed through plain assignments of one function; nothing is followed through
memory, pointers or calls.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.condition import Macros, evaluate, number
from fastpt_lab.survey.simt_intrinsics import bare

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.survey.unit import Word

CUDA_LANES = 32
BALLOTS = frozenset({"__ballot", "__activemask", "__match_any", "__match_all"})
VOTES = frozenset({"__any", "__all"})
NARROW_TYPES = frozenset({"int", "unsigned", "uint32_t", "int32_t", "uint", "unsigned int"})
_ASSIGNS = frozenset({"=", "{"})
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = {")": "(", "]": "[", "}": "{"}
_INDICES = frozenset({"thread_rank", "thread_index"})


class Tag(Enum):
    """What is known about a value."""

    THREAD = "thread index"
    LANE_32 = "lane of 32"
    WARP_32 = "warp of 32"
    LANE_WAVE = "lane of the wave"
    WARP_WAVE = "wave"
    WARPS_32 = "warps of 32 in a block"
    WARPS_WAVE = "waves in a block"
    BALLOT = "64-bit ballot"


LAYOUT_32 = frozenset({Tag.LANE_32, Tag.WARP_32})
LAYOUT_WAVE = frozenset({Tag.LANE_WAVE, Tag.WARP_WAVE})


@dataclass(frozen=True, slots=True)
class Mark:
    """An expression of `words[start:end]` with what it is."""

    tag: Tag
    start: int
    end: int


@dataclass(slots=True)
class Lanes:
    """The words of one function's body and what is known of the names in them."""

    words: tuple[Word, ...]
    constants: Mapping[str, int]
    names: dict[str, set[Tag]] = field(default_factory=dict)
    marks: list[Mark] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    closers: dict[int, int] = field(default_factory=dict)
    macros: Macros = field(default_factory=Macros)

    def __post_init__(self) -> None:
        self.macros = Macros({name: str(value) for name, value in self.constants.items()})
        stack: list[int] = []
        for index, word in enumerate(self.words):
            if word.text in _OPENING:
                stack.append(index)
            elif word.text in _CLOSING and stack:
                opening = stack.pop()
                self.closers[opening] = index
                self.closers[index] = opening
        self._follow()
        self.marks = self._expressions()

    def has(self, tags: frozenset[Tag]) -> bool:
        """Return whether the function computes any of `tags`."""
        return any(mark.tag in tags for mark in self.marks)

    def text(self, index: int) -> str:
        """Return the word at `index`, "" outside."""
        return self.words[index].text if 0 <= index < len(self.words) else ""

    def names_wave(self, start: int, end: int) -> bool:
        """Return whether `words[start:end]` has the built-in `warpSize`, not one's own."""
        return "warpSize" not in self.constants and any(
            word.text == "warpSize" for word in self.words[start:end]
        )

    def value(self, start: int, end: int) -> int | None:
        """Return the constant that `words[start:end]` is; None if it is none."""
        if end - start == 1:
            word = self.words[start]
            if word.kind is Kind.NUMBER:
                return number(word.text)
            return self.constants.get(word.text)
        text = " ".join(word.text for word in self.words[start:end])
        return evaluate(text, self.macros) if text else None

    def tags(self, start: int, end: int) -> set[Tag]:
        """Return what is known of the expression `words[start:end]`."""
        found = {m.tag for m in self._expressions(start, end)}
        for index in range(start, end):
            found |= self.names.get(self.text(index), set()) - {Tag.BALLOT}
            if self._is_thread(index):
                found.add(Tag.THREAD)
            if bare(self.text(index)) in BALLOTS and self.text(index + 1) == "(":
                found.add(Tag.BALLOT)
        if end - start == 1:
            found |= self.names.get(self.text(start), set())
        return found

    def _is_thread(self, index: int) -> bool:
        if self.text(index) == "threadIdx" or self.text(index) in _INDICES:
            return True
        return Tag.THREAD in self.names.get(self.text(index), set())

    def _follow(self) -> None:
        """Give each assigned name the tags of its value, in the order of the text."""
        for index, word in enumerate(self.words):
            if word.kind is not Kind.IDENTIFIER or self.text(index + 1) not in _ASSIGNS:
                continue
            declared = self._declared_type(index)
            if self.text(index + 1) == "{" and not declared:
                continue
            end = self.statement_end(index + 2)
            tags = self.tags(index + 2, end)
            if declared:
                self.types[word.text] = declared
            if declared in NARROW_TYPES or self.types.get(word.text) in NARROW_TYPES:
                tags.discard(Tag.BALLOT)
            self.names.setdefault(word.text, set()).update(tags)

    def _declared_type(self, name: int) -> str:
        """Return the type before the name at `name`: `unsigned int`, `auto`; "" if none."""
        parts: list[str] = []
        index = name - 1
        while index >= 0 and self.words[index].kind is Kind.IDENTIFIER:
            if self.text(index) in {"return", "else", "case", "goto"}:
                break
            if self.text(index) not in {"const", "constexpr", "volatile", "static"}:
                parts.insert(0, self.text(index))
            index -= 1
        return " ".join(parts)

    def statement_end(self, start: int) -> int:
        """Return the index of the `;`, `,` or closing bracket that ends an expression."""
        index = start
        while index < len(self.words):
            word = self.text(index)
            if word in {";", ","} or word in _CLOSING:
                return index
            index = self.closers.get(index, index) + 1 if word in _OPENING else index + 1
        return index

    def operand_after(self, index: int) -> int:
        """Return the end of the operand that begins at `index`."""
        if self.text(index) == "(" and index in self.closers:
            return self.closers[index] + 1
        end = index + 1
        while self.text(end) in {".", "::"}:
            end += 2
        if self.text(end) in {"(", "["} and end in self.closers:
            end = self.closers[end] + 1
        return end

    def operand_before(self, index: int) -> int:
        """Return the start of the operand that ends before `index`."""
        start = index - 1
        if self.text(start) in {")", "]"} and start in self.closers:
            start = self.closers[start]
            if start > 0 and self.words[start - 1].kind is Kind.IDENTIFIER:
                start -= 1
        while self.text(start - 1) in {".", "::"}:
            start -= 2
        return start

    def _expressions(self, start: int = 0, end: int | None = None) -> list[Mark]:
        """Return the lane and warp arithmetic in `words[start:end]`."""
        found: list[Mark] = []
        for index in range(start, len(self.words) if end is None else end):
            word = self.text(index)
            if word in {"%", "&", "/", ">>"}:
                mark = self._arithmetic(index, word)
                if mark is not None:
                    found.append(mark)
            elif word == "__lane_id":
                found.append(Mark(Tag.LANE_WAVE, index, index + 1))
        return found

    def _arithmetic(self, index: int, word: str) -> Mark | None:
        before, after = self.operand_before(index), self.operand_after(index + 1)
        left = self.words[before:index]
        block = any(w.text == "blockDim" for w in left)
        thread = any(self._is_thread(i) for i in range(before, index))
        if not block and not thread:
            return None
        amount = self.value(index + 1, after)
        right = "".join(w.text for w in self.words[index + 1 : after])
        built_in = "warpSize" not in self.constants
        size, last = built_in and right == "warpSize", built_in and right == "(warpSize-1)"
        wave = size or last
        lane = (word == "%" and (amount == CUDA_LANES or size)) or (
            word == "&" and (amount == CUDA_LANES - 1 or last)
        )
        warp = (word == "/" and (amount == CUDA_LANES or size)) or (
            word == ">>" and amount == 5
        )
        if not lane and not warp:
            return None
        if block and not thread:
            tag = Tag.WARPS_WAVE if wave else Tag.WARPS_32
            return Mark(tag, before, after) if warp else None
        if lane:
            return Mark(Tag.LANE_WAVE if wave else Tag.LANE_32, before, after)
        return Mark(Tag.WARP_WAVE if wave else Tag.WARP_32, before, after)
