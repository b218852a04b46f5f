"""Names that torch's tables lack or send to a place that does not exist, each with its source.

A gap does not replace an entry of torch's unless it `wins`; a torch that learns the name
decides again. `older` is what the name was called before, for HIP installations whose headers
do not have the newer one.
"""

from __future__ import annotations

from typing import NamedTuple

NAMESPACES = {"cub": "hipcub"}
"""Namespaces mapped as such. *Source*: hipCUB mirrors CUB's API (ROCm/hipCUB, README)."""


class Gap(NamedTuple):
    """One addition: `cuda` becomes `hip` where names of this `shape` stand (see `Tables`)."""

    shape: str
    cuda: str
    hip: str
    source: str
    wins: bool = False


_HIP_COMPLEX = "HIP 5.2.3, hip/amd_detail/amd_hip_complex.h"
_HIPIFY_DEVICE = "ROCm/HIPIFY, src/CUDA2HIP_Device_functions.cpp"
_HIPIFY_BLAS = "ROCm/HIPIFY, src/CUDA2HIP_BLAS_API_types.cpp"
_TORCH_HIPIFY = "torch 2.13, hipify of its own ATen/cuda headers"
_GROUPS = "HIP 5.2.3 and ROCm 6.4 have one header of cooperative groups, and use shows the rest"
_ROCTX = "ROCm/roctracer, inc/roctx.h"

_COMPLEX_WORDS = (
    "cuFloatComplex", "cuDoubleComplex", "cuComplex", "make_cuFloatComplex",
    "make_cuDoubleComplex", "make_cuComplex", "cuCrealf", "cuCimagf", "cuCreal", "cuCimag",
    "cuConjf", "cuConj", "cuCaddf", "cuCadd", "cuCsubf", "cuCsub", "cuCmulf", "cuCmul", "cuCdivf",
    "cuCdiv", "cuCabsf", "cuCabs", "cuCfmaf", "cuCfma", "cuComplexFloatToDouble",
    "cuComplexDoubleToFloat",
)  # fmt: skip

_NVTX_WORDS = (
    ("nvtxRangePushA", "roctxRangePushA"),
    ("nvtxRangePush", "roctxRangePush"),
    ("nvtxRangePop", "roctxRangePop"),
    ("nvtxMarkA", "roctxMarkA"),
    ("nvtxMark", "roctxMark"),
    ("nvtxRangeStartA", "roctxRangeStartA"),
    ("nvtxRangeEnd", "roctxRangeStop"),
)

NVTX_HEADER = "nvToolsExt.h"
"""NVTX's own header: where a project brings it along, nothing stands in for its names."""

