"""Put HIP's own branch in front of an `#if` group that decides by CUDA's macros."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard import guarded, line_bounds
from fastpt_lab.core.text import TextEdit
from fastpt_lab.rules.kit.places import style_for
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from fastpt_lab.core.scan import Branch, Group
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document

MAX_LINES = 40
"""Longer branches are not repeated: two copies of much code drift apart."""


class Chosen(NamedTuple):
    """A group, and the branch of it that HIP should take; None for none of it."""

    path: Path
    document: Document
    group: Group
    branch: Branch | None


def group_proposal(
    title: str,
    chosen: Chosen,
    stack: Stack,
    *evidence: str,
    doubts: Sequence[str] = (),
) -> Iterator[Proposal]:
    """Yield the edit that gives HIP the chosen branch and leaves the group to CUDA."""
    document, group = chosen.document, chosen.group
    if group.endif is None:
        return
    first = group.branches[0].directive
    start, end = line_bounds(document.text, first.start, group.endif.end)
    branch = chosen.branch
    # A branch ends at the next `#`, whose indentation is no part of what is repeated.
    hip = document.text[branch.body_start : branch.body_end].rstrip(" \t") if branch else ""
    if hip.count("\n") > MAX_LINES:
        return
    text = guarded(
        hip=hip,
        cuda=document.text[start:end],
        newline=document.newline,
        style=style_for(document, stack),
    )
    edit = TextEdit(range=document.range_of(start, end), new_text=text)
    yield Proposal(
        title=title,
        applicability=Applicability.UNSAFE if doubts else Applicability.SAFE,
        evidence=(*doubts, *evidence),
        files=(FileEdits(chosen.path, document, (edit,)),),
    )
