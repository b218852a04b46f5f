"""Transcode the C++ files too that name CUDA's types or include torch's CUDA headers.

Why: a `.cpp` that is left alone is compiled by the host compiler, which finds neither
`cuda_runtime_api.h` nor `cudaStream_t`.

Safety: advice: the whole file has to be transcoded, with the headers it includes.

Never offered: where the file was transcoded.

Source: torch 2.13 CUDAContextLight.h; gcc "has not been declared", also in Chinese.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import heard
from fastpt_lab.rules.kit.places import undeclared
from fastpt_lab.rules.kit.proposal import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield how to bring the file into the transcode."""
    name = undeclared(diagnostic) or ""
    named = re.fullmatch(
        r"(?:cuda[A-Z]|cublas|cusparse|curand|cufft|cusolver|nccl|CU[a-z])\w*", name
    )
    missing = heard(
        diagnostic,
        r"(cuda\w*\.h|cublas\w*\.h|cusparse\w*\.h)(?:'? file not found|: No such|: 没有)",
    )
    location = diagnostic.generated or diagnostic.location
    host = location is None or location.path.suffix not in (".hip", ".cu")
    if (named is None and missing is None) or diagnostic.source != "gcc" or not host:
        return
    what = name if named else missing[1] if missing else ""
    yield advice(
        "Transcode the host files as well",
        "Let the transcode reach this file (name its folder, or add it to the sources of the"
        " CUDAExtension), so that its CUDA names and headers become HIP's; a file that needs"
        " neither can drop the include.",
        f"{what} is CUDA's, and a host compiler reads the file as it stands",
    )
