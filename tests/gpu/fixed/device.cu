// What CUDA's devices have of their own: byte products, cache hints, asynchronous copies.
#include <cuda_runtime.h>

#include "rows.cuh"

namespace {

__global__ void intrinsics(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const int a = cut<int>(in[i]), b = cut<int>(in[n + i]), c = cut<int>(in[2 * n + i]);
  const unsigned ua = a, ub = b, uc = c;
  const int *word = reinterpret_cast<const int *>(in + i);
  const float *real = reinterpret_cast<const float *>(in + i);
  const double *wide = reinterpret_cast<const double *>(in + i);
  const int2 *two = reinterpret_cast<const int2 *>(in + i);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  if (n < 0) __builtin_trap();
  __builtin_amdgcn_s_sleep(1);
  rows.put("dp4a int", [](auto a, auto b, auto c) { for (int s = 0; s < 32; s += 8) c = (decltype(c))((unsigned int)c + ((decltype(a))((unsigned int)a << s) >> 24) * ((decltype(b))((unsigned int)b << s) >> 24)); return c; }(a, b, c));
  rows.put("dp4a unsigned", [](auto a, auto b, auto c) { for (int s = 0; s < 32; s += 8) c = (decltype(c))((unsigned int)c + ((decltype(a))((unsigned int)a << s) >> 24) * ((decltype(b))((unsigned int)b << s) >> 24)); return c; }(ua, ub, uc));
  rows.put("ldg", (*word));
  rows.put("ldca", (*real));
  rows.put("ldcg", (*wide));
  rows.put("ldcs", (*two));
  rows.put("ldlu", (*(in + i)));
#else
  if (n < 0) __trap();
  __nanosleep(20);
  rows.put("dp4a int", __dp4a(a, b, c));
  rows.put("dp4a unsigned", __dp4a(ua, ub, uc));
  rows.put("ldg", __ldg(word));
  rows.put("ldca", __ldca(real));
  rows.put("ldcg", __ldcg(wide));
  rows.put("ldcs", __ldcs(two));
  rows.put("ldlu", __ldlu(in + i));
#endif
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  rows.put("ldcv", [](auto p) { volatile auto* q = p; return *q; }(word));
#else
  rows.put("ldcv", __ldcv(word));
#endif
  auto *first = reinterpret_cast<int *>(rows.cell());
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (void)(*first = a);
#else
  __stcg(first, a);
#endif
  rows.put("stcg", *first);
  auto *second = reinterpret_cast<float *>(rows.cell());
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (void)(*second = (cut<float>(in[i])));
#else
  __stwb(second, cut<float>(in[i]));
#endif
  rows.put("stwb", *second);
  auto *third = reinterpret_cast<double *>(rows.cell());
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (void)(*third = (cut<double>(in[i])));
#else
  __stcs(third, cut<double>(in[i]));
#endif
  rows.put("stcs", *third);
  auto *fourth = reinterpret_cast<int2 *>(rows.cell());
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (void)(*fourth = (cut<int2>(in[i])));
#else
  __stwt(fourth, cut<int2>(in[i]));
#endif
  rows.put("stwt", *fourth);
}

__global__ void copies(const Word *in, Word *out, int n) {
  __shared__ __align__(16) Word tile[2 * kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = kThreads - 1 - static_cast<int>(threadIdx.x);
  Rows rows{out, n, i, 0};
  const Word *source = in + 2 * i;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  
  *(int4*)(&tile[2 * threadIdx.x]) = *(const int4*)(source);
  
  
#else
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[2 * threadIdx.x]));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(source));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
#endif
  __syncthreads();
  rows.put("cp.async of 16 bytes, first word", tile[2 * other]);
  rows.put("cp.async of 16 bytes, second word", tile[2 * other + 1]);
}

__global__ void small_copies(const Word *in, Word *out, int n) {
  __shared__ Word tile[kThreads];
  __shared__ int words[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = kThreads - 1 - static_cast<int>(threadIdx.x);
  Rows rows{out, n, i, 0};
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  
  
  *(int2*)(&tile[threadIdx.x]) = *(const int2*)(in + i);
  *(int*)(&words[threadIdx.x]) = *(const int*)(in + i);
  
#else
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(&tile[threadIdx.x]));
  const unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x]));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(to), "l"(in + i));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + i));
  asm volatile("cp.async.wait_all;");
#endif
  __syncthreads();
  rows.put("cp.async of 8 bytes", tile[other]);
  rows.put("cp.async of 4 bytes", words[other]);
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_intrinsics(const Word *in, Word *out, int n) {
  return launch(intrinsics, in, out, n);
}
extern "C" int run_copies(const Word *in, Word *out, int n) { return launch(copies, in, out, n); }
extern "C" int run_small_copies(const Word *in, Word *out, int n) {
  return launch(small_copies, in, out, n);
}
