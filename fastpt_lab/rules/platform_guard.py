"""Ask for today's HIP where a guard asks only for macros that newer HIP no longer defines.

Why: `__HIP_PLATFORM_HCC__` and `__HCC__` come from the compiler before hipcc used clang: HIP 6
defines neither, HIP 5 the first only after one of its headers, and torch passes neither. The
project's own HIP code is then left out, and HIP compiles the branch for CUDA.

Safety: never safe: the branch is the project's own for AMD, but it was written for an older
HIP. CUDA defines none of the macros and sees the same program.

Never offered: for a condition that names one of today's macros too, or anything else beside
the old ones, whose meaning together is the project's to say.

Source: HIP 5.2.3 hip/hip_common.h; ROCm 6.0 release notes, removal of
`__HIP_PLATFORM_HCC__`; torch 2.13 torch.utils.cpp_extension, COMMON_HIP_FLAGS.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.condition import evaluate, names_of
from fastpt_lab.core.guard import CUDA_VALUES, HIP_CONDITION
from fastpt_lab.core.scan import conditional_groups, directives
from fastpt_lab.core.text import TextEdit
from fastpt_lab.rules.kit.functions import functions_named
from fastpt_lab.rules.kit.places import documents, point, undeclared
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.scan import Directive, Group
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace

_OLD = frozenset({"__HIP_PLATFORM_HCC__", "__HCC__"})
_ASKING = frozenset({"if", "ifdef", "ifndef", "elif"})


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the file with every guard of the old macros asking for HIP as it is today."""
    if any(flag[2:].partition("=")[0] in _OLD for flag in stack.flags if flag[:2] == "-D"):
        return
    found = point(diagnostic.location, workspace)
    if found is not None and _for_cuda(found.document, found.offset):
        yield from _modernised(found.path, found.document)
        return
    name = undeclared(diagnostic)
    for path, document in _hidden(name, workspace) if name else ():
        yield from _modernised(path, document)
        return


def _for_cuda(document: Document, offset: int) -> bool:
    """Whether a place is compiled because one of the old macros is not defined."""
    for group in conditional_groups(document.text):
        for number, branch in enumerate(group.branches):
            if not branch.body_start <= offset < branch.body_end:
                continue
            asked = [b.directive for b in group.branches[: number + 1]]
            if any(_old(document.text, directive) for directive in asked):
                return not _for_hip(document.text, group, number)
    return False


def _for_hip(text: str, group: Group, number: int) -> bool:
    """Whether the branch is one that only HIP takes."""
    directive = group.branches[number].directive
    return _old(text, directive) and evaluate(text, directive, CUDA_VALUES) is False


def _old(text: str, directive: Directive) -> bool:
    names = names_of(text, directive)
    return directive.name in _ASKING and names <= _OLD


def _hidden(name: str, workspace: Workspace) -> Iterator[tuple[Path, Document]]:
    """Yield the files that define `name` in a branch for the old macros."""
    for function in functions_named(name, workspace):
        if _inside_hip(function.name.document, function.name.start):
            yield function.name.path, function.name.document
    for path, document in documents(workspace, name):
        for directive in directives(document.text):
            argument = document.text[directive.argument_start : directive.argument_end]
            defines = directive.name == "define" and re.match(rf"{name}\b", argument)
            if defines and _inside_hip(document, directive.start):
                yield path, document


def _inside_hip(document: Document, offset: int) -> bool:
    return any(
        branch.body_start <= offset < branch.body_end and _for_hip(document.text, group, number)
        for group in conditional_groups(document.text)
        for number, branch in enumerate(group.branches)
    )


def _modernised(path: Path, document: Document) -> Iterator[Proposal]:
    text = document.text
    asked = [d for d in directives(text) if _old(text, d)]
    edits = tuple(
        TextEdit(range=document.range_of(d.start, d.end), new_text=_asking(text, d))
        for d in asked
    )
    if edits:
        names = sorted({name for d in asked for name in names_of(text, d)})
        yield Proposal(
            title=f"Ask for today's HIP at {len(edits)} guards of {path.name}",
            applicability=Applicability.UNSAFE,
            evidence=(
                "the HIP branch was written for an older HIP: see that it still holds",
                f"{' and '.join(names)} is not defined where HIP is compiled today",
            ),
            files=(FileEdits(path, document, edits),),
        )


def _asking(text: str, directive: Directive) -> str:
    """Return the directive with HIP's condition in place of the old macros."""
    hash_and_name = text[directive.start : directive.argument_start].rstrip()
    indent = hash_and_name.removesuffix(directive.name)
    word = "elif" if directive.name == "elif" else "if"
    names = sorted(names_of(text, directive))
    every = " || ".join([HIP_CONDITION, *(f"defined({n})" for n in names if n == "__HCC__")])
    negated = evaluate(text, directive, CUDA_VALUES) is True
    return f"{indent}{word} {f'!({every})' if negated else every}"
