"""Export the init function under the name that Python asks for.

Why: `import x` wants `PyInit_x`; a name written into the source no longer fits a renamed file.

Safety: advice: the macro is the whole change.

Never offered: as an edit, since the module's name is the build's.

Source: CPython importdl.c; torch extension documentation, TORCH_EXTENSION_NAME.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import heard
from fastpt_lab.rules.kit.proposal import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the macro to use."""
    found = heard(diagnostic, r"does not define module export function \(?PyInit_(\w+)")
    if found is None:
        return
    yield advice(
        f"Name the module by TORCH_EXTENSION_NAME, so that PyInit_{found[1]} exists",
        "Write PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) and give the extension the name it is"
        " imported by; the file's name and the module's must agree.",
        f"Python looked for PyInit_{found[1]}",
    )
