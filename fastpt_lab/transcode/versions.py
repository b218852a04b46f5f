"""Conditions on a CUDA version: their value on this stack, where HIP has no such version.

`CUDA_VERSION` becomes `TORCH_HIP_VERSION`, which torch 2.13 does not pass to extensions;
`CUDART_VERSION` and `__CUDA_ARCH__` are never defined by HIP. An undefined name counts as 0, so
`#if CUDA_VERSION >= 9000` silently takes its `#else`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import Kind, code_tokens, directives
from fastpt_lab.transcode.gaps import VERSION_MACROS
from fastpt_lab.transcode.notes import NoteKind, Remark

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_ANY = re.compile("|".join(VERSION_MACROS))
_CONDITIONS = frozenset({"if", "elif", "ifdef", "ifndef", "elifdef", "elifndef"})
_BINARY: dict[str, tuple[int, Callable[[int, int], int]]] = {
    "*": (9, lambda a, b: a * b),
    "+": (8, lambda a, b: a + b),
    "-": (8, lambda a, b: a - b),
    "<": (6, lambda a, b: a < b),
    ">": (6, lambda a, b: a > b),
    "<=": (6, lambda a, b: a <= b),
    ">=": (6, lambda a, b: a >= b),
    "==": (5, lambda a, b: a == b),
    "!=": (5, lambda a, b: a != b),
}
_LOGIC = {"&&": 2, "||": 1}


class VersionBranch(NamedTuple):
    """A condition that names CUDA versions, and its value here; None if it depends on more."""

    start: int
    end: int
    condition: str
    macros: tuple[str, ...]
    value: bool | None


def version_branches(text: str, defines: Mapping[str, int]) -> tuple[VersionBranch, ...]:
    """Return the conditions of `text` on CUDA versions, with their value under HIP.

    `defines` are the macros that the build passes with a number; a version macro that is not
    among them is undefined, every other name is unknown.
    """
    found = []
    for directive in directives(text):
        if directive.name not in _CONDITIONS:
            continue
        condition = text[directive.argument_start : directive.argument_end]
        macros = tuple(dict.fromkeys(_ANY.findall(condition)))
        if macros:
            value = _value(directive.name, condition, defines)
            found.append(
                VersionBranch(directive.start, directive.end, condition, macros, value)
            )
    return tuple(found)


def version_remarks(text: str, defines: Mapping[str, int]) -> list[Remark]:
    """Return a remark on each condition of `text` that names a CUDA version."""
    return [
        Remark(NoteKind.VERSION_BRANCH, describe(branch, defines), branch.start, branch.end)
        for branch in version_branches(text, defines)
    ]


def describe(branch: VersionBranch, defines: Mapping[str, int]) -> str:
    """Return one sentence: what the condition is here, and why."""
    word = {True: "true", False: "false", None: "not decided"}[branch.value]
    reasons = []
    for macro in branch.macros:
        new = VERSION_MACROS[macro]
        value = defines.get(new or macro, 0)
        known = str(value) if (new or macro) in defines else "not defined, so 0"
        reasons.append(f"{macro} becomes {new}: {known}" if new else f"{macro} is {known}")
    taken = {True: "; this branch is taken", False: "; this branch is not taken", None: ""}
    condition = " ".join(branch.condition.split())
    return f"`{condition}` is {word} under HIP ({', '.join(reasons)}){taken[branch.value]}"


def _value(name: str, condition: str, defines: Mapping[str, int]) -> bool | None:
    words = [
        condition[token.start : token.end]
        for token in code_tokens(condition)
        if token.kind is not Kind.OTHER
    ]
    if name.endswith("def"):
        words = ["defined", *words] if "ifn" not in name else ["!", "defined", *words]
    parser = _Parser(words, defines)
    value = parser.expression(0)
    return bool(value) if value is not None and parser.at_end() else None


class _Parser:
    """Precedence climbing over `#if` expressions in which a part may be unknown."""

    def __init__(self, words: list[str], defines: Mapping[str, int]) -> None:
        self._words = words
        self._defines = defines
        self._at = 0

    def at_end(self) -> bool:
        return self._at >= len(self._words)

    def _take(self) -> str:
        self._at += 1
        return self._words[self._at - 1] if self._at <= len(self._words) else ""

    def _peek(self) -> str:
        return self._words[self._at] if self._at < len(self._words) else ""

    def expression(self, minimum: int) -> int | None:
        left = self._unary()
        while True:
            operator = self._peek()
            if operator in _LOGIC:
                rank = _LOGIC[operator]
                if rank < minimum:
                    return left
                self._take()
                left = _logic(operator, left, self.expression(rank + 1))
            elif operator in _BINARY:
                rank, apply = _BINARY[operator]
                if rank < minimum:
                    return left
                self._take()
                right = self.expression(rank + 1)
                left = None if left is None or right is None else int(apply(left, right))
            else:
                return left

    def _unary(self) -> int | None:
        word = self._take()
        if word == "!":
            inner = self._unary()
            return None if inner is None else int(not inner)
        if word == "(":
            inner = self.expression(0)
            if self._peek() == ")":
                self._take()
            return inner
        if word == "defined":
            return self._defined()
        number = re.fullmatch(r"(0[xX][0-9a-fA-F']+|[0-9][0-9']*)[uUlL]*", word)
        if number:
            digits = number[1].replace("'", "")
            octal = digits.startswith("0") and digits.isdigit() and len(digits) > 1
            return int(digits, 8) if octal and not set(digits) & {"8", "9"} else int(digits, 0)
        return self._macro(word)

    def _macro(self, word: str) -> int | None:
        if word in VERSION_MACROS:
            return self._defines.get(VERSION_MACROS[word] or word, 0)
        return self._defines.get(word)

    def _defined(self) -> int | None:
        word = self._take()
        if word == "(":
            word = self._take()
            if self._peek() == ")":
                self._take()
        if word in VERSION_MACROS:
            return int((VERSION_MACROS[word] or word) in self._defines)
        return 1 if word in self._defines else None


def _logic(operator: str, left: int | None, right: int | None) -> int | None:
    decisive = operator == "||"
    for side in (left, right):
        if side is not None and bool(side) is decisive:
            return int(decisive)
    return None if left is None or right is None else int(not decisive)
