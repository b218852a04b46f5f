// Declaration stand-in for hipBLAS, after the public interface of hipBLAS 2.0 (ROCm 6.0).
// As there, HIPBLAS_V2 selects hipDataType and hipblasComputeType_t for the *Ex functions; without
// it they take hipblasDatatype_t. Nothing here can be linked.
#pragma once
#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>
#include <hip/library_types.h>
#include <stdint.h>

typedef void* hipblasHandle_t;
typedef uint16_t hipblasHalf;
typedef int8_t hipblasInt8;
typedef int64_t hipblasStride;

typedef struct hipblasBfloat16 {
  uint16_t data;
} hipblasBfloat16;

#ifdef HIPBLAS_V2
// hipBLAS 2 came with a HIP whose hipDataType has bfloat16; in HIP 5 the two values are missing.
#if HIP_VERSION < 60000000
#define HIP_R_16BF ((hipDataType)14)
#define HIP_C_16BF ((hipDataType)15)
#endif
typedef hipComplex hipblasComplex;
typedef hipDoubleComplex hipblasDoubleComplex;
#else
typedef struct hipblasComplex {
  float x, y;
} hipblasComplex;
typedef struct hipblasDoubleComplex {
  double x, y;
} hipblasDoubleComplex;
#endif

typedef enum {
  HIPBLAS_STATUS_SUCCESS = 0,
  HIPBLAS_STATUS_NOT_INITIALIZED = 1,
  HIPBLAS_STATUS_ALLOC_FAILED = 2,
  HIPBLAS_STATUS_INVALID_VALUE = 3,
  HIPBLAS_STATUS_MAPPING_ERROR = 4,
  HIPBLAS_STATUS_EXECUTION_FAILED = 5,
  HIPBLAS_STATUS_INTERNAL_ERROR = 6,
  HIPBLAS_STATUS_NOT_SUPPORTED = 7,
  HIPBLAS_STATUS_ARCH_MISMATCH = 8,
  HIPBLAS_STATUS_HANDLE_IS_NULLPTR = 9,
  HIPBLAS_STATUS_INVALID_ENUM = 10,
  HIPBLAS_STATUS_UNKNOWN = 11
} hipblasStatus_t;

typedef enum { HIPBLAS_OP_N = 111, HIPBLAS_OP_T = 112, HIPBLAS_OP_C = 113 } hipblasOperation_t;
typedef enum { HIPBLAS_POINTER_MODE_HOST, HIPBLAS_POINTER_MODE_DEVICE } hipblasPointerMode_t;
typedef enum {
  HIPBLAS_FILL_MODE_UPPER = 121,
  HIPBLAS_FILL_MODE_LOWER = 122,
  HIPBLAS_FILL_MODE_FULL = 123
} hipblasFillMode_t;
typedef enum { HIPBLAS_DIAG_NON_UNIT = 131, HIPBLAS_DIAG_UNIT = 132 } hipblasDiagType_t;
typedef enum {
  HIPBLAS_SIDE_LEFT = 141,
  HIPBLAS_SIDE_RIGHT = 142,
  HIPBLAS_SIDE_BOTH = 143
} hipblasSideMode_t;
typedef enum { HIPBLAS_GEMM_DEFAULT = 160 } hipblasGemmAlgo_t;
typedef enum { HIPBLAS_ATOMICS_NOT_ALLOWED = 0, HIPBLAS_ATOMICS_ALLOWED = 1 } hipblasAtomicsMode_t;

typedef enum {
  HIPBLAS_R_16F = 150,
  HIPBLAS_R_32F = 151,
  HIPBLAS_R_64F = 152,
  HIPBLAS_C_16F = 153,
  HIPBLAS_C_32F = 154,
  HIPBLAS_C_64F = 155,
  HIPBLAS_R_8I = 160,
  HIPBLAS_R_8U = 161,
  HIPBLAS_R_32I = 162,
  HIPBLAS_R_32U = 163,
  HIPBLAS_C_8I = 164,
  HIPBLAS_C_8U = 165,
  HIPBLAS_C_32I = 166,
  HIPBLAS_C_32U = 167,
  HIPBLAS_R_16B = 168,
  HIPBLAS_C_16B = 169
} hipblasDatatype_t;

