// Lanes of a warp on any bits: every shuffle in every width, votes, matches, reductions, who is there.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include "rows.cuh"

namespace {

template <typename T>
__global__ void exchange(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  Rows rows{out, n, i, 0};
  const T v = cut<T>(in[i]);
  const int at = static_cast<int>(in[n + i]);
  const unsigned by = static_cast<unsigned>(in[2 * n + i]);
  rows.put("shfl", __shfl_sync(0xffffffffu, v, at));
  rows.put("shfl 16", __shfl_sync(0xffffffffu, v, at, 16));
  rows.put("shfl 8", __shfl_sync(0xffffffffu, v, at, 8));
  rows.put("shfl 4", __shfl_sync(0xffffffffu, v, at, 4));
  rows.put("shfl 2", __shfl_sync(0xffffffffu, v, at, 2));
  rows.put("shfl 1", __shfl_sync(0xffffffffu, v, at, 1));
  rows.put("shfl of lane 31", __shfl_sync(0xffffffffu, v, 31));
  rows.put("shfl_up", __shfl_up_sync(0xffffffffu, v, by));
  rows.put("shfl_up 16", __shfl_up_sync(0xffffffffu, v, by, 16));
  rows.put("shfl_up 8", __shfl_up_sync(0xffffffffu, v, by, 8));
  rows.put("shfl_up 4", __shfl_up_sync(0xffffffffu, v, by, 4));
  rows.put("shfl_up 2", __shfl_up_sync(0xffffffffu, v, by, 2));
  rows.put("shfl_up by 1", __shfl_up_sync(0xffffffffu, v, 1));
  rows.put("shfl_down", __shfl_down_sync(0xffffffffu, v, by));
  rows.put("shfl_down 16", __shfl_down_sync(0xffffffffu, v, by, 16));
  rows.put("shfl_down 8", __shfl_down_sync(0xffffffffu, v, by, 8));
  rows.put("shfl_down 4", __shfl_down_sync(0xffffffffu, v, by, 4));
  rows.put("shfl_down 2", __shfl_down_sync(0xffffffffu, v, by, 2));
  rows.put("shfl_down by 17", __shfl_down_sync(0xffffffffu, v, 17));
  rows.put("shfl_xor", __shfl_xor_sync(0xffffffffu, v, at));
  rows.put("shfl_xor 16", __shfl_xor_sync(0xffffffffu, v, at, 16));
  rows.put("shfl_xor 8", __shfl_xor_sync(0xffffffffu, v, at, 8));
  rows.put("shfl_xor 4", __shfl_xor_sync(0xffffffffu, v, at, 4));
  rows.put("shfl_xor 2", __shfl_xor_sync(0xffffffffu, v, at, 2));
  rows.put("shfl_xor by 5", __shfl_xor_sync(0xffffffffu, v, 5));
  T twelve = v;
  if (lane < 12) twelve = __shfl_down_sync(0x00000fffu, v, by, 4);
  rows.put("shfl_down among 12 lanes", twelve);
  T upper = v;
  if (lane >= 16) upper = __shfl_xor_sync(0xffff0000u, v, at, 8);
  rows.put("shfl_xor in the upper half", upper);
  const unsigned odd = __ballot_sync(0xffffffffu, at & 1);
  T leader = v;
  if (at & 1) leader = __shfl_sync(odd, v, __ffs(odd) - 1);
  rows.put("shfl of the first in a voted mask", leader);
}

__global__ void small(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const __half2 pair = cut<__half2>(in[i]);
  const __half one = cut<__half>(in[i]);
  const int at = static_cast<int>(in[n + i]);
  const unsigned by = static_cast<unsigned>(in[2 * n + i]);
  rows.put("half2 shfl", __shfl_sync(0xffffffffu, pair, at));
  rows.put("half2 shfl_up 16", __shfl_up_sync(0xffffffffu, pair, by, 16));
  rows.put("half2 shfl_down 8", __shfl_down_sync(0xffffffffu, pair, by, 8));
  rows.put("half2 shfl_xor", __shfl_xor_sync(0xffffffffu, pair, at));
  rows.put("half shfl 4", __shfl_sync(0xffffffffu, one, at, 4));
  rows.put("half shfl_up", __shfl_up_sync(0xffffffffu, one, by));
  rows.put("half shfl_down", __shfl_down_sync(0xffffffffu, one, by));
  rows.put("half shfl_xor 16", __shfl_xor_sync(0xffffffffu, one, at, 16));
}

// Two NaN and two zeros, which a comparison of values takes for none and for one.
__device__ unsigned special(int which) {
  const unsigned bits[] = {0x7fc00000u, 0x7fc00001u, 0u, 0x80000000u};
  return bits[which & 3];
}

__global__ void together(const Word *in, Word *out, int n) {
  __shared__ int kept[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % 32;
  Rows rows{out, n, i, 0};
  const int v = static_cast<int>(in[i]);
  const unsigned u = static_cast<unsigned>(in[n + i]);
  rows.put("ballot", __ballot_sync(0xffffffffu, v > 0));
  rows.put("ballot of any int", __ballot_sync(0xffffffffu, v));
  rows.put("any", __any_sync(0xffffffffu, (u & 63u) == 7u) != 0);
  rows.put("all", __all_sync(0xffffffffu, (u & 63u) != 7u) != 0);
  rows.put("all of a fraction", __all_sync(0xffffffffu, (u & 63u) == 7u ? 0.5 : 1.5) != 0);
  rows.put("count of votes", __popc(__ballot_sync(0xffffffffu, v & 2)));
  rows.put("first vote", __ffs(__ballot_sync(0xffffffffu, (u & 63u) == 7u)));
  rows.put("votes below", __popc(__ballot_sync(0xffffffffu, v & 4) & ((1u << lane) - 1u)));
  unsigned some = 0;
  int one = 0, every = 0;
  if (lane >= 20) {
    some = __ballot_sync(0xfff00000u, v & 1);
    one = __any_sync(0xfff00000u, (u & 15u) == 7u) != 0;
    every = __all_sync(0xfff00000u, (u & 15u) != 7u) != 0;
  }
  rows.put("ballot among 12 lanes", some);
  rows.put("any among 12 lanes", one);
  rows.put("all among 12 lanes", every);
  unsigned here = 0;
  if (lane % 3 == 0) here = __activemask();
  rows.put("activemask in a branch", here);
  rows.put("activemask", __activemask());
  rows.put("match_any int", __match_any_sync(0xffffffffu, v & 3));
  rows.put("match_any unsigned", __match_any_sync(0xffffffffu, u));
  rows.put("match_any 64 bits", __match_any_sync(0xffffffffu, in[i] & 0x0000000100000001ull));
  rows.put("match_any float", __match_any_sync(0xffffffffu, cut<float>(special(v))));
  const double wide = cut<double>(static_cast<Word>(special(v)) << 32);
  rows.put("match_any double", __match_any_sync(0xffffffffu, wide));
  unsigned same = 0;
  if (lane < 16) same = __match_any_sync(0x0000ffffu, v & 3);
  rows.put("match_any in the lower half", same);
  rows.put("reduce_add int", __reduce_add_sync(0xffffffffu, v));
  rows.put("reduce_add unsigned", __reduce_add_sync(0xffffffffu, u));
  rows.put("reduce_min int", __reduce_min_sync(0xffffffffu, v));
  rows.put("reduce_min unsigned", __reduce_min_sync(0xffffffffu, u));
  rows.put("reduce_max int", __reduce_max_sync(0xffffffffu, v));
  rows.put("reduce_max unsigned", __reduce_max_sync(0xffffffffu, u));
  rows.put("reduce_and", __reduce_and_sync(0xffffffffu, u));
  rows.put("reduce_or", __reduce_or_sync(0xffffffffu, u));
  rows.put("reduce_xor", __reduce_xor_sync(0xffffffffu, u));
  kept[threadIdx.x] = v;
  __syncwarp();
  const int next = kept[(threadIdx.x & ~31u) + (threadIdx.x + 1u) % 32u];
  __syncwarp();
  kept[threadIdx.x] = next ^ lane;
  __syncwarp();
  rows.put("shared memory around syncwarp", kept[threadIdx.x ^ 31u]);
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_exchange_int(const Word *in, Word *out, int n) {
  return launch(exchange<int>, in, out, n);
}
extern "C" int run_exchange_unsigned(const Word *in, Word *out, int n) {
  return launch(exchange<unsigned>, in, out, n);
}
extern "C" int run_exchange_float(const Word *in, Word *out, int n) {
  return launch(exchange<float>, in, out, n);
}
extern "C" int run_exchange_double(const Word *in, Word *out, int n) {
  return launch(exchange<double>, in, out, n);
}
extern "C" int run_exchange_long(const Word *in, Word *out, int n) {
  return launch(exchange<long>, in, out, n);
}
extern "C" int run_exchange_int64(const Word *in, Word *out, int n) {
  return launch(exchange<long long>, in, out, n);
}
extern "C" int run_exchange_uint64(const Word *in, Word *out, int n) {
  return launch(exchange<unsigned long long>, in, out, n);
}
extern "C" int run_small(const Word *in, Word *out, int n) { return launch(small, in, out, n); }
extern "C" int run_together(const Word *in, Word *out, int n) {
  return launch(together, in, out, n);
}
