from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastpt_lab.core.scan import (
    Kind,
    call_arguments,
    code_tokens,
    conditional_groups,
    directives,
    enclosing_directive,
    tokens,
)

PIECES = st.lists(
    st.sampled_from(
        [
            "/*", "*/", "//", "\\\n", "\\ \r\n", "\n", "\r\n", "\r", '"', "'", 'R"(', ')"', 'R"x(',
            ')x"', "u8", "L", "1'000", "#", "%:", "#if A", "#else", "#endif", "#  include <a.h>",
            "k<<<", ">>>", "(", ")", ",", "x", "\t", "\f", "中文", "\\", "\ufeff", "\0", "é", "<", ">",
        ]
    )
).map("".join)  # fmt: skip


def words(text: str) -> list[str]:
    return [text[t.start : t.end] for t in code_tokens(text)]


def kinds(text: str) -> list[Kind]:
    return [t.kind for t in tokens(text)]


@settings(deadline=None)
@given(st.one_of(st.text(), PIECES))
def test_tokens_join_to_the_text(text: str) -> None:
    found = tokens(text)
    assert "".join(text[t.start : t.end] for t in found) == text
    assert all(t.start < t.end for t in found)


@settings(deadline=None)
@given(PIECES)
def test_directives_and_groups_are_ordered_and_nested(text: str) -> None:
    found = directives(text)
    for before, after in itertools.pairwise(found):
        assert before.start < before.end <= after.start
    for d in found:
        assert d.start < d.end
        assert d.start <= d.argument_start <= d.argument_end <= d.end
        assert enclosing_directive(text, d.start) == d
    groups = conditional_groups(text)
    for index, group in enumerate(groups):
        assert group.parent is None or group.parent < index
        for branch in group.branches:
            assert branch.directive.end <= branch.body_start <= branch.body_end


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('R"(a " b)"', Kind.STRING),
        ('u8R"xy(a )" )xyz" )xy"', Kind.STRING),
        ('LR"(\n// not a comment\n)"', Kind.STRING),
        ('"a\\"b"', Kind.STRING),
        ('u8"x"', Kind.STRING),
        ('"over\\\ntwo"', Kind.STRING),
        ("L'\\''", Kind.CHARACTER),
        ("1'000'000ull", Kind.NUMBER),
        ("0x1.8p+3f", Kind.NUMBER),
        (".5e-3", Kind.NUMBER),
        ("// one \\\n still", Kind.COMMENT),
        ("// one \\ \t\r\n still", Kind.COMMENT),
        ("/* // \n */", Kind.COMMENT),
        ("/* open", Kind.COMMENT),
        ("变量_1", Kind.IDENTIFIER),
        ("$x", Kind.IDENTIFIER),
        ("<<<", Kind.PUNCTUATION),
        ("\\ \n", Kind.SPACE),
        ("\r\n", Kind.NEWLINE),
        ("\0", Kind.OTHER),
    ],
)
def test_one_token(text: str, kind: Kind) -> None:
    assert kinds(text) == [kind]


def test_an_identifier_that_ends_in_r_is_no_raw_string() -> None:
    assert words('VAR"(a" ")"') == ["VAR", '"(a"', '")"']


def test_a_literal_without_end_stops_at_its_line() -> None:
    assert words("\"open\n'x\ny") == ['"open', "'x", "y"]


@pytest.mark.parametrize(
    ("text", "name", "argument"),
    [
        ("#include <a.h>", "include", "<a.h>"),
        ("  #\tinclude\t\"a.h\"  // why", "include", '"a.h"'),
        ("%: define X", "define", "X"),
        ("/* a\n b */ # if /* c */ A /* d */ && B /* e */\n", "if", "A /* d */ && B"),
        ("#if A \\\n  && B\nint x;", "if", "A \\\n  && B"),
        ("#define S \"// no\" // yes \\\n more\nint x;", "define", 'S "// no"'),
        ("#define N 1'000'000 // yes\n", "define", "N 1'000'000"),
        ("#define F(a) a \\\r\n  + 1\r\nint x;", "define", "F(a) a \\\r\n  + 1"),
        ("#", "", ""),
        ("#pragma once", "pragma", "once"),
        ("x; \\\n y;\n#undef Z", "undef", "Z"),
    ],
)  # fmt: skip
def test_directive(text: str, name: str, argument: str) -> None:
    (found,) = directives(text)
    assert found.name == name
    assert text[found.argument_start : found.argument_end] == argument


@pytest.mark.parametrize(
    "text",
    [
        "int x; # define Y",
        "a /* \n */ # define Y",
        "a \\\n # define Y",
        '"\\\n#define X"',
        'R"(\n#define X\n)"',
        "// c \\\n#define X",
        "/*\n#define X\n*/",
    ],
)
def test_not_a_directive(text: str) -> None:
    assert directives(text) == ()


def test_groups_know_branches_and_parents() -> None:
    text = "#ifdef A\n1\n#if B\n2\n# endif\n#elif C\n3\n#else\n4\n#endif\n#if D\n5"
    groups = conditional_groups(text)
    bodies = [[text[b.body_start : b.body_end] for b in g.branches] for g in groups]
    assert bodies == [["1\n#if B\n2\n# endif\n", "3\n", "4\n"], ["2\n"], ["5"]]
    assert [g.parent for g in groups] == [None, 0, None]
    assert [g.parent_branch for g in groups] == [None, 0, None]
    assert groups[2].endif is None


def test_a_place_in_a_macro_body_has_its_directive() -> None:
    text = "int a;\n#define F(x) \\\n  g(x)\nint b;\n"
    inside = enclosing_directive(text, text.index("g("))
    assert inside is not None
    assert inside.name == "define"
    assert enclosing_directive(text, text.index("int b")) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", []),
        ("(a)", ["a"]),
        ("( a , b )", ["a", "b"]),
        ("(f(a, b), c[1, 2], {3, 4})", ["f(a, b)", "c[1, 2]", "{3, 4}"]),
        ("(a, // x, y\n b)", ["a", "b"]),
        ('(",", \',\', R"(a,)b)")', ['","', "','", 'R"(a,)b)"']),
        ("(std::pair<int, float>(1, 2), x)", ["std::pair<int, float>(1, 2)", "x"]),
        ("(A<B<int, 2>>::v, c)", ["A<B<int, 2>>::v", "c"]),
        ("(i < n, j > m)", ["i < n", "j > m"]),
        ("(i < 3 ? 1 : 2, j)", ["i < 3 ? 1 : 2", "j"]),
        ("(a,)", ["a", ""]),
        ("{1, 2}", ["1", "2"]),
    ],
)
def test_arguments(text: str, expected: list[str]) -> None:
    found = call_arguments(text, 0)
    assert found is not None
    assert [text[a:b] for a, b in found.arguments] == expected
    assert found.close == len(text) - 1


@pytest.mark.parametrize("text", ["(a", "(a]", '(")', "x"])
def test_no_arguments_without_a_closing_bracket(text: str) -> None:
    assert call_arguments(text, 0) is None


@settings(deadline=None)
@given(PIECES)
def test_arguments_of_any_text(text: str) -> None:
    found = call_arguments("(" + text, 0)
    assert found is None or all(a <= b <= found.close for a, b in found.arguments)
