"""Advice by message: for what is no edit of a source."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, Applicability, FlagChange
from fastpt_lab.rules.kit.proposal import Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic


def heard(diagnostic: Diagnostic, pattern: str) -> re.Match[str] | None:
    """Return the match of `pattern` in the message, or in a line printed with it."""
    expression = re.compile(pattern, re.IGNORECASE)
    return expression.search(diagnostic.message) or expression.search(diagnostic.raw)


def step(title: str, text: str, *evidence: str) -> Proposal:
    """Return a step in the environment."""
    return Proposal(
        title=title,
        applicability=Applicability.DISPLAY_ONLY,
        kind=ActionKind.ENVIRONMENT,
        advice=text,
        evidence=evidence,
    )


def flags(
    title: str,
    text: str,
    *evidence: str,
    add: tuple[str, ...] = (),
    remove: tuple[str, ...] = (),
    applicability: Applicability = Applicability.SAFE,
) -> Iterator[Proposal]:
    """Yield a change of flags, if there is one."""
    if add or remove:
        yield Proposal(
            title=title,
            applicability=applicability,
            kind=ActionKind.FLAG,
            flags=FlagChange(add=add, remove=remove),
            advice=text,
            evidence=evidence,
        )
