#include <ATen/ATen.h>
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAException.h>

#include <cstdint>

#include "fused_norm.h"
#include "numeric.cuh"
#include "vector_ops.cuh"
#include "warp_reduce.cuh"

#include "block_reduce.inl"

namespace fused_norm {
namespace {

constexpr int kThreads = 256;

// One block a row, any type: Welford in the accumulation type, merged over lanes and then over groups.
template <typename T, typename U>
__global__ void layer_norm_kernel(const T *__restrict__ x, const T *__restrict__ gamma,
                                  const T *__restrict__ beta, U eps, int cols, T *__restrict__ y,
                                  U *__restrict__ mean, U *__restrict__ rstd) {
  __shared__ Moments<U> shared[kThreads / kLanes];
  const int64_t row = blockIdx.x;
  const int lane = threadIdx.x % kLanes;
  const int group = threadIdx.x / kLanes;
  const T *in = x + row * cols;

  Moments<U> mine{U(0), U(0), U(0)};
  for (int c = threadIdx.x; c < cols; c += blockDim.x) mine.add(static_cast<U>(in[c]));
  mine = warp_merge(mine);
  if (lane == 0) shared[group] = mine;
  __syncthreads();
  // 由一个线程合并各组，组数不超过 8。
  if (threadIdx.x == 0) {
    for (int g = 1; g < kThreads / kLanes; ++g) mine.merge(shared[g]);
    shared[0] = mine;
    mean[row] = mine.mean;
    rstd[row] = rsqrt(mine.m2 / U(cols) + eps);
  }
  __syncthreads();

  const U mu = shared[0].mean;
  const U scale = rsqrt(shared[0].m2 / U(cols) + eps);
  T *out = y + row * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) {
    const U normed = (static_cast<U>(in[c]) - mu) * scale;
    out[c] = static_cast<T>(normed * static_cast<U>(gamma[c]) + static_cast<U>(beta[c]));
  }
}

// float rows whose length is a multiple of four: 16 bytes a load, mean first and then the deviations.
__global__ void layer_norm_float4_kernel(const float4 *__restrict__ x,
                                         const float4 *__restrict__ gamma,
                                         const float4 *__restrict__ beta, float eps, int quads,
                                         float4 *__restrict__ y, float *__restrict__ mean,
                                         float *__restrict__ rstd) {
  __shared__ float scratch[kThreads / kLanes];
  const int64_t row = blockIdx.x;
  const float4 *in = x + row * quads;
  const float share = 1.f / (4.f * quads);

  float4 total = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int q = threadIdx.x; q < quads; q += blockDim.x) total += in[q];
  const float mu = block_sum(horizontal_sum(total), scratch) * share;

  float4 square = make_float4(0.f, 0.f, 0.f, 0.f);
  for (int q = threadIdx.x; q < quads; q += blockDim.x) {
    const float4 d = in[q] - mu;
    square += d * d;
  }
  const float variance = block_sum(horizontal_sum(square), scratch) * share;
  const float scale = rsqrt(variance + eps);

  float4 *out = y + row * quads;
  for (int q = threadIdx.x; q < quads; q += blockDim.x) {
    out[q] = (in[q] - mu) * scale * gamma[q] + beta[q];
  }
  if (threadIdx.x == 0) {
    mean[row] = mu;
    rstd[row] = scale;
  }
}

bool fits_float4(const at::Tensor &t) {
  return reinterpret_cast<std::uintptr_t>(t.data_ptr()) % sizeof(float4) == 0;
}

void launch_float4(const at::Tensor &x, const at::Tensor &gamma, const at::Tensor &beta, double eps,
                   at::Tensor &y, at::Tensor &mean, at::Tensor &rstd) {
  auto stream = at::cuda::getCurrentCUDAStream();
  layer_norm_float4_kernel<<<x.size(0), kThreads, 0, stream>>>(
      reinterpret_cast<const float4 *>(x.data_ptr<float>()),
      reinterpret_cast<const float4 *>(gamma.data_ptr<float>()),
      reinterpret_cast<const float4 *>(beta.data_ptr<float>()), static_cast<float>(eps),
      static_cast<int>(x.size(1) / 4), reinterpret_cast<float4 *>(y.data_ptr<float>()),
      mean.data_ptr<float>(), rstd.data_ptr<float>());
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace

void layer_norm_forward(const at::Tensor &x, const at::Tensor &gamma, const at::Tensor &beta,
                        double eps, at::Tensor &y, at::Tensor &mean, at::Tensor &rstd) {
  const bool aligned = fits_float4(x) && fits_float4(gamma) && fits_float4(beta) && fits_float4(y);
  if (x.scalar_type() == at::kFloat && x.size(1) % 4 == 0 && aligned) {
    launch_float4(x, gamma, beta, eps, y, mean, rstd);
    return;
  }
  auto stream = at::cuda::getCurrentCUDAStream();
  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), "layer_norm_forward", [&] {
    using acc_t = accumulate_t<scalar_t>;
    layer_norm_kernel<scalar_t, acc_t><<<x.size(0), kThreads, 0, stream>>>(
        x.data_ptr<scalar_t>(), gamma.data_ptr<scalar_t>(), beta.data_ptr<scalar_t>(),
        static_cast<acc_t>(eps), static_cast<int>(x.size(1)), y.data_ptr<scalar_t>(),
        mean.data_ptr<acc_t>(), rstd.data_ptr<acc_t>());
  });
  C10_CUDA_KERNEL_LAUNCH_CHECK();
}

}  // namespace fused_norm
