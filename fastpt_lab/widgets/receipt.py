"""What a write changed, as the receipt says it. Pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.report import Report
    from fastpt_lab.widgets.model import Json


def _like(report: Report, found: Diagnostic) -> int:
    """Count the errors that say what `found` says in the file where it says it."""
    path = found.location.path if found.location else None
    return sum(
        other.is_error
        and other.message == found.message
        and (other.location.path if other.location else None) == path
        for other in report.diagnostics
    )


def gone(before: Report | None, after: Report | None) -> int | None:
    """Return how many errors went together with the first one, None if that one is still there.

    Lines move when a guard is written, so an error is known again by its file and words.
    """
    first = before.first_error if before is not None else None
    if before is None or after is None or first is None:
        return None
    if _like(after, first) >= _like(before, first):
        return None
    errors = [sum(found.is_error for found in report.diagnostics) for report in (before, after)]
    return max(errors[0] - errors[1] - 1, 0)


def receipt_of(
    kind: str, history: Sequence[Json], before: Report | None, after: Report | None
) -> Json | None:
    """Return the receipt of the last write: `accepted`, `undone` or `redone`."""
    undone = kind == "undone"
    entries = [entry for entry in history if entry["undone"] is undone]
    if not entries:
        return None
    lost = gone(before, after) if kind == "accepted" else None
    return {"kind": kind, "entry": entries[-1], "gone": lost}
