"""What an operator on vector types computes, as far as its body shows it."""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import code_tokens

if TYPE_CHECKING:
    from fastpt_lab.rules.kit.functions import Function

VECTOR = re.compile(r"\b(?:u?(?:char|short|int|long|longlong)|float|double)([1-4])\b")
_SYMBOL = re.compile(r"operator\s*(\(\s*\)|[^\s\w(]+)")
_COMPONENTS = "xyzw"
_COMMUTES = frozenset("+*&|^")


class Meaning(Enum):
    """Component by component, as HIP's; shown to be another operation; or not shown."""

    ELEMENTWISE = "elementwise"
    OTHER = "other"
    UNKNOWN = "unknown"


def symbol_of(function: Function) -> str | None:
    """Return `*`, `+=`, … of an operator function, None for any other."""
    match = _SYMBOL.match(function.name.word)
    return match[1] if match else None


def meaning_of(function: Function) -> Meaning:
    """Return what the body of an operator on vectors is seen to compute."""
    symbol = symbol_of(function)
    parameters = _parameters(function)
    if symbol is None or function.body is None or not 1 <= len(parameters) <= 2:
        return Meaning.UNKNOWN
    text = function.name.document.text
    body = _compact(text[function.body[0] + 1 : function.body[1] - 1])
    vectors = {m[0] for _, kind in parameters if (m := VECTOR.search(kind))}
    if len(vectors) != 1:
        return Meaning.UNKNOWN
    vector = vectors.pop()
    components = _COMPONENTS[: int(vector[-1])]
    returns = text[function.insert : function.name.start]
    given = {m[0] for m in VECTOR.finditer(returns)}
    typed = given <= {vector} and _typed_as_hips(symbol, parameters, vector)
    if typed and _elementwise(body, symbol, parameters, components):
        return Meaning.ELEMENTWISE
    scalar = re.search(r"\b(?:float|double|int)\b", returns)
    if (scalar and symbol not in ("==", "!=")) or _mixes(body, parameters):
        return Meaning.OTHER
    return Meaning.UNKNOWN


def _parameters(function: Function) -> list[tuple[str, str]]:
    """Return (name, type) of each parameter."""
    start, end = function.parameters
    found: list[tuple[str, str]] = []
    for part in function.name.document.text[start + 1 : end].split(","):
        match = re.fullmatch(r"\s*(.*?[\s&*])(\w+)\s*", part, re.DOTALL)
        if match is None:
            return []
        found.append((match[2], match[1]))
    return found


def _typed_as_hips(symbol: str, parameters: list[tuple[str, str]], vector: str) -> bool:
    """Whether scalars have the element's type by value, and what is assigned is a reference.

    HIP's operators convert a scalar to the element's type first, which rounds a wider one.
    """
    word = vector[:-1]
    element = word.removeprefix("u").replace("longlong", "long long")
    element = f"unsigned {element}" if word.startswith("u") else element
    scalars = [kind for _, kind in parameters if not VECTOR.search(kind)]
    assigns = symbol.endswith("=") and symbol not in ("==", "!=")
    return all(" ".join(kind.replace("const", "").split()) == element for kind in scalars) and (
        not assigns or "&" in parameters[0][1]
    )


def _compact(code: str) -> str:
    """Return code without white space and comments, one blank between words."""
    out = ""
    for token in code_tokens(code):
        word = code[token.start : token.end]
        out += f" {word}" if out and out[-1].isalnum() and word[0].isalnum() else word
    return out


def _expressions(symbol: str, parameters: list[tuple[str, str]], component: str) -> set[str]:
    """Return the spellings of one component of the result."""
    terms = [
        f"{name}.{component}" if VECTOR.search(kind) else name for name, kind in parameters
    ]
    if len(terms) == 1:
        return {f"{symbol}{terms[0]}"}
    plain = symbol.removesuffix("=") if symbol not in ("==", "!=") else symbol
    orders = [terms, terms[::-1]] if plain in _COMMUTES else [terms]
    return {f"{left}{plain}{right}" for left, right in orders}


def _elementwise(
    body: str, symbol: str, parameters: list[tuple[str, str]], components: str
) -> bool:
    wanted = [_expressions(symbol, parameters, c) for c in components]
    if symbol in ("==", "!="):
        joined = "&&" if symbol == "==" else "||"
        match = re.fullmatch(r"return\(?(.*?)\)?;", body.replace("return ", "return"))
        parts = match[1].split(joined) if match else []
        return _all_match([p.strip("()") for p in parts], wanted)
    compound = symbol.endswith("=")
    name = parameters[0][0]
    maker = rf"(?:make_)?{VECTOR.pattern[2:-2]}"
    made = re.fullmatch(
        rf"(?:return ?|{re.escape(name)}=)"
        rf"(?:{maker}\((?P<call>.*)\)|(?:{maker})?\{{(?P<list>.*)\}});"
        rf"(?:return ?{re.escape(name)};)?",
        body,
    )
    if made and compound == body.startswith(f"{name}="):
        return _all_match((made["call"] or made["list"]).split(","), wanted)
    statements = [s for s in body.split(";") if s]
    if compound:
        return _assigns(statements, symbol, parameters, components, wanted)
    return _fills_result(statements, components, wanted)


def _all_match(parts: list[str], wanted: list[set[str]]) -> bool:
    return len(parts) == len(wanted) and all(
        part.strip("()") in allowed for part, allowed in zip(parts, wanted, strict=True)
    )


def _assigns(
    statements: list[str],
    symbol: str,
    parameters: list[tuple[str, str]],
    components: str,
    wanted: list[set[str]],
) -> bool:
    """Whether the statements are `a.x += b.x`, …, each component once and in any order."""
    target = parameters[0][0]
    if statements and re.fullmatch(rf"return ?{re.escape(target)}", statements[-1]):
        statements = statements[:-1]
    allowed: list[set[str]] = []
    for component, expressions in zip(components, wanted, strict=True):
        other, kind = parameters[-1]
        value = f"{other}.{component}" if VECTOR.search(kind) else other
        allowed.append(
            {f"{target}.{component}{symbol}{value}"}
            | {f"{target}.{component}={expression}" for expression in expressions}
        )
    return len(statements) == len(allowed) and all(
        any(s in options for s in statements) for options in allowed
    )


def _fills_result(statements: list[str], components: str, wanted: list[set[str]]) -> bool:
    """Whether the statements declare a result, fill its components and return it."""
    declared = re.fullmatch(r"\w+ (\w+)(?:\{\})?", statements[0]) if statements else None
    if declared is None or len(statements) != len(components) + 2:
        return False
    name = declared[1]
    filled = all(
        any(f"{name}.{c}={expression}" in statements for expression in expressions)
        for c, expressions in zip(components, wanted, strict=True)
    )
    return filled and re.fullmatch(rf"return ?{re.escape(name)}", statements[-1]) is not None


def _mixes(body: str, parameters: list[tuple[str, str]]) -> bool:
    """Whether a term multiplies different components, as complex and cross products do."""
    names = "|".join(re.escape(name) for name, _ in parameters)
    products = re.findall(rf"\b(?:{names})\.([xyzw])[*/](?:{names})\.([xyzw])", body)
    return any(left != right for left, right in products)
