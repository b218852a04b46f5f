"""Macros of the originals whose value hangs on `__CUDA_ARCH__`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.condition import evaluate
from fastpt_lab.core.guard import HIP_VALUES, dead_under_hip
from fastpt_lab.core.scan import conditional_groups, directives
from fastpt_lab.rules.kit.places import documents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.scan import Branch, Directive, Group
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace

_ATTRIBUTE = re.compile(r"\b__(?:host|device)__\b")
_NAME = re.compile(r"\w+")
_UNDER_HIP = {**HIP_VALUES, "__CUDA_ARCH__": False}
# An undefined macro counts as 0.
_SOME_ARCH = re.compile(r"[(\s]*__CUDA_ARCH__[)\s]*(?:>\s*\d+|(?:>=|==)\s*[1-9]\d*)[)\s]*")


class ArchMacro(NamedTuple):
    """A macro that gives attributes in one branch of a `__CUDA_ARCH__` group."""

    path: Path
    document: Document
    name: str
    attributes: frozenset[str]
    group: Group
    branch: Branch


def arch_macros(workspace: Workspace) -> Iterator[ArchMacro]:
    """Yield macros that hold `__device__` where `__CUDA_ARCH__` is defined, nothing under HIP."""
    for path, document in documents(workspace, "__CUDA_ARCH__"):
        text = document.text
        dead = dead_under_hip(text)
        passed = [(g, b) for g in conditional_groups(text) for b in _not_taken(text, g)]
        hidden: list[ArchMacro] = []
        live: set[str] = set()
        for start, name, attributes in _definitions(text):
            around = [(g, b) for g, b in passed if b.body_start <= start < b.body_end]
            if len(around) == 1 and "__device__" in attributes:
                hidden.append(ArchMacro(path, document, name, attributes, *around[0]))
            elif not around and not any(first <= start < end for first, end in dead):
                live.add(name)
        yield from (macro for macro in hidden if macro.name not in live)


def _definitions(text: str) -> Iterator[tuple[int, str, frozenset[str]]]:
    """Yield start, name and attributes of each macro that gives some."""
    for directive in directives(text):
        argument = _argument(text, directive)
        attributes = frozenset(_ATTRIBUTE.findall(argument))
        name = _NAME.match(argument)
        if directive.name == "define" and attributes and name:
            yield directive.start, name[0], attributes


def _not_taken(text: str, group: Group) -> Iterator[Branch]:
    """Yield the branches that HIP does not take for want of `__CUDA_ARCH__`."""
    if "__CUDA_ARCH__" not in _argument(text, group.branches[0].directive):
        return
    taken = False
    for branch in group.branches:
        directive = branch.directive
        value = directive.name == "else" or evaluate(text, directive, _UNDER_HIP)
        if taken or value is False or _SOME_ARCH.fullmatch(_argument(text, directive)):
            yield branch
        taken = taken or value is True


def _argument(text: str, directive: Directive) -> str:
    return text[directive.argument_start : directive.argument_end]


def attribute_macros(workspace: Workspace) -> frozenset[str]:
    """Return the names of the macros that `arch_macros` finds."""
    return frozenset(macro.name for macro in arch_macros(workspace))
