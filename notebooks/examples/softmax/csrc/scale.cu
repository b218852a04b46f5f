#include <cuda_runtime.h>

inline float inverse_norm(float square_sum) {
  return rsqrtf(square_sum);
}

__global__ void normalize_kernel(float* values, const float* square_sums, int n) {
  const float factor = inverse_norm(square_sums[blockIdx.x]);
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    values[blockIdx.x * n + i] *= factor;
  }
}

cudaError_t normalize(float* values, const float* square_sums, int rows, int n) {
  normalize_kernel<<<rows, 256>>>(values, square_sums, n);
  return cudaDeviceSynchronize();
}
