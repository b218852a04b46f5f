"""What is left out under HIP is a whole statement, and what it did besides is told."""

from __future__ import annotations

import pytest
from rule_told import PATH

from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.places import Place
from fastpt_lab.rules.kit.remove import include_at, lost_effects, removal, statement_at


def place(text: str) -> Place:
    start = text.index("mark")
    return Place(PATH, Document(text), start, start + len("mark"))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("void f() {\n  mark(1);\n  g();\n}\n", "void f() {\n  \n  g();\n}\n"),
        ("void f() { mark(1); }\n", "void f() { ; }\n"),
        ("mark(1);\n", "\n"),
        # Something has to stay where a statement is asked for.
        ("void f() { if (on) mark(1); g(); }\n", "void f() { if (on) ; g(); }\n"),
        ("void f() { for (;;) mark(1); }\n", "void f() { for (;;) ; }\n"),
        ("void f() { if (on) g(); else mark(1); }\n", "void f() { if (on) g(); else ; }\n"),
        ("void f() { switch (k) { case 1: mark(1); } }\n",
         "void f() { switch (k) { case 1: ; } }\n"),
        ("void f() { end: mark(1); }\n", "void f() { end: ; }\n"),
        ("void f() { if (on) { mark(1); } }\n", "void f() { if (on) { ; } }\n"),
    ],
)  # fmt: skip
def test_a_statement_is_taken_out(text: str, left: str) -> None:
    out = removal(place(text))
    assert out is not None
    assert text[: out.start] + out.new + text[out.end :] == left
    assert statement_at(place(text)) == (out.start, out.end)


@pytest.mark.parametrize(
    "text",
    [
        "void f() {\n#define PUSH mark(1)\n  g();\n}\n",
        "void f() {\n#pragma mark\n  g();\n}\n",
    ],
)
def test_no_statement_stands_in_a_directive(text: str) -> None:
    assert removal(place(text)) is None
    assert statement_at(place(text)) is None


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("(n++)", "++"),
        ("(--n)", "--"),
        ("(n = 3)", "="),
        ("(n <<= 3)", "<<="),
        ("(n == 3, n != 4, n <= 5, n >= 6, n < 7, n > 8)", None),
        ("(name(n))", "name()"),
        ("(name<int, 3>(n))", "name()"),
        ("(name<of<int>>(n))", "name()"),
        ("(text.c_str(), std::to_string(n), sizeof(n))", None),
        ("(static_cast<const of<int>*>(n))", None),
        ("((n), [](int), 3 (4))", None),
        ('(/* n++ */ "name()")', None),
        (" >(n)", None),
    ],
)
def test_effects_that_would_be_lost(code: str, word: str | None) -> None:
    told = lost_effects(0, len(code), code)
    assert (told.partition(" in ")[0] if told else None) == word


def test_effects_outside_what_is_left_out_are_kept() -> None:
    code = "a++; mark(n); b++;"
    assert lost_effects(code.index("mark(") + 5, code.index("; b"), code) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("int a;\n  #include <|a.h>\nint b;\n", "include"),
        # A compiler that counts no columns points at the line's begin.
        ("int a;\n|  #include <a.h>\nint b;\n", "include"),
        ("int a;\n|#include <a.h>\n#include <b.h>\n", "include"),
        ("#import <|a.h>\n", "import"),
        ("#include <b.h>\nint |a;\n#include <a.h>\n", None),
        ("#include <b.h>\n|\n#include <a.h>\n", None),
        ("#define A |<a.h>\n", None),
        ("|  #define A <a.h>\n#include <b.h>\n", None),
    ],
)
def test_the_include_of_a_line(text: str, name: str | None) -> None:
    offset = text.index("|")
    plain = text.replace("|", "")
    found = include_at(Document(plain), offset)
    assert (found.name if found else None) == name
    if found is not None:
        assert plain[found.start : found.end].endswith("<a.h>")
