// Inline PTX that the lab writes in C++ with a doubt: sums that may be joined, and what approximates.
#include <cuda_runtime.h>

#include "rows.cuh"

namespace {

__global__ void sums_and_products(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  const float x = cut<float>(in[i]), y = cut<float>(in[n + i]);
  const double p = cut<double>(in[i]), q = cut<double>(in[n + i]);
  const unsigned a = cut<unsigned>(in[i]);
  // HIP leaves a conversion open where no int is near.
  const float tame = static_cast<float>(static_cast<int>(a)) * 0x1p-7f;
  float add_f32, add_rn_f32, sub_f32, sub_rn_f32, mul_f32, mul_rn_f32;
  double add_f64, add_rn_f64, sub_f64, mul_f64, mul_rn_f64;
  int to_nearest, to_zero;
  asm("add.f32 %0, %1, %2;" : "=f"(add_f32) : "f"(x), "f"(y));
  asm("add.rn.f32 %0, %1, %2;" : "=f"(add_rn_f32) : "f"(x), "f"(y));
  asm("sub.f32 %0, %1, %2;" : "=f"(sub_f32) : "f"(x), "f"(y));
  asm("sub.rn.f32 %0, %1, %2;" : "=f"(sub_rn_f32) : "f"(x), "f"(y));
  asm("mul.f32 %0, %1, %2;" : "=f"(mul_f32) : "f"(x), "f"(y));
  asm("mul.rn.f32 %0, %1, %2;" : "=f"(mul_rn_f32) : "f"(x), "f"(y));
  asm("add.f64 %0, %1, %2;" : "=d"(add_f64) : "d"(p), "d"(q));
  asm("add.rn.f64 %0, %1, %2;" : "=d"(add_rn_f64) : "d"(p), "d"(q));
  asm("sub.f64 %0, %1, %2;" : "=d"(sub_f64) : "d"(p), "d"(q));
  asm("mul.f64 %0, %1, %2;" : "=d"(mul_f64) : "d"(p), "d"(q));
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(mul_rn_f64) : "d"(p), "d"(q));
  asm("cvt.rni.s32.f32 %0, %1;" : "=r"(to_nearest) : "f"(tame));
  asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(to_zero) : "f"(tame));
  rows.put("add.f32", add_f32);
  rows.put("add.rn.f32", add_rn_f32);
  rows.put("sub.f32", sub_f32);
  rows.put("sub.rn.f32", sub_rn_f32);
  rows.put("mul.f32", mul_f32);
  rows.put("mul.rn.f32", mul_rn_f32);
  rows.put("add.f64", add_f64);
  rows.put("add.rn.f64", add_rn_f64);
  rows.put("sub.f64", sub_f64);
  rows.put("mul.f64", mul_f64);
  rows.put("mul.rn.f64", mul_rn_f64);
  rows.put("cvt.rni.s32.f32", to_nearest);
  rows.put("cvt.rzi.s32.f32", to_zero);
}

__global__ void approximations(const Word *in, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  // From 2^-12 to 2^12: a number whose powers and inverses are normal.
  const float t = static_cast<float>((cut<unsigned>(in[i]) & 0xffffffu) + 1u) * 0x1p-12f;
  float ex2_approx_f32, ex2_approx_ftz_f32, lg2_approx_f32, lg2_approx_ftz_f32, rcp_approx_f32,
      rcp_approx_ftz_f32, rsqrt_approx_f32, rsqrt_approx_ftz_f32, sqrt_approx_f32,
      sqrt_approx_ftz_f32, sin_approx_f32, sin_approx_ftz_f32, cos_approx_f32,
      cos_approx_ftz_f32, tanh_approx;
  asm("ex2.approx.f32 %0, %1;" : "=f"(ex2_approx_f32) : "f"((t - 2048.f) * 0x1p-5f));
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(ex2_approx_ftz_f32) : "f"((t - 2048.f) * 0x1p-5f));
  asm("lg2.approx.f32 %0, %1;" : "=f"(lg2_approx_f32) : "f"(t));
  asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(lg2_approx_ftz_f32) : "f"(t));
  asm("rcp.approx.f32 %0, %1;" : "=f"(rcp_approx_f32) : "f"(t));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(rcp_approx_ftz_f32) : "f"(t));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(rsqrt_approx_f32) : "f"(t));
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(rsqrt_approx_ftz_f32) : "f"(t));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(sqrt_approx_f32) : "f"(t));
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(sqrt_approx_ftz_f32) : "f"(t));
  asm("sin.approx.f32 %0, %1;" : "=f"(sin_approx_f32) : "f"(t * 0x1p-10f));
  asm("sin.approx.ftz.f32 %0, %1;" : "=f"(sin_approx_ftz_f32) : "f"(t * 0x1p-10f));
  asm("cos.approx.f32 %0, %1;" : "=f"(cos_approx_f32) : "f"(t * 0x1p-10f));
  asm("cos.approx.ftz.f32 %0, %1;" : "=f"(cos_approx_ftz_f32) : "f"(t * 0x1p-10f));
  asm("tanh.approx.f32 %0, %1;" : "=f"(tanh_approx) : "f"(t * 0x1p-10f));
  rows.put("ex2.approx.f32", ex2_approx_f32);
  rows.put("ex2.approx.ftz.f32", ex2_approx_ftz_f32);
  rows.put("lg2.approx.f32", lg2_approx_f32);
  rows.put("lg2.approx.ftz.f32", lg2_approx_ftz_f32);
  rows.put("rcp.approx.f32", rcp_approx_f32);
  rows.put("rcp.approx.ftz.f32", rcp_approx_ftz_f32);
  rows.put("rsqrt.approx.f32", rsqrt_approx_f32);
  rows.put("rsqrt.approx.ftz.f32", rsqrt_approx_ftz_f32);
  rows.put("sqrt.approx.f32", sqrt_approx_f32);
  rows.put("sqrt.approx.ftz.f32", sqrt_approx_ftz_f32);
  rows.put("sin.approx.f32", sin_approx_f32);
  rows.put("sin.approx.ftz.f32", sin_approx_ftz_f32);
  rows.put("cos.approx.f32", cos_approx_f32);
  rows.put("cos.approx.ftz.f32", cos_approx_ftz_f32);
  rows.put("tanh.approx.f32", tanh_approx);
}

__global__ void clocks(const Word *, Word *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Rows rows{out, n, i, 0};
  unsigned early, late;
  Word early64, late64;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(early));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(early64));
  __syncthreads();
  asm volatile("mov.u32 %0, %%clock;" : "=r"(late));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(late64));
  rows.put("clock moves on", late != early);
  rows.put("clock64 moves on", late64 > early64);
}

template <typename Kernel>
int launch(Kernel kernel, const Word *in, Word *out, int n) {
  kernel<<<n / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}

}  // namespace

// in: 3 rows of n words, out: a row of n words for each put, on the device; n is whole blocks.
extern "C" int run_sums_and_products(const Word *in, Word *out, int n) {
  return launch(sums_and_products, in, out, n);
}
extern "C" int run_approximations(const Word *in, Word *out, int n) {
  return launch(approximations, in, out, n);
}
extern "C" int run_clocks(const Word *in, Word *out, int n) {
  return launch(clocks, in, out, n);
}
