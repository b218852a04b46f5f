"""What decides whether a rule speaks, and how far it may be trusted, on small sources."""

from __future__ import annotations

import pytest
from rule_offers import FLAGS, Told
from rule_told import EVERYTHING, offers, seen

from fastpt_lab.core.action import ActionKind, Applicability

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE


def undeclared(name: str) -> str:
    return f"use of undeclared identifier '{name}'"


# bf16-header

OLD_BF16 = "hip/hip_bfloat16.h"


class OldBf16(Told):
    """A stack with the older header of bfloat16 alone."""

    def has_header(self, name: str) -> bool | None:
        return name == OLD_BF16


def test_a_bfloat16_type_without_its_header_is_renamed() -> None:
    text = (
        '#ifndef BF\n#error "needs cuda_bf16.h"\n#endif\n'
        "__device__ float f(§__nv_bfloat16 x) {\n"
        "  auto g = __bfloat162float;\n  __float2bfloat16(1, 2);\n"
        "  return __bfloat162float(x);\n}\n"
    )
    message = "unknown type name '__nv_bfloat16'"
    (action,) = offers("bf16-header", text, message, stack=OldBf16(False))
    hip = seen(action, text)
    assert "float f(hip_bfloat16 x)" in hip
    assert '#error "needs cuda_bf16.h"' in hip
    assert "auto g = __bfloat162float;" in hip
    assert "  __float2bfloat16(1, 2);" in hip
    assert "return static_cast<float>(x);" in hip


# cucomplex


class HasHip(Told):
    """A stack that has what begins with `hip`, or `make_hip`, alone."""

    def has(self, name: str) -> bool | None:
        return "hip" in name


def test_operators_on_other_numbers_are_no_doubt_about_complex_ones() -> None:
    text = "__device__ float f(float a, float b) { return a * b + §cuCabsf(g()); }\n"
    (action,) = offers("cucomplex", text, undeclared("cuCabsf"), stack=HasHip(False))
    assert action.applicability is SAFE


def test_operators_on_complex_numbers_are_a_doubt() -> None:
    text = "__device__ void f(§cuComplex a, float b) { g(a * b); }\n"
    message = "unknown type name 'cuComplex'"
    (action,) = offers("cucomplex", text, message, stack=HasHip(False))
    assert action.applicability is UNSAFE
    assert "hipFloatComplex a" in seen(action, text)


def test_a_name_that_is_no_complex_one_is_left_alone() -> None:
    text = "__device__ float f(cuComplex a) { return §cuCustom(a); }\n"
    assert offers("cucomplex", text, undeclared("cuCustom"), stack=HasHip(False)) == ()


# cuda-arch-guard

HD = "#ifdef __CUDA_ARCH__\n#define HD __host__ __device__\n#else\n#define HD\n#endif\n"
CALL = (
    "HD int §1twice(int x) { return 2 * x; }\n__global__ void k(int* x) { *x = §twice(*x); }\n"
)
REFERENCE = "reference to __host__ function 'twice' in __global__ function"


@pytest.mark.parametrize(
    ("message", "note"),
    [
        (REFERENCE, "'twice' declared here"),
        (
            "no matching function for call to 'twice'",
            "candidate function not viable: call to __host__ function from __global__ function",
        ),
    ],
)
def test_a_macro_gives_its_attributes_under_hip(message: str, note: str) -> None:
    (action,) = offers("cuda-arch-guard", HD + CALL, message, note)
    assert action.applicability is SAFE
    assert "#define HD __host__ __device__" in seen(action, HD + CALL)


def test_a_candidate_that_does_not_fit_is_no_matter_of_attributes() -> None:
    note = "candidate function not viable: requires 2 arguments, but 1 was provided"
    message = "no matching function for call to 'twice'"
    assert offers("cuda-arch-guard", HD + CALL, message, note) == ()


def test_a_note_into_a_macro_names_no_function() -> None:
    text = HD + "#define TWICE §1twice\n" + CALL.replace("§1", "")
    assert offers("cuda-arch-guard", text, REFERENCE, "'twice' declared here") == ()


