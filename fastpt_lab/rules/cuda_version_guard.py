"""Decide by the platform first where a guard asks for a CUDA version.

Why: `CUDA_VERSION` is not defined under HIP, or is a HIP number after transcoding, so
`#if CUDA_VERSION >= 11000` takes the branch for old CUDA, or an `#error`.

Safety: safe where the group holds nothing but an `#error` about CUDA's version. Unsafe where
HIP takes the branch of the newest CUDA: it may use what HIP has not.

Never offered: for an `#error` that has nothing to do with CUDA's version, and for groups of
more than 40 lines.

Source: torch 2.13 hipify maps CUDA_VERSION to TORCH_HIP_VERSION; pytorch#64554.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import conditional_groups, directives, enclosing_directive
from fastpt_lab.rules.kit.groups import Chosen, group_proposal
from fastpt_lab.rules.kit.places import point

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.scan import Branch, Directive, Group
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_VERSION = re.compile(
    r"\b(?:CUDA_VERSION|CUDART_VERSION|__CUDACC_VER_MAJOR__|CUDNN_VERSION|CUBLAS_VERSION"
    r"|__CUDA_ARCH__)\b"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield HIP's own branch before the group that asks for a version."""
    found = point(diagnostic.location, workspace)
    if found is None:
        return
    path, document, offset = found
    error = enclosing_directive(document.text, offset)
    if error is None or error.name != "error":
        return
    around = list(_around(document.text, offset))
    for group, branch in reversed(around):
        if any(_VERSION.search(_condition(document.text, b.directive)) for b in group.branches):
            only = _only_errors(document.text, branch)
            others = [b for b in group.branches if b is not branch]
            newest = others[0] if others else None
            if newest is None and not only:
                continue
            yield from group_proposal(
                "Ask for CUDA's version under CUDA only",
                Chosen(path, document, group, newest),
                stack,
                "CUDA's version is not defined under HIP, so the test fails there",
                doubts=()
                if newest is None
                else ("HIP takes the other branch: see that it can",),
            )
            return
    if around:
        condition = _condition(document.text, around[-1][1].directive)
        yield from _by_macro(document, path, condition, stack)


def _by_macro(
    document: Document, path: Path, condition: str, stack: Stack
) -> Iterator[Proposal]:
    """Yield a branch that defines the macro whose absence leads to the error."""
    text = document.text
    for name in re.findall(r"\b[A-Za-z_]\w*\b", condition):
        for group in conditional_groups(text):
            for branch in group.branches:
                if not _VERSION.search(_condition(text, branch.directive)):
                    continue
                if _defines(text, branch, name):
                    yield from group_proposal(
                        f"Define {name} under HIP too",
                        Chosen(path, document, group, branch),
                        stack,
                        f"{name} is defined only for a version of CUDA",
                        doubts=(f"see that HIP has what {name} stands for",),
                    )
                    return


def _around(text: str, offset: int) -> Iterator[tuple[Group, Branch]]:
    for group in conditional_groups(text):
        for branch in group.branches:
            if branch.body_start <= offset < branch.body_end:
                yield group, branch


def _condition(text: str, directive: Directive) -> str:
    return text[directive.argument_start : directive.argument_end]


def _only_errors(text: str, branch: Branch) -> bool:
    body = text[branch.body_start : branch.body_end]
    return all(line.strip().startswith("#") and "error" in line for line in body.splitlines())


def _defines(text: str, branch: Branch, name: str) -> bool:
    return any(
        d.name == "define"
        and branch.body_start <= d.start < branch.body_end
        and re.match(rf"{name}\b", text[d.argument_start : d.argument_end])
        for d in directives(text)
    )
