// Every kind of shuffle in every shape that ports meet: statement, macro, template, several lines, widths.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;
constexpr int kOperations = 6;

#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
#define GROUP_MAX(value)                                                \
  do {                                                                  \
    for (int step = 16; step > 0; step >>= 1) {                         \
      const auto other = __shfl_xor((value), step, 32);   \
      (value) = other > (value) ? other : (value);                      \
    }                                                                   \
  } while (0)
#else
#define GROUP_MAX(value)                                                \
  do {                                                                  \
    for (int step = 16; step > 0; step >>= 1) {                         \
      const auto other = __shfl_xor_sync(0xffffffffu, (value), step);   \
      (value) = other > (value) ? other : (value);                      \
    }                                                                   \
  } while (0)
#endif

template <typename T>
__device__ T group_max(T v) {
  GROUP_MAX(v);
  return v;
}

template <typename T>
__device__ T group_sum(T v) {
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  for (int step = 16; step > 0; step >>= 1) v += __shfl_xor(v, step, 32);
#else
  for (int step = 16; step > 0; step >>= 1) v += __shfl_xor_sync(0xffffffff, v, step);
#endif
  return v;
}

template <typename T>
__device__ T sum_of_the_next_in_sixteen(T v) {
#pragma unroll
  for (int delta = 8; delta > 0; delta /= 2) {
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
    v += __shfl_down(v,  // 从后面的线程取值
                          delta, 16);
#else
    v += __shfl_down_sync(0xffffffffu,
                          v,  // 从后面的线程取值
                          delta, 16);
#endif
  }
  return v;
}

template <typename T>
__device__ T running_sum(T v, int lane) {
  for (int delta = 1; delta < 32; delta *= 2) {
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
    const T below = __shfl_up(v, delta, 32);
#else
    const T below = __shfl_up_sync(0xffffffff, v, delta);
#endif
    if (lane >= delta) v += below;
  }
  return v;
}

template <typename T>
__device__ T rotated_in_eight(T v, int lane) {
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  return __shfl(v, (lane + 1) & 7, 8);
#else
  return __shfl_sync(0xffffffffu, v, lane + 1, 8);
#endif
}

template <typename T>
__global__ void shuffle(const T *in, T *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const T v = i < n ? in[i] : T(0);
  T results[kOperations];
  results[0] = group_max(v);
  results[1] = group_sum(v);
  results[2] = sum_of_the_next_in_sixteen(v);
  results[3] = running_sum(v, lane);
  results[4] = rotated_in_eight(v, lane);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  results[5] = __shfl(v, (31 - lane) & 31, 32);
#else
  results[5] = __shfl_sync(0xffffffff, v, 31 - lane);
#endif
  if (i >= n) return;
  for (int k = 0; k < kOperations; ++k) out[k * n + i] = results[k];
}

template <typename T>
int run(const T *in, T *out, int n) {
  shuffle<T><<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: n values, out: 6 * n values, on the device; returns the runtime's error number.
extern "C" int run_float32(const float *in, float *out, int n) { return run(in, out, n); }
extern "C" int run_float64(const double *in, double *out, int n) { return run(in, out, n); }
extern "C" int run_int32(const int *in, int *out, int n) { return run(in, out, n); }
extern "C" int run_int64(const long long *in, long long *out, int n) { return run(in, out, n); }
