"""Install the torch of the vendor again.

Why: `pip install` of another package may replace a HIP build of torch by the one of PyPI.

Safety: advice.

Never offered: as a command that is run.

Source: torch 2.13 torch/cuda/__init__.py, "Torch not compiled with CUDA enabled".
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
    if (
        heard(diagnostic, r"Torch not compiled with CUDA enabled|torch\.version\.hip.*None")
        is None
    ):
        return
    yield step(
        "Install the HIP build of torch again and pin it",
        "torch.version.hip is None: pip replaced the vendor's wheel. Reinstall it with"
        " --no-deps --force-reinstall, and keep it with a constraints file.",
        "the installed torch has no GPU support",
    )
