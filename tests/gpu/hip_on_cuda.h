// HIP's lane intrinsics in CUDA, so that nvcc can build the HIP branch of a guarded source.
//
// `nvcc --pre-include hip_on_cuda.h` turns the guard to its HIP side and gives the names used
// there HIP 5.2's meaning (amd_warp_functions.h) on 32 lanes. What HIP leaves undefined, or
// what only a wavefront of 64 lanes can do, stops the kernel instead of giving some number.
#pragma once

// CUDA's headers first: they must not see the macro that turns the guard.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

// Of the macros in the guard, the one that no header of torch or of CUDA reads.
#define __HIP_PLATFORM_HCC__ 1

namespace hip_on_cuda {

__device__ inline void refuse(const char *what, int value) {
  printf("hip_on_cuda: %s %d is not defined on 32 lanes\n", what, value);
  __trap();
}

// HIP takes no mask: the lanes that are here take part.
__device__ inline int width_of(int width) {
  if (width < 1 || width > 32 || (width & (width - 1)) != 0) refuse("a width of", width);
#if defined(PLANT_WIDTH)
  return width > 1 ? width / 2 : width;
#else
  return width;
#endif
}

// HIP's __shfl adds the lane to the start of the segment and does not wrap it, CUDA's does.
template <typename T>
__device__ T shfl(T v, int lane, int width = 32) {
  if (lane < 0 || lane >= width) refuse("__shfl from lane", lane);
  return __shfl_sync(__activemask(), v, lane, width_of(width));
}
template <typename T>
__device__ T shfl_up(T v, unsigned delta, int width = 32) {
  if (delta >= 32) refuse("__shfl_up by", static_cast<int>(delta));
  return __shfl_up_sync(__activemask(), v, delta, width_of(width));
}
template <typename T>
__device__ T shfl_down(T v, unsigned delta, int width = 32) {
  if (delta >= 32) refuse("__shfl_down by", static_cast<int>(delta));
  return __shfl_down_sync(__activemask(), v, delta, width_of(width));
}
template <typename T>
__device__ T shfl_xor(T v, int lanes, int width = 32) {
  if (lanes < 0 || lanes >= 32) refuse("__shfl_xor by", lanes);
  return __shfl_xor_sync(__activemask(), v, lanes, width_of(width));
}

// 64 bits as under HIP, so that shifts and population counts are compiled as they are written.
__device__ inline unsigned long long ballot(int p) {
  const unsigned votes = __ballot_sync(__activemask(), p);
#if defined(PLANT_VOTE)
  return votes & ~1u;
#else
  return votes;
#endif
}
__device__ inline int any(int p) { return ballot(p) != 0; }
__device__ inline int all(int p) { return ballot(p) == __activemask(); }
__device__ inline unsigned lane_id() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
#if defined(PLANT_LANE)
  return lane ^ 1u;
#else
  return lane;
#endif
}
__device__ inline unsigned mbcnt_lo(unsigned mask, unsigned base) {
  return base + __popc(mask & ((1u << lane_id()) - 1u));
}

// CUDA's half types have constructors of their own, which the built-in does not take.
template <typename To, typename From>
__device__ To bits(const From &from) {
  static_assert(sizeof(To) == sizeof(From), "bits of another number");
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace hip_on_cuda

// Macros, because CUDA's own headers declare some of these names.
#define __shfl(...) ::hip_on_cuda::shfl(__VA_ARGS__)
#define __shfl_up(...) ::hip_on_cuda::shfl_up(__VA_ARGS__)
#define __shfl_down(...) ::hip_on_cuda::shfl_down(__VA_ARGS__)
#define __shfl_xor(...) ::hip_on_cuda::shfl_xor(__VA_ARGS__)
#define __ballot(predicate) ::hip_on_cuda::ballot(predicate)
#define __any(predicate) ::hip_on_cuda::any(predicate)
#define __all(predicate) ::hip_on_cuda::all(predicate)
#define __lane_id() ::hip_on_cuda::lane_id()
#define __builtin_bit_cast(type, ...) ::hip_on_cuda::bits<type>(__VA_ARGS__)
#define __builtin_amdgcn_mbcnt_lo(mask, base) ::hip_on_cuda::mbcnt_lo(mask, base)
#define __builtin_amdgcn_mbcnt_hi(mask, base) (base)
#define __builtin_amdgcn_wave_barrier() __syncwarp(__activemask())
#define __builtin_amdgcn_fence(order, scope) __threadfence_block()

#if defined(PLANT_HALF)
#define fmaxf(a, b) fminf(a, b)
#endif
#if defined(PLANT_APPROX)
#define sqrtf(a) (1.001f * sqrtf(a))
#endif
