"""Make hipcc compile for AMD where it took the machine for an NVIDIA one.

Why: hipcc decides by what it finds: with a CUDA toolkit there it hands everything to nvcc.

Safety: advice: an environment variable.

Never offered: where the build is meant for NVIDIA.

Source: HIP 5.2.3 hipconfig; "nvcc fatal: Unknown option '--offload-arch'".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import heard, step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the variable to set."""
    if heard(diagnostic, r"nvcc fatal\s*:.*(?:--offload-arch|-fPIC|Unknown option)") is None:
        return
    yield step(
        "Set HIP_PLATFORM=amd",
        "Run `export HIP_PLATFORM=amd` before the build: hipcc chose nvcc because it found a"
        " CUDA toolkit.",
        "hipcc handed an AMD option to nvcc",
    )
