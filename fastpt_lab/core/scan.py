r"""CUDA C++ tokens, directives, `#if` groups and balanced calls; a scanner, not a parser.

Every function takes any text at all: what is not C++ becomes tokens of kind OTHER, and joining
the tokens gives the text back. Offsets count code points. Lines end as in the compilers: at
`\n`, `\r\n` or a lone `\r`, never at a form feed.

*Source*: C++17 [lex.phases], [lex.pptoken], [cpp]; clang 15 and gcc 12 accept white space
between a continuing backslash and its newline, and so does this scanner.
"""

from __future__ import annotations

import bisect
import re
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core import skip
from fastpt_lab.core.skip import CONTINUATION

if TYPE_CHECKING:
    from collections.abc import Iterator

_NL = r"(?:\r\n?|\n)"
COMMENT = (
    rf"//[^\\\r\n]*(?:\\(?:[ \t\f\v]*{_NL})?[^\\\r\n]*)*"
    r"|/\*(?s:.*?)\*/"
    r"|/\*(?s:.*)"
)
_ESCAPE = rf"\\(?:[ \t\f\v]*{_NL}|(?s:.))?"
_PREFIX = r"(?:u8|[uUL])?"
# The delimiter is group 1 of each pattern that contains RAW: it must come first there.
RAW = rf'{_PREFIX}R"(?P<delimiter>[^()\\\s"]{{0,16}})\((?:(?s:.*?)\)(?P=delimiter)"|(?s:.*))'
STRING = rf'{_PREFIX}"[^"\\\r\n]*(?:{_ESCAPE}[^"\\\r\n]*)*"?'
CHARACTER = rf"{_PREFIX}'[^'\\\r\n]*(?:{_ESCAPE}[^'\\\r\n]*)*'?"
NUMBER = r"\.?[0-9](?:[eEpP][+-]|'[0-9A-Za-z_]|[\w.])*"
IDENTIFIER = r"(?:[^\W\d]|\$)[\w$]*"
PUNCTUATION = (
    r"<<<|>>>|<=>|<<=|>>=|->\*|\.\.\.|%:%:"
    r"|::|->|\.\*|\+\+|--|<<|>>|&&|\|\||##|%:|[-+*/%&|^=!<>]="
    r"|[][(){}<>;:,.?~!=+\-*/%&|^#@]"
)


class Kind(IntEnum):
    """What a token is; the first three carry no code."""

    SPACE = 0
    NEWLINE = 1
    COMMENT = 2
    STRING = 3
    CHARACTER = 4
    IDENTIFIER = 5
    NUMBER = 6
    PUNCTUATION = 7
    OTHER = 8


class Token(NamedTuple):
    """The text from offset `start` up to, but not including, `end`."""

    kind: Kind
    start: int
    end: int


class Directive(NamedTuple):
    """One preprocessing directive with all its continued lines.

    Attributes:
        name: `if`, `define`, `include`, …; "" for a lone `#`.
        start: offset of the `#` or `%:`.
        end: offset after the last character of the logical line, its newline excluded.
        argument_start: offset of what follows the name.
        argument_end: its end, without white space and comments that trail.
    """

    name: str
    start: int
    end: int
    argument_start: int
    argument_end: int


class Branch(NamedTuple):
    """One arm of a `#if` group: its directive and the lines up to the next arm."""

    directive: Directive
    body_start: int
    body_end: int


class Group(NamedTuple):
    """A `#if` … `#endif`. `endif` is None if the text ends first.

    `parent` is the index of the enclosing group in the tuple that this one came in, and
    `parent_branch` that of the arm; both are None at the top.
    """

    branches: tuple[Branch, ...]
    endif: Directive | None
    parent: int | None
    parent_branch: int | None


class Arguments(NamedTuple):
    """The arguments of a call: offsets without surrounding white space and comments.

    `close` is the offset of the closing bracket. A call without arguments has none.
    """

    arguments: tuple[tuple[int, int], ...]
    close: int


