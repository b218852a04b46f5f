"""The compatibility header as an action: shown as a diff, written only when accepted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.action import ActionKind, Applicability, CodeAction, CudaEffect
from fastpt_lab.core.text import Document, TextDocumentEdit, TextEdit, WorkspaceEdit
from fastpt_lab.fix.compat import compat_header

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.stack import Stack
    from fastpt_lab.fix.compat import CompatHeader
    from fastpt_lab.session.sources import Sources

ID = "h1"
RULE = "compat-header"
"""What the journal calls it; it answers no message, so it is no fix rule."""


def compat_action(
    sources: Sources, stack: Stack, root: Path, path: Path | None
) -> tuple[tuple[CodeAction, ...], tuple[str, ...]]:
    """Return the action that makes the header, if there is anything to make, and remarks.

    Raises:
        HandWrittenFileError: a person wrote or changed the file.
    """
    found = compat_header(sources, stack, root, path)
    if found is None:
        return (), ("the project uses nothing that a compatibility header has a wrapper for",)
    if found.text == found.before:
        return (), (*found.remarks, f"{found.path.name} is up to date")
    document = sources.document(found.path) or Document("")
    change = TextDocumentEdit(
        path=found.path,
        digest=document.digest,
        edits=(TextEdit(range=document.range_of(0, len(document.text)), new_text=found.text),),
    )
    action = CodeAction(
        title=f"{'Make' if found.before is None else 'Renew'} {found.path.name}",
        rule=RULE,
        kind=ActionKind.EDIT,
        applicability=Applicability.UNSAFE,
        cuda_effect=CudaEffect.IDENTICAL,
        edit=WorkspaceEdit(documents=(change,)),
        evidence=_evidence(found),
        id=ID,
    )
    return (action,), found.remarks


def _evidence(found: CompatHeader) -> tuple[str, ...]:
    words = {
        True: "the installed hipcc compiles a kernel that uses all of it",
        False: "the installed hipcc does not compile a kernel that uses all of it",
        None: "no hipcc was asked whether it compiles",
    }
    kept = () if found.before is None else ("no hand has edited it since it was made",)
    return (
        f"for {', '.join(found.names)}" if found.names else "for what already calls it",
        words[found.compiled],
        "no original includes it by itself: what they call is up to you",
        *kept,
    )
