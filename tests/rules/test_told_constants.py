"""A value is constant only where it is shown to be, by what a HIP compiler reads."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_bench import Originals

from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.constants import integer, named, shadowed

PATH = Path("/project/a.cu")
OTHER = Path("/project/b.cuh")


def value(expression: str, text: str = "", other: str = "") -> int | None:
    documents = {PATH: Document(text), OTHER: Document(other)}
    return integer(expression, documents[PATH], Originals(documents))


@pytest.mark.parametrize(
    ("expression", "wanted"),
    [
        ("64 / 2", 32),
        ("7 % 4", 3),
        ("0", 0),
        ("010", 8),
        ("08", None),
        ("1'000u", 1000),
        ("1.5", None),
        ("1 << 63", 1 << 63),
        ("1 << 64", None),
        ("1 << (0 - 1)", None),
        ("1 + 100", 101),
        ("7 / 0", None),
        ("7 % (0 - 2)", None),
        ("(0 - 7) / 2", None),
        ("(0 - 7) % 2", None),
        ("(0 - 7) + 2", -5),
        ("3 + 0", 3),
        ("8 >> 1", 4),
        # 0xffff for an unsigned int; not all lanes.
        ("~0u >> 16", None),
        ("~0u << 16", -1 << 16),
        ("1 (2)", None),
        ("1 (2) + 3", None),
        ("3 + 1 (2)", None),
        ("-1 (2)", None),
        ("1 ? 2 : 3", None),
        ("1 2", None),
        ("3 # 4", None),
        ("3 @ 4", None),
        ("1_000", None),
        ("0o17", None),
        ("0 / 2", 0),
        ("7 / 1", 7),
        ("1 << 0", 1),
        ("+ 3", 3),
        ("(unsigned int) 3", 3),
        ("uint32_t(-1)", -1),
        ("UINT_MAX", 0xFFFFFFFF),
    ],
)
def test_an_expression(expression: str, wanted: int | None) -> None:
    assert value(expression) == wanted


@pytest.mark.parametrize(
    ("text", "other", "wanted"),
    [
        ("#define ALL 3\n", "", 3),
        ("#define ALL\\\n  3\n", "", 3),
        ("#define ALL 3\n#if ALL\n#endif\n", "", 3),
        ("#define ALL 3\n", "#define ALL 4\n", 3),
        ("", "#define ALL 4\n", 4),
        ("", "#define ALLOW 4\n", None),
        ("#ifndef USE_ROCM\n#define ALL 1\n#else\n#define ALL 2\n#endif\n", "", 2),
        ("#ifndef USE_ROCM\nconst int ALL = 1;\n#else\nconst int ALL = 2;\n#endif\n", "", 2),
        ("#ifdef A\n#define ALL\n#else\n#define ALL 32\n#endif\n", "", None),
        ("#ifdef A\n#define ALL(x) 1\n#else\n#define ALL 32\n#endif\n", "", None),
        ("constexpr int ALL{7};\n", "", 7),
        ("static const int other = 1, ALL = 9;\n", "", None),
        ("int ALL = 7;\n", "", None),
        ("#define ALL ALL\n", "", None),
    ],
)
def test_a_name(text: str, other: str, wanted: int | None) -> None:
    assert value("ALL", text, other) == wanted


def test_a_file_that_cannot_be_read_defines_nothing() -> None:
    class Unread(Originals):
        def originals(self) -> tuple[Path, ...]:
            return (Path("/project/unread.cuh"), *super().originals())

    documents = {OTHER: Document("#define ALL 4\n")}
    assert named("ALL", Document(""), Unread(documents)) == 4


@pytest.mark.parametrize(
    "code",
    [
        "void f() { unsigned ALL = k; }",
        "void f() { unsigned *ALL = k; }",
        "void f() { unsigned ALL[2]; }",
        "void f() { unsigned ALL{k}; }",
        "void f() { unsigned ALL; }",
        "void f(unsigned ALL) { }",
        "void f(const unsigned ALL) { }",
        "void f(const unsigned& ALL) { }",
        "void f(Mask& ALL, int v) { }",
        "void f(Box<int> ALL) { }",
        "void f(int v) { const int a = 3; int ALL = k; }",
        "void f(int v) { Mask& ALL = k; }",
        "void f(int v) { std::vector<int> ALL; }",
        "void f(int v) { std::map<int, Mask> ALL; }",
        "void f(int v) { Mask * ALL; }",
        "void f(int v) { g([](unsigned& ALL) { }); }",
        "int v, ALL = k;int ALL = k;",
        "int ALL;",
        "template <int ALL> void f() { g(ALL); }",
        "void f() { v = 1; Mask* ALL; }",
        "void f() { if (v) { g(); } Mask* ALL; }",
        "void f() { for (Mask* ALL; v; ) g(); }",
        "void f() { Mask* ALL[3]; }",
        "void f() { Mask& ALL{k}; }",
        "void f(const int a) { int ALL = 3; }",
        "void f(const int a, int ALL = 3) { }",
        "const Mask f(int ALL = 3) { }",
    ],
)
def test_a_declaration_hides_a_constant(code: str) -> None:
    assert shadowed("ALL", code)


@pytest.mark.parametrize(
    "code",
    [
        "void f(int v) { v = v & ALL; }",
        "void f(int v) { g(v & ALL, v * ALL); }",
        "void f(int v) { for (; v > ALL;) v--; }",
        "void f(int v) { return ALL; }",
        "void f(int v) { switch (v) { case ALL; } }",
        "void f(int v) { if (v) g(); else ALL; }",
        "void f(int v) { v = sizeof ALL + 1; }",
        "void f(int v) { g(ALL); }",
        "void f(int v) { const unsigned ALL = 1; }",
        "void f(int v) { constexpr unsigned ALL{1}; }",
        "void f(int v) { OVERALL = v; }",
        "#define F(v) (v & ALL)",
        "const int ALL = 1",
    ],
)
def test_a_use_hides_nothing(code: str) -> None:
    assert not shadowed("ALL", code)
