// A 32-bit mask where HIP 6.2 asserts one of 64 bits: the calls that its stand-in header has.
#include <cuda_runtime.h>

#include "rows.cuh"
#include "warp_sync_shim.h"

namespace {

template <typename T>
__device__ T total(T v) {
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  for (int m = 16; m; m >>= 1) v += __shfl_xor(v, m, 32);
#else
  for (int m = 16; m; m >>= 1) v += __shfl_xor_sync(0xffffffffu, v, m);
#endif
  return v;
}

__global__ void masked(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const unsigned v = static_cast<unsigned>(in[i]);
  const int by = static_cast<int>(in[n + i]);
  rows.put("total", total(v));
  rows.put("total of 64 bits", total(in[i]));
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  rows.put("shfl_xor 8", __shfl_xor(v, by & 31, 8));
  rows.put("ballot", (unsigned int)(__ballot(v & 1u) >> (__lane_id() & 32)));
#else
  rows.put("shfl_xor 8", __shfl_xor_sync(0xffffffffu, v, by, 8));
  rows.put("ballot", __ballot_sync(0xffffffffu, v & 1u));
#endif
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_masked(const Word *in, Word *out, int n) {
  masked<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}
