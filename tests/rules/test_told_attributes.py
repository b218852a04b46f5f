"""Which functions get an attribute, which flags and host files are meant, and which assembly."""

from __future__ import annotations

import pytest
from rule_offers import Told
from rule_told import OTHER, PATH, offers, seen

from fastpt_lab.core.action import CodeAction

DEVICE_ONLY = "reference to __device__ function 'rsqrtf' in __host__ function"
HOST_ONLY = "reference to __host__ function 'clampv' in __global__ function"
DECLARED = "'clampv' declared here"
UNKNOWN_FLAG = "unknown argument: '{}'"


def marked_by(action: CodeAction, attribute: str) -> list[str]:
    """Return the files of an action, once for each place where it adds the attribute."""
    assert action.edit is not None
    return [
        document.path.name
        for document in action.edit.documents
        for edit in document.edits
        if attribute in edit.new_text
    ]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("float inv(float x) { return §rsqrtf(x); }\n", 1),
        # A template and its specialisations belong together, and an overload does not.
        (("template <class T> T inv(T x) { return §rsqrtf(x); }\n"
         "template <> float inv<float>(float x) { return 1; }\nint inv(int x, int y);\n"), 2),
        ("template <class T> T inv(T x, T y) { return §rsqrtf(x); }\nint inv(int x);\n", 1),
        ("int inv(int x) { return §rsqrtf(x); }\ntemplate <class T> T inv(T x, T y);\n", 1),
        # One that has its attribute keeps it.
        ("float inv(float x) { return §rsqrtf(x); }\n__device__ float inv(float x);\n", 1),
        ("float inv(float x) { return §rsqrtf(x); }\n__host__ float inv(float x);\n", 1),
    ],
)  # fmt: skip
def test_a_function_that_calls_device_code(text: str, count: int) -> None:
    (action,) = offers("missing-device-attribute", text, DEVICE_ONLY)
    assert marked_by(action, "__device__") == [PATH.name] * count


def test_a_function_of_another_file_at_the_same_offset_is_another() -> None:
    text = "float inv(float x) { return §rsqrtf(x); }\n"
    other = "float inv(int* x) { return 1; }\n"
    (action,) = offers("missing-device-attribute", text, DEVICE_ONLY, other=other)
    assert marked_by(action, "__device__") == [PATH.name]


def test_a_function_that_has_an_attribute_gets_none() -> None:
    for attribute in ("__device__", "__global__"):
        text = f"{attribute} void inv(float* x) {{ *x = §rsqrtf(*x); }}\n"
        assert offers("missing-device-attribute", text, DEVICE_ONLY) == ()


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        (("template <class T> T §1clampv(T v) { return v; }\n"
         "template <> float clampv<float>(float v) { return v; }\n"), 2),
        ("template <class T> T §1clampv(T v) { return v; }\nint clampv(int v, int w);\n", 1),
        ("int §1clampv(int v) { return v; }\ntemplate <class T> T clampv(T v, T w);\n", 1),
        ("int §1clampv(int v) { return v; }\n__host__ int clampv(int v);\n", 1),
        ("int §1clampv(int v) { return v; }\n__device__ int clampv(int v);\n", 1),
        ("__host__ int §1clampv(int v) { return v; }\n", 0),
        ("int §1other(int v) { return v; }\n", 0),
    ],
)  # fmt: skip
def test_a_function_that_device_code_calls(text: str, marks: int) -> None:
    text += "__global__ void k(int* x) { *x = §clampv(*x); }\n"
    actions = offers("host-device-call", text, HOST_ONLY, DECLARED)
    found = [name for action in actions for name in marked_by(action, "__host__ __device__")]
    assert found == [PATH.name] * marks


def test_only_the_note_that_names_the_callee_is_followed() -> None:
    text = (
        "int §1clampv(int v) { return v; }\n__global__ void k(int* x) { *x = §clampv(*x); }\n"
    )
    assert offers("host-device-call", text, HOST_ONLY, "called by 'k'") == ()


@pytest.mark.parametrize(
    ("body", "word"),
    [("return min(v, int(1));", "safe"), ("return other(v);", "unsafe")],
)
def test_what_a_callee_calls_itself_is_a_doubt(body: str, word: str) -> None:
    text = f"int §1clampv(int v) {{ {body} }}\n__global__ void k(int* x) {{ §clampv(*x); }}\n"
    (action,) = offers("host-device-call", text, HOST_ONLY, DECLARED)
    assert action.applicability.word == word


