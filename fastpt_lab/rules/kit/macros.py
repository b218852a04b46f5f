"""Macros of the originals whose value hangs on `__CUDA_ARCH__` or another condition."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import conditional_groups, directives
from fastpt_lab.rules.kit.places import documents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.scan import Branch, Group
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace

_ATTRIBUTE = re.compile(r"\b__(?:host|device)__\b")


class ArchMacro(NamedTuple):
    """A macro that gives attributes in one branch of a `__CUDA_ARCH__` group."""

    path: Path
    document: Document
    name: str
    group: Group
    branch: Branch


def arch_macros(workspace: Workspace) -> Iterator[ArchMacro]:
    """Yield macros that hold `__host__` or `__device__` where `__CUDA_ARCH__` is defined."""
    for path, document in documents(workspace, "__CUDA_ARCH__"):
        text = document.text
        for group in conditional_groups(text):
            for branch in group.branches:
                condition = branch.directive
                words = text[condition.argument_start : condition.argument_end]
                if "__CUDA_ARCH__" not in words and condition is group.branches[0].directive:
                    break
                for directive in directives(text):
                    inside = branch.body_start <= directive.start < branch.body_end
                    if directive.name != "define" or not inside:
                        continue
                    argument = text[directive.argument_start : directive.argument_end]
                    name = re.match(r"\w+", argument)
                    if name and _ATTRIBUTE.search(argument):
                        yield ArchMacro(path, document, name[0], group, branch)


def attribute_macros(workspace: Workspace) -> frozenset[str]:
    """Return the names of the macros that `arch_macros` finds."""
    return frozenset(macro.name for macro in arch_macros(workspace))
