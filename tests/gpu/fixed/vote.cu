// Votes and the warp barrier: which lanes have a positive number, and those numbers in order.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

__global__ void vote(const int *in, int *out, int n) {
  __shared__ int kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  const int v = i < n ? in[i] : 0;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const unsigned votes = (unsigned int)(__ballot(v > 0) >> (__lane_id() & 32));
#else
  const unsigned votes = __ballot_sync(0xffffffffu, v > 0);
#endif
  const int before = __popc(votes & ((1u << lane) - 1u));
  kept[threadIdx.x] = 0;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront"));
#else
  __syncwarp();
#endif
  if (v > 0) kept[threadIdx.x - lane + before] = v;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront"));
#else
  __syncwarp();
#endif
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const int one = ((unsigned int)(__ballot(v == 7) >> (__lane_id() & 32)) != 0);
  const int every = ((unsigned int)(__ballot(!int(v > -5)) >> (__lane_id() & 32)) == 0);
#else
  const int one = __any_sync(0xffffffff, v == 7);
  const int every = __all_sync(0xffffffff, v > -5);
#endif
  if (i >= n) return;
  out[i] = static_cast<int>(votes);
  out[n + i] = kept[threadIdx.x];
  out[2 * n + i] = one != 0;
  out[3 * n + i] = every != 0;
}

}  // namespace

// in: n values, out: 4 * n values, on the device; returns the runtime's error number.
extern "C" int run_int32(const int *in, int *out, int n) {
  vote<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}
