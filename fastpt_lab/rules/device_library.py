"""Tell the compiler where ROCm is.

Why: clang looks for the device library and the HIP headers below ROCM_PATH or HIP_PATH.

Safety: advice: the folder depends on the machine.

Never offered: `-nogpulib`, which builds device code that cannot run.

Source: clang 15 "cannot find ROCm device library".
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
    """Yield the step in the environment."""
    if heard(diagnostic, r"cannot find (?:ROCm device library|HIP runtime)") is None:
        return
    yield step(
        "Set ROCM_PATH to the installed DTK or ROCm",
        "Source the DTK's env.sh, or export ROCM_PATH and HIP_PATH to the folder that holds"
        " amdgcn/bitcode; call hipcc instead of clang++, and name the card in PYTORCH_ROCM_ARCH.",
        "the compiler did not find its device library",
    )
