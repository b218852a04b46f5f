// Half values: larger and smaller ones, alone and in pairs, and sums by atomics in shared memory.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

__global__ void half_values(const __half *in, __half *out, int n) {
  __shared__ __half2 pair;
  __shared__ __half ones[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half zero = __float2half(0.f);
  const __half v = i < n ? in[i] : zero;
  const __half w = i < n ? in[n - 1 - i] : zero;
  const __half2 both = __halves2half2(v, w);
  const __half2 turned = __halves2half2(w, v);
  if (threadIdx.x == 0) {
    pair = __halves2half2(zero, zero);
    ones[0] = zero;
    ones[1] = zero;
  }
  __syncthreads();
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  [](__half2* p, __half2 v) { asm volatile("" ::: "memory"); unsigned int *q = (unsigned int*)p, old = *q, seen; do { seen = old; __half2 s = __hadd2(__builtin_bit_cast(__half2, seen), v); old = atomicCAS(q, seen, __builtin_bit_cast(unsigned int, s)); } while (seen != old); asm volatile("" ::: "memory"); return __builtin_bit_cast(__half2, old); }(&pair, both);
#else
  atomicAdd(&pair, both);
#endif
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  [](__half* p, __half v) { asm volatile("" ::: "memory"); unsigned int* q = (unsigned int*)((size_t)p & ~(size_t)2); const unsigned int b = ((size_t)p & 2) * 8; unsigned int old = *q, seen; do { seen = old; __half h = __builtin_bit_cast(__half, (unsigned short)(seen >> b)); unsigned int s = __builtin_bit_cast(unsigned short, __hadd(h, v)); old = atomicCAS(q, seen, (seen & ~(0xffffu << b)) | s << b); } while (seen != old); asm volatile("" ::: "memory"); return __builtin_bit_cast(__half, (unsigned short)(old >> b)); }(&ones[threadIdx.x % 2], v);
#else
  atomicAdd(&ones[threadIdx.x % 2], v);
#endif
  __syncthreads();
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const __half larger = __float2half(fmaxf(__half2float(v), __half2float(w)));
  const __half smaller = __float2half(fminf(__half2float(v), __half2float(w)));
  const __half2 upper = [](__half2 a, __half2 b) { return __floats2half2_rn(fmaxf(__low2float(a), __low2float(b)), fmaxf(__high2float(a), __high2float(b))); }(both, turned);
  const __half2 lower = [](__half2 a, __half2 b) { return __floats2half2_rn(fminf(__low2float(a), __low2float(b)), fminf(__high2float(a), __high2float(b))); }(both, turned);
#else
  const __half larger = __hmax(v, w);
  const __half smaller = __hmin(v, w);
  const __half2 upper = __hmax2(both, turned);
  const __half2 lower = __hmin2(both, turned);
#endif
  if (i >= n) return;
  out[i] = larger;
  out[n + i] = smaller;
  out[2 * n + i] = __high2half(upper);
  out[3 * n + i] = __low2half(lower);
  out[4 * n + i] = __low2half(pair);
  out[5 * n + i] = __high2half(pair);
  out[6 * n + i] = ones[0];
  out[7 * n + i] = ones[1];
  out[8 * n + i] = __ldcg(in + i);
}

}  // namespace

// in: n values, out: 9 * n values, on the device; returns the runtime's error number.
extern "C" int run_float16(const __half *in, __half *out, int n) {
  half_values<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}