# The order is the order of trial: prefixes of literals would match as identifiers too.
_TOKEN = re.compile(
    rf"(?P<space>[ \t\f\v]+|{CONTINUATION})|(?P<newline>{_NL})|(?P<comment>{COMMENT})"
    rf"|(?P<string>{RAW}|{STRING})|(?P<character>{CHARACTER})|(?P<number>{NUMBER})"
    rf"|(?P<identifier>{IDENTIFIER})|(?P<punctuation>{PUNCTUATION})|(?P<other>(?s:.))"
)
_KIND_OF = {kind.name.lower(): kind for kind in Kind}

# Literals are skipped so that nothing in them is taken for a directive.
_LANDMARK = re.compile(
    rf"{skip.COMMENT}(?P<comment>)|{skip.LITERAL}|\#(?P<hash>)|%:(?P<digraph>)"
)
_BLANK = rf"(?:[ \t\f\v]|/\*(?s:.*?)\*/|{CONTINUATION})*"
_HEAD = re.compile(rf"(?:\#|%:){_BLANK}(?P<name>{IDENTIFIER})?{_BLANK}")
_LOGICAL_LINE = re.compile(
    rf"(?:[ \t\f\v]+|{COMMENT}|{RAW}|{STRING}|{CHARACTER}|{NUMBER}|{IDENTIFIER}"
    rf"|{CONTINUATION}|[^\r\n])*"
)
_LINE_BREAK = re.compile(rf"(?P<continued>{CONTINUATION})|{_NL}")
_OPENING = re.compile(r"if|ifdef|ifndef")
_MIDDLE = re.compile(r"elif|elifdef|elifndef|else")
_CLOSES = {"(": ")", "[": "]", "{": "}"}


def _each(text: str, start: int, end: int | None) -> Iterator[Token]:
    limit = len(text) if end is None else end
    for match in _TOKEN.finditer(text, start, limit):
        # lastgroup would name the delimiter of a raw string; the outermost group is last.
        yield Token(_KIND_OF[match.lastgroup or "other"], match.start(), match.end())


