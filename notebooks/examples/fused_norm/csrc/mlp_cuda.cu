#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/Exceptions.h>
#include <c10/cuda/CUDAException.h>
#include <cublas_v2.h>

#include "fused_norm.h"
#include "numeric.cuh"
#include "warp_reduce.cuh"

namespace fused_norm {
namespace {

constexpr int kThreads = 256;
constexpr int kTile = 32;

struct Shape {
  int m, n, k;
};

// c = op(a) op(b), all row-major: to the column-major library that is c^T = op(b)^T op(a)^T.
void gemm(const at::Tensor &a, bool transpose_a, const at::Tensor &b, bool transpose_b, at::Tensor &c) {
  const Shape s{static_cast<int>(c.size(0)), static_cast<int>(c.size(1)),
                static_cast<int>(transpose_a ? a.size(0) : a.size(1))};
  const int lda = static_cast<int>(a.size(1));
  const int ldb = static_cast<int>(b.size(1));
  const int ldc = s.n;
  const auto op_a = transpose_a ? CUBLAS_OP_T : CUBLAS_OP_N;
  const auto op_b = transpose_b ? CUBLAS_OP_T : CUBLAS_OP_N;
  cublasHandle_t handle = at::cuda::getCurrentCUDABlasHandle();

  switch (c.scalar_type()) {
    case at::kHalf: {
      // 半精度输入输出，单精度累加。
      const float one = 1.f, zero = 0.f;
      TORCH_CUDABLAS_CHECK(cublasGemmEx(handle, op_b, op_a, s.n, s.m, s.k, &one, b.data_ptr(),
                                        CUDA_R_16F, ldb, a.data_ptr(), CUDA_R_16F, lda, &zero,
                                        c.data_ptr(), CUDA_R_16F, ldc, CUDA_R_32F,
                                        CUBLAS_GEMM_DEFAULT_TENSOR_OP));
      break;
    }
    case at::kFloat: {
      const float one = 1.f, zero = 0.f;
      TORCH_CUDABLAS_CHECK(cublasGemmEx(handle, op_b, op_a, s.n, s.m, s.k, &one, b.data_ptr(),
                                        CUDA_R_32F, ldb, a.data_ptr(), CUDA_R_32F, lda, &zero,
                                        c.data_ptr(), CUDA_R_32F, ldc, CUDA_R_32F,
                                        CUBLAS_GEMM_DEFAULT));
      break;
    }
    case at::kDouble: {
      const double one = 1., zero = 0.;
      TORCH_CUDABLAS_CHECK(cublasGemmEx(handle, op_b, op_a, s.n, s.m, s.k, &one, b.data_ptr(),
                                        CUDA_R_64F, ldb, a.data_ptr(), CUDA_R_64F, lda, &zero,
                                        c.data_ptr(), CUDA_R_64F, ldc, CUDA_R_64F,
                                        CUBLAS_GEMM_DEFAULT));
      break;
    }
    default:
      TORCH_CHECK(false, "gemm: half, float or double expected, not ", c.scalar_type());
  }
}

// h = gelu(z + bias), element by element.
template <typename T, typename U>
__global__ void bias_gelu_kernel(const T *__restrict__ z, const T *__restrict__ bias, int64_t size,
                                 int cols, T *__restrict__ h) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  h[i] = static_cast<T>(gelu(static_cast<U>(z[i]) + static_cast<U>(bias[i % cols])));
}

template <typename T, typename U>
__global__ void bias_gelu_gradient_kernel(const T *__restrict__ grad_h, const T *__restrict__ z,
                                          const T *__restrict__ bias, int64_t size, int cols,
                                          T *__restrict__ grad_z) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= size) return;
  const U v = static_cast<U>(z[i]) + static_cast<U>(bias[i % cols]);
  grad_z[i] = static_cast<T>(static_cast<U>(grad_h[i]) * gelu_slope(v));
}

template <typename T, typename U>
__global__ void add_bias_kernel(T *__restrict__ y, const T *__restrict__ bias, int64_t size, int cols) {
  const int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < size) y[i] = static_cast<T>(static_cast<U>(y[i]) + static_cast<U>(bias[i % cols]));
}

