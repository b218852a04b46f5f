"""Functions of the originals: heads, attributes, and who calls them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.code import code_around
from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.scan import Kind, call_arguments, enclosing_directive
from fastpt_lab.core.text import TextEdit
from fastpt_lab.rules.kit.places import Place, documents, occurrences

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.code import Code
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace

DEVICE = frozenset({"__device__", "__global__"})
_WITH_ARGUMENTS = frozenset(
    {"__attribute__", "__launch_bounds__", "__align__", "alignas", "decltype", "explicit",
     "__declspec", "noexcept", "requires"}
)  # fmt: skip
_AFTER = _WITH_ARGUMENTS | {"const", "volatile", "override", "final", "throw", "try"}
"""What may stand after the parameters."""

_TEMPLATE = re.compile(r"(?:extern\s+)?template\b")
_QUALIFIERS = re.compile(r"\b(?:const|volatile|struct|typename)\b")
# The name of a parameter stands after a type, and is none itself.
_PARAMETER = re.compile(
    r"(?<=[\w>&*])(?:\s+|(?<=[>&*]))"
    r"(?!(?:bool|char|short|int|long|signed|unsigned|float|double)\b)\w+\Z"
)


class Function(NamedTuple):
    """A definition or declaration, found by its look.

    Attributes:
        name: where the name stands.
        start, end: the whole of it, template head included.
        insert: where an attribute may be put: after template heads and `extern "C"`.
        parameters: the text between the parentheses.
        body: offsets of the braces, None for a declaration.
    """

    name: Place
    start: int
    end: int
    insert: int
    parameters: tuple[int, int]
    body: tuple[int, int] | None

    @property
    def words(self) -> frozenset[str]:
        """The words before the name: attributes, specifiers, macros, the type."""
        head = self.name.document.text[self.insert : self.name.start]
        return frozenset(re.findall(r"\w+", head))

    @property
    def is_template(self) -> bool:
        """Whether it has a template head, as a specialisation has too."""
        return _TEMPLATE.match(self.name.document.text, self.start) is not None


def function_around(path: Path, document: Document, offset: int) -> Function | None:
    """Return the function that `offset` stands in, or whose head it stands in."""
    if enclosing_directive(document.text, offset) is not None:
        return None
    bounds = definition_around(document.text, offset, offset + 1)
    return (
        _function(path, document, code_around(document.text, offset), *bounds)
        if bounds
        else None
    )


def _function(
    path: Path, document: Document, code: Code, start: int, end: int
) -> Function | None:
    first, last = code.first_at(start), code.before(end)
    insert = _after_heads(code, first, last)
    index = _parameters(code, insert, last)
    close = code.match.get(index) if index is not None else None
    if index is None or close is None:
        return None
    named = _name_before(code, index, insert)
    if named is None:
        return None
    braces = next((i for i in range(close, last) if code.words[i] == "{"), None)
    # The braces of a constructor's initializers come before its body, which ends it.
    body = None if braces is None else (code.starts[_body(code, braces, last)], end)
    return Function(
        Place(path, document, code.starts[named], code.ends[index - 1]),
        start,
        end,
        code.starts[insert],
        (code.starts[index], code.starts[close]),
        body,
    )


def _parameters(code: Code, insert: int, last: int) -> int | None:
    """Return the index of the parameters' `(`, None where there are none."""
    index = insert
    while index < last:
        word = code.words[index]
        if word in ("{", ";", "="):
            return None
        if word == "operator":
            return _operator_end(code, index, last)
        if word in _WITH_ARGUMENTS and code.words[index + 1 : index + 2] == ("(",):
            index = code.match.get(index + 1, last)
        elif word == "(":
            if not _of_macro(code, index, last):
                return index
            index = code.match[index]
        index += 1
    return None


def _of_macro(code: Code, paren: int, last: int) -> bool:
    """Whether a `(` belongs to a macro in the head, as in `LAUNCH_BOUNDS(64) void f(int x)`."""
    following = code.match.get(paren, last) + 1
    if following >= last or code.kinds[following] is not Kind.IDENTIFIER:
        return False
    ends = (i for i in range(following, last) if code.words[i] in ("(", "{", ";", "=", ":"))
    end = next(ends, following)
    # `void f() NOEXCEPT_IF(x)` has its macro after the parameters.
    named = end > following + 1 and code.words[end] == "("
    return named and not {code.words[following], code.words[end - 1]} & _AFTER