def tokens(text: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    """Return all tokens of `text[start:end]`; together they cover it without a gap.

    A literal or comment that is not closed ends at the end of its line, or of the text where
    it may hold newlines. Punctuation is split by the longest match, `<<<` and `>>>` included.
    """
    return tuple(_each(text, start, end))


def code_tokens(text: str, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
    """Return the tokens of `text[start:end]` without white space, newlines and comments."""
    return tuple(token for token in _each(text, start, end) if token.kind > Kind.COMMENT)


def _starts_line(gap: str, clean: bool) -> bool:
    """Return whether only white space precedes the end of `gap` on its logical line."""
    line = 0
    for line_break in _LINE_BREAK.finditer(gap):
        if not line_break["continued"]:
            clean = True
            line = line_break.end()
    return clean and not _LINE_BREAK.sub("", gap[line:]).strip(" \t\f\v")


def _directive_at(text: str, start: int) -> Directive:
    logical = _LOGICAL_LINE.match(text, start)
    end = logical.end() if logical else start
    head = _HEAD.match(text, start, end)
    argument = head.end() if head else end
    name = (head["name"] or "") if head else ""
    if "/" not in text[argument:end]:
        last = argument + len(text[argument:end].rstrip(" \t\f\v\\\r\n"))
    else:
        last = max((token.end for token in code_tokens(text, argument, end)), default=argument)
    return Directive(name, start, end, argument, last)


@lru_cache(maxsize=16)
def directives(text: str) -> tuple[Directive, ...]:
    """Return the directives of `text` in order, those in branches not taken included."""
    found: list[Directive] = []
    anchor, clean = 0, True
    while landmark := _LANDMARK.search(text, anchor):
        clean = _starts_line(text[anchor : landmark.start()], clean)
        anchor = landmark.end()
        if landmark.lastgroup not in {"hash", "digraph"}:
            clean = clean and landmark.lastgroup == "comment"
        elif clean:
            found.append(_directive_at(text, landmark.start()))
            anchor, clean = found[-1].end, False
    return tuple(found)


def enclosing_directive(text: str, offset: int) -> Directive | None:
    """Return the directive whose logical line holds `offset`, such as a macro's body."""
    every = directives(text)
    index = bisect.bisect_right(every, offset, key=lambda d: d.start) - 1
    return every[index] if index >= 0 and offset <= every[index].end else None


def after_line(text: str, directive: Directive) -> int:
    """Return the offset of the line after `directive`."""
    line_break = _LINE_BREAK.match(text, directive.end)
    return line_break.end() if line_break else directive.end


@lru_cache(maxsize=16)
def conditional_groups(text: str) -> tuple[Group, ...]:
    """Return the `#if` groups of `text` in the order of their first lines.

    A group that is not closed ends with the text; an `#else` or `#endif` of no group is left
    out.
    """
    arms: list[list[Directive]] = []
    ends: list[Directive | None] = []
    places: list[tuple[int | None, int | None]] = []
    stack: list[int] = []
    for directive in directives(text):
        if _OPENING.fullmatch(directive.name):
            parent = stack[-1] if stack else None
            places.append((parent, None if parent is None else len(arms[parent]) - 1))
            stack.append(len(arms))
            arms.append([directive])
            ends.append(None)
        elif stack and _MIDDLE.fullmatch(directive.name):
            arms[stack[-1]].append(directive)
        elif stack and directive.name == "endif":
            ends[stack.pop()] = directive
    return tuple(
        Group(_branches(text, group, end), end, *place)
        for group, end, place in zip(arms, ends, places, strict=True)
    )


def _branches(text: str, arms: list[Directive], endif: Directive | None) -> tuple[Branch, ...]:
    stops = [arm.start for arm in arms[1:]] + [endif.start if endif else len(text)]
    return tuple(
        Branch(arm, min(after_line(text, arm), stop), stop)
        for arm, stop in zip(arms, stops, strict=True)
    )


_TYPE_WORDS = re.compile(r"::|\.\.\.|[,*&]|\*\*|&&")
_AFTER_TEMPLATE = frozenset({"(", ")", "{", "}", "]", ",", "::", ">", ">>", ">>>", "&&", ";"})


def _template_close(text: str, code: tuple[Token, ...], at: int) -> int | None:
    """Return the index of the `>` that closes the `<` at `at`, if it can only be a template.

    Between them there are names, numbers, literals and `:: , * & ...` alone, and what follows
    could not continue a comparison.
    """
    depth = 0
    for index in range(at, len(code)):
        kind, start, end = code[index]
        word = text[start:end]
        if word == "<":
            depth += 1
        elif word in {">", ">>", ">>>"}:
            depth -= len(word)
            if depth <= 0:
                following = text[slice(*code[index + 1][1:])] if index + 1 < len(code) else ""
                return index if depth == 0 and following in _AFTER_TEMPLATE else None
        elif kind is Kind.PUNCTUATION and not _TYPE_WORDS.fullmatch(word):
            return None
    return None


def call_arguments(text: str, open_paren: int) -> Arguments | None:
    """Return the arguments of the bracket `(`, `[` or `{` at `open_paren`.

    Brackets are balanced over lines; literals and comments are skipped. A comma in a template
    list separates only where the list may be a comparison instead. None if the bracket is not
    closed, or closed by another kind.
    """
    if text[open_paren : open_paren + 1] not in _CLOSES:
        return None
    code = _balanced(text, open_paren)
    if code is None:
        return None
    arguments: list[tuple[int, int]] = []
    depth, index, first = 0, 1, 1
    while index < len(code):
        word = text[code[index].start : code[index].end]
        last = index == len(code) - 1
        if last or (word == "," and depth == 0):
            if first < index:
                arguments.append((code[first].start, code[index - 1].end))
            elif not last or arguments:
                arguments.append((code[index].start, code[index].start))
            first = index + 1
        elif word in _CLOSES:
            depth += 1
        elif word in {")", "]", "}"}:
            depth -= 1
        elif word == "<" and code[index - 1].kind is Kind.IDENTIFIER:
            index = _template_close(text, code, index) or index
        index += 1
    return Arguments(tuple(arguments), code[-1].start)


def _balanced(text: str, start: int) -> tuple[Token, ...] | None:
    """Return the code tokens from the bracket at `start` to the one that closes it."""
    stack: list[str] = []
    code: list[Token] = []
    for token in _each(text, start, None):
        if token.kind <= Kind.COMMENT:
            continue
        code.append(token)
        word = text[token.start : token.end]
        if word in _CLOSES:
            stack.append(_CLOSES[word])
        elif word in {")", "]", "}"}:
            if stack.pop() != word:
                return None
            if not stack:
                return tuple(code)
    return None
