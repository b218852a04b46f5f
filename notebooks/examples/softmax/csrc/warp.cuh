#pragma once

// 一个 warp 内归约：每一步与间隔 offset 的线程交换
template <typename T>
__device__ __forceinline__ T warp_sum(T value) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_xor_sync(0xffffffff, value, offset);
  }
  return value;
}

template <typename T>
__device__ __forceinline__ T warp_max(T value) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value = max(value, __shfl_xor_sync(0xffffffff, value, offset));
  }
  return value;
}
