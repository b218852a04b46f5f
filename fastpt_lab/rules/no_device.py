"""Make the card visible, in the order in which it can be hidden.

Why: without a device no code runs: the driver, the container, the permissions or a variable may
be the reason.

Safety: advice.

Never offered: as an edit.

Source: ROCm documentation, rocminfo and HIP_VISIBLE_DEVICES.
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
    """Yield what to look at."""
    pattern = (
        r"hipErrorNoDevice|no (?:ROCm|HIP)[- ]capable device|ROCk module is NOT loaded"
        r"|No HIP GPUs are available|Unable to open /dev/kfd|hsa_init.*failed"
    )
    if heard(diagnostic, pattern) is None:
        return
    yield step(
        "Look for the device from the bottom up",
        "On the host: is the driver loaded (lsmod), are /dev/kfd and /dev/dri there? In a"
        " container: are both passed in (--device)? Is the user in the groups video and render?"
        " Do HIP_VISIBLE_DEVICES or ROCR_VISIBLE_DEVICES hide it? `fastpt-lab doctor` asks all"
        " of this.",
        "the runtime sees no device",
    )
