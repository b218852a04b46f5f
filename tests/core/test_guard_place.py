from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fastpt_lab.core.guard import Style, cuda_view, hip_view
from fastpt_lab.core.guard_place import Replacement, insert_under_hip, place
from fastpt_lab.core.text import Document

SHORT = Style("#ifdef USE_ROCM", "#ifndef USE_ROCM")


def guarded_at(text: str, new: str = "YY") -> str | None:
    """Replace each XX of `text` under HIP."""
    document = Document(text)
    replacements = [Replacement(m.start(), m.end(), new) for m in re.finditer("XX", text)]
    edits = place(document, replacements, SHORT)
    return None if edits is None else document.apply(edits).text


def both(text: str, before: str = "", after: str = "") -> str:
    """The guarded form of lines in which XX becomes YY."""
    hip = text.replace("XX", "YY")
    return f"{before}#ifdef USE_ROCM\n{hip}#else\n{text}#endif\n{after}"


WHOLE = {
    "a statement": ("void f() {\n", "  a = XX(1);\n", "  b;\n}\n"),
    "several on a line": ("void f() {\n", "  a = 1; b = XX; c = XX;\n", "}\n"),
    "over lines": ("void f() {\n", "  a = g(1,\n        XX,\n        2);\n", "}\n"),
    "the body of a loop": ("void f() {\n  for (;;)\n", "    a = XX;\n", "}\n"),
    "a loop on a line": ("void f() {\n", "  for (int m = 16; m; m >>= 1) v += XX(m);\n", "}\n"),
    "a header of a loop": ("void f() {\n", "  while (XX) {\n    b;\n  }\n", "}\n"),
    "if and else on a line": ("void f() {\n", "  if (x) a = XX; else b;\n", "}\n"),
    "a branch on its line": ("void f() {\n  if (x)\n", "    a = XX;\n", "  else\n    b;\n}\n"),
    "braces on a line": ("void f() {\n", "  if (x) { return XX; }\n", "  b;\n}\n"),
    "do while": ("void f() {\n", "  do { a = XX; } while (x);\n", "}\n"),
    "a chain that shares lines": (
        "void f() {\n", "  if (x) { a = XX;\n  } else if (y) { b; }\n  else { c; }\n", "}\n"),
    "a condition": ("void f() {\n", "  if (XX(p))\n    b;\n  else\n    c;\n", "  d;\n}\n"),
    "a function on a line": ("int g;\n", "int f() { return XX; }\n", "int h;\n"),
    "a member": ("struct A {\n", "  int f() const { return XX; }\n", "  int g;\n};\n"),
    "a constructor": ("", "A::A(int x) : a(XX), b{x} {\n  c = 1;\n}\n", "int g;\n"),
    "a template": ("", "template <typename T = int>\nT f(XX v) { return v; }\n", "int g;\n"),
    "an attribute line": ("", "__global__ void\n__launch_bounds__(XX)\nk(int* x) {\n}\n", ""),
    "an initializer": ("", "const int t[] = {\n  1,\n  XX,\n};\n", "int g;\n"),
    "a braced call": ("void f() {\n", "  return T{\n      XX};\n", "}\n"),
    "an enumerator": ("", "enum E {\n  A,\n  B = XX,\n};\n", ""),
    "a macro": ("", "#define R(v) \\\n  do { v += XX(v); \\\n  } while (0)\n", "int a;\n"),
    "an include": ("#pragma once\n", "#include <XX>\n", "#include <b>\n"),
    "a macro's lambda": (
        "void f() {\n", "  DISPATCH(t, [&] {\n    a = XX;\n  });\n", "  b;\n}\n"),
    "a lambda of its own": (
        "void f() {\n  auto g = [=] __device__(int i) {\n", "    a = XX;\n", "  };\n}\n"),
    "a launch": ("void f() {\n", "  k<XX><<<g, b>>>(x);\n", "}\n"),
    "a case": ("void f() {\n  switch (a) {\n", "    case 1: b = XX; break;\n", "  }\n}\n"),
    "a namespace": ("namespace a { namespace b {\n", "int f() { return XX; }\n", "}}\n"),
    "extern C": ('extern "C" {\n', "int f() { return XX; }\n", "}\n"),
    "after pragma unroll": (
        "void f() {\n#pragma unroll\n", "  for (int i = 0; i < 4; ++i) a += XX;\n", "}\n"),
    "comments that cross lines": (
        "void f() {\n", "  /* one\n  two */ a = XX; /* three\n  four */ b;\n", "}\n"),
    "a raw string": ("", 'const char* s = R"(\n#if\n)"; int XX;\n', ""),
    "not ascii": ("// 中文\nvoid f() {\n", "  /* 归约 */ a = XX;  // 求和\n", "}\n"),
    "conversion operators": ("struct A {\n", "  operator int() const { return XX; }\n", "};\n"),
    "an operator": ("", "A operator+(A a, A b) { return A{a.x + XX}; }\n", "int g;\n"),
    "trailing return": ("", "auto f(int a) -> std::vector<int> { return XX; }\n", "int g;\n"),
    "try and catch": ("void f() {\n", "  try { a = XX; }\n  catch (...) { b; }\n", "}\n"),
    "continued lines": ("void f() {\n", "  a = 1 + \\\n    XX;\n", "}\n"),
}  # fmt: skip


