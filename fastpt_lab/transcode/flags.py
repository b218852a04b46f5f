"""nvcc's flags and what hipcc makes of them."""

from __future__ import annotations

import re
from typing import NamedTuple


class FlagAdvice(NamedTuple):
    """What replaces a flag under HIP (nothing, if empty), and why."""

    hip: tuple[str, ...]
    why: str


_NO_MEANING = "hipcc has no such flag and stops at it"
_ARCHITECTURE = "it names an NVIDIA architecture; torch passes --offload-arch by itself"

_EXACT = {
    "--expt-relaxed-constexpr": FlagAdvice((), _NO_MEANING),
    "-expt-relaxed-constexpr": FlagAdvice((), _NO_MEANING),
    "--expt-extended-lambda": FlagAdvice((), _NO_MEANING),
    "-expt-extended-lambda": FlagAdvice((), _NO_MEANING),
    "--extended-lambda": FlagAdvice((), _NO_MEANING),
    "-extended-lambda": FlagAdvice((), _NO_MEANING),
    "--use_fast_math": FlagAdvice(("-ffast-math",), "clang calls it -ffast-math"),
    "-use_fast_math": FlagAdvice(("-ffast-math",), "clang calls it -ffast-math"),
    "-lineinfo": FlagAdvice((), _NO_MEANING),
    "--generate-line-info": FlagAdvice((), _NO_MEANING),
    "--source-in-ptx": FlagAdvice((), "hipcc makes no PTX"),
    "--allow-unsupported-compiler": FlagAdvice((), _NO_MEANING),
    "-allow-unsupported-compiler": FlagAdvice((), _NO_MEANING),
    "-rdc=true": FlagAdvice(("-fgpu-rdc",), "clang calls it -fgpu-rdc"),
    "--relocatable-device-code=true": FlagAdvice(("-fgpu-rdc",), "clang calls it -fgpu-rdc"),
    "-dc": FlagAdvice(("-fgpu-rdc", "-c"), "clang calls it -fgpu-rdc"),
    "--ftz=true": FlagAdvice((), _NO_MEANING),
    "--prec-div=false": FlagAdvice((), _NO_MEANING),
    "--prec-sqrt=false": FlagAdvice((), _NO_MEANING),
    "-lcudart_static": FlagAdvice(
        ("-lamdhip64",), "HIP has one runtime library, and it is shared"
    ),
    "-lcudart": FlagAdvice(("-lamdhip64",), "the HIP runtime is libamdhip64"),
    "-lcuda": FlagAdvice(("-lamdhip64",), "HIP's driver interface is in its runtime library"),
    "-lcublas": FlagAdvice(("-lhipblas",), "HIP's counterpart of the library"),
    "-lcublasLt": FlagAdvice(("-lhipblaslt",), "HIP's counterpart of the library"),
    "-lcusparse": FlagAdvice(("-lhipsparse",), "HIP's counterpart of the library"),
    "-lcurand": FlagAdvice(("-lhiprand",), "HIP's counterpart of the library"),
    "-lcufft": FlagAdvice(("-lhipfft",), "HIP's counterpart of the library"),
    "-lcusolver": FlagAdvice(("-lhipsolver",), "HIP's counterpart of the library"),
    "-lnvToolsExt": FlagAdvice(("-lroctx64",), "roctx stands for NVTX"),
    "-lnvrtc": FlagAdvice(("-lhiprtc",), "HIP's counterpart of the library"),
}
"""*Source*: what clang 15 (HIP 5.2.3) says to each; library names: ROCm and DTK include trees."""

_PATTERNS = (
    (re.compile(r"-{1,2}(?:gencode|generate-code)(?:=.+)?"), FlagAdvice((), _ARCHITECTURE)),
    (re.compile(r"(?:arch=)?compute_\d+\w*(?:,code=.+)?"), FlagAdvice((), _ARCHITECTURE)),
    (
        re.compile(r"-{1,2}(?:arch|gpu-architecture)=(?:sm|compute)_\w+"),
        FlagAdvice((), _ARCHITECTURE),
    ),
    (
        re.compile(r"-{1,2}(?:ptxas-options|Xptxas)(?:=.+)?"),
        FlagAdvice((), "there is no ptxas"),
    ),
    (
        re.compile(r"-{1,2}(?:Xcudafe|diag[-_]suppress|diag_warning)(?:=.+)?"),
        FlagAdvice((), _NO_MEANING),
    ),
    (re.compile(r"(?:-t=?|--threads=)\d+|--threads"), FlagAdvice((), _NO_MEANING)),
    (re.compile(r"-{1,2}maxrregcount(?:=\d+)?"), FlagAdvice((), _NO_MEANING)),
    (re.compile(r"-{1,2}default-stream(?:=.+)?"), FlagAdvice((), _NO_MEANING)),
)

TAKES_VALUE = re.compile(
    r"-{1,2}(?:gencode|generate-code|Xptxas|ptxas-options|Xcudafe|threads|maxrregcount"
    r"|diag[-_]suppress|default-stream)"
)
"""Flags whose value may be the next word."""

_OLD_STANDARD = re.compile(r"(-{1,2}std=|/std:)?(c|gnu)\+\+(?:0x|1y|11|14)")


def advice_on(flag: str) -> FlagAdvice | None:
    """Return what hipcc needs instead of a flag of nvcc or of CUDA's linker; None: it stays."""
    known = _EXACT.get(flag)
    if known is not None:
        return known
    return next((advice for pattern, advice in _PATTERNS if pattern.fullmatch(flag)), None)


def newer_standard(flag: str) -> str | None:
    """Return a flag for C++17 in place of one for an older C++, None if it is not one.

    Torch's headers need C++17 since torch 2.1.
    """
    found = _OLD_STANDARD.fullmatch(flag)
    return f"{found[1] or ''}{found[2]}++17" if found and found[1] else None
