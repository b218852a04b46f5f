#pragma once

#include <ATen/ATen.h>

#include <tuple>

// Launchers on the current stream. The arguments were checked in fused_norm.cpp.
namespace fused_norm {

// x: (rows, cols); gamma, beta: (cols); y as x; mean, rstd: (rows) in the accumulation type.
void layer_norm_forward(const at::Tensor &x, const at::Tensor &gamma, const at::Tensor &beta,
                        double eps, at::Tensor &y, at::Tensor &mean, at::Tensor &rstd);

// grad_y as y; grad_x as x; grad_gamma, grad_beta as gamma.
void layer_norm_backward(const at::Tensor &grad_y, const at::Tensor &x, const at::Tensor &mean,
                         const at::Tensor &rstd, const at::Tensor &gamma, at::Tensor &grad_x,
                         at::Tensor &grad_gamma, at::Tensor &grad_beta);

// z = x w1^T, h = gelu(z + b1), y = h w2^T + b2; w1: (hidden, in), w2: (out, hidden).
void mlp_forward(const at::Tensor &x, const at::Tensor &w1, const at::Tensor &b1,
                 const at::Tensor &w2, const at::Tensor &b2, at::Tensor &z, at::Tensor &h,
                 at::Tensor &y);

struct MlpGradients {
  at::Tensor x, w1, b1, w2, b2;
};

MlpGradients mlp_backward(const at::Tensor &grad_y, const at::Tensor &x, const at::Tensor &w1,
                          const at::Tensor &b1, const at::Tensor &w2, const at::Tensor &z,
                          const at::Tensor &h);

}  // namespace fused_norm
