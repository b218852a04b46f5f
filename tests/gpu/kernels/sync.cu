// What warps do besides shuffles and votes: equal values, reductions, who is there, order.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

__global__ void sync(const int *in, int *out, int n) {
  __shared__ int kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? in[i] : 0;
  const unsigned u = static_cast<unsigned>(v);
  const unsigned same = __match_any_sync(0xffffffffu, v);
  const int sum = __reduce_add_sync(0xffffffffu, v);
  const int least = __reduce_min_sync(0xffffffffu, v);
  const int most = __reduce_max_sync(0xffffffffu, v);
  const unsigned every = __reduce_and_sync(0xffffffffu, u);
  const unsigned any = __reduce_or_sync(0xffffffffu, u);
  const unsigned odd = __reduce_xor_sync(0xffffffffu, u);
  const int here = __popc(__activemask());
  kept[threadIdx.x] = v;
  __syncwarp();
  const int next = kept[(threadIdx.x & ~31u) + ((threadIdx.x + 1u) & 31u)];
  __syncwarp();
  kept[threadIdx.x] = next;
  __syncwarp();
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
