#include <cuda_runtime.h>

#include "warp.cuh"

// One warp a row; n is a multiple of the warp's size.
__global__ void softmax_kernel(float* out, const float* in, int n) {
  const float* row = in + blockIdx.x * n;
  float largest = row[threadIdx.x];
  for (int i = threadIdx.x; i < n; i += warpSize) {
    largest = max(largest, row[i]);
  }
  largest = warp_max(largest);
  float sum = 0.f;
  for (int i = threadIdx.x; i < n; i += warpSize) {
    sum += expf(row[i] - largest);
  }
  sum = warp_sum(sum);
  for (int i = threadIdx.x; i < n; i += warpSize) {
    out[blockIdx.x * n + i] = expf(row[i] - largest) / sum;
  }
}

cudaError_t softmax(float* out, const float* in, int rows, int n, cudaStream_t stream) {
  softmax_kernel<<<rows, 32, 0, stream>>>(out, in, n);
  return cudaGetLastError();
}