def test_flags_that_only_nvcc_knows() -> None:
    for flag in ("--use_fast_math", "-use_fast_math"):
        (action,) = offers(
            "nvcc-flags", "§\n", UNKNOWN_FLAG.format(flag), stack=Told(False, ())
        )
        assert action.flags is not None
        assert action.flags.add == ("-ffast-math",)
    stack = Told(False, ("-lineinfo", "-O2", "-gencode", "arch=compute_80,code=sm_80"))
    (action,) = offers("nvcc-flags", "§\n", UNKNOWN_FLAG.format("-lineinfo"), stack=stack)
    assert action.flags is not None
    assert "-O2" not in action.flags.remove
    assert "-gencode" in action.flags.remove
    assert offers("nvcc-flags", "§\n", UNKNOWN_FLAG.format("-O9"), stack=Told(False, ())) == ()


def test_a_condition_without_a_name_is_no_guard_for_hip() -> None:
    hidden = "#ifdef __HIP_PLATFORM_HCC__\n#define LANES 64\n#endif\nint x = §LANES;\n"
    message = "use of undeclared identifier 'LANES'"
    (action,) = offers("platform-guard", f"#if 1\n#endif\n{hidden}", message)
    assert "at 1 guards" in action.title
    assert seen(action, f"#if 1\n#endif\n{hidden}").startswith("#if 1\n")


def test_a_host_compiler_that_meets_cuda_s_names() -> None:
    message = "'cudaStream_t' was not declared in this scope"
    assert (
        len(offers("host-unit", "§\n", message, path=OTHER.with_suffix(".cpp"), source="gcc"))
        == 1
    )
    assert offers("host-unit", "§\n", message, source="gcc") == ()
    assert offers("host-unit", "§\n", message, path=OTHER.with_suffix(".cpp")) == ()


@pytest.mark.parametrize(
    ("instruction", "word"),
    [("mov.u32 %0, %%laneid;", "unsafe"), ("add.s32 %0, %1, 1;", "safe")],
)
def test_assembly_about_lanes_beside_a_wave_size(instruction: str, word: str) -> None:
    text = (
        "__device__ int f(int x) {\n  int l = warpSize;\n"
        f'  §asm volatile("{instruction}" : "=r"(l) : "r"(x));\n  return l;\n}}\n'
    )
    (action,) = offers("inline-ptx", text, "invalid instruction")
    assert action.applicability.word == word


@pytest.mark.parametrize(
    ("instruction", "count"),
    [
        ("cp.async.cg.shared.global [%0], [%1], 16;", 1),
        ("cp.async.ca.shared.global.L2::128B [%0], [%1], 4;", 1),
        ("cp.async.ca.shared.global [%0], [%1], 2;", 0),
        ("cp.async.bulk.shared.global [%0], [%1], 16;", 0),
        ("cp.async.cg.shared.global %0, [%1], 16;", 0),
    ],
)
def test_copies_that_have_a_plain_form(instruction: str, count: int) -> None:
    text = (
        "__global__ void k(const int4* g) {\n  __shared__ int4 s[64];\n"
        "  unsigned d = (unsigned)§__cvta_generic_to_shared(&s[threadIdx.x]);\n"
        f'  asm volatile("{instruction}" ::"r"(d), "l"(g));\n}}\n'
    )
    message = "use of undeclared identifier '__cvta_generic_to_shared'"
    assert len(offers("cp-async", text, message)) == count


def test_a_standard_is_asked_for_where_the_log_s_reader_says_so() -> None:
    stack = Told(False, ("-std=c++14",))
    assert offers("cxx-standard", "§\n", "some message", stack=stack) == ()
    (action,) = offers("cxx-standard", "§\n", "some message", stack=stack, code="cxx-standard")
    assert action.flags is not None
    assert action.flags.remove == ("-std=c++14",)


@pytest.mark.parametrize(
    "message",
    [
        "this header needs a C++17 or later compatible compiler",
        "no template named 'is_same_v' in namespace 'std'; did you mean 'is_same'?",
    ],
)
def test_a_standard_is_asked_for_by_what_is_missing(message: str) -> None:
    (action,) = offers("cxx-standard", "§\n", message, stack=Told(False, ()))
    assert action.evidence == ("the units are compiled with the default standard",)