// Sum of each column: 32 columns a block, through a transposed tile so that a group sums one column.
template <typename T, typename U>
__global__ void column_sum_kernel(const T *__restrict__ in, int64_t rows, int cols, T *__restrict__ out) {
  __shared__ U tile[kTile][kTile + 1];
  const int column = blockIdx.x * kTile + threadIdx.x;
  U sum = U(0);
  if (column < cols)
    for (int64_t r = threadIdx.y; r < rows; r += kTile) sum += static_cast<U>(in[r * cols + column]);
  tile[threadIdx.x][threadIdx.y] = sum;
  __syncthreads();
  sum = warp_sum(tile[threadIdx.y][threadIdx.x]);
  const int mine = blockIdx.x * kTile + threadIdx.y;
  if (threadIdx.x == 0 && mine < cols) out[mine] = static_cast<T>(sum);
}

int blocks_for(int64_t size) { return static_cast<int>((size + kThreads - 1) / kThreads); }

at::Tensor column_sum(const at::Tensor &in) {
  at::Tensor out = at::empty({in.size(1)}, in.options());
  const int cols = static_cast<int>(in.size(1));
  auto stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(in.scalar_type(), "column_sum", [&] {
    column_sum_kernel<scalar_t, accumulate_t<scalar_t>>
        <<<(cols + kTile - 1) / kTile, dim3(kTile, kTile), 0, stream>>>(
            in.data_ptr<scalar_t>(), in.size(0), cols, out.data_ptr<scalar_t>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

}  // namespace

void mlp_forward(const at::Tensor &x, const at::Tensor &w1, const at::Tensor &b1,
                 const at::Tensor &w2, const at::Tensor &b2, at::Tensor &z, at::Tensor &h,
                 at::Tensor &y) {
  auto stream = at::cuda::getCurrentCUDAStream();
  gemm(x, false, w1, true, z);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "bias_gelu", [&] {
    bias_gelu_kernel<scalar_t, accumulate_t<scalar_t>><<<blocks_for(z.numel()), kThreads, 0, stream>>>(
        z.data_ptr<scalar_t>(), b1.data_ptr<scalar_t>(), z.numel(), static_cast<int>(z.size(1)),
        h.data_ptr<scalar_t>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  gemm(h, false, w2, true, y);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "add_bias", [&] {
    add_bias_kernel<scalar_t, accumulate_t<scalar_t>><<<blocks_for(y.numel()), kThreads, 0, stream>>>(
        y.data_ptr<scalar_t>(), b2.data_ptr<scalar_t>(), y.numel(), static_cast<int>(y.size(1)));
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

MlpGradients mlp_backward(const at::Tensor &grad_y, const at::Tensor &x, const at::Tensor &w1,
                          const at::Tensor &b1, const at::Tensor &w2, const at::Tensor &z,
                          const at::Tensor &h) {
  auto stream = at::cuda::getCurrentCUDAStream();
  MlpGradients g;
  g.w2 = at::empty_like(w2);
  gemm(grad_y, true, h, false, g.w2);
  g.b2 = column_sum(grad_y);

  at::Tensor grad_h = at::empty_like(h);
  gemm(grad_y, false, w2, false, grad_h);
  at::Tensor grad_z = at::empty_like(z);
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "bias_gelu_gradient", [&] {
    bias_gelu_gradient_kernel<scalar_t, accumulate_t<scalar_t>>
        <<<blocks_for(z.numel()), kThreads, 0, stream>>>(
            grad_h.data_ptr<scalar_t>(), z.data_ptr<scalar_t>(), b1.data_ptr<scalar_t>(), z.numel(),
            static_cast<int>(z.size(1)), grad_z.data_ptr<scalar_t>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();

  g.w1 = at::empty_like(w1);
  gemm(grad_z, true, x, false, g.w1);
  g.b1 = column_sum(grad_z);
  g.x = at::empty_like(x);
  gemm(grad_z, false, w1, false, g.x);
  return g;
}

}  // namespace fused_norm