typedef enum {
  HIPBLAS_COMPUTE_16F = 0,
  HIPBLAS_COMPUTE_16F_PEDANTIC = 1,
  HIPBLAS_COMPUTE_32F = 2,
  HIPBLAS_COMPUTE_32F_PEDANTIC = 3,
  HIPBLAS_COMPUTE_32F_FAST_16F = 4,
  HIPBLAS_COMPUTE_32F_FAST_16BF = 5,
  HIPBLAS_COMPUTE_32F_FAST_TF32 = 6,
  HIPBLAS_COMPUTE_64F = 7,
  HIPBLAS_COMPUTE_64F_PEDANTIC = 8,
  HIPBLAS_COMPUTE_32I = 9,
  HIPBLAS_COMPUTE_32I_PEDANTIC = 10
} hipblasComputeType_t;

#ifdef __cplusplus
extern "C" {
#endif

hipblasStatus_t hipblasCreate(hipblasHandle_t* handle);
hipblasStatus_t hipblasDestroy(hipblasHandle_t handle);
hipblasStatus_t hipblasSetStream(hipblasHandle_t handle, hipStream_t streamId);
hipblasStatus_t hipblasGetStream(hipblasHandle_t handle, hipStream_t* streamId);
hipblasStatus_t hipblasSetPointerMode(hipblasHandle_t handle, hipblasPointerMode_t mode);
hipblasStatus_t hipblasGetPointerMode(hipblasHandle_t handle, hipblasPointerMode_t* mode);
hipblasStatus_t hipblasSetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t atomics_mode);
hipblasStatus_t hipblasGetAtomicsMode(hipblasHandle_t handle, hipblasAtomicsMode_t* atomics_mode);
const char* hipblasStatusToString(hipblasStatus_t status);

hipblasStatus_t hipblasSaxpy(
    hipblasHandle_t handle, int n, const float* alpha, const float* x, int incx, float* y,
    int incy);
hipblasStatus_t hipblasDaxpy(
    hipblasHandle_t handle, int n, const double* alpha, const double* x, int incx, double* y,
    int incy);
hipblasStatus_t hipblasCaxpy(
    hipblasHandle_t handle, int n, const hipblasComplex* alpha, const hipblasComplex* x, int incx,
    hipblasComplex* y, int incy);
hipblasStatus_t hipblasZaxpy(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* x,
    int incx, hipblasDoubleComplex* y, int incy);
hipblasStatus_t hipblasScopy(
    hipblasHandle_t handle, int n, const float* x, int incx, float* y, int incy);
hipblasStatus_t hipblasDcopy(
    hipblasHandle_t handle, int n, const double* x, int incx, double* y, int incy);
hipblasStatus_t hipblasCcopy(
    hipblasHandle_t handle, int n, const hipblasComplex* x, int incx, hipblasComplex* y, int incy);
hipblasStatus_t hipblasZcopy(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* x, int incx, hipblasDoubleComplex* y,
    int incy);
hipblasStatus_t hipblasSscal(hipblasHandle_t handle, int n, const float* alpha, float* x, int incx);
hipblasStatus_t hipblasDscal(
    hipblasHandle_t handle, int n, const double* alpha, double* x, int incx);
hipblasStatus_t hipblasCscal(
    hipblasHandle_t handle, int n, const hipblasComplex* alpha, hipblasComplex* x, int incx);
hipblasStatus_t hipblasZscal(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* alpha, hipblasDoubleComplex* x,
    int incx);
hipblasStatus_t hipblasSswap(hipblasHandle_t handle, int n, float* x, int incx, float* y, int incy);
hipblasStatus_t hipblasDswap(
    hipblasHandle_t handle, int n, double* x, int incx, double* y, int incy);
hipblasStatus_t hipblasCswap(
    hipblasHandle_t handle, int n, hipblasComplex* x, int incx, hipblasComplex* y, int incy);
hipblasStatus_t hipblasZswap(
    hipblasHandle_t handle, int n, hipblasDoubleComplex* x, int incx, hipblasDoubleComplex* y,
    int incy);
hipblasStatus_t hipblasSdot(
    hipblasHandle_t handle, int n, const float* x, int incx, const float* y, int incy,
    float* result);
hipblasStatus_t hipblasDdot(
    hipblasHandle_t handle, int n, const double* x, int incx, const double* y, int incy,
    double* result);
hipblasStatus_t hipblasCdotu(
    hipblasHandle_t handle, int n, const hipblasComplex* x, int incx, const hipblasComplex* y,
    int incy, hipblasComplex* result);
