#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

#include "fused_norm.h"
#include "numeric.cuh"
#include "vector_ops.cuh"
#include "warp_reduce.cuh"

namespace fused_norm {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;

// 每行两个和：sum(g) 与 sum(g * xhat)，其中 g = grad_y * gamma。
template <typename T, typename U>
__device__ pair_t<U> row_sums(const T *grad, const T *in, const T *gamma, U mu, U scale, int cols,
                              pair_t<U> *shared) {
  pair_t<U> sums = make_pair_of<U>(U(0), U(0));
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const U g = static_cast<U>(grad[c]) * static_cast<U>(gamma[c]);
    const U normed = (static_cast<U>(in[c]) - mu) * scale;
    sums = sums + make_pair_of<U>(g, g * normed);
  }
  const Add add;
  FUSED_NORM_ALLREDUCE(sums.x, add);
  FUSED_NORM_ALLREDUCE(sums.y, add);
  if (threadIdx.x % kLanes == 0) shared[threadIdx.x / kLanes] = sums;
  __syncthreads();
  sums = shared[0];
  for (int g = 1; g < kThreads / kLanes; ++g) sums = sums + shared[g];
  return sums;
}

// One block a row: grad_x = rstd * (g - mean(g) - xhat * mean(g * xhat)).
template <typename T, typename U>
__global__ void input_gradient_kernel(const T *__restrict__ grad_y, const T *__restrict__ x,
                                      const T *__restrict__ gamma, const U *__restrict__ mean,
                                      const U *__restrict__ rstd, int cols,
                                      T *__restrict__ grad_x) {
  __shared__ pair_t<U> shared[kThreads / kLanes];
  const int64_t row = blockIdx.x;
  const T *grad = grad_y + row * cols;
  const T *in = x + row * cols;
  const U mu = mean[row];
  const U scale = rstd[row];
  const pair_t<U> means = row_sums<T, U>(grad, in, gamma, mu, scale, cols, shared) * (U(1) / U(cols));

  T *out = grad_x + row * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const U g = static_cast<U>(grad[c]) * static_cast<U>(gamma[c]);
    const U normed = (static_cast<U>(in[c]) - mu) * scale;
    out[c] = static_cast<T>(scale * (g - means.x - normed * means.y));
  }
}

// One block for 32 columns, 32 x 32 threads: down the rows first, then across a transposed tile.
template <typename T, typename U>
__global__ void parameter_gradient_kernel(const T *__restrict__ grad_y, const T *__restrict__ x,
                                          const U *__restrict__ mean, const U *__restrict__ rstd,
                                          int64_t rows, int cols, T *__restrict__ grad_gamma,
                                          T *__restrict__ grad_beta) {
  __shared__ pair_t<U> tile[kTile][kTile + 1];  // one more column: no bank conflicts
  const int column = blockIdx.x * kTile + threadIdx.x;
  pair_t<U> sums = make_pair_of<U>(U(0), U(0));
  if (column < cols) {
    for (int64_t r = threadIdx.y; r < rows; r += kTile) {
      const U g = static_cast<U>(grad_y[r * cols + column]);
      const U normed = (static_cast<U>(x[r * cols + column]) - mean[r]) * rstd[r];
      sums = sums + make_pair_of<U>(g * normed, g);
    }
  }
  tile[threadIdx.x][threadIdx.y] = sums;
  __syncthreads();

  sums = tile[threadIdx.y][threadIdx.x];
  for (int offset = kTile / 2; offset > 0; offset /= 2) {
    const U gamma_part = __shfl_xor_sync(0xffffffff, sums.x, offset, kTile);
    const U beta_part = __shfl_xor_sync(0xffffffff, sums.y, offset, kTile);
    sums = sums + make_pair_of<U>(gamma_part, beta_part);
  }
  const int mine = blockIdx.x * kTile + threadIdx.y;
  if (threadIdx.x == 0 && mine < cols) {
    grad_gamma[mine] = static_cast<T>(sums.x);
    grad_beta[mine] = static_cast<T>(sums.y);
  }
}

}  // namespace

void layer_norm_backward(const at::Tensor &grad_y, const at::Tensor &x, const at::Tensor &mean,
                         const at::Tensor &rstd, const at::Tensor &gamma, at::Tensor &grad_x,
                         at::Tensor &grad_gamma, at::Tensor &grad_beta) {
  const int64_t rows = x.size(0);
  const int cols = static_cast<int>(x.size(1));
  const dim3 tile(kTile, kTile);
  auto stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "layer_norm_backward", [&] {
    using acc_t = accumulate_t<scalar_t>;
    input_gradient_kernel<scalar_t, acc_t><<<rows, kThreads, 0, stream>>>(
        grad_y.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), gamma.data_ptr<scalar_t>(),
        mean.data_ptr<acc_t>(), rstd.data_ptr<acc_t>(), cols, grad_x.data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
    parameter_gradient_kernel<scalar_t, acc_t><<<(cols + kTile - 1) / kTile, tile, 0, stream>>>(
        grad_y.data_ptr<scalar_t>(), x.data_ptr<scalar_t>(), mean.data_ptr<acc_t>(),
        rstd.data_ptr<acc_t>(), rows, cols, grad_gamma.data_ptr<scalar_t>(),
        grad_beta.data_ptr<scalar_t>());
    C10_CUDA_KERNEL_LAUNCH_CHECK();
  });
}

}  // namespace fused_norm