@pytest.mark.parametrize(("word", "count"), [("ifdef", 1), ("ifndef", 0)])
def test_a_function_is_hidden_only_where_the_macro_is_asked_for(word: str, count: int) -> None:
    text = (
        f"#{word} __CUDA_ARCH__\n__device__ int half_of(int x) {{ return x / 2; }}\n#endif\n"
        "__global__ void k(int* x) { *x = §half_of(*x); }\n"
    )
    found = offers("cuda-arch-guard", text, undeclared("half_of"))
    assert len(found) == count
    assert all(action.applicability is UNSAFE for action in found)


# cuda-version-guard


def test_the_macro_is_defined_as_in_the_branch_that_defines_it() -> None:
    text = (
        "#if CUDA_VERSION >= 9000\n#define OTHER 1\n#endif\n"
        "#if CUDA_VERSION >= 11000\n#define HAS_ASYNC 1\n#endif\n"
        "#if 0\n#define HAS_ASYNC 0\n#endif\n"
        "#if !defined(HAS_ASYNC)\n#§error no async\n#endif\n"
    )
    (action,) = offers("cuda-version-guard", text, "no async")
    assert action.applicability is UNSAFE
    hip = seen(action, text)
    assert hip.startswith("#if CUDA_VERSION >= 9000\n#define OTHER 1\n#endif\n")
    assert "#define HAS_ASYNC 1\n" in hip


def test_hip_takes_the_branch_beside_code_and_an_error() -> None:
    text = (
        "#if CUDA_VERSION >= 11000\nusing T = int;\n"
        "#else\nusing T = char;\n#§error too old\n#endif\n"
    )
    (action,) = offers("cuda-version-guard", text, "too old")
    assert action.applicability is UNSAFE
    assert "using T = int;" in seen(action, text)
    assert "too old" not in seen(action, text)


# grid-constant


def test_a_word_at_the_end_of_a_file_is_left_out() -> None:
    text = "#define CONSTANT const §__grid_constant__"
    (action,) = offers("grid-constant", text, undeclared("__grid_constant__"))
    assert "__grid_constant__" not in seen(action, text)


# group-reduce

CG = "#include <§cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
NO_CG = "'cooperative_groups/reduce.h' file not found"


def test_a_group_function_that_is_named_and_not_called_stays() -> None:
    text = CG + (
        "using cg::reduce;\n__device__ int f(Tile t, int v) {"
        " return cg::reduce(t, v, cg::plus<int>()); }\n"
    )
    (action,) = offers("group-reduce", text, NO_CG)
    assert action.applicability is UNSAFE
    assert "using cg::reduce;" in seen(action, text)
    assert "v += o;" in seen(action, text)


@pytest.mark.parametrize(
    "call",
    [
        "cg::reduce(t, v)",
        "cg::reduce(t, v, mine)",
        "cg::reduce(t, v, cg::minus<int>())",
        "cg::memcpy_async(t, d, s)",
        "cg::wait(t, v)",
        "cg::inclusive_scan(t, v, cg::plus<int>())",
        "cg::wait_prior(t, v, v)",
        "cg::wait_prior(t, d, s, n)",
        "cg::wait_prior(t)",
    ],
)
def test_a_group_call_without_a_form(call: str) -> None:
    text = f"{CG}__device__ void f(Tile t, int v) {{ {call}; }}\n"
    assert offers("group-reduce", text, NO_CG) == ()


def test_a_group_waits_by_sync() -> None:
    text = CG + "__device__ void f(Tile t) { cg::wait(t); cg::memcpy_async(t, d, s, n); }\n"
    (action,) = offers("group-reduce", text, NO_CG)
    assert "t.sync();" in seen(action, text)
    assert "(t, d, s, n);" in seen(action, text)


# math-mode

SET = "void f(cublasHandle_t h) {\n"
MODE = "  cublasMath_t mode = CUBLAS_DEFAULT_MATH;\n"


@pytest.mark.parametrize(
    "name",
    ["cublasSetMathMode", "hipblasSetMathMode", "CUBLAS_DEFAULT_MATH", "HIPBLAS_DEFAULT_MATH"],
)
def test_a_mode_is_set_for_cuda_only(name: str) -> None:
    text = f"{SET}  §cublasSetMathMode(h, CUBLAS_DEFAULT_MATH);\n}}\n"
    (action,) = offers("math-mode", text, undeclared(name))
    assert action.applicability is SAFE
    assert "cublasSetMathMode" not in seen(action, text)


