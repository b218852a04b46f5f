"""Pick a target that this compiler knows, or the compiler that knows the target.

Why: a vendor's cards have names that upstream clang has not, and an architecture list of
another machine names cards of its own.

Safety: advice: which card is meant is for a person to say.

Never offered: as a change of flags.

Source: clang 15 "invalid target ID"; DTK's env.sh; torch's PYTORCH_ROCM_ARCH.
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
    target = heard(
        diagnostic,
        r"(?:invalid target ID|unsupported HIP gpu architecture:?|unknown target"
        r"(?: CPU)?|unsupported.*architecture) '?(gfx\w+)",
    )
    if target is None:
        return
    yield step(
        f"Use the compiler that knows {target[1]}, or another target",
        "If the card is a DCU, source its DTK's env.sh so that its hipcc comes first on PATH;"
        " otherwise set PYTORCH_ROCM_ARCH (or --offload-arch) to what rocminfo shows.",
        f"this compiler does not know {target[1]}",
        f"the build is for {', '.join(stack.architectures) or 'no named target'}",
    )
