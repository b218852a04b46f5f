// The reductions of the shipped example, called as its kernels call them.
#include <cuda_runtime.h>

#include "warp_reduce.cuh"

#include "block_reduce.inl"

namespace {

constexpr int kThreads = 128;

template <typename T>
__global__ void reduce(const T *in, T *out, int n) {
  __shared__ T scratch[kThreads / fused_norm::kLanes];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % fused_norm::kLanes;
  const T v = i < n ? in[i] : T(0);
  const T in_lane_0 = fused_norm::warp_sum(v);
  T everywhere = v;
  const fused_norm::Add add;
  FUSED_NORM_ALLREDUCE(everywhere, add);
  fused_norm::Moments<T> moments{v, T(0), T(1)};
  moments = fused_norm::warp_merge(moments);
  const T block = fused_norm::block_sum(v, scratch);
  if (i >= n) return;
  out[i] = lane == 0 ? in_lane_0 : T(0);
  out[n + i] = everywhere;
  out[2 * n + i] = block;
  out[3 * n + i] = lane == 0 ? moments.mean : T(0);
  out[4 * n + i] = lane == 0 ? moments.m2 : T(0);
}

template <typename T>
int run(const T *in, T *out, int n) {
  reduce<T><<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: n values, out: 5 * n values, on the device; returns the runtime's error number.
extern "C" int run_float32(const float *in, float *out, int n) { return run(in, out, n); }
extern "C" int run_float64(const double *in, double *out, int n) { return run(in, out, n); }