def test_another_function_of_the_library_is_no_mode() -> None:
    text = f"{SET}  §cublasSetMathMode(h, CUBLAS_DEFAULT_MATH);\n}}\n"
    assert offers("math-mode", text, undeclared("hipblasSetMode")) == ()


def test_a_status_that_is_kept_is_success() -> None:
    text = f"{SET}  int status = §cublasSetMathMode(h, CUBLAS_DEFAULT_MATH);\n}}\n"
    (action,) = offers("math-mode", text, undeclared("cublasSetMathMode"))
    assert "int status = CUBLAS_STATUS_SUCCESS;" in seen(action, text)


def test_a_function_that_is_named_and_not_called_stays() -> None:
    text = f"{SET}  auto g = §cublasSetMathMode;\n}}\n"
    assert offers("math-mode", text, undeclared("cublasSetMathMode")) == ()


def test_a_mode_in_a_macro_is_left_alone() -> None:
    text = "#define SET(h) §cublasSetMathMode(h, CUBLAS_DEFAULT_MATH)\n"
    assert offers("math-mode", text, undeclared("cublasSetMathMode")) == ()


@pytest.mark.parametrize(
    ("before", "after", "wanted"),
    [
        ("", "", SAFE),
        ("  g(mode);\n", "", UNSAFE),
        ("", "  g(mode);\n", UNSAFE),
        ("", "}\nvoid g(int mode) {\n  h(mode);\n", SAFE),
    ],
    ids=["alone", "used before", "used after", "used in another function"],
)
def test_a_variable_of_the_mode(before: str, after: str, wanted: Applicability) -> None:
    text = f"{SET}{MODE}{before}  §cublasSetMathMode(h, mode);\n{after}}}\n"
    (action,) = offers("math-mode", text, undeclared("cublasSetMathMode"))
    assert action.applicability is wanted


# missing-header


def test_a_header_is_not_replaced_by_the_one_that_is_missing() -> None:
    text = "#include <§THC/THCAtomics.cuh>\n"
    message = "'ATen/hip/Atomic.cuh' file not found"
    assert offers("missing-header", text, message, stack=EVERYTHING) == ()


# nvtx-range

NVTX = "#include <nvToolsExt.h>\nvoid f(int n) {\n"


def test_a_name_that_roctx_has_not_is_left_out_though_roctx_is_there() -> None:
    text = f'{NVTX}  §nvtxNameOsThreadA(n, "io");\n}}\n'
    (action,) = offers("nvtx-range", text, undeclared("nvtxNameOsThreadA"), stack=EVERYTHING)
    assert action.applicability is SAFE
    assert "nvtx" not in seen(action, text)


def test_nothing_is_left_out_where_roctx_is_there() -> None:
    text = '#include <§nvToolsExt.h>\nvoid f() { nvtxRangePushA("io"); }\n'
    message = "'roctracer/roctx.h' file not found"
    assert offers("nvtx-range", text, message, stack=EVERYTHING) == ()
    assert len(offers("nvtx-range", text, message)) == 1


@pytest.mark.parametrize(
    ("mark", "wanted"),
    [
        ('nvtx3::scoped_range range("step");', SAFE),
        ("nvtx3::scoped_range range;", SAFE),
        ("nvtx3::scoped_range range(name());", UNSAFE),
        ("nvtxRangePop;", SAFE),
    ],
)
def test_a_range_object_only_labels(mark: str, wanted: Applicability) -> None:
    text = f"{NVTX}  §{mark}\n}}\n"
    (action,) = offers("nvtx-range", text, undeclared("nvtx3"))
    assert action.applicability is wanted
    assert "nvtx" not in seen(action, text)


def test_a_mark_in_a_macro_is_nothing() -> None:
    text = "#define PUSH(n) §nvtxRangePushA(n)\n"
    (action,) = offers("nvtx-range", text, undeclared("nvtxRangePushA"))
    assert action.applicability is UNSAFE
    assert "#define PUSH(n) 0\n" in seen(action, text)


