#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hipblas.h>
#include <hipblaslt/hipblaslt.h>
#include <hipsolver/hipsolver.h>
#include <rocblas/rocblas.h>
#include <hipfft/hipfftXt.h>
#include <rccl/rccl.h>
#include <omp.h>
#include <roctracer/roctx.h>
#include <hip/hip_math_constants.h>
#include <hip/hip_bf16.h>
#include <hipcub/hipcub.hpp>
#include <thrust/complex.h>
#include <thrust/sort.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/execution_policy.h>
struct op { __host__ __device__ float operator()(int i) const { return i; } };
__global__ void k(float* p) {
  using R = hipcub::BlockReduce<float, 256>;
  __shared__ R::TempStorage t;
  float s = R(t).Sum(p[threadIdx.x]);
  if (!threadIdx.x) p[0] = hipcub::Max()(s, 0.f) + HIP_PI_F;
  __hip_bfloat16 b = __float2bfloat16(s); p[1] = __bfloat162float(__hmul(b, b));
  thrust::complex<float> z(1.f, 2.f); z = z * z; p[2] = thrust::abs(z);
}
void f(float* p, int n, hipStream_t s) {
  thrust::device_ptr<float> d(p);
  thrust::sort(thrust::device, d, d + n);
  thrust::sort(d, d + n, thrust::greater<float>());
  thrust::sort_by_key(thrust::hip::par.on(s), d, d + n, d);
  float r = thrust::reduce(thrust::hip::par.on(s), d, d + n, 0.f, thrust::plus<float>());
  auto z = thrust::make_zip_iterator(thrust::make_tuple(d, d));
  auto c = thrust::make_transform_iterator(thrust::make_counting_iterator(0), op());
  thrust::copy(c, c + 3, d);
  auto e = thrust::reduce_by_key(thrust::device, d, d + n, d, d, d);
  thrust::device_vector<int> v(3); thrust::fill(v.begin(), v.end(), 3);
  void* tmp = nullptr; size_t bytes = 0;
  hipcub::DeviceReduce::Sum(tmp, bytes, p, p, n, s);
  hipblasHandle_t h; float one = 1;
#ifdef HIPBLAS_V2
  hipblasGemmEx(h, HIPBLAS_OP_N, HIPBLAS_OP_T, n, n, n, &one, p, HIP_R_32F, n, p, HIP_R_32F, n, &one, p, HIP_R_32F, n, HIPBLAS_COMPUTE_32F, HIPBLAS_GEMM_DEFAULT);
#else
  hipblasGemmEx(h, HIPBLAS_OP_N, HIPBLAS_OP_T, n, n, n, &one, p, HIPBLAS_R_32F, n, p, HIPBLAS_R_32F, n, &one, p, HIPBLAS_R_32F, n, HIPBLAS_R_32F, HIPBLAS_GEMM_DEFAULT);
#endif
}