_HEADERS = (
    ("cooperative_groups/reduce.h", "hip/hip_cooperative_groups.h", _GROUPS),
    ("cooperative_groups/scan.h", "hip/hip_cooperative_groups.h", _GROUPS),
    ("cooperative_groups/memcpy_async.h", "hip/hip_cooperative_groups.h", _GROUPS),
    ("device_launch_parameters.h", "hip/hip_runtime.h", "HIP declares threadIdx there"),
    ("math_constants.h", "hip/hip_math_constants.h", "ROCm 5.7, hip/hip_math_constants.h"),
    ("cuda_fp8.h", "hip/hip_fp8.h", "ROCm 6.0, hip/hip_fp8.h"),
    ("cuda_bf16.hpp", "hip/hip_bf16.h", "torch 2.13 maps cuda_bf16.h"),
    ("cuda_fp16.hpp", "hip/hip_fp16.h", "torch 2.13 maps cuda_fp16.h"),
    ("sm_20_intrinsics.h", "hip/hip_runtime.h", "part of cuda_runtime.h in CUDA"),
    ("sm_30_intrinsics.h", "hip/hip_runtime.h", "part of cuda_runtime.h in CUDA"),
    ("host_defines.h", "hip/hip_runtime.h", "part of cuda_runtime.h in CUDA"),
    ("cusparse_v2.h", "hipsparse/hipsparse.h", "the newer name of cusparse.h in CUDA"),
    ("cusolverDn.h", "hipsolver/hipsolver.h", "ROCm/hipSOLVER, library/include"),
    ("cusolverSp.h", "hipsolver/hipsolver.h", "ROCm/hipSOLVER, library/include"),
    ("cusolver_common.h", "hipsolver/hipsolver.h", "ROCm/hipSOLVER, library/include"),
    ("cublas_api.h", "hipblas/hipblas.h", "included by cublas_v2.h in CUDA"),
    ("nvtx3/nvToolsExt.h", "roctracer/roctx.h", _ROCTX),
    ("nvtx3/nvToolsExtCuda.h", "roctracer/roctx.h", _ROCTX),
    ("nvtx3/nvToolsExtCudaRt.h", "roctracer/roctx.h", _ROCTX),
    ("nvToolsExtCuda.h", "roctracer/roctx.h", _ROCTX),
    ("nvToolsExtCudaRt.h", "roctracer/roctx.h", _ROCTX),
    ("THC/THCAtomics.cuh", "ATen/hip/Atomic.cuh", "removed from torch in 1.11; ATen/cuda"),
    ("THC/THCDeviceUtils.cuh", "ATen/hip/DeviceUtils.cuh", "removed from torch in 1.11"),
    ("THC/THCDeviceUtils.h", "ATen/hip/DeviceUtils.cuh", "removed from torch in 1.11"),
    ("THC/THC.h", "ATen/hip/HIPContext.h", "removed from torch in 1.11"),
    ("THC/THCGeneral.h", "ATen/hip/HIPContext.h", "removed from torch in 1.11"),
)

_WORDS = (
    ("nv_bfloat16", "__hip_bfloat16", "cuda_bf16.h: a typedef of __nv_bfloat16"),
    ("nv_bfloat162", "__hip_bfloat162", "cuda_bf16.h: a typedef of __nv_bfloat162"),
    ("nv_half", "__half", "cuda_fp16.h: a typedef of __half"),
    ("nv_half2", "__half2", "cuda_fp16.h: a typedef of __half2"),
    ("__nv_fp8_e4m3", "__hip_fp8_e4m3_fnuz", _HIPIFY_DEVICE),
    ("__nv_fp8_e5m2", "__hip_fp8_e5m2_fnuz", _HIPIFY_DEVICE),
    ("__nv_fp8x2_e4m3", "__hip_fp8x2_e4m3_fnuz", _HIPIFY_DEVICE),
    ("__nv_fp8x4_e4m3", "__hip_fp8x4_e4m3_fnuz", _HIPIFY_DEVICE),
    ("__nv_fp8x2_e5m2", "__hip_fp8x2_e5m2_fnuz", _HIPIFY_DEVICE),
    ("__nv_fp8x4_e5m2", "__hip_fp8x4_e5m2_fnuz", _HIPIFY_DEVICE),
    ("__nv_fp8_storage_t", "__hip_fp8_storage_t", _HIPIFY_DEVICE),
    ("__nv_fp8x2_storage_t", "__hip_fp8x2_storage_t", _HIPIFY_DEVICE),
    ("__nv_fp8x4_storage_t", "__hip_fp8x4_storage_t", _HIPIFY_DEVICE),
    ("__nv_fp8_interpretation_t", "__hip_fp8_interpretation_t", _HIPIFY_DEVICE),
    ("__nv_saturation_t", "__hip_saturation_t", _HIPIFY_DEVICE),
    ("cublasMath_t", "hipblasMath_t", _HIPIFY_BLAS),
    ("cublasSetMathMode", "hipblasSetMathMode", _HIPIFY_BLAS),
    ("cublasGetMathMode", "hipblasGetMathMode", _HIPIFY_BLAS),
    ("CUBLAS_DEFAULT_MATH", "HIPBLAS_DEFAULT_MATH", _HIPIFY_BLAS),
    ("CUBLAS_TENSOR_OP_MATH", "HIPBLAS_TENSOR_OP_MATH", _HIPIFY_BLAS),
    ("CUBLAS_PEDANTIC_MATH", "HIPBLAS_PEDANTIC_MATH", _HIPIFY_BLAS),
    ("CUBLAS_TF32_TENSOR_OP_MATH", "HIPBLAS_TF32_TENSOR_OP_MATH", _HIPIFY_BLAS),
    ("cudaLaunchConfig_t", "hipLaunchConfig_t", "ROCm 6.4, hip/hip_runtime_api.h"),
    ("cudaLaunchAttribute", "hipLaunchAttribute", "ROCm 6.4, hip/hip_runtime_api.h"),
    ("cudaLaunchAttributeValue", "hipLaunchAttributeValue", "ROCm 6.4"),
    ("cudaLaunchAttributeID", "hipLaunchAttributeID", "ROCm 6.4"),
    ("cudaLaunchKernelExC", "hipLaunchKernelExC", "ROCm 6.4, hip/hip_runtime_api.h"),
    ("cudaLaunchKernelEx", "hipLaunchKernelEx", "ROCm 6.4, hip/hip_runtime_api.h"),
    ("CUDART_INF_F", "HIP_INF_F", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_NAN_F", "HIP_NAN_F", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_INF", "HIP_INF", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_NAN", "HIP_NAN", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_PI_F", "HIP_PI_F", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_PI", "HIP_PI", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_MAX_NORMAL_F", "HIP_MAX_NORMAL_F", "ROCm 5.7, hip/hip_math_constants.h"),
    ("CUDART_MIN_DENORM_F", "HIP_MIN_DENORM_F", "ROCm 5.7, hip/hip_math_constants.h"),
)