hipblasStatus_t hipblasCdotc(
    hipblasHandle_t handle, int n, const hipblasComplex* x, int incx, const hipblasComplex* y,
    int incy, hipblasComplex* result);
hipblasStatus_t hipblasZdotu(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* x, int incx,
    const hipblasDoubleComplex* y, int incy, hipblasDoubleComplex* result);
hipblasStatus_t hipblasZdotc(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* x, int incx,
    const hipblasDoubleComplex* y, int incy, hipblasDoubleComplex* result);
hipblasStatus_t hipblasHdot(
    hipblasHandle_t handle, int n, const hipblasHalf* x, int incx, const hipblasHalf* y, int incy,
    hipblasHalf* result);
hipblasStatus_t hipblasBfdot(
    hipblasHandle_t handle, int n, const hipblasBfloat16* x, int incx, const hipblasBfloat16* y,
    int incy, hipblasBfloat16* result);
hipblasStatus_t hipblasSnrm2(
    hipblasHandle_t handle, int n, const float* x, int incx, float* result);
hipblasStatus_t hipblasDnrm2(
    hipblasHandle_t handle, int n, const double* x, int incx, double* result);
hipblasStatus_t hipblasScnrm2(
    hipblasHandle_t handle, int n, const hipblasComplex* x, int incx, float* result);
hipblasStatus_t hipblasDznrm2(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* x, int incx, double* result);
hipblasStatus_t hipblasSasum(
    hipblasHandle_t handle, int n, const float* x, int incx, float* result);
hipblasStatus_t hipblasDasum(
    hipblasHandle_t handle, int n, const double* x, int incx, double* result);
hipblasStatus_t hipblasScasum(
    hipblasHandle_t handle, int n, const hipblasComplex* x, int incx, float* result);
hipblasStatus_t hipblasDzasum(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* x, int incx, double* result);
hipblasStatus_t hipblasIsamax(hipblasHandle_t handle, int n, const float* x, int incx, int* result);
hipblasStatus_t hipblasIdamax(
    hipblasHandle_t handle, int n, const double* x, int incx, int* result);
hipblasStatus_t hipblasIcamax(
    hipblasHandle_t handle, int n, const hipblasComplex* x, int incx, int* result);
hipblasStatus_t hipblasIzamax(
    hipblasHandle_t handle, int n, const hipblasDoubleComplex* x, int incx, int* result);
hipblasStatus_t hipblasIsamin(hipblasHandle_t handle, int n, const float* x, int incx, int* result);
hipblasStatus_t hipblasIdamin(
    hipblasHandle_t handle, int n, const double* x, int incx, int* result);
hipblasStatus_t hipblasSgemv(
    hipblasHandle_t handle, hipblasOperation_t trans, int m, int n, const float* alpha,
    const float* AP, int lda, const float* x, int incx, const float* beta, float* y, int incy);
hipblasStatus_t hipblasDgemv(
    hipblasHandle_t handle, hipblasOperation_t trans, int m, int n, const double* alpha,
    const double* AP, int lda, const double* x, int incx, const double* beta, double* y, int incy);
hipblasStatus_t hipblasCgemv(
    hipblasHandle_t handle, hipblasOperation_t trans, int m, int n, const hipblasComplex* alpha,
    const hipblasComplex* AP, int lda, const hipblasComplex* x, int incx,
    const hipblasComplex* beta, hipblasComplex* y, int incy);
hipblasStatus_t hipblasZgemv(
    hipblasHandle_t handle, hipblasOperation_t trans, int m, int n,
    const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* AP, int lda,
    const hipblasDoubleComplex* x, int incx, const hipblasDoubleComplex* beta,
    hipblasDoubleComplex* y, int incy);
hipblasStatus_t hipblasSger(
    hipblasHandle_t handle, int m, int n, const float* alpha, const float* x, int incx,
    const float* y, int incy, float* AP, int lda);
hipblasStatus_t hipblasDger(
    hipblasHandle_t handle, int m, int n, const double* alpha, const double* x, int incx,
    const double* y, int incy, double* AP, int lda);
hipblasStatus_t hipblasSgeam(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    const float* alpha, const float* AP, int lda, const float* beta, const float* BP, int ldb,
    float* CP, int ldc);
hipblasStatus_t hipblasDgeam(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    const double* alpha, const double* AP, int lda, const double* beta, const double* BP, int ldb,
    double* CP, int ldc);
