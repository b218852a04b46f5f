"""Safe means shown: forms that look safe and are not, and the forms that keep them exact."""

from __future__ import annotations

from pathlib import Path

import pytest
from rule_bench import Originals

from fastpt_lab.core.action import Applicability, CodeAction
from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.guard import hip_view
from fastpt_lab.core.text import Document, Location
from fastpt_lab.rules import actions_for

PATH = Path("/project/a.cu")
OTHER = Path("/project/b.cuh")


class Old:
    """A stack without the `_sync` intrinsics."""

    hip_version = (5, 2)
    architectures = ("gfx906",)
    flags = ()

    def has(self, name: str) -> bool | None:
        return not name.endswith("_sync") and name != "__syncwarp"

    declares = has_header = compiles = has

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        return (("int", "int", "int"),)

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        return ()


def _offered(
    text: str, name: str, other: str = "", stack: Old | None = None
) -> tuple[tuple[CodeAction, ...], Document]:
    documents = {PATH: Document(text)}
    if other:
        documents[OTHER] = Document(other)
    at = text.index(name)
    error = Diagnostic(
        severity=Severity.ERROR,
        message=f"use of undeclared identifier '{name}'",
        source="clang",
        location=Location(PATH, documents[PATH].range_of(at, at + len(name))),
        id="d1",
    )
    return actions_for([error], Originals(documents), stack or Old()), documents[PATH]


def offer(text: str, name: str, other: str = "") -> tuple[CodeAction, str]:
    """The first offer for the first `name` of a file, and what HIP then sees."""
    (action, *_), document = _offered(text, name, other)
    assert action.edit is not None
    return action, hip_view(document.apply(action.edit.documents[0].edits).text)


def offers_of(text: str, name: str) -> tuple[CodeAction, ...]:
    """All offers for the first `name` of a file."""
    return _offered(text, name)[0]


def body(statement: str, before: str = "") -> str:
    return f"{before}__device__ int f(int v, int k) {{\n  {statement}\n  return v;\n}}\n"


