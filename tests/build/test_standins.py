from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc
from rule_bench import hipcc

from fastpt_lab.build.headers import SDK

if TYPE_CHECKING:
    from pathlib import Path

BLOCK = """
struct Times { __device__ float operator()(float a, float b) const { return a * b; } };
struct Carry { float value; __device__ float operator()(float total) { return value; } };
__global__ void kernel(float* p) {
  using Scan = hipcub::BlockScan<float, 128>;
  using Reduce = hipcub::BlockReduce<float, 128>;
  using Sort = hipcub::BlockRadixSort<float, 128, 4, int>;
  using Warp = hipcub::WarpReduce<float>;
  __shared__ Scan::TempStorage scan;
  __shared__ Reduce::TempStorage reduce;
  __shared__ Sort::TempStorage sort;
  __shared__ Warp::TempStorage warp;
  float x = Reduce(reduce).Reduce(p[threadIdx.x], hipcub::Max()), total, keys[4];
  int values[4];
  Carry carry{1};
  CALL
  p[threadIdx.x] = x;
}
"""
DEVICE = """
void run(float* a, float* b, int* c, int n, hipStream_t s) {
  size_t bytes = 0;
  void* t = nullptr;
  hipcub::DoubleBuffer<float> keys(a, b);
  hipError_t e = CALL;
}
"""
RIGHT_IN_A_BLOCK = (
    "Scan(scan).ExclusiveScan(x, x, Times(), carry);",
    "Scan(scan).ExclusiveScan(x, x, 1.0f, Times());",
    "Scan(scan).ExclusiveSum(x, x, total);",
    "Scan(scan).InclusiveSum(keys, keys, carry);",
    "Sort(sort).SortDescending(keys, values);",
    "x = Warp(warp).HeadSegmentedSum(x, threadIdx.x % 8 == 0);",
    'static_assert(hipcub::BlockRakingLayout<float, 128>::SEGMENT_LENGTH == 2, "");',
    "hipcub::BlockExchange<float, 128, 4>().BlockedToStriped(keys);",
    "hipcub::ThreadStore<hipcub::STORE_CG>(p, hipcub::ThreadLoad<hipcub::LOAD_LDG>(p));",
)
WRONG_IN_A_BLOCK = (
    "Scan(scan).ExclusiveScan(x, x);",
    "Scan(scan).InclusiveSum(x, 1.0f);",
    "Sort(sort).Sort(values);",
    "x = Reduce(reduce).Sum(x, total, keys);",
)
RIGHT_ON_THE_DEVICE = (
    "hipcub::DeviceScan::ExclusiveSum(t, bytes, a, b, n, s)",
    "hipcub::DeviceScan::ExclusiveScan(t, bytes, a, b, hipcub::Sum(), 0.f, n, s, false)",
    "hipcub::DeviceScan::InclusiveSumByKey(t, bytes, c, a, b, n)",
    "hipcub::DeviceReduce::ReduceByKey(t, bytes, c, c, a, b, c, hipcub::Sum(), n)",
    "hipcub::DeviceRadixSort::SortPairs(t, bytes, a, b, c, c, n, 0, 32, s)",
    "hipcub::DeviceRadixSort::SortKeys(t, bytes, keys, n)",
    "hipcub::DeviceSegmentedReduce::Max(t, bytes, a, b, 3, c, c + 1, s)",
    "hipcub::DeviceSelect::Flagged(t, bytes, a, c, b, c, n, s)",
    "hipcub::DeviceRunLengthEncode::Encode(t, bytes, c, c, c, c, n)",
    "hipcub::DeviceHistogram::HistogramEven(t, bytes, a, c, 10, 0.f, 1.f, n)",
    "hipcub::DeviceSelect::Unique(t, bytes, a, hipcub::DiscardOutputIterator<>(), c, n)",
)
WRONG_ON_THE_DEVICE = (
    "hipcub::DeviceScan::ExclusiveSum(t, bytes, a, b)",
    "hipcub::DeviceScan::ExclusiveScan(t, bytes, a, b, hipcub::Sum(), n)",
    "hipcub::DeviceRadixSort::SortPairs(t, bytes, a, b, c, n)",
    "hipcub::DeviceReduce::Sum(t, a, b, n)",
)
RANDOM = """
#if __has_include(<hiprand/hiprand_kernel.h>)
#include <hiprand/hiprand.h>
#include <hiprand/hiprand_kernel.h>
__global__ void noise(float* p) {
  hiprandStatePhilox4_32_10_t state;
  hiprand_init(1ull, threadIdx.x, 0, &state);
  float4 four = hiprand_uniform4(&state);
  p[threadIdx.x] = hiprand_normal(&state) + four.x;
}
#else
#include <rocrand/rocrand_kernel.h>
__global__ void noise(float* p) {
  rocrand_state_philox4x32_10 state;
  rocrand_init(1ull, threadIdx.x, 0, &state);
  p[threadIdx.x] = rocrand_normal(&state);
}
#endif
"""


def errors(source: str, part: str, folder: Path) -> list[str]:
    """The errors that hipcc prints for a source, with one stand-in in sight."""
    unit = folder / "unit.hip"
    unit.write_text(source, "utf-8")
    include = ("-idirafter", str(SDK / part), "-ferror-limit=0")
    _, output = hipcc(unit, *include, code=False)
    return [line for line in output.splitlines() if "error:" in line]


def cub(template: str, calls: tuple[str, ...]) -> str:
    """One function for each call, under names of their own."""
    bodies = (
        f"namespace n{i} {{{template.replace('CALL', call)}}}" for i, call in enumerate(calls)
    )
    return "#include <hipcub/hipcub.hpp>\n" + "\n".join(bodies)


@need_hipcc
@pytest.mark.parametrize(
    ("template", "calls"), [(BLOCK, RIGHT_IN_A_BLOCK), (DEVICE, RIGHT_ON_THE_DEVICE)]
)
def test_calls_of_hipcub_type_check(
    template: str, calls: tuple[str, ...], tmp_path: Path
) -> None:
    assert errors(cub(template, calls), "hipcub", tmp_path) == []


@need_hipcc
@pytest.mark.parametrize(
    ("template", "calls"), [(BLOCK, WRONG_IN_A_BLOCK), (DEVICE, WRONG_ON_THE_DEVICE)]
)
def test_calls_with_wrong_arguments_do_not(
    template: str, calls: tuple[str, ...], tmp_path: Path
) -> None:
    assert len(errors(cub(template, calls), "hipcub", tmp_path)) == len(calls)


@need_hipcc
def test_random_numbers_in_device_code_type_check(tmp_path: Path) -> None:
    assert errors(RANDOM, "rocrand", tmp_path) == []
