"""An inline assembly statement taken apart: its template, operands and instructions."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import Kind, call_arguments, code_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.text import Document
    from fastpt_lab.rules.kit.places import Place

_KEYWORDS = re.compile(r"(?:__asm__|__asm|asm)\b(?:\s*(?:__volatile__|volatile|goto))*\s*\(")
_OPERAND = re.compile(r'\s*(?:\[(\w+)\]\s*)?("[^"]*")\s*\(', re.DOTALL)
# What stands before an instruction: braces of a scope, and labels.
_LABEL = re.compile(r"^(?:[{}\s]|[\w$%]+\s*:(?!:))+")
_INSTRUCTION = re.compile(r"(@!?%?\w+\s+)?(\S+)\s*(.*)", re.DOTALL)


class Operand(NamedTuple):
    """An output or input: its constraint and the C++ expression."""

    constraint: str
    expression: str


class Instruction(NamedTuple):
    """`name` with its dots, and the operands as PTX writes them; `guard` is `@p` or ""."""

    guard: str
    name: str
    operands: tuple[str, ...]


class Assembly(NamedTuple):
    """An asm statement: its bounds in the text, instructions, and operands by number.

    `outputs` of the operands are written; `ordered` is whether it is volatile or says that it
    touches memory, so that no compiler may leave it out or move it.
    """

    start: int
    end: int
    template: str
    instructions: tuple[Instruction, ...]
    operands: tuple[Operand, ...]
    outputs: int
    ordered: bool


def assembly_at(document: Document, at: Place) -> Assembly | None:
    """Return the asm statement whose keyword stands at `at`, up to its closing parenthesis."""
    head = _KEYWORDS.match(document.text, at.start)
    if head is None:
        return None
    arguments = call_arguments(document.text, head.end() - 1)
    if arguments is None:
        return None
    parts = _sections(document.text, head.end(), arguments.close)
    template = _template(parts[0])
    if template is None:
        return None
    outputs = _operands(parts[1]) if len(parts) > 1 else ()
    inputs = _operands(parts[2]) if len(parts) > 2 else ()
    if outputs is None or inputs is None:
        return None
    return Assembly(
        at.start,
        arguments.close + 1,
        template,
        tuple(_instructions(template)),
        (*outputs, *inputs),
        len(outputs),
        "volatile" in head[0] or any('"memory"' in part for part in parts[3:]),
    )


def _sections(text: str, start: int, end: int) -> list[str]:
    """Return the parts of an asm statement between its colons; `::` is two of them."""
    parts: list[str] = []
    depth, at = 0, start
    for token in code_tokens(text, start, end):
        word = text[token.start : token.end]
        depth += (word in ("(", "[", "{")) - (word in (")", "]", "}"))
        if depth == 0 and word in (":", "::"):
            parts.append(text[at : token.start])
            if word == "::":
                parts.append("")
            at = token.end
    return [*parts, text[at:end]]


def _template(part: str) -> str | None:
    """Return the value of adjoining string literals, None if anything else is among them."""
    value = ""
    for token in code_tokens(part):
        if token.kind is not Kind.STRING:
            return None
        literal = part[token.start : token.end]
        if literal.startswith("R"):
            value += literal[literal.index("(") + 1 : literal.rindex(")")]
            continue
        try:
            value += str(ast.literal_eval(literal))
        except (SyntaxError, ValueError):
            return None
    return value


def _operands(part: str) -> tuple[Operand, ...] | None:
    found: list[Operand] = []
    at = 0
    while part[at:].strip():
        match = _OPERAND.match(part, at)
        arguments = call_arguments(part, match.end() - 1) if match else None
        if match is None or arguments is None:
            return None
        expression = part[match.end() : arguments.close].strip()
        found.append(Operand(match[2].strip('"'), expression))
        at = arguments.close + 1
        rest = re.match(r"\s*,?", part[at:])
        at += rest.end() if rest else 0
    return tuple(found)


def _instructions(template: str) -> Iterator[Instruction]:
    text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", template, flags=re.DOTALL)
    for line in re.split(r"[;\n]", text):
        match = _INSTRUCTION.match(_LABEL.sub("", line))
        if match:
            operands = tuple(_split(match[3]))
            yield Instruction((match[1] or "").strip(), match[2], operands)


def _split(text: str) -> Iterator[str]:
    """Yield operands; commas inside `{…}` and `[…]` do not separate them."""
    depth, start = 0, 0
    for index, sign in enumerate(text):
        depth += (sign in "{[") - (sign in "}]")
        if sign == "," and depth == 0:
            yield text[start:index].strip()
            start = index + 1
    if text[start:].strip():
        yield text[start:].strip()
