"""What a rule yields: one change, with its trust and the facts that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.action import ActionKind, Applicability, FlagChange

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.text import Document, TextEdit


class FileEdits(NamedTuple):
    """Edits of one original, all relative to `document`."""

    path: Path
    document: Document
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A change before it becomes a `CodeAction`; the fields mean the same there."""

    title: str
    applicability: Applicability
    evidence: tuple[str, ...]
    files: tuple[FileEdits, ...] = ()
    kind: ActionKind = ActionKind.EDIT
    advice: str | None = None
    flags: FlagChange | None = None


def advice(
    title: str, text: str, *evidence: str, kind: ActionKind = ActionKind.ADVICE
) -> Proposal:
    """Return a proposal that the tool never carries out itself."""
    return Proposal(
        title=title,
        applicability=Applicability.DISPLAY_ONLY,
        evidence=evidence,
        kind=kind,
        advice=text,
    )
