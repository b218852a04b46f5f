// Declaration stand-in for hipSOLVER, after the public interface of hipSOLVER 1.8 (ROCm 5.6).
// Nothing here can be linked.
#pragma once
#include <hip/hip_complex.h>
#include <hip/hip_runtime_api.h>

typedef void* hipsolverHandle_t;
typedef hipsolverHandle_t hipsolverDnHandle_t;

typedef enum {
  HIPSOLVER_STATUS_SUCCESS = 0,
  HIPSOLVER_STATUS_NOT_INITIALIZED = 1,
  HIPSOLVER_STATUS_ALLOC_FAILED = 2,
  HIPSOLVER_STATUS_INVALID_VALUE = 3,
  HIPSOLVER_STATUS_MAPPING_ERROR = 4,
  HIPSOLVER_STATUS_EXECUTION_FAILED = 5,
  HIPSOLVER_STATUS_INTERNAL_ERROR = 6,
  HIPSOLVER_STATUS_NOT_SUPPORTED = 7,
  HIPSOLVER_STATUS_ARCH_MISMATCH = 8,
  HIPSOLVER_STATUS_HANDLE_IS_NULLPTR = 9,
  HIPSOLVER_STATUS_INVALID_ENUM = 10,
  HIPSOLVER_STATUS_UNKNOWN = 11,
  HIPSOLVER_STATUS_ZERO_PIVOT = 12,
  HIPSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 13
} hipsolverStatus_t;

typedef enum { HIPSOLVER_OP_N = 111, HIPSOLVER_OP_T = 112, HIPSOLVER_OP_C = 113 } hipsolverOperation_t;
typedef enum { HIPSOLVER_FILL_MODE_UPPER = 121, HIPSOLVER_FILL_MODE_LOWER = 122 } hipsolverFillMode_t;
typedef enum { HIPSOLVER_SIDE_LEFT = 141, HIPSOLVER_SIDE_RIGHT = 142 } hipsolverSideMode_t;
typedef enum { HIPSOLVER_EIG_MODE_NOVECTOR = 201, HIPSOLVER_EIG_MODE_VECTOR = 202 } hipsolverEigMode_t;

#ifdef __cplusplus
extern "C" {
#endif

hipsolverStatus_t hipsolverCreate(hipsolverHandle_t* handle);
hipsolverStatus_t hipsolverDestroy(hipsolverHandle_t handle);
hipsolverStatus_t hipsolverSetStream(hipsolverHandle_t handle, hipStream_t streamId);
hipsolverStatus_t hipsolverGetStream(hipsolverHandle_t handle, hipStream_t* streamId);
hipsolverStatus_t hipsolverDnCreate(hipsolverHandle_t* handle);
hipsolverStatus_t hipsolverDnDestroy(hipsolverHandle_t handle);
hipsolverStatus_t hipsolverDnSetStream(hipsolverHandle_t handle, hipStream_t streamId);
hipsolverStatus_t hipsolverSgetrf_bufferSize(hipsolverHandle_t handle, int m, int n, float* A,
                                             int lda, int* lwork);
hipsolverStatus_t hipsolverDgetrf_bufferSize(hipsolverHandle_t handle, int m, int n, double* A,
                                             int lda, int* lwork);
hipsolverStatus_t hipsolverSgetrf(hipsolverHandle_t handle, int m, int n, float* A, int lda,
                                  float* work, int lwork, int* devIpiv, int* devInfo);
hipsolverStatus_t hipsolverDgetrf(hipsolverHandle_t handle, int m, int n, double* A, int lda,
                                  double* work, int lwork, int* devIpiv, int* devInfo);
hipsolverStatus_t hipsolverSpotrf_bufferSize(hipsolverHandle_t handle, hipsolverFillMode_t uplo,
                                             int n, float* A, int lda, int* lwork);
hipsolverStatus_t hipsolverDpotrf_bufferSize(hipsolverHandle_t handle, hipsolverFillMode_t uplo,
                                             int n, double* A, int lda, int* lwork);
hipsolverStatus_t hipsolverSpotrf(hipsolverHandle_t handle, hipsolverFillMode_t uplo, int n,
                                  float* A, int lda, float* work, int lwork, int* devInfo);
hipsolverStatus_t hipsolverDpotrf(hipsolverHandle_t handle, hipsolverFillMode_t uplo, int n,
                                  double* A, int lda, double* work, int lwork, int* devInfo);

#ifdef __cplusplus
}
#endif
