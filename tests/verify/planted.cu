// Row sums by one block of 64 threads a row, right in mode 0 and wrong in one way in the others.
#include <cuda_runtime.h>

enum Mode { RIGHT = 0, LANES_32 = 1, NOT_A_NUMBER = 2, OUT_OF_BOUNDS = 3, WRONG_STREAM = 4 };

__global__ void row_sum_kernel(const float *x, float *y, int cols, int mode) {
  __shared__ float partial[64];
  const int row = blockIdx.x;
  float sum = 0;
  for (int i = threadIdx.x; i < cols; i += 64) sum += x[row * cols + i];
  partial[threadIdx.x] = sum;
  __syncthreads();
  // A reduction written for 32 lanes leaves out the other half of 64.
  for (int width = mode == LANES_32 ? 16 : 32; width > 0; width /= 2) {
    if (threadIdx.x < width) partial[threadIdx.x] += partial[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  if (mode == NOT_A_NUMBER && row == 64) partial[0] = nanf("");
  const long long beyond = mode == OUT_OF_BOUNDS && row == 99 ? 1LL << 40 : 0;
  y[row + beyond] = partial[0];
}

extern "C" const char *row_sum(const float *x, float *y, int rows, int cols, int mode,
                               cudaStream_t stream) {
  row_sum_kernel<<<rows, 64, 0, mode == WRONG_STREAM ? nullptr : stream>>>(x, y, cols, mode);
  const cudaError_t status = cudaGetLastError();
  return status == cudaSuccess ? nullptr : cudaGetErrorString(status);
}
