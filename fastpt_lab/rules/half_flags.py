"""Allow HIP's half operators and conversions, which torch's flags switch off.

Why: torch passes `-D__HIP_NO_HALF_OPERATORS__=1` and `-D__HIP_NO_HALF_CONVERSIONS__=1` as it
does for CUDA; projects undo the `__CUDA_…` ones only.

Safety: unsafe: an expression that went through float so far may then be computed in half.

Never offered: where the flags are not there.

Source: torch 2.13 utils/cpp_extension.py, COMMON_HIP_FLAGS; pytorch#163337.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, Applicability, FlagChange
from fastpt_lab.rules.kit.proposal import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace

_SWITCHES = ("__HIP_NO_HALF_OPERATORS__", "__HIP_NO_HALF_CONVERSIONS__")
_MESSAGE = re.compile(
    r"(?:invalid operands to binary expression|no viable overloaded|no viable conversion from"
    r"|cannot convert|no matching (?:conversion|constructor)|overload resolution selected"
    r"|invalid argument type|use of overloaded operator).*__half"
    r"|(?:no viable conversion|no matching conversion).*'__half'"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the flags that switch the operators on again."""
    if _MESSAGE.search(diagnostic.message) is None:
        return
    passed = [s for s in _SWITCHES if any(f.startswith(f"-D{s}") for f in stack.flags)]
    if not passed:
        return
    add = tuple(f"-U{switch}" for switch in passed)
    yield Proposal(
        title="Switch HIP's half operators on",
        applicability=Applicability.UNSAFE,
        kind=ActionKind.FLAG,
        flags=FlagChange(add=add),
        advice=f"Add {' '.join(add)} to the nvcc flags in setup.py, beside the -U__CUDA_NO_HALF"
        "_… ones; the last of a -D and a -U wins, so they must come after torch's own.",
        evidence=(f"the units are compiled with {', '.join(f'-D{s}' for s in passed)}",),
    )
