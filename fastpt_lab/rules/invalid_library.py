"""Fetch or build a damaged library again.

Why: a file that is no ELF file for this machine was downloaded in part, or is a text file.

Safety: advice.

Never offered: as an edit.

Source: glibc's loader messages.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import heard, step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the step in the environment."""
    found = heard(diagnostic, r"(\S+): (?:invalid ELF header|file too short|wrong ELF class)")
    if found is None:
        return
    yield step(
        f"Build or fetch {found[1]} again",
        "The file is not a library of this machine: see its size and `file` output (a Git LFS"
        " pointer is a short text), then build or download it again.",
        f"{found[1]} is not a valid library",
    )
