"""Guards at any place of any source: CUDA's view stays, and no directive lands inside anything."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import need_gxx, need_unifdef

from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.guard import HIP_MACROS, conditionals_close, cuda_view, hip_view
from fastpt_lab.core.guard_place import Replacement, place
from fastpt_lab.core.scan import Kind, code_tokens, directives, tokens
from fastpt_lab.core.text import Document, TextDocumentEdit, WorkspaceEdit
from fastpt_lab.fix.apply import apply
from fastpt_lab.fix.journal import Journal
from fastpt_lab.fix.undo import undo
from fastpt_lab.host.files import read_source

MARK = "MARK"
ATOM = st.sampled_from([MARK, "a", "b", "1", "f(MARK)", "g(a, MARK)", "t[MARK]", "T<MARK>::v"])
EXPRESSION = st.one_of(
    ATOM,
    st.builds("{} + {}".format, ATOM, ATOM),
    st.builds("h({},\n      {})".format, ATOM, ATOM),
    st.builds("({}) ? {} : {}".format, ATOM, ATOM, ATOM),
    st.builds("[&] {{ return {}; }}()".format, ATOM),
    st.builds("S{{{}, {}}}".format, ATOM, ATOM),
)
BLANK = st.sampled_from(["", "\n", "// 归约 MARK\n", "/* one\n   two MARK */\n", "\t// c\n"])
LEAF = st.one_of(
    EXPRESSION.map("  x = {};\n".format),
    EXPRESSION.map("\tx = {}; y = 1;\n".format),
    EXPRESSION.map("  return {};\n".format),
    EXPRESSION.map("  k<<<1, 2>>>({});\n".format),
    EXPRESSION.map('  s = "#if MARK"; x = {};\n'.format),
    EXPRESSION.map('  s = R"(\n#endif\n)"; x = {};\n'.format),
    EXPRESSION.map("  x = 1 + \\\n    {};\n".format),
    EXPRESSION.map("  /* 中 */ x = {}; /* tail\n  of it */ y;\n".format),
    st.just("#pragma unroll\n  for (int i = 0; i < 4; ++i) x += MARK;\n"),
    st.just('  asm volatile("mov %0, MARK;"\n               : "=r"(x) : "r"(MARK));\n'),
    BLANK,
)


def nested(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    some = st.lists(inner, max_size=3).map("".join)
    return st.one_of(
        st.builds("  if ({}) {{\n{}  }} else {{\n{}  }}\n".format, ATOM, some, some),
        st.builds("  if ({})\n    x = {};\n  else\n    y;\n".format, ATOM, EXPRESSION),
        st.builds("  for (int i = {}; i; --i) {{\n{}  }}\n".format, ATOM, some),
        st.builds("  do {{ {} }} while ({});\n".format, some, ATOM),
        st.builds(
            "  switch (a) {{\n  case 1: x = {}; break;\n  default:\n{}  }}\n".format, ATOM, some
        ),
        st.builds("  DISPATCH(t, [&] {{\n{}  }});\n".format, some),
        st.builds("#if V > 3\n{}#else\n{}#endif\n".format, some, some),
        st.builds("#ifdef USE_ROCM\n{}#else\n{}#endif\n".format, some, some),
        st.builds("  #  ifndef W /* c */\n{}  # endif // W\n".format, some),
        st.builds("#if V\n  g(1,\n#else\n  g(2,\n#endif\n    {});\n".format, EXPRESSION),
    )


BODY = st.lists(st.recursive(LEAF, nested, max_leaves=5), max_size=4).map("".join)
DEFINITION = st.one_of(
    st.builds("__global__ void k(int* p) {{\n{}}}\n".format, BODY),
    st.builds("template <int N = MARK, class T>\n__device__ T f(T v) {{\n{}}}\n".format, BODY),
    st.builds("struct S {{\n  int m = {};\n  int f() const {{\n{}  }}\n}};\n".format, ATOM, BODY),
    st.builds("namespace n {{ namespace m {{\n{}int g = {};\n}}}}\n".format, BLANK, ATOM),
    EXPRESSION.map("int g = {};\n".format),
    st.builds("#define M(v) \\\n  do {{ v += {}; \\\n    y = MARK; \\\n  }} while (0)\n".format, ATOM),
    st.builds("#define ONE {}\n".format, ATOM),
    st.just("const int t[] = {\n  1,\n  MARK,\n};\n"),
    st.just("enum E {\n  A,\n  B = MARK,\n};\n"),
    st.just("#include <a.h> // MARK\n"),
    BLANK,
)  # fmt: skip
SOURCE = st.builds(
    lambda parts, newline, end: _finished("".join(parts), newline, end=end),
    st.lists(DEFINITION, min_size=1, max_size=4),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)


def _finished(text: str, newline: str, *, end: bool) -> str:
    text = text if end else text.rstrip("\n")
    return text.replace("\n", newline)


def fixed(text: str, picked: list[int]) -> tuple[str, str] | None:
    """Replace some of the marks that are code; return the result and what HIP should see."""
    found = [t for t in code_tokens(text) if text[t.start : t.end] == MARK]
    some = [found[i % len(found)] for i in picked] if found else []
    replacements = [Replacement(t.start, t.end, "HIP") for t in some]
    edits = place(Document(text), replacements)
    if not some or edits is None:
        return None
    wanted = text
    for token in sorted(set(some), reverse=True):
        wanted = wanted[: token.start] + "HIP" + wanted[token.end :]
    return Document(text).apply(edits).text, wanted


def unguarded(text: str) -> str:
    argv = ["unifdef", *(f"-U{name}" for name in sorted(HIP_MACROS))]
    done = subprocess.run(argv, input=text.encode(), capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode()


PICKED = st.lists(st.integers(0, 40), min_size=1, max_size=4)


@settings(deadline=None, max_examples=150)
@given(SOURCE, PICKED)
def test_each_compiler_sees_its_side_and_no_directive_lands_inside(
    text: str, picked: list[int]
) -> None:
    made = fixed(text, picked)
    if made is None:
        return
    after, wanted = made
    assert cuda_view(after) == cuda_view(text)
    assert re.sub(r"\s+", " ", hip_view(after)) == re.sub(r"\s+", " ", hip_view(wanted))
    assert conditionals_close(after)
    if "\r\n" in text:
        assert not re.search(r"(?<!\r)\n", after)
    else:
        assert "\r" not in after
    own = {text[d.start : d.end] for d in directives(text)}
    literal = [(t.start, t.end) for t in tokens(after) if t.kind in (Kind.STRING, Kind.COMMENT)]
    for directive in directives(after):
        if after[directive.start : directive.end] in own:
            continue
        assert not any(start < directive.start < end for start, end in literal)
        line = after.rfind("\n", 0, directive.start)
        assert not after[: max(line, 0)].rstrip("\r").endswith("\\"), "inside a macro"
        assert depth_at(after, directive.start) == 0, "inside an argument list"


def depth_at(text: str, offset: int) -> int:
    """Parentheses open where a directive stands: each branch of a group begins as the group."""
    starts: list[int] = []
    first_ends: list[int | None] = []
    depth = at = 0
    for directive in directives(text):
        if directive.start >= offset:
            break
        depth += opened(text, at, directive.start)
        at = directive.end
        if directive.name in ("if", "ifdef", "ifndef"):
            starts.append(depth)
            first_ends.append(None)
        elif directive.name in ("else", "elif"):
            first_ends[-1] = depth if first_ends[-1] is None else first_ends[-1]
            depth = starts[-1]
        elif directive.name == "endif":
            starts.pop()
            first = first_ends.pop()
            depth = depth if first is None else first
    return depth + opened(text, at, offset)


def opened(text: str, start: int, end: int) -> int:
    words = [text[t.start : t.end] for t in code_tokens(text) if start <= t.start < end]
    return words.count("(") - words.count(")")


@need_unifdef
@settings(deadline=None, max_examples=60)
@given(SOURCE, PICKED)
def test_the_tool_unifdef_leaves_the_original(text: str, picked: list[int]) -> None:
    text = text.replace("\r\n", "\n")
    made = fixed(text, picked)
    # unifdef refuses what it takes for an unterminated comment or quote in a raw string, and
    # completes a last line.
    if made is None or 'R"(' in text or not text.endswith("\n"):
        return
    assert unguarded(made[0]) == unguarded(text)


@need_gxx
@settings(deadline=None, max_examples=25)
@given(SOURCE, PICKED)
def test_a_real_preprocessor_sees_the_same_tokens(text: str, picked: list[int]) -> None:
    text = text.replace("#include <a.h>", "//")
    made = fixed(text, picked)
    if made is None:
        return
    argv = ["g++", "-E", "-P", "-x", "c++", "-w", "-"]
    for value in ("0", "9"):
        seen = [
            subprocess.run(
                [*argv, f"-DV={value}"], input=t.encode(), capture_output=True, check=True
            ).stdout.split()
            for t in (text, made[0])
        ]
        assert seen[0] == seen[1]


ENCODED = {
    "utf-8": lambda text: text.encode(),
    "byte order mark": lambda text: b"\xef\xbb\xbf" + text.encode(),
    "gbk": lambda text: text.encode("gbk"),
}


@pytest.mark.parametrize("encode", ENCODED.values(), ids=ENCODED)
@settings(deadline=None, max_examples=25)
@given(text=SOURCE, picked=PICKED)
def test_bytes_come_back(encode: object, text: str, picked: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        path = root / "a.cu"
        data = encode("// 中文注释 归约\n" + text)  # type: ignore[operator]
        path.write_bytes(data)
        source = read_source(path)
        found = [
            t
            for t in code_tokens(source.document.text)
            if source.document.text[t.start : t.end] == MARK
        ]
        edits = place(
            source.document,
            [
                Replacement(t.start, t.end, "HIP")
                for t in (found[i % len(found)] for i in picked)
            ]
            if found
            else [],
        )
        if not edits:
            return
        change = TextDocumentEdit(path=path, digest=source.document.digest, edits=edits)
        try:
            apply(
                WorkspaceEdit(documents=(change,)), root=root, journal=Journal(root), rule="r"
            )
        except FastptError as error:
            raise AssertionError(f"a placed guard was refused: {error}") from error
        again = read_source(path)
        assert (again.bom, again.document.encoding) == (source.bom, source.document.encoding)
        assert again.encode(cuda_view(again.document.text)) == source.encode(
            cuda_view(source.document.text)
        )
        undo(root)
        assert path.read_bytes() == data
