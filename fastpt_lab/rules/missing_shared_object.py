"""Bring the shared library that a module wants, of the right version.

Why: a module is loaded before torch, was built for NVIDIA, or was built with another version
of DTK or ROCm than the one that runs.

Safety: advice: nothing of it is a change of sources.

Never offered: a symbolic link from one version's name to another's.

Source: glibc's loader messages; FastPT's notes on `libc10_cuda.so` and `-E`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import heard, step

_STEPS = (
    (
        r"libc10_cuda|libtorch_cuda|libcudart|libcublas|libcuda\.",
        ("Run in FastPT's runtime mode, or build for HIP"),
        (
            "The module was built for CUDA. Without transcoding: `source fastpt -E` at"
            " run time (never together with -C). With transcoding: build it again with the installed"
            " HIP torch. Import torch before it."
        ),
    ),
    (
        r"libc10|libtorch",
        "Import torch first",
        (
            "Write `import torch` above the import of the"
            " extension: torch's libraries are found through it."
        ),
    ),
    (
        r"libamdhip64|libhip|libroc|librocm|libhsa|libMIOpen|librccl|libgalaxyhip",
        ("Use one DTK or ROCm version to build and to run"),
        (
            "Source the env.sh of the version that the module was"
            " built with, or build it again. Do not link one .so version to another's name."
        ),
    ),
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the step for this library."""
    found = heard(diagnostic, r"(lib[\w.+-]+\.so[\w.]*): cannot open shared object file")
    if found is None:
        return
    name = found[1]
    for pattern, title, text in _STEPS:
        if re.match(pattern, name):
            yield step(title, text, f"the loader did not find {name}")
            return
    yield step(
        f"Install the package that brings {name}",
        "See with ldd which file wants it; source the matching env.sh instead of setting"
        " LD_LIBRARY_PATH by hand.",
        f"the loader did not find {name}",
    )
