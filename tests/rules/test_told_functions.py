"""Functions are found by their look: name, parameters, body, and where an attribute may stand."""

from __future__ import annotations

import re

import pytest
from rule_bench import Originals
from rule_told import OTHER, PATH, offers, seen

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.functions import (
    Function,
    attribute_edit,
    callers,
    function_around,
    functions_named,
    same_parameters,
)

_SIGNS = re.compile("[¦‹›⟦⟧]")


def around(text: str) -> Function | None:
    """Return the function that the word `mark` of a text stands in."""
    return function_around(PATH, Document(text), text.index("mark"))


def shown(function: Function) -> str:
    """Return a function with `¦` where an attribute may stand, ‹name›, ⟦parameters⟧, ⟦body⟧."""
    start, end = function.parameters
    places = [
        (function.insert, "¦"),
        (function.name.start, "‹"),
        (function.name.end, "›"),
        (start, "⟦"),
        (end + 1, "⟧"),
    ]
    if function.body is not None:
        places += [(function.body[0], "⟦"), (function.body[1], "⟧")]
    text = function.name.document.text[: function.end]
    for at, sign in sorted(places, key=lambda p: p[0])[::-1]:
        text = text[:at] + sign + text[at:]
    return text[function.start :]


PLAIN = [
    "¦int ‹mark›⟦(int x)⟧;",
    "¦int ‹mark›⟦(int x)⟧ ⟦{ return x; }⟧",
    "¦__device__ __forceinline__ void ‹mark›⟦()⟧;",
    "¦friend int ‹mark›⟦(int (*g)(int), int n = h(1, 2))⟧;",
    'extern "C" ¦int ‹mark›⟦(int x)⟧;',
    "[[nodiscard]] ¦int ‹mark›⟦(int x)⟧ noexcept(true) ⟦{ return x; }⟧",
    "¦__attribute__((noinline)) int ‹mark›⟦(int x)⟧;",
    "¦__attribute__ ‹mark›⟦(int x)⟧;",
    "¦__launch_bounds__(64, N) __global__ void ‹mark›⟦(int* x)⟧ ⟦{ }⟧",
    "¦C10_LAUNCH_BOUNDS_1(512) __global__ void ‹mark›⟦(int* x)⟧ ⟦{ }⟧",
    "¦__global__ LAUNCH_BOUNDS(256, f(4)) void ‹mark›⟦(int* x)⟧ ⟦{ }⟧",
    "¦decltype(auto) ‹mark›⟦(int x)⟧ ⟦{ return x; }⟧",
    # A macro after the parameters.
    "¦void ‹mark›⟦(int x)⟧ NOEXCEPT;",
    "¦void ‹mark›⟦(int x)⟧ NOEXCEPT_IF(x) ⟦{ }⟧",
    "¦void ‹mark›⟦(int x)⟧ NX noexcept(true) ⟦{ }⟧",
    "¦void ‹mark›⟦(int x)⟧ const OVERRIDE ⟦{ f(1); }⟧",
    "¦auto ‹mark›⟦(int x)⟧ -> decltype(x + 1) ⟦{ return x; }⟧",
    # Initializers of a constructor come before its body.
    "¦A::‹A›⟦(int mark)⟧ : x{mark}, y(1) ⟦{ { f(); } }⟧",
    "¦A::‹A›⟦(int mark)⟧ NX : x(1) ⟦{ }⟧",
    "¦A::~‹A›⟦()⟧ ⟦{ mark(); }⟧",
    "¦bool ‹operator==›⟦(const mark& a, const mark& b)⟧ ⟦{ return true; }⟧",
    "¦bool ‹operator<›⟦(mark a, mark b)⟧;",
    "¦bool ‹operator=›⟦(mark a)⟧ ⟦{ }⟧",
    "¦T& ‹operator()›⟦(int mark)⟧ ⟦{ return x[i]; }⟧",
    "¦T& ‹operator[]›⟦(int mark)⟧;",
    "¦explicit ‹operator mark›⟦()⟧ const ⟦{ return x; }⟧",
    "¦explicit(N > 1) ‹operator const of<mark>*›⟦()⟧ const;",
    '¦int ‹operator"" _mark›⟦(unsigned long long x)⟧;',
    "¦‹PYBIND11_MODULE›⟦(mark, m)⟧ ⟦{ m.def(1); }⟧",
]
TEMPLATES = [
    "template <class T, int N = (1 > 0)> ¦T ‹mark›⟦(T x)⟧ ⟦{ return x; }⟧",
    "template <int N = a[1 > 0]> ¦int ‹mark›⟦(int x)⟧;",
    "template <of<of<int>> x> ¦int ‹mark›⟦(int x)⟧;",
    "template <of<of<of<int>>> x> ¦int ‹mark›⟦(int x)⟧;",
    "template <class T> template <class U> ¦void A<T>::‹mark›⟦(U x)⟧ ⟦{ }⟧",
    "template <int N> ¦requires (N > 1) void ‹mark›⟦(int x)⟧ ⟦{ }⟧",
    "template <> ¦int ‹mark<float>›⟦(float x)⟧;",
    "template <> ¦int ‹mark<of<int>>›⟦(float x)⟧;",
    "template <> ¦int ‹mark<of<of<int>>>›⟦(float x)⟧;",
    "template ¦int ‹mark<int>›⟦(int x)⟧;",
    "extern template ¦int ‹mark<int>›⟦(int x)⟧;",
]


