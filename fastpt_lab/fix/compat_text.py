"""The text of a compatibility header, and of a unit that uses all of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard import HIP_CONDITION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.fix.compat_blas import Constant
    from fastpt_lab.fix.compat_wrapper import Wrapper

_BLAS = """\
#if defined(__has_include) && __has_include(<hipblas/hipblas.h>)
#include <hipblas/hipblas.h>
#else
#include <hipblas.h>
#endif
"""


def namespace_of(prefix: str) -> str:
    """Return the namespace of a header."""
    return f"{prefix}_compat"


def body_of(
    wrappers: Sequence[Wrapper], constants: Sequence[Constant], prefix: str, name: str
) -> str:
    """Return the header without its first line.

    Args:
        wrappers: the functions, each after those that it calls.
        constants: of GEMM calls.
        prefix: of the namespace and the include guard.
        name: the file's name.
    """
    macro = re.sub(r"\W", "_", name, flags=re.ASCII).upper().strip("_") + "_"
    guard = macro if macro[:1].isalpha() else f"{prefix.upper()}_{macro}"
    space = namespace_of(prefix)
    parts = [
        _head(wrappers, constants, name, space),
        f"#ifndef {guard}\n#define {guard}\n\n",
        _includes(wrappers, constants),
        f"\nnamespace {space} {{\n",
        *(f"\n{_constant(constant)}" for constant in constants),
    ]
    if wrappers:
        parts.append("\n#if defined(__CUDACC__) || defined(__HIPCC__)\n")
        parts += [f"\n{_function(wrapper)}" for wrapper in wrappers]
        parts.append("\n#endif  // device code\n")
    parts.append(f"\n}}  // namespace {space}\n\n#endif  // {guard}\n")
    return "".join(parts)


def _head(
    wrappers: Sequence[Wrapper], constants: Sequence[Constant], name: str, space: str
) -> str:
    calls = [wrapper.call for wrapper in wrappers if wrapper.call]
    calls += [f"{constant.own} for {constant.name} of GEMM calls" for constant in constants]
    warp = any(wrapper.names[:1] and "0xffffffff" in wrapper.call for wrapper in wrappers)
    together = (
        "// Functions without a mask are for all 32 lanes of the CUDA warp, which call them\n"
        "// together; where a mask names fewer, keep CUDA's call under a guard.\n//\n"
        if warp
        else ""
    )
    return (
        "//\n"
        "// Own names, for CUDA and HIP, of what this project uses and HIP has otherwise. To use\n"
        f'// one, write #include "{name}" and, in namespace {space}:\n'
        "//\n"
        + "".join(f"//   {call}\n" for call in calls)
        + "//\n"
        + together
        + "// It is made again by `fastpt-lab fix --compat-header`, unless it was edited.\n\n"
    )


def _includes(wrappers: Sequence[Wrapper], constants: Sequence[Constant]) -> str:
    half = any(wrapper.half for wrapper in wrappers)
    hip = ["#include <hip/hip_runtime.h>\n"] if wrappers else []
    cuda = ["#include <cuda_runtime.h>\n"] if wrappers else []
    if half:
        hip.append("#include <hip/hip_fp16.h>\n")
        cuda.append("#include <cuda_fp16.h>\n")
    if constants:
        hip.append(_BLAS)
        cuda.append("#include <cublas_v2.h>\n")
    return _sides("".join(hip), "".join(cuda))


def _sides(hip: str, cuda: str) -> str:
    return f"#if {HIP_CONDITION}\n{hip}#else\n{cuda}#endif\n"


def _constant(constant: Constant) -> str:
    return (
        f"// {constant.name} in GEMM calls. Source: the installed hipBLAS header.\n"
        + _sides(
            f"constexpr {constant.hip_type} {constant.own} = {constant.hip_name};\n",
            f"constexpr {constant.cuda_type} {constant.own} = {constant.name};\n",
        )
    )


def _function(wrapper: Wrapper) -> str:
    comment = f"// {wrapper.meaning}\n// Source: {wrapper.source}.\n"
    if not wrapper.cuda:
        # What only HIP's forms call.
        whole = f"{wrapper.head} {{\n{wrapper.hip}}}\n"
        return f"{comment}#if {HIP_CONDITION}\n{whole}#endif\n"
    return f"{comment}{wrapper.head} {{\n{_sides(wrapper.hip, wrapper.cuda)}}}\n"


def probe_of(wrappers: Sequence[Wrapper], constants: Sequence[Constant], prefix: str) -> str:
    """Return a unit that holds the header and uses all of it."""
    space = namespace_of(prefix)
    uses = [f"  {wrapper.probe}\n" for wrapper in wrappers if wrapper.probe]
    uses += [f"  i[0] = (int){'c::' + constant.own};\n" for constant in constants]
    return (
        body_of(wrappers, constants, prefix, f"{space}.h")
        + f"\nnamespace c = {space};\n\n__global__ void use_all(int* i) {{\n"
        + "".join(uses)
        + "}\n"
    )
