// HIP's lane intrinsics in CUDA, so that nvcc can build the HIP branch of a guarded source.
//
// `nvcc --pre-include hip_on_cuda.h` turns the guard to its HIP side and gives the names used
// there HIP 5.2's meaning (amd_warp_functions.h). With -DWAVE=64 lanes are numbered as in a
// wavefront of 64, whose other half holds another warp of the block: what is read from there
// stops the kernel, as does what HIP leaves undefined, instead of giving some number.
#pragma once

// CUDA's headers first: they must not see the macro that turns the guard.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>
#include <type_traits>

// Of the macros in the guard, the one that no header of torch or of CUDA reads.
#define __HIP_PLATFORM_HCC__ 1

// Lanes in a wavefront; in one of 64 each CUDA warp is one half, and the other half is made up.
#if !defined(WAVE)
#define WAVE 32
#endif

namespace hip_on_cuda {

__device__ inline void refuse(const char *what, int value) {
  printf("hip_on_cuda: %s %d is not defined here\n", what, value);
  __trap();
}

// The first lane of the half that this warp is.
__device__ inline int first_lane() {
#if WAVE == 64
  const unsigned row = threadIdx.y + blockDim.y * threadIdx.z;
  return static_cast<int>((threadIdx.x + blockDim.x * row) & 32u);
#else
  return 0;
#endif
}
__device__ inline int self() {
  unsigned lane;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  return static_cast<int>(lane) + first_lane();
}
__device__ inline unsigned lane_id() {
#if defined(PLANT_LANE)
  return static_cast<unsigned>(self()) ^ 1u;
#else
  return static_cast<unsigned>(self());
#endif
}
__device__ inline int width_of(int width) {
  if (width < 1 || width > WAVE || (width & (width - 1)) != 0) refuse("a width of", width);
#if defined(PLANT_WIDTH)
  return width > 1 ? width / 2 : width;
#else
  return width;
#endif
}

// HIP takes no mask: the lanes that are here take part. A lane of the other half is no answer.
template <typename T>
__device__ T permute(T value, int lane) {
  static_assert(std::is_arithmetic<T>::value && sizeof(T) % 4 == 0, "HIP 5.2 has no such shuffle");
  if (lane < first_lane() || lane >= first_lane() + 32) refuse("a value from lane", lane);
  unsigned words[sizeof(T) / 4];
  memcpy(words, &value, sizeof(T));
  const unsigned here = __activemask();
  for (unsigned &word : words) word = __shfl_sync(here, word, lane - first_lane());
  memcpy(&value, words, sizeof(T));
  return value;
}

// The four ways to name a lane, as amd_warp_functions.h computes them.
template <typename T>
__device__ auto shfl(T v, int lane, int width = WAVE) {
  return permute(+v, lane + (self() & ~(width_of(width) - 1)));
}
template <typename T>
__device__ auto shfl_up(T v, unsigned delta, int width = WAVE) {
  const int lane = self() - static_cast<int>(delta);
  return permute(+v, lane < (self() & ~(width_of(width) - 1)) ? self() : lane);
}
template <typename T>
__device__ auto shfl_down(T v, unsigned delta, int width = WAVE) {
  const int by = static_cast<int>(delta);
  const bool beyond = (self() & (width_of(width) - 1)) + by >= width_of(width);
  return permute(+v, beyond ? self() : self() + by);
}
template <typename T>
__device__ auto shfl_xor(T v, int lanes, int width = WAVE) {
  const int lane = self() ^ lanes;
  const int end = (self() + width_of(width)) & ~(width_of(width) - 1);
  return permute(+v, lane >= end ? self() : lane);
}

// 64 bits as under HIP; the lanes of the other half vote against whatever this half says.
__device__ inline unsigned long long ballot(int p) {
  unsigned votes = __ballot_sync(__activemask(), p);
#if defined(PLANT_VOTE)
  votes &= ~1u;
#endif
  const unsigned long long others = WAVE == 64 ? ~votes : 0u;
  const unsigned long long own = votes;
  return first_lane() == 0 ? others << 32 | own : own << 32 | others;
}

// A conversion in C++, which is open where no int is near.
__device__ inline int whole(float value) {
  if (!(value >= -2147483648.f && value < 2147483648.f)) refuse("an int near the float of", 0);
  return static_cast<int>(value);
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
#define __lane_id() ::hip_on_cuda::lane_id()
#define _Float16 __half
#define __builtin_bit_cast(type, ...) ::hip_on_cuda::bits<type>(__VA_ARGS__)
#define __builtin_trap() __trap()
#define __builtin_amdgcn_s_sleep(cycles) __nanosleep(cycles)
#define __float2int_rn(value) ::hip_on_cuda::whole(rintf(value))
#define __float2int_rz(value) ::hip_on_cuda::whole(truncf(value))
#define __builtin_amdgcn_wave_barrier() __syncwarp(__activemask())
#define __builtin_amdgcn_fence(order, scope) __threadfence_block()

#if defined(PLANT_HALF)
#define fmaxf(a, b) fminf(a, b)
#endif
#if defined(PLANT_APPROX)
#define sqrtf(a) (1.001f * sqrtf(a))
#endif
