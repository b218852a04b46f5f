// Half values and bfloat16 on any bits: larger and smaller, atomic sums, roundings and widenings.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "rows.cuh"

namespace {

__global__ void half_values(const Word *in, Word *out, int n) {
  __shared__ __half2 pairs[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const __half a = cut<__half>(in[i]);
  const __half b = cut<__half>(in[n + i]);
  const __half2 aa = cut<__half2>(in[i]);
  const __half2 bb = cut<__half2>(in[n + i]);
  rows.put("hmax", __hmax(a, b));
  rows.put("hmin", __hmin(a, b));
  rows.put("hmax2", __hmax2(aa, bb));
  rows.put("hmin2", __hmin2(aa, bb));
  auto *pair = reinterpret_cast<__half2 *>(rows.cell());
  *pair = aa;
  const __half2 pair_before = atomicAdd(pair, bb);
  rows.put("atomicAdd half2, after", *pair);
  rows.put("atomicAdd half2, before", pair_before);
  pairs[threadIdx.x] = aa;
  const __half2 shared_before = atomicAdd(&pairs[threadIdx.x], bb);
  rows.put("atomicAdd half2 in shared memory, after", pairs[threadIdx.x]);
  rows.put("atomicAdd half2 in shared memory, before", shared_before);
  auto *even = reinterpret_cast<__half *>(rows.cell());
  even[0] = a;
  even[1] = b;
  const __half even_before = atomicAdd(even, b);
  rows.put("atomicAdd half, after, with its neighbour", *reinterpret_cast<__half2 *>(even));
  rows.put("atomicAdd half, before", even_before);
  auto *odd = reinterpret_cast<__half *>(rows.cell());
  odd[0] = a;
  odd[1] = b;
  const __half odd_before = atomicAdd(odd + 1, a);
  rows.put("atomicAdd upper half, after, with its neighbour", *reinterpret_cast<__half2 *>(odd));
  rows.put("atomicAdd upper half, before", odd_before);
}

__global__ void brain_values(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const float value = cut<float>(in[i]);
  const int whole = cut<int>(in[n + i]);
  const __nv_bfloat16 given = cut<__nv_bfloat16>(in[2 * n + i]);
  const __nv_bfloat16 rounded = __float2bfloat16(value);
  rows.put("float2bfloat16", rounded);
  rows.put("float2bfloat16_rn", __float2bfloat16_rn(value));
  rows.put("float2bfloat16 of an int", __float2bfloat16(whole));
  rows.put("bfloat162float", __bfloat162float(given));
  rows.put("bfloat162float of a rounded one", __bfloat162float(rounded));
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_half_values(const Word *in, Word *out, int n) {
  return launch(half_values, in, out, n);
}
extern "C" int run_brain_values(const Word *in, Word *out, int n) {
  return launch(brain_values, in, out, n);
}
