"""Launch with `<<<…>>>` under HIP where CUDA uses launch attributes or clusters.

Why: `cudaLaunchKernelEx`, clusters and programmatic launches have no counterpart in HIP 5 and 6.

Safety: advice: which attributes matter is for a person to say.

Never offered: as an edit: the configuration is filled in many ways.

Source: CUDA 13 runtime API; sgl-project/sglang#25237.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.places import undeclared
from fastpt_lab.rules.kit.proposal import advice

_NAMES = (
    r"(?:cuda|hip)(?:LaunchConfig_t|LaunchKernelEx\w*|LaunchAttribute\w*|GridDependencySynchronize"
    r"|TriggerProgrammaticLaunchCompletion)"
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield how to launch."""
    name = undeclared(diagnostic) or ""
    if re.fullmatch(_NAMES, name) is None:
        return
    yield advice(
        f"Launch with <<<...>>> under HIP instead of {name}",
        "Put the launch behind a guard: kernel<<<grid, block, shared, stream>>>(...) for HIP, the"
        " configuration and cudaLaunchKernelEx for CUDA. Clusters and programmatic dependent"
        " launches have no counterpart: the kernel must not need them.",
        f"the stack has no {name}",
    )
