"""Install one build of the library that registers itself twice.

Why: a package built from NVIDIA's sources is loaded beside the compatibility layer: both
register `CUDAHooks`.

Safety: advice.

Never offered: as an edit.

Source: "Key already registered with the same priority: CUDAHooks" (c10 Registry.h).
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
    key = heard(diagnostic, r"Key already registered with the same priority: (\w+)")
    if key is None:
        return
    yield step(
        "Install the vendor's build of the package that was loaded second",
        "A library built for NVIDIA is loaded beside the compatibility layer. Find it with"
        " `pip list` and ldd, remove it, and install the build made for this DTK.",
        f"{key[1]} was registered twice",
    )