hipblasStatus_t hipblasCgeam(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    const hipblasComplex* alpha, const hipblasComplex* AP, int lda, const hipblasComplex* beta,
    const hipblasComplex* BP, int ldb, hipblasComplex* CP, int ldc);
hipblasStatus_t hipblasZgeam(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* AP, int lda,
    const hipblasDoubleComplex* beta, const hipblasDoubleComplex* BP, int ldb,
    hipblasDoubleComplex* CP, int ldc);
hipblasStatus_t hipblasHgemm(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasHalf* alpha, const hipblasHalf* AP, int lda, const hipblasHalf* BP, int ldb,
    const hipblasHalf* beta, hipblasHalf* CP, int ldc);
hipblasStatus_t hipblasSgemm(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const float* alpha, const float* AP, int lda, const float* BP, int ldb,
    const float* beta, float* CP, int ldc);
hipblasStatus_t hipblasDgemm(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const double* alpha, const double* AP, int lda, const double* BP, int ldb,
    const double* beta, double* CP, int ldc);
hipblasStatus_t hipblasCgemm(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasComplex* alpha, const hipblasComplex* AP, int lda, const hipblasComplex* BP,
    int ldb, const hipblasComplex* beta, hipblasComplex* CP, int ldc);
hipblasStatus_t hipblasZgemm(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* AP, int lda,
    const hipblasDoubleComplex* BP, int ldb, const hipblasDoubleComplex* beta,
    hipblasDoubleComplex* CP, int ldc);
hipblasStatus_t hipblasHgemmBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasHalf* alpha, const hipblasHalf* const AP[], int lda,
    const hipblasHalf* const BP[], int ldb, const hipblasHalf* beta, hipblasHalf* const CP[],
    int ldc, int batchCount);
hipblasStatus_t hipblasSgemmBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const float* alpha, const float* const AP[], int lda, const float* const BP[], int ldb,
    const float* beta, float* const CP[], int ldc, int batchCount);
hipblasStatus_t hipblasDgemmBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const double* alpha, const double* const AP[], int lda, const double* const BP[],
    int ldb, const double* beta, double* const CP[], int ldc, int batchCount);
hipblasStatus_t hipblasCgemmBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasComplex* alpha, const hipblasComplex* const AP[], int lda,
    const hipblasComplex* const BP[], int ldb, const hipblasComplex* beta,
    hipblasComplex* const CP[], int ldc, int batchCount);
hipblasStatus_t hipblasZgemmBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* const AP[], int lda,
    const hipblasDoubleComplex* const BP[], int ldb, const hipblasDoubleComplex* beta,
    hipblasDoubleComplex* const CP[], int ldc, int batchCount);
hipblasStatus_t hipblasHgemmStridedBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasHalf* alpha, const hipblasHalf* AP, int lda, long long strideA,
    const hipblasHalf* BP, int ldb, long long strideB, const hipblasHalf* beta, hipblasHalf* CP,
    int ldc, long long strideC, int batchCount);
hipblasStatus_t hipblasSgemmStridedBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const float* alpha, const float* AP, int lda, long long strideA, const float* BP,
    int ldb, long long strideB, const float* beta, float* CP, int ldc, long long strideC,
    int batchCount);
hipblasStatus_t hipblasDgemmStridedBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const double* alpha, const double* AP, int lda, long long strideA, const double* BP,
    int ldb, long long strideB, const double* beta, double* CP, int ldc, long long strideC,
    int batchCount);
hipblasStatus_t hipblasCgemmStridedBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasComplex* alpha, const hipblasComplex* AP, int lda, long long strideA,
    const hipblasComplex* BP, int ldb, long long strideB, const hipblasComplex* beta,
    hipblasComplex* CP, int ldc, long long strideC, int batchCount);
hipblasStatus_t hipblasZgemmStridedBatched(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* AP, int lda,
    long long strideA, const hipblasDoubleComplex* BP, int ldb, long long strideB,
    const hipblasDoubleComplex* beta, hipblasDoubleComplex* CP, int ldc, long long strideC,
    int batchCount);
hipblasStatus_t hipblasStrsm(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n, const float* alpha,
    const float* AP, int lda, float* BP, int ldb);
hipblasStatus_t hipblasDtrsm(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n, const double* alpha,
    const double* AP, int lda, double* BP, int ldb);
