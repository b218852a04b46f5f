// Inline PTX that approximates: both branches are near the true value, and near each other.
#include <cuda_runtime.h>

namespace {

constexpr int kThreads = 128;

__global__ void approx(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = fabsf(in[i]) + 1.f;
  float power, logarithm, inverse, root, inverse_root, sine, cosine;
#if defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)
  power = exp2f(a);
  logarithm = log2f(a);
  inverse = 1.0f / a;
  root = sqrtf(a);
  inverse_root = rsqrtf(a);
  sine = __sinf((a * 0.25f));
  cosine = __cosf((a * 0.25f));
#else
  asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(a));
  asm("lg2.approx.f32 %0, %1;" : "=f"(logarithm) : "f"(a));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(a));
  asm("sqrt.approx.f32 %0, %1;" : "=f"(root) : "f"(a));
  asm("rsqrt.approx.f32 %0, %1;" : "=f"(inverse_root) : "f"(a));
  asm("sin.approx.f32 %0, %1;" : "=f"(sine) : "f"(a * 0.25f));
  asm("cos.approx.f32 %0, %1;" : "=f"(cosine) : "f"(a * 0.25f));
#endif
  out[i] = power;
  out[n + i] = logarithm;
  out[2 * n + i] = inverse;
  out[3 * n + i] = root;
  out[4 * n + i] = inverse_root;
  out[5 * n + i] = sine;
  out[6 * n + i] = cosine;
}

}  // namespace

// in: n values, out: 7 * n values, on the device; returns the runtime's error number.
extern "C" int run_float32(const float *in, float *out, int n) {
  approx<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
  const cudaError_t error = cudaGetLastError();
  return static_cast<int>(error != cudaSuccess ? error : cudaDeviceSynchronize());
}
