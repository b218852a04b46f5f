"""Which actions of a report are meant, and which of them can be written together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.errors import UnknownNameError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.report import Report
    from fastpt_lab.core.text import Range


def choose(
    report: Report, *, every: bool, ids: Sequence[str], names: Sequence[str]
) -> tuple[CodeAction, ...]:
    """Return the actions with these ids; else those of the first error, or with `every` of all.

    Args:
        report: what was found.
        every: not only what answers the first error.
        ids: actions by id, whatever they answer.
        names: rules; empty means any.

    Raises:
        UnknownNameError: an id is not in the report.
    """
    known = {action.id: action for action in report.actions}
    for name in ids:
        if name not in known:
            raise UnknownNameError(
                f"there is no action {name}", next_step="`fastpt-lab fix` lists them"
            )
    if ids:
        return tuple(known[name] for name in ids)
    first = report.first_error
    if every:
        pool = report.actions
    else:
        pool = report.actions_for(first.id) if first is not None else ()
    return tuple(action for action in pool if not names or action.rule in names)


def without_overlaps(actions: Sequence[CodeAction]) -> tuple[CodeAction, ...]:
    """Return actions that touch no line twice: of two that meet, the one that answers more."""
    taken: list[CodeAction] = []
    for action in sorted(actions, key=lambda a: (-a.applicability, -len(a.diagnostics))):
        if not any(_meet(action, other) for other in taken):
            taken.append(action)
    return tuple(action for action in actions if action in taken)


def _meet(one: CodeAction, other: CodeAction) -> bool:
    spans = [
        [(d.path, e.range) for d in a.edit.documents for e in d.edits] if a.edit else []
        for a in (one, other)
    ]
    return any(
        path == other_path and _touch(a, b)
        for path, a in spans[0]
        for other_path, b in spans[1]
    )


def _touch(one: Range, other: Range) -> bool:
    """Whether two edits share text; lines that only follow each other do not.

    What is inserted at the edge of another edit does: it may belong on either side.
    """
    if one.start == one.end or other.start == other.end:
        return one.start <= other.end and other.start <= one.end
    return one.start < other.end and other.start < one.end