hipblasStatus_t hipblasCtrsm(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n, const hipblasComplex* alpha,
    const hipblasComplex* AP, int lda, hipblasComplex* BP, int ldb);
hipblasStatus_t hipblasZtrsm(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n,
    const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* AP, int lda,
    hipblasDoubleComplex* BP, int ldb);
hipblasStatus_t hipblasStrsmBatched(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n, const float* alpha,
    const float* const AP[], int lda, float* const BP[], int ldb, int batchCount);
hipblasStatus_t hipblasDtrsmBatched(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n, const double* alpha,
    const double* const AP[], int lda, double* const BP[], int ldb, int batchCount);
hipblasStatus_t hipblasCtrsmBatched(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n, const hipblasComplex* alpha,
    const hipblasComplex* const AP[], int lda, hipblasComplex* const BP[], int ldb, int batchCount);
hipblasStatus_t hipblasZtrsmBatched(
    hipblasHandle_t handle, hipblasSideMode_t side, hipblasFillMode_t uplo,
    hipblasOperation_t transA, hipblasDiagType_t diag, int m, int n,
    const hipblasDoubleComplex* alpha, const hipblasDoubleComplex* const AP[], int lda,
    hipblasDoubleComplex* const BP[], int ldb, int batchCount);
hipblasStatus_t hipblasSgetrfBatched(
    hipblasHandle_t handle, int n, float* const A[], int lda, int* ipiv, int* info, int batchCount);
hipblasStatus_t hipblasDgetrfBatched(
    hipblasHandle_t handle, int n, double* const A[], int lda, int* ipiv, int* info,
    int batchCount);
hipblasStatus_t hipblasCgetrfBatched(
    hipblasHandle_t handle, int n, hipblasComplex* const A[], int lda, int* ipiv, int* info,
    int batchCount);
hipblasStatus_t hipblasZgetrfBatched(
    hipblasHandle_t handle, int n, hipblasDoubleComplex* const A[], int lda, int* ipiv, int* info,
    int batchCount);
hipblasStatus_t hipblasSgetrsBatched(
    hipblasHandle_t handle, hipblasOperation_t trans, int n, int nrhs, float* const A[], int lda,
    const int* ipiv, float* const B[], int ldb, int* info, int batchCount);
hipblasStatus_t hipblasDgetrsBatched(
    hipblasHandle_t handle, hipblasOperation_t trans, int n, int nrhs, double* const A[], int lda,
    const int* ipiv, double* const B[], int ldb, int* info, int batchCount);
hipblasStatus_t hipblasCgetrsBatched(
    hipblasHandle_t handle, hipblasOperation_t trans, int n, int nrhs, hipblasComplex* const A[],
    int lda, const int* ipiv, hipblasComplex* const B[], int ldb, int* info, int batchCount);
hipblasStatus_t hipblasZgetrsBatched(
    hipblasHandle_t handle, hipblasOperation_t trans, int n, int nrhs,
    hipblasDoubleComplex* const A[], int lda, const int* ipiv, hipblasDoubleComplex* const B[],
    int ldb, int* info, int batchCount);
hipblasStatus_t hipblasSgetriBatched(
    hipblasHandle_t handle, int n, float* const A[], int lda, int* ipiv, float* const C[], int ldc,
    int* info, int batchCount);
hipblasStatus_t hipblasDgetriBatched(
    hipblasHandle_t handle, int n, double* const A[], int lda, int* ipiv, double* const C[],
    int ldc, int* info, int batchCount);
hipblasStatus_t hipblasCgetriBatched(
    hipblasHandle_t handle, int n, hipblasComplex* const A[], int lda, int* ipiv,
    hipblasComplex* const C[], int ldc, int* info, int batchCount);
hipblasStatus_t hipblasZgetriBatched(
    hipblasHandle_t handle, int n, hipblasDoubleComplex* const A[], int lda, int* ipiv,
    hipblasDoubleComplex* const C[], int ldc, int* info, int batchCount);
hipblasStatus_t hipblasSgeqrfBatched(
    hipblasHandle_t handle, int m, int n, float* const A[], int lda, float* const ipiv[], int* info,
    int batchCount);
hipblasStatus_t hipblasDgeqrfBatched(
    hipblasHandle_t handle, int m, int n, double* const A[], int lda, double* const ipiv[],
    int* info, int batchCount);
