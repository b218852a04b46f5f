"""Give HIP the declarations that `__CUDA_ARCH__` hides from it.

Why: hipcc never defines `__CUDA_ARCH__`, so a macro that holds `__host__ __device__` only
where it is defined is empty in both passes, and a function inside such a branch is not there.

Safety: safe for a macro that gives both attributes: with them a function is there on both
sides, as it is for nvcc over its two passes. Unsafe for one that gives `__device__` alone, and
for a branch with code: it may hold CUDA's alone.

Never offered: for groups of more than 40 lines, whose branch would have to be repeated.

Source: clang 15 HIP support documentation, predefined macros; ROCm/llvm-project#215.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import conditional_groups
from fastpt_lab.rules.kit.functions import function_around
from fastpt_lab.rules.kit.groups import Chosen, group_proposal
from fastpt_lab.rules.kit.macros import arch_macros
from fastpt_lab.rules.kit.places import documents, occurrences, point, undeclared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.macros import ArchMacro
    from fastpt_lab.rules.kit.proposal import Proposal

_NO_MATCH = re.compile(r"no matching (?:member )?function for call to '([\w:]+)'")
_REFERENCE = re.compile(r"reference to __host__ function '([\w:]+)[^']*' in __")
_NOTE = re.compile(r"call to __host__ function from __|declared here$")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield HIP's own branch before the group that decides by `__CUDA_ARCH__`."""
    if _NO_MATCH.search(diagnostic.message) or _REFERENCE.search(diagnostic.message):
        yield from _attributes(diagnostic, workspace, stack)
        return
    name = undeclared(diagnostic)
    if name is not None:
        yield from _hidden(name, workspace, stack)


def _attributes(
    diagnostic: Diagnostic, workspace: Workspace, stack: Stack
) -> Iterator[Proposal]:
    for related in diagnostic.related:
        found = point(related.location, workspace)
        if not _NOTE.search(related.message) or found is None:
            continue
        callee = function_around(*found)
        if callee is None:
            continue
        for macro in arch_macros(workspace):
            if macro.name in callee.words:
                yield from group_proposal(
                    f"Let {macro.name} give its attributes under HIP too",
                    Chosen(macro.path, macro.document, macro.group, macro.branch),
                    stack,
                    f"{macro.name} is empty wherever __CUDA_ARCH__ is not defined, as in HIP",
                    doubts=_one_sided(macro),
                )
                return


def _one_sided(macro: ArchMacro) -> tuple[str, ...]:
    """Return the doubt about a macro that puts what it marks on the device alone."""
    if "__host__" in macro.attributes:
        return ()
    return (f"{macro.name} gives __device__ alone: see that no host code calls what it marks",)


def _hidden(name: str, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the branch of a `__CUDA_ARCH__` group that defines a function called `name`."""
    for path, document in documents(workspace, "__CUDA_ARCH__"):
        for group in conditional_groups(document.text):
            for branch in group.branches[:1]:
                condition = document.text[branch.directive.start : branch.directive.end]
                if "__CUDA_ARCH__" not in condition or branch.directive.name == "ifndef":
                    continue
                for at in occurrences(path, document, (name,)):
                    inside = branch.body_start <= at.start < branch.body_end
                    defined = function_around(path, document, at.start) if inside else None
                    if defined is not None and defined.name.start == at.start:
                        yield from group_proposal(
                            f"Compile {name} under HIP too",
                            Chosen(path, document, group, branch),
                            stack,
                            f"{name} is defined only where __CUDA_ARCH__ is",
                            doubts=("see that the branch holds nothing of CUDA's alone",),
                        )
                        return
