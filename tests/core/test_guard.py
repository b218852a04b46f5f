from __future__ import annotations

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from needs import need_unifdef

from fastpt_lab.core.guard import (
    DEFAULT_STYLE,
    HIP_CONDITION,
    HIP_MACROS,
    attribute_only,
    cuda_view,
    dead_under_hip,
    guarded,
    hip_view,
    same_cuda_view,
    style_of,
)


def unifdef(text: str) -> str:
    """What the tool leaves of `text` when no HIP macro is defined."""
    argv = ["unifdef", *(f"-U{name}" for name in sorted(HIP_MACROS))]
    done = subprocess.run(argv, input=text.encode(), capture_output=True, check=False)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout.decode()


AGREED = {
    "own guard": guarded(hip="h;\n", cuda="c;\n"),
    "no HIP branch": guarded(hip="", cuda="c;\n"),
    "HIP branch alone": guarded(hip="h;\n", cuda=""),
    "ifdef else": "a\n#ifdef USE_ROCM\nh\n#else\nc\n#endif\nb\n",
    "ifndef": "#ifndef __HIPCC__\nc\n#else\nh\n#endif\n",
    "negation": "#if !defined(USE_ROCM) && !defined __HIP_PLATFORM_HCC__\nc\n#else\nh\n#endif\n",
    "value": "#if USE_ROCM\nh\n#endif\nc\n",
    "foreign": "#if CUDA_VERSION >= 11000\na\n#else\nb\n#endif\n",
    "partly, false": "#if defined(USE_ROCM) && HIP_VERSION > 5\nh\n#else\nc\n#endif\n",
    "partly, undecided": "#if defined(X) && !defined(USE_ROCM)\na\n#else\nb\n#endif\n",
    "partly, true": "#if defined(X) || !defined(USE_ROCM)\na\n#else\nb\n#endif\n",
    "elif becomes if": "#ifdef USE_ROCM\nh\n#elif defined(X)\nx\n#else\nc\n#endif\n",
    "elif becomes else": "#if X\nx\n#elif !defined(USE_ROCM)\nc\n#elif Y\ny\n#endif\n",
    "elif goes": "#if X\nx\n#elif defined(USE_ROCM)\nh\n#else\nc\n#endif\n",
    "elif twice": "#ifdef USE_ROCM\nh\n#elif A\na\n#elif B\nb\n#endif\n",
    "nested": "#ifdef USE_ROCM\n#if A\nh\n#endif\n#else\n#if B\nc\n#endif\n#endif\n",
    "nested foreign": "#if A\n#ifdef USE_ROCM\nh\n#endif\nc\n#endif\n",
    "indented": "  #  ifdef USE_ROCM\nh\n  # else\nc\n #endif // USE_ROCM\n",
    "in a comment": "/*\n#ifdef USE_ROCM\n*/\nc\n// #endif\n",
    "zero": "#if 0\nx\n#endif\n",
    "text": 'const char* s = "#ifdef USE_ROCM";\n',
    "not ascii": "// 中文\n#ifdef USE_ROCM\nh // 中\n#else\nc // 文\n#endif\n",
}


@need_unifdef
@pytest.mark.parametrize("text", AGREED.values(), ids=AGREED)
def test_cuda_view_is_what_unifdef_leaves(text: str) -> None:
    assert cuda_view(text) == unifdef(text)


CONDITIONS = st.recursive(
    st.sampled_from(
        [
            "defined(USE_ROCM)",
            "defined(__HIPCC__)",
            "defined(X)",
            "!defined(Y)",
            "USE_ROCM",
            "defined __HIP_PLATFORM_HCC__",
        ]
    ),
    lambda inner: st.one_of(
        st.builds("({} && {})".format, inner, inner),
        st.builds("({} || {})".format, inner, inner),
        inner.map("!({})".format),
    ),
    max_leaves=4,
)
LINE = st.sampled_from(["a;\n", "b;\n", "/* c */\n", "\n"])


