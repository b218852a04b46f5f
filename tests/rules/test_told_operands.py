"""Operands are read where no parser of C++ is needed, and left alone anywhere else."""

from __future__ import annotations

import pytest

from fastpt_lab.rules.kit.operands import operands_at


@pytest.mark.parametrize(
    ("code", "left", "right"),
    [
        ("y = a / b;", "a", "b"),
        ("y = (a + b) / c[i].d;", "(a + b)", "c[i].d"),
        ("return f(a, b) * p->q(1)[2];", "f(a, b)", "p->q(1)[2]"),
        ("g(x, a.b / 2.f);", "a.b", "2.f"),
        ("y = k + a * n::b;", "a", "n::b"),
        ("y = a[0] - b(1) / c;", "b(1)", "c"),
        ("y = a / b * c;", "a", "b"),
        ("y = a / (T)(b).x;", "a", "(T)(b).x"),
        ("y = k - a.b->c[0](1).d / e.f.g;", "a.b->c[0](1).d", "e.f.g"),
        ("y = (k) + a[i](j) / b[i](j);", "a[i](j)", "b[i](j)"),
        ("y = a / (b - c) - d;", "a", "(b - c)"),
        ("y = a / (b)[1] + c;", "a", "(b)[1]"),
        ("a + b / c;", "b", "c"),
        ("a / b;", "a", "b"),
    ],
)
def test_operands_are_read(code: str, left: str, right: str) -> None:
    offset = next(i for i, c in enumerate(code) if c in "*/")
    found = operands_at(code, offset)
    assert found is not None
    assert code[slice(*found.left)] == left
    assert code[slice(*found.right)] == right


@pytest.mark.parametrize(
    "code",
    [
        "y = -a / b;",
        "y = k * a / b;",
        "y = f<2>(a) / b;",
        "y = a / f<2>(b);",
        "y = a / -b;",
        "y = a / *b;",
        "y = a / b++;",
        "y = (T)a / b;",
        "y = a / (T)b;",
        "y = !a / b;",
        "y = x - -a / b;",
        "y = sizeof(a) / b;",
        "y = a++ / b;",
        "y = [] { return a; }() / b;",
        "#define Q a / b\n",
        'y = "a" / b;',
        "y = a / (T)~b;",
        "y = a / (T)!b;",
        "y = a / (T)-b;",
        "y = a / (unsigned int)*b;",
        "y = a / T{b};",
        "y = a / f(b",
        "y = a / b.~c;",
        "y = a / b.*c;",
        "y = a / b->*c;",
        "y = a) / b;",
        "if (k) (a) / b;",
        "y = k ? a : b / c;",
        "y = a / b.",
        "- a / b)",
        "/ (b)",
        "y = a / b--;",
        "y = /b;",
        "y = a /",
    ],
)
def test_operands_that_take_a_parser_are_left_alone(code: str) -> None:
    assert operands_at(code, code.rindex("/")) is None
