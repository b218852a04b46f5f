"""Where the halves of a `half2` are used by its members, and how HIP has to spell that.

Until HIP 6 `v.x` is an `unsigned short` with the bits of the half: calls refuse it, or compile and
compute with 15872 for 1.5.

*Source*: HIP 5.2.3 amd_hip_fp16.h, `struct __half2`; ROCm/hip#3290; ROCm/HIPIFY#801, which casts
the member to a reference; CUDA math API, half precision conversion and data movement.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.scan import Kind, code_tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.core.scan import Token

_MEMBER = re.compile(r"(?:\.|->)\s*[xy]\b")
READERS = {"x": "__low2half", "y": "__high2half"}
"""The function that gives each half."""
CAST = "reinterpret_cast<{}__half&>("
"""In front of a half that keeps its place; the braces are for `const `."""
TYPES = frozenset({"half2", "__half2"})
_OWN_TYPE = re.compile(
    r"\b(?:struct|class|union|typename|using|typedef\b[^;]*)\s+(?:__)?half2\b"
)
_FOR_CLANG = re.compile(r"\b(?:__builtin_amdgcn_|_Float16|__fp16)")
"""What nvcc does not take: around it the members are meant as HIP has them."""
_NO_TYPES = frozenset({"return", "else", "case", "delete", "throw", "goto", "new", "operator"})
_BETWEEN = frozenset({"const", "__restrict__", "volatile", "*", "&"})
_QUALIFIERS = frozenset(
    {"const", "static", "constexpr", "extern", "register", "volatile", "__shared__"}
    | {"__constant__", "__device__"}
)
_BEFORE_TYPE = frozenset({";", "{", "}", "(", ",", ">", ":"}) | _QUALIFIERS
_AFTER_NAME = frozenset({"=", ";", ",", ")", "(", "{", "[", ":"})
_PARTS = frozenset({".", "->", "::"})
_MORE = (["."], ["->"], ["["])
_VALUES = frozenset(
    {"return", "if", "while", "switch", "half", "float", "double", "int", "static_cast"}
)
_WRITES = frozenset(
    {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"}
)


class HalfUse(NamedTuple):
    """A half of a half2 by its member, as offsets into the text.

    Attributes:
        start: of the value.
        value_end: behind the value, where the `.` or `->` follows.
        end: behind the member.
        opening: what HIP needs in front of the value; behind all comes a `)`.
        by_value: whether a function of the value gives the half, so that the member goes.
    """

    start: int
    value_end: int
    end: int
    opening: str
    by_value: bool

    @property
    def edits(self) -> tuple[tuple[int, int, str], ...]:
        """Return start, end and new text of what changes."""
        closing = self.value_end if self.by_value else self.end
        return (self.start, self.start, self.opening), (closing, self.end, ")")


class _Declared(NamedTuple):
    """What a name was declared as: its type, and whether it is a pointer to, or a const, one."""

    type: str
    pointer: bool = False
    constant: bool = False


def half_uses(text: str) -> Iterator[HalfUse]:
    """Yield every half in `text` of a variable that is a half2 beyond doubt, in order.

    Code that uses what only clang has was written for HIP, and is left out.
    """
    if _OWN_TYPE.search(text):
        return
    done = 0
    for match in _MEMBER.finditer(text):
        if match.start() < done:
            continue
        bounds = definition_around(text, match.start(), match.end())
        if bounds is None or not bounds[0] <= match.start() < bounds[1]:
            continue
        done = bounds[1]
        if text.find("half2", *bounds) >= 0 and not _FOR_CLANG.search(text, *bounds):
            yield from uses_within(text, bounds)


def uses_within(text: str, bounds: tuple[int, int]) -> Iterator[HalfUse]:
    """Yield each member of a name whose nearest declaration says `half2`.

    What is read becomes a call of the function that gives this half. What is written, taken by
    address or reference, or passed to a function that may do so, keeps its place in memory.

    Args:
        text: the source.
        bounds: offsets of a whole definition in it.
    """
    tokens = code_tokens(text, *bounds)
    words = [text[token.start : token.end] for token in tokens]
    scopes: list[dict[str, _Declared]] = [{}]
    for at, token in enumerate(tokens):
        if words[at] == "{":
            scopes.append({})
        elif words[at] == "}":
            # Both branches of an #if may close one block.
            scopes = scopes[:-1] or [{}]
        if token.kind != Kind.IDENTIFIER:
            continue
        declared = _declaration(tokens, words, at)
        if declared is not None:
            scopes[-1][words[at]] = declared
            continue
        nearest = next((s[words[at]] for s in reversed(scopes) if words[at] in s), None)
        end = _after_subscripts(words, at + 1)
        if nearest is None or nearest.type not in TYPES or not _is_member(words, at, end):
            continue
        pointer = words[end] == "->"
        if pointer and not nearest.pointer:
            continue
        by_value = _by_value(words, at, end)
        constant = "const " * nearest.constant
        opening = (
            f"{READERS[words[end + 1]]}({'*' * pointer}" if by_value else CAST.format(constant)
        )
        yield HalfUse(token.start, tokens[end - 1].end, tokens[end + 1].end, opening, by_value)


def _declaration(tokens: Sequence[Token], words: Sequence[str], at: int) -> _Declared | None:
    """Return what the name at `at` is declared as, if that looks like its declaration."""
    if at == 0 or (words[at + 1 : at + 2] and words[at + 1] not in _AFTER_NAME):
        return None
    back = at - 1
    while back > 0 and words[back] in _BETWEEN:
        back -= 1
    between = words[back + 1 : at]
    if words[back] in {">", "]"}:
        # A template's arguments, or a comparison: either way no half2 for certain.
        return _Declared(words[back])
    if words[back] == ",":
        first = _continued(words, back)
        return first and first._replace(pointer="*" in between)
    if tokens[back].kind != Kind.IDENTIFIER or words[back] in _NO_TYPES:
        return None
    if back and words[back - 1] not in _BEFORE_TYPE and between:
        # `a * b` and `a & b` are operations between values.
        return None
    first_word = back
    while first_word and words[first_word - 1] in _QUALIFIERS:
        first_word -= 1
    # What follows a `*` is said of the pointer.
    of_value = [*words[first_word:back], *"|".join(between).partition("*")[0].split("|")]
    return _declared(words[back], of_value, pointer="*" in between)


def _declared(kind: str, qualifiers: Sequence[str], *, pointer: bool) -> _Declared:
    constant = "const" in qualifiers or "constexpr" in qualifiers
    # No function takes a volatile half2.
    return _Declared("volatile" if "volatile" in qualifiers else kind, pointer, constant)


def _continued(words: Sequence[str], comma: int) -> _Declared | None:
    """Return what the declaration declares that the comma continues, if it is in one."""
    first_word = begin = _statement(words, comma)
    while begin < comma and words[begin] in _QUALIFIERS:
        begin += 1
    after = begin + 1
    while words[after] == "::":
        after += 2
    if words[after] == "<":
        after = _after_template(words, after)
    kind, behind = words[after - 1], after
    while after < comma and words[after] in _BETWEEN:
        after += 1
    named = after < comma and words[after].isidentifier() and words[begin].isidentifier()
    if not named or words[begin] in _NO_TYPES:
        return None
    qualifiers = [*words[first_word:begin], *words[behind : behind + 1]]
    return _declared(kind, qualifiers, pointer=False)


def _statement(words: Sequence[str], comma: int) -> int:
    """Return where the statement begins that the comma stands in, outside of any brackets.

    The comma itself, if it parts arguments.
    """
    depth = 0
    for at in range(comma - 1, -1, -1):
        if words[at] in {")", "]", "}"}:
            # A block that ends is the end of a statement, but for one that gives a value.
            if words[at] == "}" and depth == 0 and words[at + 1] not in {",", ";", ")"}:
                return at + 1
            depth += 1
        elif words[at] in {"(", "[", "{"}:
            if depth == 0:
                loop = words[at] == "{" or (at > 0 and words[at - 1] == "for")
                return at + 1 if loop else comma
            depth -= 1
        elif words[at] == ";" and depth == 0:
            return at + 1
    return comma


def _after_template(words: Sequence[str], at: int) -> int:
    """Return the index behind the `<…>` that begins at `at`, `at` itself if it does not end."""
    depth = 0
    for end in range(at, len(words)):
        depth += words[end].count("<") - words[end].count(">")
        if words[end] in {";", "{"}:
            break
        if depth <= 0:
            return end + 1
    return at


def _is_member(words: Sequence[str], at: int, end: int) -> bool:
    """Whether a half follows at `end`, and nothing more of it."""
    if words[end : end + 1] not in (["."], ["->"]) or words[end + 1 : end + 2] not in (
        ["x"],
        ["y"],
    ):
        return False
    cast = words[at - 2 : at] == [">", "("] and (
        words[_before_template(words, at - 2)] == "reinterpret_cast"
    )
    # A cast keeps the place, and takes it as what it says.
    return (
        not cast
        and words[at - 1 if at else at] not in _PARTS
        and (words[end + 2 : end + 3] not in _MORE)
    )


def _by_value(words: Sequence[str], at: int, end: int) -> bool:
    """Whether nothing but the value of a member is asked for."""
    before, after = words[at - 1] if at else ";", "".join(words[end + 2 : end + 3])
    if before in {"++", "--"} or after in _WRITES or _is_address(words, at):
        return False
    if before not in {"(", ","} or after not in {")", ","}:
        return True
    depth = 0
    for opening in range(at - 1, 0, -1):
        depth += (words[opening] in {")", "]", "}"}) - (words[opening] in {"(", "[", "{"})
        if depth < 0:
            # An argument may be taken by reference, unless the function is one of CUDA's.
            callee = words[opening - 1]
            if callee == ">":
                callee = words[_before_template(words, opening - 1)]
            called = callee.isidentifier() or callee in {")", "]"}
            by_value = callee.startswith("__") or callee in _VALUES
            return words[opening] != "(" or not called or by_value
    return False


def _before_template(words: Sequence[str], at: int) -> int:
    """Return the index in front of the `<…>` that ends at `at`."""
    depth = 0
    while at > 0:
        depth += (words[at] == ">") - (words[at] == "<")
        at -= 1
        if not depth:
            break
    return at


def _after_subscripts(words: Sequence[str], at: int) -> int:
    """Return the index behind the `[…]` that begin at `at`, `at` itself if none does."""
    while words[at : at + 1] == ["["]:
        depth = 0
        while at < len(words):
            depth += (words[at] == "[") - (words[at] == "]")
            at += 1
            if not depth:
                break
    return at


def _is_address(words: Sequence[str], at: int) -> bool:
    """Whether the address is taken, by `&` in front or by a reference that is bound to it."""
    if at > 2 and words[at - 1] == "=":
        return words[at - 3] == "&"
    if not at or words[at - 1] != "&":
        return False
    # Behind a value it is an operator between two.
    return at == 1 or not (words[at - 2][-1].isalnum() or words[at - 2][-1] in "_)]")
