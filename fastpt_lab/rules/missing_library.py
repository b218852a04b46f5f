"""Link the libraries of the HIP build, not CUDA's.

Why: link lines name `-lcudart_static` or `-lcublas`, which a HIP machine has not.

Safety: safe for libraries that transcoded code has no use for, and for those with a HIP library
of the same functions. Unsafe for any other name.

Never offered: a link from one library's file to another's name.

Source: FastPT's notes on `-lcudart_static`; torch 2.13 utils/cpp_extension.py, COMMON_HIP_FLAGS.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import flags, heard, step

_INSTEAD = {
    "cudart_static": "-lamdhip64",
    "cudart": "-lamdhip64",
    "cuda": "-lamdhip64",
    "cudadevrt": "",
    "nvrtc": "-lhiprtc",
    "nvToolsExt": "-lroctx64",
    "cublas": "-lhipblas",
    "cublasLt": "-lhipblaslt",
    "cublas_static": "-lhipblas",
    "cusparse": "-lhipsparse",
    "cusolver": "-lhipsolver",
    "curand": "-lhiprand",
    "cufft": "-lhipfft",
    "cudnn": "-lMIOpen",
    "nccl": "-lrccl",
    "culibos": "",
    "nvidia-ml": "-lrocm_smi64",
    "cupti": "-lroctracer64",
    "torch_cuda": "-ltorch_hip",
    "c10_cuda": "-lc10_hip",
}
"""Libraries of CUDA and torch, and HIP's of the same functions; "" where none is needed."""

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the link flags to remove and to add."""
    missing = heard(diagnostic, r"(?:cannot find|unable to find library|找不到) -l(\w+)")
    if missing is None:
        return
    name = missing[1]
    if name not in _INSTEAD:
        yield step(
            f"Install lib{name}, or add its folder",
            f"The linker finds no lib{name}: install it, or pass -L with its folder.",
            f"-l{name} is on the link line",
        )
        return
    new = _INSTEAD[name]
    yield from flags(
        f"Link {new} instead of -l{name}" if new else f"Link without -l{name}",
        f"Remove -l{name} from the link flags of the HIP build"
        + (f" and link {new}: transcoded code calls that library." if new else "."),
        f"-l{name} is CUDA's; without transcoding, GPUFusion's libcudart takes its place",
        add=(new,) if new else (),
        remove=(f"-l{name}",),
    )