def _body(code: Code, brace: int, last: int) -> int:
    closing = next((i for i in range(last - 1, brace, -1) if code.words[i] == "}"), None)
    return code.match.get(closing, brace) if closing is not None else brace


def _name_before(code: Code, paren: int, insert: int) -> int | None:
    """Return the index of the name that stands before the parameters."""
    index = paren - 1
    if code.words[index] in (">", ">>", ">>>"):
        depth = 0
        while index > insert:
            depth += code.words[index].count(">") - code.words[index].count("<")
            index -= 1
            if depth == 0:
                break
    operator = next((i for i in range(insert, paren) if code.words[i] == "operator"), None)
    if operator is not None:
        return operator
    return index if code.kinds[index] is Kind.IDENTIFIER else None


def _operator_end(code: Code, index: int, last: int) -> int:
    """Return the index of the parameters' `(` of an operator function."""
    if code.words[index + 1 : index + 3] == ("(", ")"):
        return index + 3
    while index < last and code.words[index] != "(":
        index += 1
    return index


def _after_heads(code: Code, first: int, last: int) -> int:
    """Return the index after `template <…>` heads, `extern template`, `[[…]]`, `extern "C"`."""
    index = first
    while index < last:
        word, following = code.words[index], code.words[index + 1 : index + 2]
        if word == "template":
            index = _after_angles(code, index + 1, last) if following == ("<",) else index + 1
        elif word == "extern" and following == ("template",):
            index += 1
        elif word == "extern" and code.kinds[index + 1] is Kind.STRING:
            index += 2
        elif word == "[" and index in code.match:
            index = code.match[index] + 1
        else:
            break
    return min(index, last - 1)


def _after_angles(code: Code, index: int, last: int) -> int:
    depth = 0
    while index < last:
        word = code.words[index]
        if word in ("(", "["):
            index = code.match.get(index, last)
        elif word == "<":
            depth += 1
        elif word in (">", ">>", ">>>"):
            depth -= len(word)
        index += 1
        if depth <= 0:
            break
    return index


def functions_named(name: str, workspace: Workspace) -> Iterator[Function]:
    """Yield the definitions and declarations of `name` in all originals."""
    for place in _mentions(name, workspace):
        function = function_around(place.path, place.document, place.start)
        if function is not None and function.name.start == place.start:
            yield function


def callers(name: str, workspace: Workspace) -> Iterator[Function | Place]:
    """Yield who mentions `name` otherwise: a function, or the place if it is in none."""
    for place in _mentions(name, workspace):
        function = function_around(place.path, place.document, place.start)
        if function is None:
            yield place
        elif function.name.start != place.start:
            yield function


def _mentions(name: str, workspace: Workspace) -> Iterator[Place]:
    for path, document in documents(workspace, name):
        yield from occurrences(path, document, (name,))


def same_parameters(one: Function, other: Function) -> bool:
    """Whether two heads have the same parameter types, names and const left aside."""
    return _types(one) == _types(other)


def _types(function: Function) -> tuple[str, ...]:
    text = function.name.document.text
    found = call_arguments(text, function.parameters[0])
    types: list[str] = []
    for start, end in found.arguments if found else ():
        bare = _QUALIFIERS.sub(" ", text[start:end].partition("=")[0]).strip()
        if types and types[-1].count("<") > types[-1].count(">"):
            types[-1] += f",{bare}"
        else:
            types.append(bare)
    return tuple(re.sub(r"[\s&]", "", _PARAMETER.sub("", kind)) for kind in types)


def attribute_edit(function: Function, attributes: str) -> TextEdit:
    """Return the edit that puts `attributes` before a function's specifiers."""
    document = function.name.document
    return TextEdit(
        range=document.range_of(function.insert, function.insert), new_text=f"{attributes} "
    )