@pytest.mark.parametrize(("before", "lines", "after"), WHOLE.values(), ids=WHOLE)
def test_the_guard_takes_the_smallest_closed_lines(before: str, lines: str, after: str) -> None:
    assert guarded_at(before + lines + after) == both(lines, before, after)


def test_places_of_one_statement_share_a_guard() -> None:
    text = "void f() {\n  a = g(XX,\n        XX);\n  b = 1;\n  c = XX;\n}\n"
    fixed = guarded_at(text)
    assert fixed is not None
    assert fixed.count("#ifdef") == 2
    assert cuda_view(fixed) == text


def test_lines_that_follow_share_a_guard() -> None:
    text = "void f() {\n  a = XX;\n  b = XX;\n}\n"
    assert guarded_at(text) == both("  a = XX;\n  b = XX;\n", "void f() {\n", "}\n")


def test_removed_definitions_have_no_hip_branch() -> None:
    text = "A operator+(A a);\nint g;\n"
    document = Document(text)
    edits = place(document, [Replacement(0, 17, "")], SHORT)
    assert edits is not None
    fixed = document.apply(edits).text
    assert fixed == "#ifndef USE_ROCM\nA operator+(A a);\n#endif\nint g;\n"


def test_the_guard_nests_in_a_foreign_branch() -> None:
    text = "void f() {\n#if V > 3\n  a = XX;\n#else\n  a = 2;\n#endif\n}\n"
    fixed = guarded_at(text)
    assert fixed == text.replace("  a = XX;\n", both("  a = XX;\n"))


def test_a_statement_that_leaves_its_branch_takes_the_group() -> None:
    text = "void f() {\n#if V > 3\n  g(1,\n#else\n  g(2,\n#endif\n    XX);\n  b;\n}\n"
    lines = "#if V > 3\n  g(1,\n#else\n  g(2,\n#endif\n    XX);\n"
    assert guarded_at(text) == both(lines, "void f() {\n", "  b;\n}\n")


def test_braces_opened_in_two_branches_count_once() -> None:
    text = "#ifdef A\nvoid f(int a) {\n#else\nvoid f(long a) {\n#endif\n  b = XX;\n}\nint g;\n"
    fixed = guarded_at(text)
    assert fixed == text.replace("  b = XX;\n", both("  b = XX;\n"))


def test_a_hip_branch_is_edited_without_a_guard() -> None:
    text = "void f() {\n#ifdef USE_ROCM\n  a = XX;\n#else\n  a = 2;\n#endif\n}\n"
    assert guarded_at(text) == text.replace("XX", "YY")


@pytest.mark.parametrize("text", ["#if XX\nint a;\n#endif\n", "#ifdef A\nint XX;\n"])
def test_where_no_guard_can_be(text: str) -> None:
    assert guarded_at(text) is None


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_last_line_may_lack_its_newline(newline: str) -> None:
    text = f"int a;{newline}\tint XX;"
    fixed = guarded_at(text)
    assert fixed is not None
    assert cuda_view(fixed) == text
    assert hip_view(fixed) == text.replace("XX", "YY")
    assert fixed.count("\r") == (fixed.count("\n") if newline == "\r\n" else 0)


def test_insert_under_hip() -> None:
    document = Document("#include <a>\r\nint b;\r\n")
    edit = insert_under_hip(document, 14, "#include <c>\n", SHORT)
    fixed = document.apply([edit]).text
    wanted = "#include <a>\r\n#ifdef USE_ROCM\r\n#include <c>\r\n#endif\r\nint b;\r\n"
    assert fixed == wanted
    assert cuda_view(fixed) == document.text


WORDS = st.sampled_from(
    ["a", "XX", "(", ")", "{", "}", ";", "if (a)", "else", "for (;;)", "do", "while (a)", "=",
     "\n", "\\\n", "// c\n", "/* c\n */", '"s"', "#if A\n", "#else\n", "#endif\n", ",", "struct S",
     "template <int N>", "[&]", "return", "#define M \\\n", "case 1:", "<<<", ">>>"]
)  # fmt: skip


@given(st.lists(WORDS, max_size=30).map(" ".join))
def test_any_text_keeps_its_cuda_view_or_is_refused(text: str) -> None:
    fixed = guarded_at(text)
    assert fixed is None or cuda_view(fixed) == cuda_view(text)
