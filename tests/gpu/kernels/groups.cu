// Reductions over tiles of every size, and copies by a group, as cooperative groups write them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include "rows.cuh"

namespace cg = cooperative_groups;

namespace {

__global__ void reductions(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const int v = cut<int>(in[i]);
  const unsigned u = cut<unsigned>(in[n + i]);
  const float small = static_cast<float>(v % 1024);
  const auto block = cg::this_thread_block();
  const auto two = cg::tiled_partition<2>(block);
  const auto eight = cg::tiled_partition<8>(block);
  const auto warp = cg::tiled_partition<32>(block);
  rows.put("plus int of 2", cg::reduce(two, v, cg::plus<int>()));
  rows.put("plus int of 8", cg::reduce(eight, v, cg::plus<int>()));
  rows.put("plus int of 32", cg::reduce(warp, v, cg::plus<int>()));
  rows.put("plus unsigned", cg::reduce(warp, u, cg::plus<unsigned>{}));
  rows.put("plus float of whole numbers", cg::reduce(warp, small, cg::plus<float>()));
  rows.put("least int", cg::reduce(warp, v, cg::less<int>()));
  rows.put("most unsigned", cg::reduce(eight, u, cg::greater<unsigned>()));
  rows.put("bits and", cg::reduce(two, u, cg::bit_and<unsigned>()));
  rows.put("bits or", cg::reduce(eight, u, cg::bit_or<unsigned>()));
  rows.put("bits xor", cg::reduce(warp, u, cg::bit_xor<unsigned>()));
  int own = 0;
  if (threadIdx.x < 64) own = cg::reduce(warp, v + 1, cg::plus<int>());
  rows.put("in some warps of the block", own);
}

__global__ void group_copies(const Word *in, Word *out, int n) {
  __shared__ Word kept[kThreads];
  __shared__ int words[kThreads];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int other = kThreads - 1 - static_cast<int>(threadIdx.x);
  Rows rows{out, n, i, 0};
  const Word *given = in + static_cast<size_t>(blockIdx.x) * blockDim.x;
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, kept, given, sizeof(Word) * block.size());
  cg::wait(block);
  rows.put("of the block", kept[other]);
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned first = threadIdx.x - warp.thread_rank();
  const int *narrow = reinterpret_cast<const int *>(given);
  cg::memcpy_async(warp, words + first, narrow + first, sizeof(int) * warp.size());
  cg::wait(warp);
  rows.put("of a tile", words[first + 31 - warp.thread_rank()]);
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_reductions(const Word *in, Word *out, int n) {
  return launch(reductions, in, out, n);
}
extern "C" int run_group_copies(const Word *in, Word *out, int n) {
  return launch(group_copies, in, out, n);
}
