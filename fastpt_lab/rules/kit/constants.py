"""Integer constants as a HIP compiler will see them: literals, macros, const variables."""

from __future__ import annotations

import ast
import operator
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from fastpt_lab.core.guard import dead_under_hip
from fastpt_lab.core.scan import Kind, code_tokens, directives
from fastpt_lab.rules.kit.places import documents

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace

_SUFFIX = re.compile(r"(?i)[ul]+\Z")
_NUMBER = re.compile(r"(?i)0x[0-9a-f']+|0b[01']+|[0-9][0-9']*")
_CASTS = frozenset(
    {"unsigned", "signed", "int", "long", "short", "uint32_t", "int32_t", "uint64_t", "size_t"}
)
_TYPES = _CASTS | {"auto", "bool", "char", "const", "double", "float", "void"}
_OF_TYPES = ("*", "&", ">")
"""Signs that end a type, and are operators too."""

_OPERATORS: dict[type[ast.AST], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_KNOWN = {"UINT_MAX": 0xFFFFFFFF}
_PYTHON = frozenset({"+", "-", "*", "%", "<<", ">>", "&", "|", "^", "~", "(", ")"})
_DEPTH = 8
_MAX_SHIFT = 64


def integer(
    expression: str, document: Document, workspace: Workspace, *, depth: int = _DEPTH
) -> int | None:
    """Return the value of a constant expression, None if it is not shown to be constant.

    Names are looked up as macros and const variables in `document`, then in all originals;
    only definitions that HIP reads count, and two that differ are none.
    """
    if depth == 0:
        return None
    words: list[str] = []
    tokens = code_tokens(expression)
    for token in tokens:
        word = expression[token.start : token.end]
        if token.kind is Kind.NUMBER:
            value = literal(word)
        elif word in _CASTS:
            words.append("")
            continue
        elif token.kind is Kind.IDENTIFIER:
            value = named(word, document, workspace, depth=depth - 1)
        else:
            words.append("//" if word == "/" else word)
            if word != "/" and word not in _PYTHON:
                return None
            continue
        if value is None:
            return None
        words.append(str(value))
    return _calculated(re.sub(r"\(\s*\)", "", " ".join(words)))


def literal(word: str) -> int | None:
    """Return the value of an integer literal, None for any other number."""
    digits = _SUFFIX.sub("", word)
    if not _NUMBER.fullmatch(digits):
        return None
    digits = digits.replace("'", "")
    octal = digits.isdigit() and digits[0] == "0"
    try:
        return int(digits, 8 if octal else 0)
    except ValueError:
        return None


def named(
    name: str, document: Document, workspace: Workspace, *, depth: int = _DEPTH
) -> int | None:
    """Return the value of a macro or const variable called `name`."""
    if name in _KNOWN:
        return _KNOWN[name]
    values = {
        integer(body, document, workspace, depth=depth)
        for body in definitions(name, document, workspace)
    }
    return values.pop() if len(values) == 1 else None


def definitions(name: str, document: Document, workspace: Workspace) -> tuple[str, ...]:
    """Return the bodies that `name` is defined with, from the nearest file that defines it."""
    found = _defined_in(name, document.text)
    if found:
        return found
    for _, other in documents(workspace, name):
        found += _defined_in(name, other.text)
    return found


@lru_cache(maxsize=4096)
def _defined_in(name: str, text: str) -> tuple[str, ...]:
    return tuple(_definitions(name, text)) if name in text else ()


def _definitions(name: str, text: str) -> Iterator[str]:
    dead = dead_under_hip(text)
    for directive in directives(text):
        if directive.name != "define" or _inside(directive.start, dead):
            continue
        argument = text[directive.argument_start : directive.argument_end]
        if argument == name or re.match(rf"{re.escape(name)}[\s\\]", argument):
            yield argument[len(name) :]
        elif argument.startswith(f"{name}("):
            # A function-like macro is no constant, and hides what else has the name.
            yield "?"
    variable = re.compile(
        rf"\bconst(?:expr)?\b[\w\s:]*?\b{re.escape(name)}\s*(?:=\s*([^;,]+)[;,]|\{{([^}};]+)\}})"
    )
    for match in variable.finditer(text):
        if not _inside(match.start(), dead):
            yield match[1] or match[2]


def shadowed(name: str, head_and_body: str) -> bool:
    """Whether a definition declares a parameter or variable `name` that is not constant."""
    words, kinds = _words(head_and_body)
    body = words.index("{") if "{" in words else 0
    for index in range(1, len(words) - 1):
        if words[index] != name or words[index + 1] not in (",", ")", "=", ";", "[", "{", ">"):
            continue
        declares = kinds[index - 1] is Kind.IDENTIFIER or words[index - 1] in _OF_TYPES
        if declares and not _is_operand(words, index, body) and not _constant(words, index):
            return True
    return False


def _is_operand(words: Sequence[str], index: int, body: int) -> bool:
    """Whether a word that follows a word or a sign of types is used there, not declared."""
    before, after = words[index - 1], words[index + 1]
    if before not in _OF_TYPES:
        return before in ("return", "case", "else")
    if after in ("=", "[", "{") or index < body:
        return False
    if after != ";":
        return words[index - 2] not in _TYPES
    head = _head(words, index, (";", "{", "}", "("))
    return (before == ">" and "<" not in head) or not all(
        word.isidentifier() or word in ("::", "<", ",", *_OF_TYPES) for word in head
    )


@lru_cache(maxsize=64)
def _words(code: str) -> tuple[tuple[str, ...], tuple[Kind, ...]]:
    tokens = code_tokens(code)
    return tuple(code[t.start : t.end] for t in tokens), tuple(t.kind for t in tokens)


def _constant(words: Sequence[str], index: int) -> bool:
    head = _head(words, index, (";", "{", "(", ","))
    return bool({"const", "constexpr"} & set(head)) and words[index + 1] in "={"


def _head(words: Sequence[str], index: int, ends: tuple[str, ...]) -> Sequence[str]:
    """Return the words before a name, back to one of `ends`."""
    start = index
    while start > 0 and words[start - 1] not in ends:
        start -= 1
    return words[start:index]


def _inside(offset: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= offset < end for start, end in spans)


def _calculated(expression: str) -> int | None:
    try:
        tree = ast.parse(expression.strip(), mode="eval")
    except (SyntaxError, ValueError):
        return None
    return _value(tree.body)


def _value(node: ast.expr) -> int | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, int) else None
    if isinstance(node, ast.UnaryOp):
        inner = _value(node.operand)
        if inner is None:
            return None
        return {ast.USub: -inner, ast.Invert: ~inner, ast.UAdd: inner}.get(type(node.op))
    if not isinstance(node, ast.BinOp):
        return None
    left, right = _value(node.left), _value(node.right)
    if left is None or right is None:
        return None
    if isinstance(node.op, (ast.LShift, ast.RShift)) and not 0 <= right < _MAX_SHIFT:
        return None
    if isinstance(node.op, (ast.FloorDiv, ast.Mod)) and right <= 0:
        return None
    # Whether C++ takes a negative number here as a large one hangs on its type.
    if isinstance(node.op, (ast.FloorDiv, ast.Mod, ast.RShift)) and left < 0:
        return None
    return _OPERATORS[type(node.op)](left, right)


def identifiers(text: str) -> frozenset[str]:
    """Return the identifiers of a piece of code."""
    return frozenset(
        text[t.start : t.end] for t in code_tokens(text) if t.kind is Kind.IDENTIFIER
    )
