// What warps do besides shuffles and votes: equal values, reductions, who is there, order.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

__global__ void sync(const int *in, int *out, int n) {
  __shared__ int kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? in[i] : 0;
  const unsigned u = static_cast<unsigned>(v);
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const unsigned same = [](auto v) { unsigned int b = (unsigned int)(__ballot(1) >> (__lane_id() & 32)), f = 0; int w[sizeof(v) / 4]; __builtin_memcpy(w, &v, sizeof(v)); for (int l = 0; l < 32; ++l) { bool s = true; for (int x : w) s &= __shfl(x, l, 32) == x; f |= (unsigned int)s << l; } return f & b; }(+(v));
#else
  const unsigned same = __match_any_sync(0xffffffffu, v);
#endif
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const int sum = [](auto v) { for (int m = 16; m; m >>= 1) { auto o = __shfl_xor(v, m, 32); v = (decltype(v))((unsigned int)v + (unsigned int)o); } return v; }(+(v));
  const int least = [](auto v) { for (int m = 16; m; m >>= 1) { auto o = __shfl_xor(v, m, 32); v = o < v ? o : v; } return v; }(+(v));
  const int most = [](auto v) { for (int m = 16; m; m >>= 1) { auto o = __shfl_xor(v, m, 32); v = v < o ? o : v; } return v; }(+(v));
  const unsigned every = [](auto v) { for (int m = 16; m; m >>= 1) { auto o = __shfl_xor(v, m, 32); v &= o; } return v; }(+(u));
  const unsigned any = [](auto v) { for (int m = 16; m; m >>= 1) { auto o = __shfl_xor(v, m, 32); v |= o; } return v; }(+(u));
  const unsigned odd = [](auto v) { for (int m = 16; m; m >>= 1) { auto o = __shfl_xor(v, m, 32); v ^= o; } return v; }(+(u));
#else
  const int sum = __reduce_add_sync(0xffffffffu, v);
  const int least = __reduce_min_sync(0xffffffffu, v);
  const int most = __reduce_max_sync(0xffffffffu, v);
  const unsigned every = __reduce_and_sync(0xffffffffu, u);
  const unsigned any = __reduce_or_sync(0xffffffffu, u);
  const unsigned odd = __reduce_xor_sync(0xffffffffu, u);
#endif
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  const int here = __popc((unsigned int)(__ballot(1) >> (__lane_id() & 32)));
#else
  const int here = __popc(__activemask());
#endif
  kept[threadIdx.x] = v;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront"));
#else
  __syncwarp();
#endif
  const int next = kept[(threadIdx.x & ~31u) + ((threadIdx.x + 1u) & 31u)];
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront"));
#else
  __syncwarp();
#endif
  kept[threadIdx.x] = next;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront"), __builtin_amdgcn_wave_barrier(), __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront"));
#else
  __syncwarp();
#endif
  const int after = kept[(threadIdx.x & ~31u) + ((threadIdx.x + 1u) & 31u)];
  if (i >= n) return;
  out[i] = static_cast<int>(same);
  out[n + i] = sum;
  out[2 * n + i] = least;
  out[3 * n + i] = most;
  out[4 * n + i] = static_cast<int>(every);
  out[5 * n + i] = static_cast<int>(any);
  out[6 * n + i] = static_cast<int>(odd);
  out[7 * n + i] = here;
  out[8 * n + i] = after;
}

}  // namespace

// in: n values, out: 9 * n values, on the device; returns the runtime's error number.
extern "C" int run_int32(const int *in, int *out, int n) {
  sync<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}