def _gaps() -> tuple[Gap, ...]:
    found = [Gap("headers", cuda, hip, source) for cuda, hip, source in _HEADERS]
    found += [Gap("words", cuda, hip, source) for cuda, hip, source in _WORDS]
    found += [
        Gap("words", name, name.replace("cu", "hip", 1), _HIP_COMPLEX)
        for name in _COMPLEX_WORDS
    ]
    found += [Gap("words", cuda, hip, _ROCTX) for cuda, hip in _NVTX_WORDS]
    return tuple(found)


GAPS = _gaps()

WHOLE_FOLDERS = {"cub": "hipcub/hipcub.hpp"}
"""Folders of which every header becomes one. *Source*: ROCm/hipCUB, hipcub/hipcub.hpp."""

OLDER_WORDS = {
    "HIPSPARSE_ORDER_COL": "HIPSPARSE_ORDER_COLUMN",
    "__trap": "__builtin_trap",
    "__hip_bfloat16": "hip_bfloat16",
}
OLDER_HEADERS = {
    "hip/hip_bf16.h": "hip/hip_bfloat16.h",
    "hip/hip_math_constants.h": "hip/hip_runtime.h",
    "hip/hip_fp8.h": "hip/hip_runtime.h",
}
"""What stands in for a name or header that the installed HIP does not have yet.

*Source*: HIP 5.2.3 has hip/hip_bfloat16.h with `hip_bfloat16`; ROCm 5.6 brought hip_bf16.h.
hipsparse 5.3 spells the order HIPSPARSE_ORDER_COLUMN. `__builtin_trap` is clang's own.
"""

STANDARD_HEADERS = (
    ("climits", ("INT_MAX", "INT_MIN", "UINT_MAX", "LLONG_MAX", "ULLONG_MAX", "CHAR_BIT")),
    ("cfloat", ("FLT_MAX", "FLT_MIN", "FLT_EPSILON", "DBL_MAX", "DBL_MIN", "DBL_EPSILON")),
    ("functional", ("std::function",)),
    ("iostream", ("std::cerr", "std::cout")),
)
"""Standard headers that CUDA sources get without asking, and the names that tell they count on it.

*Source*: CUDA 13.0, driver_types.h includes limits.h in every unit; the others came with the
headers that old sources were written against. HIP 5.2.3 includes none of them.
"""

VERSION_MACROS = {
    "CUDA_VERSION": "TORCH_HIP_VERSION",
    "CUDART_VERSION": "",
    "__CUDA_ARCH__": "",
    "__CUDACC_VER_MAJOR__": "",
    "__CUDACC_VER_MINOR__": "",
}
"""Macros with a version of CUDA, and the name that each becomes, if any."""
