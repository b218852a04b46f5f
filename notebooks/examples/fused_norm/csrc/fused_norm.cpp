#include <torch/extension.h>

#include <c10/cuda/CUDAGuard.h>

#include <string>
#include <tuple>

#include "fused_norm.h"

// Entry of the extension: every dtype, shape, layout and device is checked here, before a kernel sees it.
namespace {

using at::Tensor;

// Numbers become text here: streaming integers crashed in an extension that gcc 13 built for torch 2.11.
std::string text(at::IntArrayRef sizes) {
  std::string list;
  for (const int64_t size : sizes) list += (list.empty() ? "" : ", ") + std::to_string(size);
  return "(" + list + ")";
}

void check_tensor(const Tensor &t, const char *name, int64_t dims) {
  TORCH_CHECK(t.defined(), name, " is undefined");
  TORCH_CHECK(t.is_cuda(), name, " must be on the GPU, it is on ", t.device());
  TORCH_CHECK(t.is_contiguous(), name, " must be contiguous");
  TORCH_CHECK(t.dim() == dims, name, " must have ", std::to_string(dims),
              " dimensions, it has ", std::to_string(t.dim()));
  const auto type = t.scalar_type();
  TORCH_CHECK(type == at::kHalf || type == at::kFloat || type == at::kDouble, name,
              " must be half, float or double, it is ", type);
}

void check_like(const Tensor &t, const char *name, const Tensor &model, at::IntArrayRef sizes) {
  check_tensor(t, name, static_cast<int64_t>(sizes.size()));
  TORCH_CHECK(t.scalar_type() == model.scalar_type(), name, " must be ", model.scalar_type(),
              " as the input, it is ", t.scalar_type());
  TORCH_CHECK(t.device() == model.device(), name, " must be on ", model.device(), ", it is on ",
              t.device());
  TORCH_CHECK(t.sizes() == sizes, name, " must have shape ", text(sizes), ", it has ",
              text(t.sizes()));
}

at::TensorOptions statistics_options(const Tensor &x) {
  return x.options().dtype(x.scalar_type() == at::kDouble ? at::kDouble : at::kFloat);
}

void check_statistics(const Tensor &t, const char *name, const Tensor &x) {
  check_tensor(t, name, 1);
  TORCH_CHECK(t.size(0) == x.size(0), name, " must have one value a row");
  TORCH_CHECK(t.scalar_type() == c10::typeMetaToScalarType(statistics_options(x).dtype()), name,
              " must be in the accumulation type");
  TORCH_CHECK(t.device() == x.device(), name, " must be on ", x.device());
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_forward(const Tensor &x, const Tensor &gamma,
                                                      const Tensor &beta, double eps) {
  check_tensor(x, "x", 2);
  TORCH_CHECK(x.size(1) > 0, "x must have at least one column");
  TORCH_CHECK(eps > 0, "eps must be positive, it is ", std::to_string(eps));
  check_like(gamma, "gamma", x, {x.size(1)});
  check_like(beta, "beta", x, {x.size(1)});
  const c10::cuda::CUDAGuard guard(x.device());
  Tensor y = at::empty_like(x);
  Tensor mean = at::empty({x.size(0)}, statistics_options(x));
  Tensor rstd = at::empty_like(mean);
  if (x.size(0) > 0) fused_norm::layer_norm_forward(x, gamma, beta, eps, y, mean, rstd);
  return {y, mean, rstd};
}

std::tuple<Tensor, Tensor, Tensor> layer_norm_backward(const Tensor &grad_y, const Tensor &x,
                                                       const Tensor &mean, const Tensor &rstd,
                                                       const Tensor &gamma) {
  check_tensor(x, "x", 2);
  check_like(grad_y, "grad_y", x, x.sizes());
  check_like(gamma, "gamma", x, {x.size(1)});
  check_statistics(mean, "mean", x);
  check_statistics(rstd, "rstd", x);
  const c10::cuda::CUDAGuard guard(x.device());
  Tensor grad_x = at::empty_like(x);
  Tensor grad_gamma = at::zeros_like(gamma);
  Tensor grad_beta = at::zeros_like(gamma);
  if (x.size(0) > 0)
    fused_norm::layer_norm_backward(grad_y, x, mean, rstd, gamma, grad_x, grad_gamma, grad_beta);
  return {grad_x, grad_gamma, grad_beta};
}

void check_mlp(const Tensor &x, const Tensor &w1, const Tensor &b1, const Tensor &w2) {
  check_tensor(x, "x", 2);
  check_tensor(w1, "w1", 2);
  check_tensor(w2, "w2", 2);
  TORCH_CHECK(x.size(0) > 0 && x.size(1) > 0, "x must not be empty");
  check_like(w1, "w1", x, {w1.size(0), x.size(1)});
  check_like(b1, "b1", x, {w1.size(0)});
  check_like(w2, "w2", x, {w2.size(0), w1.size(0)});
}

std::tuple<Tensor, Tensor, Tensor> mlp_forward(const Tensor &x, const Tensor &w1, const Tensor &b1,
                                               const Tensor &w2, const Tensor &b2) {
  check_mlp(x, w1, b1, w2);
  check_like(b2, "b2", x, {w2.size(0)});
  const c10::cuda::CUDAGuard guard(x.device());
  Tensor z = at::empty({x.size(0), w1.size(0)}, x.options());
  Tensor h = at::empty_like(z);
  Tensor y = at::empty({x.size(0), w2.size(0)}, x.options());
  fused_norm::mlp_forward(x, w1, b1, w2, b2, z, h, y);
  return {y, z, h};
}

std::tuple<Tensor, Tensor, Tensor, Tensor, Tensor> mlp_backward(const Tensor &grad_y, const Tensor &x,
                                                                const Tensor &w1, const Tensor &b1,
                                                                const Tensor &w2, const Tensor &z,
                                                                const Tensor &h) {
  check_mlp(x, w1, b1, w2);
  check_like(grad_y, "grad_y", x, {x.size(0), w2.size(0)});
  check_like(z, "z", x, {x.size(0), w1.size(0)});
  check_like(h, "h", x, {x.size(0), w1.size(0)});
  const c10::cuda::CUDAGuard guard(x.device());
  auto g = fused_norm::mlp_backward(grad_y, x, w1, b1, w2, z, h);
  return {g.x, g.w1, g.b1, g.w2, g.b2};
}

}  // namespace

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.def("layer_norm_forward", &layer_norm_forward, "y, mean, rstd");
  m.def("layer_norm_backward", &layer_norm_backward, "grad_x, grad_gamma, grad_beta");
  m.def("mlp_forward", &mlp_forward, "y, z, h");
  m.def("mlp_backward", &mlp_backward, "grad_x, grad_w1, grad_b1, grad_w2, grad_b2");
}