def group(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    middle = st.builds("#elif {}\n{}".format, CONDITIONS, inner)
    last = st.one_of(st.just(""), inner.map("#else\n{}".format))
    return st.builds(
        "#if {}\n{}{}{}#endif\n".format,
        CONDITIONS,
        inner,
        st.lists(middle, max_size=2).map("".join),
        last,
    )


FILES = st.lists(
    st.recursive(
        LINE, lambda inner: group(st.lists(inner, max_size=2).map("".join)), max_leaves=6
    ),
    max_size=4,
).map("".join)


@need_unifdef
@settings(max_examples=120, deadline=None)
@given(FILES)
def test_cuda_view_is_what_unifdef_leaves_of_any_nest(text: str) -> None:
    assert cuda_view(text) == unifdef(text)


@given(FILES)
def test_views_are_stable(text: str) -> None:
    assert cuda_view(cuda_view(text)) == cuda_view(text)
    assert hip_view(hip_view(text)) == hip_view(text)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("end", [True, False], ids=["newline at end", "no newline at end"])
def test_a_guard_shows_each_compiler_its_branch(newline: str, end: bool) -> None:
    before, last = f"a;{newline}", newline if end else ""
    text = before + guarded(hip=f"h;{newline}", cuda=f"c;{last}", newline=newline)
    assert cuda_view(text) == f"a;{newline}c;{last}"
    assert hip_view(text) == f"a;{newline}h;{newline}" if end else f"a;{newline}h;"
    assert text.count(newline) == text.count("\n")


def test_open_conditionals_leave_the_text_whole() -> None:
    for text in ("#ifdef USE_ROCM\nx\n", "x\n#endif\n", "#else\n"):
        assert cuda_view(text) == text


def test_a_continued_condition_is_one_condition() -> None:
    # unifdef leaves such a condition alone; a compiler does not.
    text = "#if defined(USE_ROCM) || \\\n    defined(__HIPCC__)\nh\n#else\nc\n#endif\n"
    assert cuda_view(text) == "c\n"


def test_a_comparison_is_not_decided() -> None:
    for condition in ("defined(USE_ROCM) == 0", "HIP_VERSION > 5", "0", "F(USE_ROCM)"):
        text = f"#if {condition}\nx\n#endif\n"
        assert cuda_view(text) == text


def test_hip_view_leaves_what_versions_differ_in() -> None:
    text = "#ifdef __HIP_PLATFORM_HCC__\nold\n#else\nnew\n#endif\n"
    assert hip_view(text) == text
    assert cuda_view(text) == "new\n"


def test_dead_text_under_hip() -> None:
    text = "a\n#ifdef USE_ROCM\nh\n#else\nc\n#endif\nb\n"
    dead = "".join(text[start:end] for start, end in dead_under_hip(text))
    assert dead == "#ifdef USE_ROCM\n#else\nc\n#endif\n"


def test_same_cuda_view() -> None:
    assert same_cuda_view("c;\n", guarded(hip="h;\n", cuda="c;\n"))
    assert not same_cuda_view("c;\n", guarded(hip="h;\n", cuda="d;\n"))
    assert not same_cuda_view("c;\n", "h;\n")


def test_attribute_only() -> None:
    before = "template <> float f(float v) { return v; }\n"
    assert attribute_only(before, before.replace("> float", "> __device__ float", 1))
    assert attribute_only(before, before)
    assert not attribute_only(before, before.replace("return v", "return 2 * v"))
    assert not attribute_only(before, before.replace("float v", "const float v"))
    assert not attribute_only(before, before.replace(" { return v; }", ";"))
    assert not attribute_only(before, before + "int x;")


STYLES = {
    "ifdef USE_ROCM": ("#ifdef USE_ROCM\n#endif\n", "#ifdef USE_ROCM", "#ifndef USE_ROCM"),
    "ifndef USE_ROCM": ("#ifndef USE_ROCM\n#endif\n", "#ifdef USE_ROCM", "#ifndef USE_ROCM"),
    "two": (
        "#if defined(USE_ROCM) || defined(__HIP_PLATFORM_HCC__)\n#endif\n",
        "#if defined(USE_ROCM) || defined(__HIP_PLATFORM_HCC__)",
        "#if !(defined(USE_ROCM) || defined(__HIP_PLATFORM_HCC__))",
    ),
    "HCC alone is not enough": ("#ifdef __HIP_PLATFORM_HCC__\n#endif\n", *DEFAULT_STYLE),
    "a foreign macro": (
        "#ifdef X_H\n#if defined(X) || defined(USE_ROCM)\n#endif\n#endif\n",
        *DEFAULT_STYLE,
    ),
    "a version": ("#if USE_ROCM && HIP_VERSION > 5\n#endif\n", *DEFAULT_STYLE),
    "none": ("int a;\n", *DEFAULT_STYLE),
}


@pytest.mark.parametrize(("text", "hip", "cuda"), STYLES.values(), ids=STYLES)
def test_style_of(text: str, hip: str, cuda: str) -> None:
    assert style_of(text, {"USE_ROCM", "__HIPCC__"}) == (hip, cuda)


def test_style_needs_a_macro_that_the_stack_defines() -> None:
    assert style_of("#ifdef USE_ROCM\n#endif\n", {"__HIPCC__"}) == DEFAULT_STYLE
    assert HIP_CONDITION in DEFAULT_STYLE.hip
