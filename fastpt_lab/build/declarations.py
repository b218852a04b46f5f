"""Read the declarations of functions and enumerations from preprocessed headers; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_MARKER = re.compile(r'^# \d+ "([^"]*)"[^\n]*$', re.MULTILINE)
_SDK_PATH = re.compile(
    r"(?:^|/)(?:hip|roc|rccl|thrust|cub|miopen|hsa|cooperative|__clang_(?:hip|cuda))[^/]*(?:/|\.h|$)",
    re.IGNORECASE,
)
_KEYWORD_BEFORE = re.compile(
    r"\b(?:return|throw|case|else|new|delete|goto|sizeof|operator)\s*$|[=(,.!&|?:<+\-/%\[]\s*$|->\s*$"
)
_NAME_AT_END = re.compile(r"(?<![\w:])([A-Za-z_]\w*)\s*((?:\[[^\]]*\])*)$")
_BASE_WORDS = frozenset(
    [
        "const",
        "volatile",
        "unsigned",
        "signed",
        "long",
        "short",
        "int",
        "char",
        "float",
        "double",
        "bool",
        "void",
        "struct",
        "enum",
        "union",
        "class",
        "typename",
        "auto",
    ]
)
_ATTRIBUTE = re.compile(
    r"\b__attribute__\s*\(\(.*?\)\)|\[\[.*?\]\]|\b__restrict(?:__)?\b", re.DOTALL
)


def sdk_text(preprocessed: str) -> str:
    """Return the parts of preprocessed text that come from HIP's and its libraries' headers."""
    kept: list[str] = []
    markers = list(_MARKER.finditer(preprocessed))
    ends = [marker.start() for marker in markers[1:]] + [len(preprocessed)]
    for marker, end in zip(markers, ends, strict=True):
        if _SDK_PATH.search(marker[1]):
            kept.append(preprocessed[marker.end() : end])
    return "".join(kept)


def parameter_types(text: str, function: str) -> tuple[tuple[str, ...], ...]:
    """Return the parameter types of each declaration of `function`, without repetitions.

    Types are spelled as clang prints them: `const void *`, one space before `*` and `&`.
    Calls are told from declarations by what stands before the name.
    """
    found: dict[tuple[str, ...], None] = {}
    for match in re.finditer(rf"(?<![\w.>]){re.escape(function)}\s*\(", text):
        before = text[max(0, match.start() - 200) : match.start()].rstrip()
        if not before or _KEYWORD_BEFORE.search(before) or before[-1] in ";{})":
            continue
        inside = _balanced(text, match.end() - 1)
        if inside is not None:
            found[tuple(_types(inside))] = None
    return tuple(found)


def enumerators(text: str, type_name: str) -> tuple[str, ...]:
    """Return the enumerators of `enum type_name {…}` or `typedef enum … {…} type_name;`."""
    name = re.escape(type_name)
    tagged = re.search(rf"\benum\s+(?:class\s+|struct\s+)?{name}\s*(?::[^{{;]*)?\{{", text)
    body: str | None = None
    if tagged is not None:
        body = _balanced(text, tagged.end() - 1)
    else:
        body = _anonymous_body(text, name) or _tag_of_typedef(text, name)
    if body is None:
        return ()
    names = (part.partition("=")[0].strip() for part in _split(body))
    return tuple(match[0] for n in names if (match := re.match(r"[A-Za-z_]\w*", n)))


def _anonymous_body(text: str, name: str) -> str | None:
    for closing in re.finditer(rf"\}}\s*{name}\s*;", text):
        opening = text.rfind("{", 0, closing.start())
        if re.search(r"\benum\b[^;{}]*$", text[max(0, opening - 200) : opening]):
            return text[opening + 1 : closing.start()]
    return None


def _tag_of_typedef(text: str, name: str) -> str | None:
    typedef = re.search(rf"\btypedef\s+enum\s+(\w+)\s+{name}\s*;", text)
    if typedef is None:
        return None
    tagged = re.search(rf"\benum\s+{typedef[1]}\s*(?::[^{{;]*)?\{{", text)
    return None if tagged is None else _balanced(text, tagged.end() - 1)


def _balanced(text: str, opening: int) -> str | None:
    """Return what stands between the bracket at `opening` and its partner."""
    depth = 0
    for index in range(opening, len(text)):
        if text[index] in "([{":
            depth += 1
        elif text[index] in ")]}":
            depth -= 1
            if depth == 0:
                return text[opening + 1 : index]
    return None


def _split(text: str) -> Iterator[str]:
    depth = start = 0
    for index, character in enumerate(text):
        if character in "([{<":
            depth += 1
        elif character in ")]}>":
            depth -= 1
        elif character == "," and depth <= 0:
            yield text[start:index]
            start = index + 1
    if text[start:].strip():
        yield text[start:]


def _types(parameters: str) -> Iterator[str]:
    parts = [_type(part) for part in _split(_ATTRIBUTE.sub(" ", parameters))]
    if parts != ["void"]:
        yield from parts


def _type(parameter: str) -> str:
    text = " ".join(parameter.partition("=")[0].split())
    named = _NAME_AT_END.search(text)
    before = text[: named.start()].strip() if named else ""
    if named and before and named[1] not in _BASE_WORDS and set(before.split()) - {"const"}:
        text = before + (" *" if named[2] else "")
    text = re.sub(r"\s*([*&]+)\s*", r" \1", text.strip())
    text = re.sub(r"\*(const|volatile)(?=\W|$)", r"*\1 ", text)
    # A pointer to a function keeps its parameters and loses its name.
    text = re.sub(r"\( \*\s*\w*\s*\)", "(*)", text)
    return " ".join(re.sub(r"\*\s+(?=[*&])", "*", text).split())