# platform-guard

HCC = "#ifdef __HIP_PLATFORM_HCC__\n"
HIDDEN = f"{HCC}#define LANES 64\n#endif\nint x = §LANES;\n"
NO_LANES = undeclared("LANES")


def test_a_guard_of_old_macros_asks_for_todays() -> None:
    (action,) = offers("platform-guard", HIDDEN, NO_LANES)
    assert action.applicability is UNSAFE
    assert action.edit is not None
    assert "__HIPCC__" in action.edit.documents[0].edits[0].new_text


@pytest.mark.parametrize(
    "text",
    [
        f"#ifdef USE_ROCM\n#define LANES 64\n#endif\n{HCC}int y;\n#endif\nint x = §LANES;\n",
        f"{HCC}int y;\n#endif\n#define LANES 64\nint x = §LANES;\n",
        f"{HCC}int y;\n#else\n#define LANES 64\n#endif\nint x = §LANES;\n",
        f"{HCC}#undef LANES\n#endif\nint x = §LANES;\n",
        f"{HCC}int y;\n#endif\nint LANES(int);\nint x = §LANES;\n",
        f"{HCC}#define LANESIZE 64\n#endif\nint x = §LANES;\n",
        "#if 0\n#define LANES 64\n#endif\nint x = §LANES;\n",
        (
            "#if defined(__HIP_PLATFORM_HCC__) || defined(OTHER)\n#define LANES 64\n#endif\n"
            "int x = §LANES;\n"
        ),
    ],
    ids=[
        "in a guard of today",
        "in no guard",
        "in the branch for CUDA",
        "not defined",
        "a function in no guard",
        "another macro",
        "in no branch",
        "with another macro",
    ],
)
def test_a_name_that_no_old_guard_hides(text: str) -> None:
    assert offers("platform-guard", text, NO_LANES) == ()


def test_only_questions_about_the_old_macros_are_changed() -> None:
    text = f"#if 0\n#endif\n#undef __HCC__\n#define A __HCC__\n{HIDDEN}"
    (action,) = offers("platform-guard", text, NO_LANES)
    assert action.title == "Ask for today's HIP at 1 guards of a.cu"


def test_a_build_that_defines_the_old_macro_takes_its_branch() -> None:
    flags = (*FLAGS, "-D__HIP_PLATFORM_HCC__=1")
    assert offers("platform-guard", HIDDEN, NO_LANES, stack=Told(False, flags)) == ()


def test_a_flag_that_only_ends_like_the_macro_defines_nothing() -> None:
    flags = ("-U__HIP_PLATFORM_HCC__",)
    assert len(offers("platform-guard", HIDDEN, NO_LANES, stack=Told(False, flags))) == 1


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (f"{HCC}int x;\n#else\nint §y;\n#endif\n", 1),
        (f"{HCC}int §x;\n#else\nint y;\n#endif\n", 0),
        (f"{HCC}int x;\n#else\nint y;\n#endif\nint §z;\n", 0),
        (f"#ifdef USE_ROCM\nint x;\n#else\nint §y;\n#endif\n{HCC}#endif\n", 0),
        (f"#ifdef A\nint x;\n{HCC}#endif\n#else\nint §y;\n#endif\n", 0),
    ],
    ids=["for CUDA", "for HIP", "in no branch", "a guard of today", "another guard"],
)
def test_an_error_in_the_branch_for_cuda(text: str, count: int) -> None:
    assert len(offers("platform-guard", text, "no type named 'x'")) == count


# redefinition

ADD = "double §atomicAdd(double* a, double b)"
AGAIN = "redefinition of 'atomicAdd'"
PREVIOUS = "/usr/include/hip/amd_detail/amd_hip_atomic.h: previous definition is here"


def test_a_declaration_is_no_sum() -> None:
    message = "static declaration of 'atomicAdd' follows non-static declaration"
    note = PREVIOUS.replace("definition", "declaration")
    (action,) = offers("redefinition", f"static __device__ {ADD};\n", message, note)
    assert action.applicability is UNSAFE


