"""Data and compute types of GEMM calls as constants, as the installed hipBLAS declares them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fastpt_lab.core.stack import Stack

GEMMS = {
    "cublasGemmEx": "hipblasGemmEx",
    "cublasGemmBatchedEx": "hipblasGemmBatchedEx",
    "cublasGemmStridedBatchedEx": "hipblasGemmStridedBatchedEx",
}
_DATA_AT, _COMPUTE_AT = 8, -2
"""Places of the type of A and of the compute type among the parameters of all three.

*Source*: CUDA 13 cublas_api.h; hipBLAS 0.53 and 2 hipblas.h.
"""
_NAME = re.compile(r"CUDA_([RC]_\w+)|CUBLAS_COMPUTE_(\w+)")
_DATATYPE = "hipblasDatatype_t"
_SHORT = {"R_16BF": "R_16B", "C_16BF": "C_16B"}
"""What hipBLAS's older enumeration calls bfloat16 (hipBLAS 0.53 hipblas.h)."""
_DATA_OF_COMPUTE = {"16F": "R_16F", "32F": "R_32F", "64F": "R_64F", "32I": "R_32I"}


class Constant(NamedTuple):
    """A constant of the header: its own name, type and value on either side."""

    own: str
    name: str
    cuda_type: str
    hip_type: str
    hip_name: str


def constants(used: Collection[str], stack: Stack, remarks: list[str]) -> Iterator[Constant]:
    """Yield a constant for each enumerator among the `used` names; say what is left out."""
    functions = sorted(GEMMS[name] for name in GEMMS.keys() & set(used))
    names = sorted(name for name in used if _NAME.fullmatch(name))
    if not functions or not names:
        return
    types = {_types(function, stack) for function in functions}
    if len(types) != 1 or None in types:
        remarks.append(
            f"no types of GEMM calls: the installed headers do not declare {functions[0]}"
            if types == {None}
            else f"no types of GEMM calls: {', '.join(functions)} do not take the same ones"
        )
        return
    for data, compute in filter(None, types):
        for name in names:
            found = _constant(name, data, compute, stack)
            if found is None:
                remarks.append(f"{name} is left out: {functions[0]} has no counterpart")
            else:
                yield found


def _types(function: str, stack: Stack) -> tuple[str, str] | None:
    for parameters in stack.parameters(function):
        if len(parameters) > _DATA_AT:
            data, compute = (
                re.sub(r"\b(?:const|enum)\b|\s", "", parameters[at])
                for at in (_DATA_AT, _COMPUTE_AT)
            )
            return data, compute
    return None


def _constant(name: str, data: str, compute: str, stack: Stack) -> Constant | None:
    match = _NAME.fullmatch(name)
    assert match is not None
    if match[1] is not None:
        hip, hip_type, cuda_type = _data(match[1], data), data, "cudaDataType_t"
        own = f"gemm_{match[1].lower()}"
    else:
        hip_type, cuda_type = compute, "cublasComputeType_t"
        own = f"compute_{match[2].lower()}"
        hip = (
            f"HIPBLAS_COMPUTE_{match[2]}"
            if compute == "hipblasComputeType_t"
            else _data(_DATA_OF_COMPUTE.get(match[2], ""), compute)
        )
    known = stack.enumerators(hip_type)
    if not hip or hip not in known:
        return None
    return Constant(own, name, cuda_type, hip_type, hip)


def _data(kind: str, hip_type: str) -> str:
    if not kind:
        return ""
    return f"HIPBLAS_{_SHORT.get(kind, kind)}" if hip_type == _DATATYPE else f"HIP_{kind}"
