"""Which macros give attributes only where `__CUDA_ARCH__` is defined, and may give them to HIP."""

from __future__ import annotations

import pytest
from rule_told import offers, seen

from fastpt_lab.core.action import Applicability

RULE = "cuda-arch-guard"
CALL = (
    "HD int §1twice(int x) { return 2 * x; }\n__global__ void k(int* x) { *x = §twice(*x); }\n"
)
MESSAGE = "reference to __host__ function 'twice' in __global__ function"
NOTE = "'twice' declared here"
BOTH = "#define HD __host__ __device__\n"
EMPTY = "#define HD\n"


def defined_under_hip(group: str) -> list[str]:
    """Return what HIP sees the macro defined as after the edit, nothing where none is offered."""
    text = group + CALL
    return [
        line
        for action in offers(RULE, text, MESSAGE, NOTE)
        for line in seen(action, text).splitlines()
        if line.startswith("#define HD")
    ]


@pytest.mark.parametrize(
    "group",
    [
        f"#ifdef __CUDA_ARCH__\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#if defined(__CUDA_ARCH__)\n{BOTH}#endif\n",
        f"#ifndef __CUDA_ARCH__\n{EMPTY}#else\n{BOTH}#endif\n",
        f"#if (__CUDA_ARCH__ >= 600)\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#if __CUDA_ARCH__ > 0\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#ifdef __CUDA_ARCH__\n#undef HD\n#define INLINE __inline__\n{BOTH}#endif\n",
        f"#ifdef __CUDA_ARCH__\n#define WORD __device__x\n{BOTH}#endif\n#define OTHER __host__\n",
    ],
)
def test_hip_gets_the_attributes_that_it_has_nowhere(group: str) -> None:
    assert defined_under_hip(group) == [BOTH.rstrip()]


@pytest.mark.parametrize(
    "group",
    [
        # On the device one side, on the host the other: HIP has no such passes.
        "#ifdef __CUDA_ARCH__\n#define HD __device__\n#else\n#define HD __host__\n#endif\n",
        "#ifndef __CUDA_ARCH__\n#define HD __host__\n#else\n#define HD __device__\n#endif\n",
        f"#ifdef __CUDA_ARCH__\n{BOTH}#else\n#define HD __host__\n#endif\n",
        f"#ifdef __CUDA_ARCH__\n{BOTH}#endif\n#ifdef SINGLE\n#define HD __host__\n#endif\n",
        # HIP takes the branch as it is.
        f"#ifndef __CUDA_ARCH__\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#if __CUDA_ARCH__ >= 0\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#if __CUDA_ARCH__ < 600\n{BOTH}#else\n{EMPTY}#endif\n",
        f"#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600\n{BOTH}#else\n{EMPTY}#endif\n",
        # Another macro decides too.
        f"#ifdef __CUDACC__\n{BOTH}#elif defined(__CUDA_ARCH__)\n{BOTH}#endif\n",
        f"#ifdef __CUDACC__\n#if __CUDA_ARCH__ > 600\n#endif\n{BOTH}#endif\n",
        # One branch within another: neither alone is compiled then.
        f"#ifdef __CUDA_ARCH__\n#if __CUDA_ARCH__ >= 600\n{BOTH}#endif\n#endif\n",
        # Nothing for the device, and nothing that is a macro's name.
        "#ifdef __CUDA_ARCH__\n#define HD __host__\n#else\n#define HD\n#endif\n",
        "#ifdef __CUDA_ARCH__\n#define HD inline\n#pragma HD __device__\n#endif\n",
        '#ifdef __CUDA_ARCH__\n#define "HD" __device__\n#endif\n',
        # The group has no end.
        f"{CALL.replace('§', '')}#ifdef __CUDA_ARCH__\n{BOTH}",
    ],
)
def test_hip_keeps_the_macro_that_it_has(group: str) -> None:
    assert defined_under_hip(group) == []


def test_what_has_its_branch_for_hip_gets_no_other() -> None:
    group = f"#ifdef __HIPCC__\n{BOTH}#else\n#ifdef __CUDA_ARCH__\n{BOTH}#endif\n#endif\n"
    assert defined_under_hip(group) == []


def test_a_macro_of_the_cuda_side_hides_no_attributes() -> None:
    group = (
        "#ifndef __HIPCC__\n#define HD __host__\n#endif\n"
        f"#ifdef __CUDA_ARCH__\n#undef HD\n{BOTH}#endif\n"
    )
    assert defined_under_hip(group) == [BOTH.rstrip()]


@pytest.mark.parametrize(
    ("attributes", "trust"),
    [("__host__ __device__", Applicability.SAFE), ("__device__", Applicability.UNSAFE)],
)
def test_attributes_of_one_side_are_a_doubt(attributes: str, trust: Applicability) -> None:
    group = f"#ifdef __CUDA_ARCH__\n#define HD {attributes}\n#else\n{EMPTY}#endif\n"
    (action,) = offers(RULE, group + CALL, MESSAGE, NOTE)
    assert action.applicability is trust


@pytest.mark.parametrize(("lines", "count"), [(40, 1), (41, 0)])
def test_a_long_branch_is_not_repeated(lines: int, count: int) -> None:
    filling = "// one of many\n" * (lines - 1)
    group = f"#ifdef __CUDA_ARCH__\n{filling}{BOTH}#else\n{EMPTY}#endif\n"
    assert len(defined_under_hip(group)) == count


def test_the_whole_lines_of_the_group_are_left_to_cuda() -> None:
    text = f"int a;\n  #ifdef __CUDA_ARCH__ // device\n{BOTH}  #endif // device\nint b;\n{CALL}"
    (action,) = offers(RULE, text, MESSAGE, NOTE)
    assert seen(action, text).startswith(f"int a;\n{BOTH}int b;\n")