hipblasStatus_t hipblasCgeqrfBatched(
    hipblasHandle_t handle, int m, int n, hipblasComplex* const A[], int lda,
    hipblasComplex* const ipiv[], int* info, int batchCount);
hipblasStatus_t hipblasZgeqrfBatched(
    hipblasHandle_t handle, int m, int n, hipblasDoubleComplex* const A[], int lda,
    hipblasDoubleComplex* const ipiv[], int* info, int batchCount);

#ifdef HIPBLAS_V2
hipblasStatus_t hipblasGemmEx(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const void* alpha, const void* A, hipDataType aType, int lda, const void* B,
    hipDataType bType, int ldb, const void* beta, void* C, hipDataType cType, int ldc,
    hipblasComputeType_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasGemmBatchedEx(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const void* alpha, const void* A[], hipDataType aType, int lda, const void* B[],
    hipDataType bType, int ldb, const void* beta, void* C[], hipDataType cType, int ldc,
    int batchCount, hipblasComputeType_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasGemmStridedBatchedEx(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const void* alpha, const void* A, hipDataType aType, int lda, hipblasStride strideA,
    const void* B, hipDataType bType, int ldb, hipblasStride strideB, const void* beta, void* C,
    hipDataType cType, int ldc, hipblasStride strideC, int batchCount,
    hipblasComputeType_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasAxpyEx(
    hipblasHandle_t handle, int n, const void* alpha, hipDataType alphaType, const void* x,
    hipDataType xType, int incx, void* y, hipDataType yType, int incy, hipDataType executionType);
hipblasStatus_t hipblasDotEx(
    hipblasHandle_t handle, int n, const void* x, hipDataType xType, int incx, const void* y,
    hipDataType yType, int incy, void* result, hipDataType resultType, hipDataType executionType);
hipblasStatus_t hipblasNrm2Ex(
    hipblasHandle_t handle, int n, const void* x, hipDataType xType, int incx, void* result,
    hipDataType resultType, hipDataType executionType);
hipblasStatus_t hipblasScalEx(
    hipblasHandle_t handle, int n, const void* alpha, hipDataType alphaType, void* x,
    hipDataType xType, int incx, hipDataType executionType);
#else
hipblasStatus_t hipblasGemmEx(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const void* alpha, const void* A, hipblasDatatype_t aType, int lda, const void* B,
    hipblasDatatype_t bType, int ldb, const void* beta, void* C, hipblasDatatype_t cType, int ldc,
    hipblasDatatype_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasGemmBatchedEx(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const void* alpha, const void* A[], hipblasDatatype_t aType, int lda, const void* B[],
    hipblasDatatype_t bType, int ldb, const void* beta, void* C[], hipblasDatatype_t cType, int ldc,
    int batchCount, hipblasDatatype_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasGemmStridedBatchedEx(
    hipblasHandle_t handle, hipblasOperation_t transA, hipblasOperation_t transB, int m, int n,
    int k, const void* alpha, const void* A, hipblasDatatype_t aType, int lda,
    hipblasStride strideA, const void* B, hipblasDatatype_t bType, int ldb, hipblasStride strideB,
    const void* beta, void* C, hipblasDatatype_t cType, int ldc, hipblasStride strideC,
    int batchCount, hipblasDatatype_t computeType, hipblasGemmAlgo_t algo);
hipblasStatus_t hipblasAxpyEx(
    hipblasHandle_t handle, int n, const void* alpha, hipblasDatatype_t alphaType, const void* x,
    hipblasDatatype_t xType, int incx, void* y, hipblasDatatype_t yType, int incy,
    hipblasDatatype_t executionType);
hipblasStatus_t hipblasDotEx(
    hipblasHandle_t handle, int n, const void* x, hipblasDatatype_t xType, int incx, const void* y,
    hipblasDatatype_t yType, int incy, void* result, hipblasDatatype_t resultType,
    hipblasDatatype_t executionType);
hipblasStatus_t hipblasNrm2Ex(
    hipblasHandle_t handle, int n, const void* x, hipblasDatatype_t xType, int incx, void* result,
    hipblasDatatype_t resultType, hipblasDatatype_t executionType);
hipblasStatus_t hipblasScalEx(
    hipblasHandle_t handle, int n, const void* alpha, hipblasDatatype_t alphaType, void* x,
    hipblasDatatype_t xType, int incx, hipblasDatatype_t executionType);
#endif

#ifdef __cplusplus
}
#endif
