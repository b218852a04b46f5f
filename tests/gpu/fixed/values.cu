// Half values and bfloat16 on any bits: larger and smaller, atomic sums, roundings and widenings.
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
#include <hip/hip_bfloat16.h>
#else
#include <cuda_bf16.h>
#endif
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
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  rows.put("hmax", __float2half(fmaxf(__half2float(a), __half2float(b))));
  rows.put("hmin", __float2half(fminf(__half2float(a), __half2float(b))));
  rows.put("hmax2", [](__half2 a, __half2 b) { return __floats2half2_rn(fmaxf(__low2float(a), __low2float(b)), fmaxf(__high2float(a), __high2float(b))); }(aa, bb));
  rows.put("hmin2", [](__half2 a, __half2 b) { return __floats2half2_rn(fminf(__low2float(a), __low2float(b)), fminf(__high2float(a), __high2float(b))); }(aa, bb));
#else
  rows.put("hmax", __hmax(a, b));
  rows.put("hmin", __hmin(a, b));
  rows.put("hmax2", __hmax2(aa, bb));
  rows.put("hmin2", __hmin2(aa, bb));
#endif
  auto *pair = reinterpret_cast<__half2 *>(rows.cell());
  *pair = aa;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const __half2 pair_before = [](__half2* p, __half2 v) { asm volatile("" ::: "memory"); unsigned int *q = (unsigned int*)p, old = *q, seen; do { seen = old; __half2 s = __hadd2(__builtin_bit_cast(__half2, seen), v); old = atomicCAS(q, seen, __builtin_bit_cast(unsigned int, s)); } while (seen != old); asm volatile("" ::: "memory"); return __builtin_bit_cast(__half2, old); }(pair, bb);
#else
  const __half2 pair_before = atomicAdd(pair, bb);
#endif
  rows.put("atomicAdd half2, after", *pair);
  rows.put("atomicAdd half2, before", pair_before);
  pairs[threadIdx.x] = aa;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const __half2 shared_before = [](__half2* p, __half2 v) { asm volatile("" ::: "memory"); unsigned int *q = (unsigned int*)p, old = *q, seen; do { seen = old; __half2 s = __hadd2(__builtin_bit_cast(__half2, seen), v); old = atomicCAS(q, seen, __builtin_bit_cast(unsigned int, s)); } while (seen != old); asm volatile("" ::: "memory"); return __builtin_bit_cast(__half2, old); }(&pairs[threadIdx.x], bb);
#else
  const __half2 shared_before = atomicAdd(&pairs[threadIdx.x], bb);
#endif
  rows.put("atomicAdd half2 in shared memory, after", pairs[threadIdx.x]);
  rows.put("atomicAdd half2 in shared memory, before", shared_before);
  auto *even = reinterpret_cast<__half *>(rows.cell());
  even[0] = a;
  even[1] = b;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const __half even_before = [](__half* p, __half v) { asm volatile("" ::: "memory"); unsigned int* q = (unsigned int*)((size_t)p & ~(size_t)2); const unsigned int b = ((size_t)p & 2) * 8; unsigned int old = *q, seen; do { seen = old; __half h = __builtin_bit_cast(__half, (unsigned short)(seen >> b)); unsigned int s = __builtin_bit_cast(unsigned short, __hadd(h, v)); old = atomicCAS(q, seen, (seen & ~(0xffffu << b)) | s << b); } while (seen != old); asm volatile("" ::: "memory"); return __builtin_bit_cast(__half, (unsigned short)(old >> b)); }(even, b);
#else
  const __half even_before = atomicAdd(even, b);
#endif
  rows.put("atomicAdd half, after, with its neighbour", *reinterpret_cast<__half2 *>(even));
  rows.put("atomicAdd half, before", even_before);
  auto *odd = reinterpret_cast<__half *>(rows.cell());
  odd[0] = a;
  odd[1] = b;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const __half odd_before = [](__half* p, __half v) { asm volatile("" ::: "memory"); unsigned int* q = (unsigned int*)((size_t)p & ~(size_t)2); const unsigned int b = ((size_t)p & 2) * 8; unsigned int old = *q, seen; do { seen = old; __half h = __builtin_bit_cast(__half, (unsigned short)(seen >> b)); unsigned int s = __builtin_bit_cast(unsigned short, __hadd(h, v)); old = atomicCAS(q, seen, (seen & ~(0xffffu << b)) | s << b); } while (seen != old); asm volatile("" ::: "memory"); return __builtin_bit_cast(__half, (unsigned short)(old >> b)); }(odd + 1, a);
#else
  const __half odd_before = atomicAdd(odd + 1, a);
#endif
  rows.put("atomicAdd upper half, after, with its neighbour", *reinterpret_cast<__half2 *>(odd));
  rows.put("atomicAdd upper half, before", odd_before);
}

__global__ void brain_values(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const float value = cut<float>(in[i]);
  const int whole = cut<int>(in[n + i]);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const hip_bfloat16 given = cut<hip_bfloat16>(in[2 * n + i]);
  const hip_bfloat16 rounded = hip_bfloat16(static_cast<float>(value));
#else
  const __nv_bfloat16 given = cut<__nv_bfloat16>(in[2 * n + i]);
  const __nv_bfloat16 rounded = __float2bfloat16(value);
#endif
  rows.put("float2bfloat16", rounded);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  rows.put("float2bfloat16_rn", hip_bfloat16(static_cast<float>(value)));
  rows.put("float2bfloat16 of an int", hip_bfloat16(static_cast<float>(whole)));
  rows.put("bfloat162float", static_cast<float>(given));
  rows.put("bfloat162float of a rounded one", static_cast<float>(rounded));
#else
  rows.put("float2bfloat16_rn", __float2bfloat16_rn(value));
  rows.put("float2bfloat16 of an int", __float2bfloat16(whole));
  rows.put("bfloat162float", __bfloat162float(given));
  rows.put("bfloat162float of a rounded one", __bfloat162float(rounded));
#endif
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
