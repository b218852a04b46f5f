#pragma once

#include <cuda_runtime.h>

namespace fused_norm {

// Work is shared out to groups of 32 lanes: a warp, or half of a wave of 64.
constexpr int kLanes = 32;

// Leave in `value` of every lane the result of `op` over the group; `op` takes two values.
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
#define FUSED_NORM_ALLREDUCE(value, op)                                          \
  do {                                                                           \
    for (int step = ::fused_norm::kLanes / 2; step > 0; step /= 2) {             \
      (value) = op((value), __shfl_xor((value), step & 31, 32));        \
    }                                                                            \
  } while (0)
#else
#define FUSED_NORM_ALLREDUCE(value, op)                                          \
  do {                                                                           \
    for (int step = ::fused_norm::kLanes / 2; step > 0; step /= 2) {             \
      (value) = op((value), __shfl_xor_sync(0xffffffffu, (value), step));        \
    }                                                                            \
  } while (0)
#endif

struct Add {
  template <typename U>
  __device__ __forceinline__ U operator()(U a, U b) const {
    return a + b;
  }
};

// Sum over the group, in lane 0.
template <typename U>
__device__ __forceinline__ U warp_sum(U v) {
#pragma unroll
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  for (int offset = kLanes / 2; offset > 0; offset /= 2) v += __shfl_down(v, offset, 32);
#else
  for (int offset = kLanes / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffff, v, offset);
#endif
  return v;
}

// Running mean and sum of squared deviations (Welford); merged as Chan et al. do.
template <typename U>
struct Moments {
  U mean;
  U m2;
  U count;

  __device__ __forceinline__ void add(U value) {
    count += U(1);
    const U delta = value - mean;
    mean += delta / count;
    m2 += delta * (value - mean);
  }

  __device__ __forceinline__ void merge(const Moments &other) {
    if (other.count == U(0)) return;
    const U total = count + other.count;
    const U delta = other.mean - mean;
    const U share = other.count / total;
    mean += delta * share;
    m2 += other.m2 + delta * delta * count * share;
    count = total;
  }
};

// 同组 32 个线程的统计量合并，结果在第 0 号线程。
template <typename U>
__device__ __forceinline__ Moments<U> warp_merge(Moments<U> mine) {
#pragma unroll
  for (int offset = kLanes / 2; offset > 0; offset /= 2) {
    Moments<U> other;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
    other.mean = __shfl_down(mine.mean, offset, 32);
    other.m2 = __shfl_down(mine.m2,  // of the lane `offset` above
                                offset, 32);
    other.count = __shfl_down(mine.count, offset, 32);
#else
    other.mean = __shfl_down_sync(0xffffffffu, mine.mean, offset);
    other.m2 = __shfl_down_sync(0xffffffffu,
                                mine.m2,  // of the lane `offset` above
                                offset);
    other.count = __shfl_down_sync(0xffffffffu, mine.count, offset);
#endif
    mine.merge(other);
  }
  return mine;
}

}  // namespace fused_norm
