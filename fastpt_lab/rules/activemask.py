"""Ask which lanes of the CUDA warp are active, in 32 bits, under HIP.

Why: HIP before 6.2 has no `__activemask`, and later ones return 64 bits.

Safety: never safe: CUDA does not say which lanes are active after a branch, and the two
compilers bring lanes together at different places. The form gives the active lanes of the
caller's half of the wavefront, so 32-bit arithmetic around it stays right.

Never offered: where the stack has `__activemask`.

Source: CUDA C++ Programming Guide, `__activemask`; HIP 5.2.3 amd_device_functions.h.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.rewrite import fixed_form, rewritten
from fastpt_lab.rules.kit.vote import HALF

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_DOUBT = "which lanes are active here is up to the compiler, on either side: check the use"


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield a ballot of the active lanes of the caller's half."""
    forms = {"__activemask": fixed_form(HALF.format(1), 0, doubts=(_DOUBT,))}
    every = "Replace __activemask under HIP"
    yield from rewritten(diagnostic, workspace, stack, forms, every)