FULL = "0xffffffff"
SAFE = {
    "literal mask": (body(f"v = __shfl_xor_sync({FULL}, v, 1);"), "__shfl_xor(v, 1, 32)"),
    "minus one": (body("v = __shfl_xor_sync(-1, v, 16);"), "__shfl_xor(v, 16, 32)"),
    "cast": (body("v = __shfl_sync(uint32_t(-1), v, 0);"), "__shfl(v, 0, 32)"),
    "macro mask": (body("v = __shfl_sync(ALL, v, 31);", "#define ALL (~0u)\n"), "__shfl(v, 31, 32)"),
    "const mask": (
        body("v = __shfl_sync(kAll, v, 3);", "constexpr unsigned kAll = 0xffffffff;\n"),
        "__shfl(v, 3, 32)"),
    "an index is cut to the width": (
        body(f"v = __shfl_sync({FULL}, v, k + 1, 8);"), "__shfl(v, (k + 1) & 7, 8)"),
    "a distance is cut to five bits": (
        body(f"v = __shfl_down_sync({FULL}, v, k, 16);"), "__shfl_down(v, k & 31, 16)"),
    "a loop bounds its variable": (
        body(f"for (int m = 16; m; m >>= 1) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m, 32)"),
    "a loop that goes too far": (
        body(f"for (int m = 32; m; m >>= 1) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a loop that changes its variable": (
        body(f"for (int m = 16; m; m >>= 1) {{ m += 32; v += __shfl_xor_sync({FULL}, v, m); }}"),
        "__shfl_xor(v, m & 31, 32)"),
    "a name outside the loop": (
        body(f"int m = 40; v = __shfl_xor_sync({FULL}, v, m); for (int m = 16; m; m /= 2) v++;"),
        "__shfl_xor(v, m & 31, 32)"),
    "a wave size that is 32": (
        body(f"v = __shfl_sync({FULL}, v, WARP_SIZE - 1);", "#define WARP_SIZE 32\n"),
        "__shfl(v, WARP_SIZE - 1, 32)"),
    "a loop that begins below zero": (
        body(f"for (int m = -1; m < 32; m *= 2) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a loop without a limit": (
        body(f"for (int m = 1; m != 32; m *= 2) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a loop up to a limit": (
        body(f"for (int m = 1; m <= 16; m <<= 1) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m, 32)"),
    "a loop up to a limit outside the warp": (
        body(f"for (int m = 1; m <= 32; m <<= 1) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a loop with another step": (
        body(f"for (int m = 1; m < 32; m = g(m)) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a loop of two variables": (
        body(f"for (int m = 16, n = g(1) * 2; m; m >>= 1) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a step in parentheses": (
        body(f"for (int m = 16; m; m = (m) - 8) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a parameter of the name of a loop's variable": (
        ("__device__ int f(int v, Id<int> k) {\n"
        f"  v = __shfl_xor_sync({FULL}, v, k);\n"
        "  for (int k = 16; k; k >>= 1) v++;\n  return v;\n}\n"),
        "__shfl_xor(v, k & 31, 32)"),
    "a lane that is read": (
        body(f"v = __shfl_sync({FULL}, v, *p);"), "__shfl(v, (*p) & 31, 32)"),
    "a lane that is too high": (
        body(f"v = __shfl_xor_sync({FULL}, v, 33);"), "__shfl_xor(v, 33 & 31, 32)"),
    "a lane below zero": (
        body(f"v = __shfl_xor_sync({FULL}, v, -1);"), "__shfl_xor(v, (-1) & 31, 32)"),
    "a mask with parentheses": (
        body("v = __shfl_sync(~(0u), v, 1);"), "__shfl(v, 1, 32)"),
    "one side of a choice": (
        body(f"v = k ? __shfl_sync({FULL}, v, 1) : v;"), "__shfl(v, 1, 32)"),
    "a function named for a warp's width": (
        body(f"v = __shfl_sync({FULL}, v, 1) + warp_width(k);"), "__shfl(v, 1, 32)"),
    "another function hides the constant": (
        "constexpr unsigned kAll = 0xffffffff;\n__device__ int g(unsigned kAll) { return kAll; }\n"
        + body("v = __shfl_sync(kAll, v, 3);"), "__shfl(v, 3, 32)"),
    "a choice elsewhere in the block": (
        body(f"v = k ? v : 1; v = __shfl_sync({FULL}, v, 1); v += __shfl_sync({FULL}, v, 2);"),
        "__shfl(v, 1, 32)"),
    "a branch that begins with the call": (
        body(f"if (k) __shfl_sync({FULL}, v, 1);"), "__shfl(v, 1, 32)"),
    "an empty branch beside": (
        body(f"if (k) {{}} else v = __shfl_sync({FULL}, v, 1);"), "__shfl(v, 1, 32)"),
    "another body of the same statement": (
        body(f"run([&] {{ v = __shfl_sync({FULL}, v, 1); }},"
             f" [&] {{ v = __shfl_sync({FULL}, v, 2); }});"), "__shfl(v, 1, 32)"),
    "a macro before a choice": (
        (f"#define FIRST(v) __shfl_sync({FULL}, v, 0)\n__device__ int f(int v, int k) {{\n"
        f"  return k ? __shfl_sync({FULL}, v, 1) : __shfl_sync({FULL}, v, 2);\n}}\n"),
        "__shfl(v, 0, 32)"),
    "a loop in a macro": (
        f"#define SUM(v) for (int m = 16; m; m >>= 1) v += __shfl_xor_sync({FULL}, v, m)\n",
        "__shfl_xor(v, m, 32)"),
    "a comment that names the loop's variable": (
        body(f"for (int m = 16; m; m >>= 1) {{ /* m = 32 */ v += __shfl_xor_sync({FULL}, v, m); }}"),
        "__shfl_xor(v, m, 32)"),
    "a comment that names the wavefront": (
        body(f"// warpSize lanes\n  v = __shfl_sync({FULL}, v, 1);"), "__shfl(v, 1, 32)"),
    "a loop whose variable is returned": (
        body(f"for (int m = 16; m; m >>= 1) {{ v += __shfl_xor_sync({FULL}, v, m);"
             " if (k) return m; }"), "__shfl_xor(v, m, 32)"),
    "a loop from zero": (
        body(f"for (int m = 0; m < 32; m *= 2) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m, 32)"),
    "a loop to just outside the warp": (
        body(f"for (int m = 1; m < 34; m *= 2) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "a loop to a limit from outside": (
        body(f"for (int m = 1; m < k; m *= 2) v += __shfl_xor_sync({FULL}, v, m);"),
        "__shfl_xor(v, m & 31, 32)"),
    "outside every definition": (
        f"}}\nv = __shfl_sync({FULL}, v, 3);\n", "__shfl(v, 3, 32)"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), SAFE.values(), ids=SAFE)
def test_a_shown_shuffle_is_exact(text: str, wanted: str) -> None:
    action, seen = offer(text, text[text.index("__shfl") :].partition("(")[0])
    assert wanted in seen
    assert action.applicability is Applicability.SAFE
    assert action.evidence


UNSAFE = {
    "a part of the lanes": body("v = __shfl_sync(0xffff, v, 1);"),
    "a parameter": "__device__ int f(int v, unsigned m) { return __shfl_sync(m, v, 1); }\n",
    "a default argument": (
        "__device__ int f(int v, unsigned m = 0xffffffff) { return __shfl_sync(m, v, 1); }\n"),
    "a local that hides a constant": body(
        "unsigned ALL = k; v = __shfl_sync(ALL, v, 1);", "const unsigned ALL = 0xffffffff;\n"),
    "a variable": body("unsigned all = 0xffffffff; v = __shfl_sync(all, v, 1);"),
    "two definitions": body(
        "v = __shfl_sync(ALL, v, 1);", "#ifdef A\n#define ALL -1\n#else\n#define ALL 1\n#endif\n"),
    "a function-like macro": body("v = __shfl_sync(ALL, v, 1);", "#define ALL(x) -1\n"),
    "a width from outside": body(f"v = __shfl_sync({FULL}, v, 1, k);"),
    "warpSize": body(f"v = __shfl_sync({FULL}, v, warpSize - 1);"),
    "a wave size of 64": body(
        f"v = __shfl_sync({FULL}, v, 1);",
        "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
        "const int last = WARP_SIZE - 1;\n"),
    "an unknown wave size": body(f"v = __shfl_xor_sync({FULL}, v, C10_WARP_SIZE / 2);"),
    "a width of 64": body(f"v = __shfl_sync({FULL}, v, 1, 64);"),
    "a width that is no power of two": body(f"v = __shfl_sync({FULL}, v, 1, 12);"),
    "two branches": body(
        f"if (k) v = __shfl_sync({FULL}, v, 1); else v = __shfl_sync({FULL}, v, 2);"),
    "a choice": body(f"v = k ? __shfl_sync({FULL}, v, 1) : __shfl_sync({FULL}, v, 2);"),
    "a switch": body(f"switch (k) {{ case 1: v = __shfl_sync({FULL}, v, 1); }}"),
    "the lanes that are active": body("v = __shfl_sync(__activemask(), v, 1);"),
    "a ballot as mask": body("v = __shfl_sync(__ballot_sync(-1, (v > 0)), v, 1);"),
    "a shifted mask": body("v = __shfl_sync(~0u >> 16, v, 1);"),
    "a reference that hides a constant": (
        "const unsigned ALL = 0xffffffff;\n__device__ int f(int v, const unsigned& ALL) {"
        " return __shfl_sync(ALL, v, 1); }\n"),
}  # fmt: skip


@pytest.mark.parametrize("text", UNSAFE.values(), ids=UNSAFE)
def test_what_is_not_shown_is_not_safe(text: str) -> None:
    action, _ = offer(text, "__shfl_sync" if "__shfl_sync" in text else "__shfl_xor_sync")
    assert action.applicability is Applicability.UNSAFE
    assert action.evidence


def test_a_distance_from_outside_is_not_safe_where_the_project_counts_64_lanes() -> None:
    text = body(f"v = __shfl_xor_sync({FULL}, v, k);")
    assert offer(text, "__shfl_xor_sync")[0].applicability is Applicability.SAFE
    caller = "__device__ int g(int v) { return f(v, warpSize / 2); }\n"
    action, _ = offer(text, "__shfl_xor_sync", caller)
    assert action.applicability is Applicability.UNSAFE


def test_code_that_counts_by_warp_size_exchanges_the_whole_wavefront() -> None:
    text = body(f"for (int m = warpSize / 2; m; m /= 2) v += __shfl_xor_sync({FULL}, v, m);")
    assert "__shfl_xor(v, m)" in offer(text, "__shfl_xor_sync")[1]


VOTES = {
    "__ballot_sync": "(unsigned int)(__ballot(v) >> (__lane_id() & 32))",
    "__any_sync": "((unsigned int)(__ballot(v) >> (__lane_id() & 32)) != 0)",
    "__all_sync": "((unsigned int)(__ballot(!int(v)) >> (__lane_id() & 32)) == 0)",
}


@pytest.mark.parametrize(("name", "wanted"), VOTES.items())
def test_a_vote_is_of_the_own_half(name: str, wanted: str) -> None:
    action, seen = offer(body(f"v = {name}({FULL}, v);"), name)
    assert wanted in seen
    assert action.applicability is Applicability.SAFE
    action, seen = offer(body(f"v = {name}(0xff, v);"), name)
    assert "& 0xff" in seen
    assert action.applicability is Applicability.UNSAFE


def test_removing_a_governed_statement_leaves_an_empty_one() -> None:
    text = "#include <nvtx3/nvToolsExt.h>\nvoid f(bool on) {\n  if (on) nvtxRangePop();\n  g();\n}\n"
    error = Diagnostic(
        severity=Severity.ERROR,
        message="use of undeclared identifier 'nvtxRangePop'",
        source="clang",
        location=Location(
            PATH, Document(text).range_of(text.index("nvtxR"), text.index("nvtxR"))
        ),
    )
    (action, *_) = actions_for([error], Originals({PATH: Document(text)}), Old())
    assert action.edit is not None
    seen = hip_view(Document(text).apply(action.edit.documents[0].edits).text)
    assert "if (on) ;\n" in seen


SILENT = {
    "a mask that calls": "v = __shfl_sync(next(), v, 1);",
    "a mask that counts": "v = __shfl_sync(k++, v, 1);",
    "a mask that counts down": "v = __shfl_sync(--k, v, 1);",
    "a mask that assigns": "v = __shfl_sync(k = 3, v, 1);",
    "a ballot that calls": "v = __shfl_sync(__ballot_sync(-1, next()), v, 1);",
    "a function named like a ballot": "v = __shfl_sync(my_ballot(v), v, 1);",
    "a template that calls": "v = __shfl_sync(next<int>(), v, 1);",
    "too few arguments": "v = __shfl_sync(0xffffffff, v);",
    "too many arguments": "v = __shfl_sync(0xffffffff, v, 1, 32, 1);",
}


@pytest.mark.parametrize("statement", SILENT.values(), ids=SILENT)
def test_what_cannot_be_written_without_its_mask(statement: str) -> None:
    assert offers_of(body(statement), "__shfl_sync") == ()


def test_active_lanes_vote_without_a_mask() -> None:
    _, seen = offer(body("v = __ballot_sync(__activemask(), v);"), "__ballot_sync")
    assert "v = (unsigned int)(__ballot(v) >> (__lane_id() & 32));" in seen


@pytest.mark.parametrize(
    ("head", "evidence"),
    [
        ("const int WARP_SIZE = 64;\n", "WARP_SIZE is 64, not 32 under HIP"),
        ("extern const int WARP_SIZE;\n", "WARP_SIZE is not known to be 32 under HIP"),
    ],
)
def test_another_wave_size_is_named(head: str, evidence: str) -> None:
    text = body(f"v = __shfl_sync({FULL}, v, 1); if (WARP_SIZE == k) v++;", head)
    action, _ = offer(text, "__shfl_sync")
    assert evidence in action.evidence[0]


def test_a_width_that_is_not_shown_is_named() -> None:
    text = body(f"v = __shfl_sync({FULL}, v, v, k);")
    action, seen = offer(text, "__shfl_sync")
    assert "the width k is not shown" in action.evidence[0]
    assert "__shfl(v, v & 31, k)" in seen


@pytest.mark.parametrize(
    ("statement", "evidence"),
    [
        ("v = __shfl_sync(__activemask(), v, 1);", "names the lanes that happen to be active"),
        (f"v = __shfl_sync({FULL}, v, warpSize - 1);", "this file uses warpSize, which is 64"),
        ("v = __shfl_sync(0xff, v, 1);", "the mask 0xff names 8 of 32 lanes"),
        ("v = __shfl_sync(m[0], v, 1);", "the mask m[0] is not a constant here"),
    ],
)
def test_a_doubt_names_what_it_is_about(statement: str, evidence: str) -> None:
    action, _ = offer(body(statement), "__shfl_sync")
    assert evidence in action.evidence[0]


def test_the_first_of_several_names_from_outside_is_told() -> None:
    text = body(f"v = __shfl_xor_sync({FULL}, v, v ^ k);")
    caller = "__device__ int g(int v) { return f(v, warpSize / 2); }\n"
    action, _ = offer(text, "__shfl_xor_sync", caller)
    assert action.evidence[0].startswith("k comes from outside, and in b.cuh: ")


class Halves(Old):
    """A stack whose shuffles take pairs of halves, and one that has no parameters."""

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        return ((), ("int", "int", "int"), ("const __half2&", "int", "int"))


def half(kind: str, stack: Old, before: str = "") -> str:
    """Return the shuffle of a value of a type as HIP sees it."""
    text = (
        f"{before}__device__ {kind} f({kind} v) {{\n  return __shfl_sync({FULL}, v, 1);\n}}\n"
    )
    (action, *_), document = _offered(text, "__shfl_sync", stack=stack)
    assert action.edit is not None
    hip = hip_view(document.apply(action.edit.documents[0].edits).text)
    return hip.partition("return ")[2].partition(";")[0]


@pytest.mark.parametrize(
    ("kind", "stack", "wanted"),
    [
        ("half2", Old(), "__builtin_bit_cast(half2, __shfl(__builtin_bit_cast(int, v), 1, 32))"),
        ("half2", Halves(), "__shfl(v, 1, 32)"),
        ("__half2", Halves(), "__shfl(v, 1, 32)"),
        # It takes pairs, and no single half.
        ("__half", Halves(), ("__builtin_bit_cast(__half, static_cast<unsigned short>("
         "__shfl(__builtin_bit_cast(unsigned short, v), 1, 32)))")),
        ("nv_bfloat162", Halves(), ("__builtin_bit_cast(nv_bfloat162, __shfl("
         "__builtin_bit_cast(int, v), 1, 32))")),
        ("float", Old(), "__shfl(v, 1, 32)"),
    ],
)  # fmt: skip
def test_a_value_that_no_shuffle_takes_is_carried_as_an_integer(
    kind: str, stack: Old, wanted: str
) -> None:
    assert half(kind, stack) == wanted


def test_a_name_of_two_types_is_not_carried() -> None:
    text = (
        "__device__ float f(float v, half2* p) {\n"
        f"  {{ half2 v = *p; use(v); }}\n  return __shfl_sync({FULL}, v, 1);\n}}\n"
    )
    assert "return __shfl(v, 1, 32);" in offer(text, "__shfl_sync")[1]


def test_votes_in_code_that_counts_by_warp_size_are_of_the_whole_wavefront() -> None:
    for name in VOTES:
        action, seen = offer(body(f"if (k < warpSize) v = {name}({FULL}, v);"), name)
        assert f"v = {name.removesuffix('_sync')}(v);" in seen
        assert action.applicability is Applicability.UNSAFE


def test_a_bounded_lane_is_no_doubt_where_the_project_counts_64_lanes() -> None:
    caller = "__device__ int g(int v) { return f(v, warpSize / 2); }\n"
    action, _ = offer(body(f"v = __shfl_xor_sync({FULL}, v, 1);"), "__shfl_xor_sync", caller)
    assert action.applicability is Applicability.SAFE
