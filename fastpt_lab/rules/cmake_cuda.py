"""Look for HIP instead of CUDA in CMake.

Why: CMake scripts are not transcoded, and `find_package(CUDA)` fails without a toolkit.

Safety: advice: build files are never edited.

Never offered: as an edit.

Source: CMake 3.25 FindCUDA, enable_language(HIP) since 3.21.
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
    """Yield the lines to write."""
    pattern = (
        r"Could NOT find CUDA|No CMAKE_CUDA_COMPILER|Failed to find nvcc"
        r"|CUDA_TOOLKIT_ROOT_DIR not found"
    )
    if heard(diagnostic, pattern) is None:
        return
    yield advice(
        "Choose HIP by an option in CMakeLists.txt",
        "Write option(USE_HIP ...) and, where it is on, find_package(hip REQUIRED),"
        " enable_language(HIP) (CMake 3.21) and target_link_libraries(... hip::device) instead"
        " of the CUDA lines; name the .hip files as sources.",
        "CMake looked for a CUDA toolkit",
    )