@pytest.mark.parametrize("look", [*PLAIN, *TEMPLATES])
def test_a_function_by_its_look(look: str) -> None:
    function = around(f"int before;\n{_SIGNS.sub('', look)}\nint after;\n")
    assert function is not None
    assert shown(function) == look
    assert function.is_template is (look in TEMPLATES)


@pytest.mark.parametrize(
    "text",
    [
        "int x = mark(1);\n",
        "int x{mark(1)};\n",
        "static const int mark[] = {1, 2};\n",
        "extern int mark;\n",
        "extern __shared__ float mark[];\n",
        "struct alignas(16) mark { int x; };\n",
        "using mark = int (*)(int);\n",
        "auto mark = [](int x) { return x; };\n",
        "#define f(mark) g(mark)\n",
        "(mark)(int x);\n",
        "int f(mark\n",
    ],
)
def test_what_is_no_function(text: str) -> None:
    assert around(text) is None


def test_a_place_in_a_class_is_in_its_member() -> None:
    function = around("struct S {\n  int a;\n  int f(int x) { return mark; }\n};\n")
    assert function is not None
    assert function.name.word == "f"
    assert function.words == {"int"}


def test_functions_and_their_callers() -> None:
    text = (
        "int mark(int x);\nint g() { return mark(1); }\nint h = mark(2);\n"
        "// mark\n#define CALL mark(3)\nint unmark();\n"
    )
    other = "int mark(float x) { return mark(1); }\n"
    workspace = Originals({PATH: Document(text), OTHER: Document(other)})
    named = [
        (f.name.path, f.name.line, f.body is not None)
        for f in functions_named("mark", workspace)
    ]
    assert named == [(PATH, 1, False), (OTHER, 1, True)]
    found = [
        (one.name.word, "function") if isinstance(one, Function) else (one.line, "place")
        for one in callers("mark", workspace)
    ]
    assert found == [("g", "function"), (3, "place"), (5, "place"), ("mark<", "function")] or (
        found == [("g", "function"), (3, "place"), (5, "place"), ("mark", "function")]
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("(int x, float y)", "(int, const float)", True),
        ("(const int& x = f())", "(int)", True),
        ("(int n = h(1, 2), of<int, 2> k)", "(int, of<int, 2>)", True),
        ("(unsigned int, long long)", "(unsigned int n, long long k)", True),
        ("(const float)", "(const int)", False),
        ("(float*p, of<int>q)", "(float*, of<int>)", True),
        ("(struct S x, typename T::U y)", "(S, T::U z)", True),
        ("(int* x)", "(int x)", False),
        ("(int x)", "(int x, int y)", False),
        ("(of<int> x)", "(of<float> x)", False),
    ],
)
def test_the_same_parameters(one: str, other: str, same: bool) -> None:
    first, second = around(f"void mark{one};"), around(f"void mark{other};")
    assert first is not None
    assert second is not None
    assert same_parameters(first, second) is same


def test_an_attribute_goes_before_the_specifiers() -> None:
    text = 'template <class T>\nstatic inline T mark(T x);\nextern "C" int f();\n'
    function = around(text)
    assert function is not None
    edited = Document(text).apply([attribute_edit(function, "__host__ __device__")]).text
    assert edited == text.replace("static", "__host__ __device__ static")


DEVICE_ONLY = "reference to __device__ function 'rsqrtf' in __host__ function"
INVERSE = "float inv(float x) { return §rsqrtf(x); }\n"


def test_a_kernel_behind_a_macro_is_device_code() -> None:
    """Its call is no reason to keep a function for the host."""
    kernel = "C10_LAUNCH_BOUNDS_1(64) __global__ void k(float* x) { *x = inv(*x); }\n"
    (action,) = offers("missing-device-attribute", INVERSE + kernel, DEVICE_ONLY)
    assert action.applicability is Applicability.SAFE
    assert "__device__ float inv(float x)" in seen(action, INVERSE + kernel)
    text = kernel.replace("inv(*x)", "§rsqrtf(*x)")
    assert offers("missing-device-attribute", text, DEVICE_ONLY) == ()


def test_an_attribute_is_no_template_head() -> None:
    """An overload for the host keeps its side."""
    text = f"[[nodiscard]] {INVERSE}[[nodiscard]] int inv(int x, int y);\n"
    (action,) = offers("missing-device-attribute", text, DEVICE_ONLY)
    assert "[[nodiscard]] __device__ float inv(float x)" in seen(action, text)
    assert "[[nodiscard]] int inv(int x, int y);" in seen(action, text)


def test_an_instantiation_gets_its_attribute_after_the_keyword() -> None:
    text = (
        f"template <class T> {INVERSE.replace('float', 'T')}template float inv<float>(float);\n"
    )
    (action,) = offers("missing-device-attribute", text, DEVICE_ONLY)
    assert "template __device__ float inv<float>(float);" in seen(action, text)