def test_a_message_elsewhere_in_a_function_is_not_about_it() -> None:
    text = "__device__ double f(double b) { double §x = b; return x; }\n"
    assert offers("redefinition", text, AGAIN, PREVIOUS) == ()


# texture-reference, undefined-reference, undefined-symbol, unknown-arch, missing-library


def test_a_texture_reference_is_advice() -> None:
    text = "§texture<float> t;\n"
    (action,) = offers("texture-reference", text, "unknown type name 'texture'")
    assert action.kind is ActionKind.ADVICE


@pytest.mark.parametrize(
    ("message", "word"),
    [
        ("undefined reference to `n::f(int)'", "f"),
        ("对‘n::f(int)’未定义的引用", "f"),
        ("undefined reference to `.hidden'", ".hidden"),
    ],
)
def test_what_the_linker_misses(message: str, word: str) -> None:
    (action,) = offers("undefined-reference", "§int g();\nint f(int);\n", message, source="ld")
    assert action.title == f"Add the file that defines {word} to the build"
    assert action.evidence == (f"no original defines {word}",)


@pytest.mark.parametrize(
    ("symbol", "flag"),
    [
        ("_ZN3foo3barENSt7__cxx1112basic_stringIcEE", "-D_GLIBCXX_USE_CXX11_ABI=0"),
        ("_ZN3foo3barERKSs", "-D_GLIBCXX_USE_CXX11_ABI=1"),
        ("_Z3foov", None),
    ],
)
def test_a_symbol_of_another_abi(symbol: str, flag: str | None) -> None:
    message = f"undefined symbol: {symbol}"
    (action,) = offers("undefined-symbol", "§\nint foo();\n", message)
    assert (action.flags.add if action.flags else None) == ((flag,) if flag else None)


def test_a_target_of_nothing_in_particular() -> None:
    stack = Told(False, (), architectures=())
    message = "invalid target ID 'gfx999'"
    (action,) = offers("unknown-arch", "§\n", message, stack=stack)
    assert action.evidence[-1] == "the build is for no named target"


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("cudart", "Link -lamdhip64 instead of -lcudart"),
        ("cudadevrt", "Link without -lcudadevrt"),
    ],
)
def test_a_library_of_cuda(name: str, title: str) -> None:
    (action,) = offers("missing-library", "§\n", f"cannot find -l{name}", source="ld")
    assert action.title == title


# group-reduce


@pytest.mark.parametrize(
    ("name", "count"), [("reduce", 1), ("plus", 1), ("memcpy_async", 1), ("this_grid", 0)]
)
def test_a_group_call_that_hip_s_one_header_lacks(name: str, count: int) -> None:
    text = (
        "#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n"
        "__device__ int f(cg::thread_block_tile<32> t, int x) {\n"
        "  return cg::§reduce(t, x, cg::plus<int>());\n}\n"
    )
    message = f"no member named '{name}' in namespace 'cooperative_groups'"
    assert len(offers("group-reduce", text, message)) == count
    bare = text.partition("\n")[2]
    assert offers("group-reduce", bare, message) == ()


# enum-spelling


def test_a_spelling_is_changed_only_where_it_is_written() -> None:
    message = undeclared("HIPSPARSE_ORDER_COL")
    assert offers("enum-spelling", "int §x;\n", message, stack=EVERYTHING) == ()


# atomic-half


@pytest.mark.parametrize(
    ("note", "count"),
    [
        ("no known conversion from '__half2 *' to 'float *' for 1st argument", 1),
        ("no known conversion from 'half *' (aka '__half *') to 'float *' for 1st argument", 1),
        ("no known conversion from 'char *' to 'float *' for 1st argument", 0),
    ],
)
def test_a_sum_of_halves(note: str, count: int) -> None:
    text = "__device__ void f(half2* p, half2 v) { §atomicAdd(p, v); }\n"
    message = "no matching function for call to 'atomicAdd'"
    assert len(offers("atomic-half", text, message, note)) == count
    three = text.replace("(p, v)", "(p, v, v)")
    assert offers("atomic-half", three, message, note) == ()
    assert offers("atomic-half", text.replace("(p, v)", ""), message, note) == ()
