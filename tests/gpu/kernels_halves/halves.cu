// The halves of a half2 by its members, and braces assigned to it.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "rows.cuh"

namespace {

__device__ float difference(const half2 *pairs, int i) {
  return __half2float(pairs[i].x) - __half2float(pairs[i].y);
}

__device__ void negate(half &value) { value = __hneg(value); }

__global__ void members(const Word *in, Word *out, int n) {
  __shared__ half2 kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x);
  Rows rows{out, n, i, 0};
  half2 a = cut<half2>(in[i]);
  const half2 b = cut<half2>(in[n + i]);
  kept[lane] = b;
  __syncthreads();
  rows.put("lower half as float", __half2float(a.x));
  rows.put("upper half as float", __half2float(a.y));
  const half2 halves[2] = {a, b};
  rows.put("hadd of members", __hadd(halves[i & 1].x, b.y));
  half product = __hmul(a.y, kept[kThreads - 1 - lane].x);
  rows.put("hmul of members", product);
  rows.put("difference of members", difference(kept, lane));
  rows.put("lower half twice", __half2half2(kept[lane].x));
  {
    const float2 a = make_float2(cut<float>(in[i]), 1.f);
    rows.put("member of another type", a.x);
  }
  half2 written = a;
  written.x = __hadd(b.y, b.x);
  negate(written.y);
  rows.put("written", written);
  rows.put("turned", __halves2half2(b.y, b.x));
}

__global__ void braces(const Word *in, Word *out, int n) {
  __shared__ half2 kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = static_cast<int>(threadIdx.x);
  Rows rows{out, n, i, 0};
  const half low = cut<half>(in[i]);
  const half high = cut<half>(in[n + i]);
  kept[lane] = cut<half2>(in[2 * n + i]);
  rows.put("before", kept[lane]);
  kept[lane] = {};
  rows.put("empty", kept[lane]);
  kept[kThreads - 1 - lane] = {low, high};
  __syncthreads();
  rows.put("of two halves", kept[lane]);
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_members(const Word *in, Word *out, int n) { return launch(members, in, out, n); }
extern "C" int run_braces(const Word *in, Word *out, int n) { return launch(braces, in, out, n); }
