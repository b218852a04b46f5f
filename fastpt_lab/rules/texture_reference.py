"""Read through a texture object, or plainly, under HIP.

Why: `texture<…>` references are gone from CUDA 12, and HIP's differ.

Safety: advice.

Never offered: as an edit.

Source: CUDA 12 release notes; HIP 5.2.3 texture headers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.places import undeclared
from fastpt_lab.rules.kit.proposal import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield how to read."""
    name = undeclared(diagnostic) or ""
    if (
        re.fullmatch(
            r"texture|tex[123]D\w*|(?:cuda|hip)BindTexture\w*|cudaTextureType\w*", name
        )
        is None
    ):
        return
    yield advice(
        f"Replace {name} by a texture object or a plain read",
        "Use hipTextureObject_t with tex1Dfetch and its kind, which both sides have, or read"
        " through a const __restrict__ pointer where no filtering is needed.",
        f"{name} belongs to texture references",
    )
