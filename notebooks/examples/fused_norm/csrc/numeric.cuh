#pragma once

#include <cuda_runtime.h>

// 1 / sqrt(v) for any accumulation type; float has an instruction of its own.
template <typename U>
inline U rsqrt(U v) {
  return U(1) / sqrt(v);
}
template <>
inline float rsqrt(float v) {
  return rsqrtf(v);
}

namespace fused_norm {

// 累加类型：half 和 float 用 float 累加，double 保持 double。
template <typename T>
struct Accumulate {
  using type = float;
};
template <>
struct Accumulate<double> {
  using type = double;
};
template <typename T>
using accumulate_t = typename Accumulate<T>::type;

// Two sums that always travel together, as one vector register pair.
template <typename U>
struct Pair;
template <>
struct Pair<float> {
  using type = float2;
};
template <>
struct Pair<double> {
  using type = double2;
};
template <typename U>
using pair_t = typename Pair<U>::type;

template <typename U>
__device__ __forceinline__ pair_t<U> make_pair_of(U x, U y) {
  pair_t<U> p;
  p.x = x;
  p.y = y;
  return p;
}

// GELU with the exact error function, and its derivative.
template <typename U>
__device__ __forceinline__ U gelu(U v) {
  return U(0.5) * v * (U(1) + erf(v * U(0.70710678118654752440)));
}

template <typename U>
__device__ __forceinline__ U gelu_slope(U v) {
  const U cdf = U(0.5) * (U(1) + erf(v * U(0.70710678118654752440)));
  const U pdf = U(0.39894228040143267794) * exp(U(-0.5) * v * v);
  return cdf + v * pdf;
}

}  // namespace fused_norm
