"""Leave out, or replace under HIP, includes that HIP does not have.

Why: a few CUDA headers have no counterpart, or the transcoder names one that this version does
not ship; libraries beside HIP may not be installed.

Safety: safe for headers that only declare what `hip/hip_runtime.h` declares too. Unsafe where
another header takes its place. Missing libraries are advice: they are to be installed.

Never offered: for the project's own headers, whose folder is missing from the include path.

Source: HIP 5.2.3 and ROCm 6 include folders; ROCm/hip#3568, ROCm/HIPIFY#65.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.places import Place, point
from fastpt_lab.rules.kit.proposal import advice
from fastpt_lab.rules.kit.remove import edited, include_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MISSING = re.compile(
    r"'([^']+)' file not found|([\w./+-]+\.(?:h|hpp|cuh|inl)): (?:No such file|没有那个文件)"
)
_NOT_NEEDED = {
    "device_launch_parameters.h": "hip/hip_runtime.h declares threadIdx and its kind",
    "vector_functions.h": "hip/hip_runtime.h declares make_float4 and its kind",
    "vector_types.h": "hip/hip_runtime.h declares float4 and its kind",
    "sm_60_atomic_functions.h": "hip/hip_runtime.h declares the atomics",
    "sm_61_intrinsics.h": "the intrinsics it declares are rewritten where they are used",
    "cuda_device_runtime_api.h": "HIP launches no kernels from kernels",
    "crt/host_defines.h": "hip/hip_runtime.h defines the attributes",
    "host_defines.h": "hip/hip_runtime.h defines the attributes",
    "cuda_profiler_api.h": "hip/hip_runtime_api.h declares the profiler calls",
}
_INSTEAD = {
    "cusparse_v2.h": ("hipsparse/hipsparse.h", "hipsparse.h"),
    "cublas.h": ("hipblas/hipblas.h", "hipblas.h"),
    "cuda_runtime_api.h": ("hip/hip_runtime_api.h",),
    "cuda_runtime.h": ("hip/hip_runtime.h",),
    "cuda.h": ("hip/hip_runtime.h",),
    "cuda_fp16.h": ("hip/hip_fp16.h",),
    "cuComplex.h": ("hip/hip_complex.h",),
    "curand_kernel.h": ("hiprand/hiprand_kernel.h", "hiprand_kernel.h"),
    "THC/THCAtomics.cuh": ("ATen/hip/Atomic.cuh",),
    "THH/THHAtomics.cuh": ("ATen/hip/Atomic.cuh",),
    "math_constants.h": ("hip/hip_math_constants.h",),
}
_LIBRARIES = {
    "hipcub/": "hipcub", "hipblas": "hipblas", "hipsparse": "hipsparse", "hipsolver": "hipsolver",
    "hiprand": "hiprand", "hipfft": "hipfft", "rocblas": "rocblas", "rocprim/": "rocprim",
    "thrust/": "rocthrust", "miopen/": "miopen-hip", "rccl": "rccl", "hipblaslt": "hipblaslt",
    "rocrand": "rocrand", "rocsparse": "rocsparse",
}  # fmt: skip
_NO_WORD = {
    "mma.h": "Use rocWMMA or the __builtin_amdgcn_mfma_* intrinsics in the HIP branch.",
    "cuda_fp8.h": "HIP has FP8 types from 6.2 on, in hip/hip_fp8.h.",
    "cudaTypedefs.h": "Tensor maps belong to Hopper: keep the file out of the HIP build.",
    "cutlass/": "Use Composable Kernel or a library GEMM in the HIP build.",
    "cute/": "Use Composable Kernel or a library GEMM in the HIP build.",
    "cuda/std/": "Use the standard library's header of the same name under HIP.",
    "cuda/barrier": "Use __syncthreads, or flags in shared memory, under HIP.",
    "cuda/pipeline": "Copy with plain loads and stores under HIP.",
}


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield an include for HIP, none, or what to install."""
    message = _MISSING.search(diagnostic.message)
    if message is None:
        return
    missing = message[1] or message[2]
    found = point(diagnostic.location, workspace)
    if found is not None and (include := include_at(found.document, found.offset)):
        path, document, _ = found
        at = Place(path, document, include.start, include.end)
        name = re.sub(
            r"[<>\"]", "", document.text[include.argument_start : include.argument_end]
        )
        offered = tuple(_edit(at, name, missing, stack))
        if offered:
            yield from offered
            return
    yield from _advice(missing)


def _edit(at: Place, name: str, missing: str, stack: Stack) -> Iterator[Proposal]:
    for header in (name, missing):
        if header in _NOT_NEEDED:
            yield from edited(
                f"Include {header} for CUDA only",
                at,
                [Replacement(at.start, at.end, "")],
                stack,
                _NOT_NEEDED[header],
            )
            return
        for other in _INSTEAD.get(header, ()):
            if other == missing or not (other.startswith("ATen/") or stack.has_header(other)):
                continue
            yield from edited(
                f"Include {other} under HIP instead of {header}",
                at,
                [Replacement(at.start, at.end, f"#include <{other}>")],
                stack,
                f"{other} is there, {missing} is not",
                doubts=(_doubt(header, missing),),
            )
            return


def _doubt(header: str, missing: str) -> str:
    if header == missing:
        return (
            "the file is compiled as it stands: if it uses more of CUDA, let the transcoder reach"
            " it (its folder among the include folders)"
        )
    return "see that the other header declares what the file uses"


def _advice(missing: str) -> Iterator[Proposal]:
    for start, package in _LIBRARIES.items():
        if missing.startswith(start):
            yield advice(
                f"Install {package}",
                f"Install {package} of the same DTK or ROCm version as hipcc, or add its include"
                " folder; for a look without a device, `check --off-device` brings declarations.",
                f"{missing} belongs to {package}, which is not installed",
                kind=ActionKind.ENVIRONMENT,
            )
            return
    for start, text in _NO_WORD.items():
        if missing.startswith(start):
            yield advice(f"Do without {missing} under HIP", text, f"HIP has no {missing}")
            return
