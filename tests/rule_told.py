"""What a rule offers on a small source: places are marked in it, messages given.

`§` marks where the compiler's message points, `§1`, `§2`, … where its notes do; a note without a
mark points outside the project, at the path that it begins with.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from rule_bench import Originals
from rule_offers import Told

from fastpt_lab.core.action import CodeAction
from fastpt_lab.core.diagnostic import Diagnostic, Related, Severity
from fastpt_lab.core.guard import hip_view
from fastpt_lab.core.stack import Stack
from fastpt_lab.core.text import Document, Location, Position, Range
from fastpt_lab.rules import RULES
from fastpt_lab.rules import action_of as _action_of

PATH = Path("/project/a.cu")
OTHER = Path("/project/b.cuh")
NOTHING = Told(False)
EVERYTHING = Told(True)
_MARK = re.compile(r"§(\d?)")


@dataclass(frozen=True)
class Marked:
    """Originals in memory, and where the marks stood in them."""

    workspace: Originals
    marks: dict[str, Location] = field(default_factory=dict)


def marked(text: str, other: str | None = None, *, path: Path = PATH) -> Marked:
    """Read marked text as the original at `path`, and `other` as one beside it."""
    found = Marked(Originals())
    for at, given in ((path, text), (OTHER, other)):
        if given is None:
            continue
        plain = Document(_MARK.sub("", given))
        found.workspace.documents[at] = plain
        for number, match in enumerate(_MARK.finditer(given)):
            offset = match.start() - sum(
                len(m[0]) for m in list(_MARK.finditer(given))[:number]
            )
            found.marks[match[1]] = Location(at, plain.range_of(offset, offset))
    return found


def diagnostic_of(
    where: Marked, message: str, *notes: str, source: str = "clang", code: str = "other"
) -> Diagnostic:
    """Return the message at its mark, with its notes at theirs."""
    return Diagnostic(
        severity=Severity.ERROR,
        message=message,
        source=source,
        code=code,
        location=where.marks.get(""),
        related=tuple(
            _note(note, where.marks.get(str(number)))
            for number, note in enumerate(notes, start=1)
        ),
        id="d1",
    )


def _note(note: str, location: Location | None) -> Related:
    path, separator, message = note.partition(": ")
    if location is not None or not separator or not path.startswith("/"):
        return Related(message=note, location=location)
    start = Position(0, 0)
    return Related(message=message, generated=Location(Path(path), Range(start, start)))


def offers(
    rule: str,
    text: str,
    message: str,
    *notes: str,
    other: str | None = None,
    stack: Stack = NOTHING,
    path: Path = PATH,
    source: str = "clang",
    code: str = "other",
) -> tuple[CodeAction, ...]:
    """Return what a rule offers on a message about a marked source."""
    where = marked(text, other, path=path)
    diagnostic = diagnostic_of(where, message, *notes, source=source, code=code)
    found = (
        _action_of(rule, proposal)
        for proposal in RULES[rule].propose(diagnostic, where.workspace, stack)
    )
    return tuple(action for action in found if action is not None)


def seen(action: CodeAction, text: str, path: Path = PATH) -> str:
    """Return what HIP sees of a marked source once an action is carried out."""
    assert action.edit is not None
    (change,) = (c for c in action.edit.documents if c.path == path)
    return hip_view(Document(_MARK.sub("", text)).apply(change.edits).text)
