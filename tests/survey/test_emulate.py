"""The lane emulation: C's integers, divergence, shuffles, and what it refuses to read."""

from __future__ import annotations

import pytest
from survey_reading import unit_of

from fastpt_lab.survey.emulate import Emulation, prove


def run(body: str, *, parameters: str = "const int* x, int* o", before: str = "") -> Emulation:
    text = f"{before}\n__global__ void k({parameters}) {{ {body} }}\n"
    return prove("k", unit_of(text), {})


SAME = {
    "wrapping of int": "o[threadIdx.x] = (2147483647 + x[threadIdx.x]) >> 3;",
    "unsigned shift": "o[threadIdx.x] = (unsigned)x[threadIdx.x] >> 28;",
    "loop with break and continue": (
        "int n = 0; for (int i = 0; i < 20; ++i) { if (i == (int)threadIdx.x % 7) continue; "
        "if (i > 10 + (int)(threadIdx.x & 3)) break; n += i; } o[threadIdx.x] = n;"
    ),
    "early return": "if (x[threadIdx.x] < 0) return; o[threadIdx.x] = 1;",
    "do while": "int i = 0; do { i += 2; } while (i < x[threadIdx.x]); o[threadIdx.x] = i;",
    "local array": "int a[4] = {1, 2}; a[threadIdx.x % 4] += 5; o[threadIdx.x] = a[0] + a[3];",
    "pointer arithmetic": "const int* p = x + threadIdx.x; o[threadIdx.x] = *(p + 1) - p[0];",
    "shared tile": (
        "__shared__ int t[4][33]; t[threadIdx.x / 32][threadIdx.x % 32] = x[threadIdx.x]; "
        "__syncthreads(); o[threadIdx.x] = t[3 - threadIdx.x / 32][0];"
    ),
    "limits of types": (
        "int low = std::numeric_limits<int>::lowest(); float high = "
        "std::numeric_limits<float>::max(); o[threadIdx.x] = max(low, x[threadIdx.x]) + "
        "(high > 1.f) + 'A';"
    ),
    "divergent vote is per lane": "o[threadIdx.x] = x[threadIdx.x] > 0 ? 1 : 2;",
}


@pytest.mark.parametrize("body", SAME.values(), ids=SAME.keys())
def test_what_no_lane_tells_another_is_the_same(body: str) -> None:
    assert run(body).same is True


DIFFERENT = {
    "sum of the wave": (
        "int v = x[threadIdx.x]; for (int s = 16; s > 0; s /= 2) "
        "v += __shfl_xor_sync(0xffffffff, v, s); v = __shfl_sync(0xffffffff, v, 0); "
        "o[threadIdx.x] = v;"
    ),
    "lane id": "o[threadIdx.x] = threadIdx.x % warpSize;",
    "match": "o[threadIdx.x] = __popcll(__match_any_sync(0xffffffff, x[threadIdx.x]));",
    "reference parameter": "int v = x[threadIdx.x]; first(v); o[threadIdx.x] = v;",
}


@pytest.mark.parametrize("body", DIFFERENT.values(), ids=DIFFERENT.keys())
def test_what_depends_on_the_lanes_differs(body: str) -> None:
    before = "__device__ void first(int& v) { v = __shfl_sync(0xffffffff, v, 0); }"
    outcome = run(body, before=before)
    assert outcome.same is False
    assert "o[" in outcome.text


UNREAD = {
    "inline assembly": 'asm volatile("bar.sync 0;");',
    "unknown function": "o[threadIdx.x] = mystery(x[0]);",
    "switch": "switch (x[0]) { default: break; }",
    "endless loop": "while (true) { o[0] += 1; }",
    "member of a struct": "o[threadIdx.x] = x[0].y;",
}


@pytest.mark.parametrize("body", UNREAD.values(), ids=UNREAD.keys())
def test_what_is_not_read_completely_is_said_and_not_judged(body: str) -> None:
    outcome = run(body)
    assert outcome.same is None
    assert outcome.text.startswith("not emulated")


def test_a_read_from_a_lane_that_does_not_run_is_unknown_not_zero() -> None:
    # Lane 31 keeps its own value in a wave of 32; in one of 64 it asks lane 32, which is off.
    outcome = run(
        "if (threadIdx.x % 2) o[threadIdx.x] = __shfl_down_sync(0xffffffff, x[threadIdx.x], 1);"
    )
    assert outcome.same is False
    assert "o[31]" in outcome.text
    assert "no lane gave with 64" in outcome.text


def test_the_cuda_side_runs_for_32_and_the_hip_side_for_64() -> None:
    outcome = run(
        "\n#ifdef USE_ROCM\n o[threadIdx.x] = 64;\n#else\n o[threadIdx.x] = 32;\n#endif\n"
    )
    assert outcome.same is False
    assert "o[0] is 32 with 32 lanes, 64 with 64" in outcome.text


def test_template_constants_of_a_call_are_bound() -> None:
    before = (
        "template <typename T, int W> __device__ T sum(T v) { for (int s = W / 2; s > 0; s /= 2) "
        "v += __shfl_xor_sync(0xffffffff, v, s, W); return v; }"
    )
    assert run("o[threadIdx.x] = sum<int, 16>(x[threadIdx.x]);", before=before).same is True
    wide = run("o[threadIdx.x] = sum<int, 64>(x[threadIdx.x]);", before=before)
    assert wide.same is False
