"""The bounded picture of a session that a view starts from, and the parts asked for beyond it.

Whatever the project's size, a snapshot stays below `LIMIT` bytes of JSON: lists are cut, and
what does not fit is asked for on demand (docs/review.md). Pure.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.action import ActionKind, Applicability
from fastpt_lab.core.diagnostic import Severity
from fastpt_lab.core.report import FileReport
from fastpt_lab.show.json import diagnostic_json, relative
from fastpt_lab.show.language import say
from fastpt_lab.widgets.words import action_said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from fastpt_lab.core.action import CodeAction
    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.report import Report
    from fastpt_lab.core.text import Document
    from fastpt_lab.widgets.model import Json

LIMIT = 96_000
"""Bytes of JSON of one snapshot; the state of a widget is to stay below 100 KB."""

PAGE = 500
"""Rows of a list in one answer."""

_FILES_SHARE = 28_000
_PROBLEMS_SHARE = 24_000
_DETAIL_SHARE = 16_000
_MARKS = 500
_REMARKS = 4
_REMARK = 500


def size_of(value: object) -> int:
    """Return the bytes of `value` as JSON."""
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def _within(rows: Iterable[Json], share: int) -> list[Json]:
    kept: list[Json] = []
    for row in rows:
        share -= size_of(row) + 1
        if share < 0:
            break
        kept.append(row)
    return kept


def files_of(report: Report) -> tuple[FileReport, ...]:
    """Return the originals; those that messages name where nothing was transcoded.

    A build has a transcoding of its own, and a log may be all there is.
    """
    if report.files:
        return report.files
    named: dict[Path, FileReport] = {}
    for found in report.diagnostics:
        if found.location is not None and found.location.path.is_relative_to(report.root):
            generated = found.generated.path if found.generated is not None else None
            made = None if generated == found.location.path else generated
            file = FileReport(original=found.location.path, generated=made, status="built")
            named.setdefault(file.original, file)
    return tuple(named.values())


def file_rows(report: Report) -> list[Json]:
    """Return one row for each original: path, output, errors, warnings, status."""
    errors: Counter[Path] = Counter()
    warnings: Counter[Path] = Counter()
    for found in report.diagnostics:
        if found.location is not None:
            counter = errors if found.severity is Severity.ERROR else warnings
            if found.severity <= Severity.WARNING:
                counter[found.location.path] += 1
    return [
        {
            "path": relative(file.original, report.root),
            "generated": None
            if file.generated is None
            else relative(file.generated, report.root),
            "errors": errors[file.original],
            "warnings": warnings[file.original],
            "status": file.status,
        }
        for file in files_of(report)
    ]


def _best(report: Report, found: Diagnostic) -> list[CodeAction]:
    """Return the actions that answer `found`, the most trusted first."""
    return sorted(report.actions_for(found.id), key=lambda a: -a.applicability)


def problem_rows(report: Report) -> list[Json]:
    """Return every diagnostic in few words, in reading order."""
    rows = []
    for found in report.diagnostics:
        place = found.location or found.generated
        actions = _best(report, found)
        rows.append(
            {
                "id": found.id,
                "severity": int(found.severity),
                "message": found.message[:2000],
                "path": None if place is None else relative(place.path, report.root),
                "line": 0 if place is None else place.range.start.line,
                "character": 0 if place is None else place.range.start.character,
                "caused_by": found.caused_by,
                "fix": actions[0].applicability.word if actions else None,
                "rule": actions[0].rule if actions else None,
            }
        )
    return rows


def _places(report: Report, rule: str) -> list[CodeAction]:
    """Return the edits of a rule, one a place.

    An action that answers several messages at once is left out where others answer them singly.
    """
    usable = [
        action
        for action in report.actions
        if action.rule == rule
        and action.kind is ActionKind.EDIT
        and action.edit is not None
        and action.applicability is not Applicability.DISPLAY_ONLY
    ]
    single = {action.diagnostics[0] for action in usable if len(action.diagnostics) == 1}
    return [a for a in usable if len(a.diagnostics) == 1 or not single >= set(a.diagnostics)]


def detail(report: Report, found: Diagnostic) -> Json:
    """Return a diagnostic in full, its actions, and how many places each one's rule has."""
    actions = _best(report, found)
    rules = dict.fromkeys(action.rule for action in actions)
    return {
        "diagnostic": diagnostic_json(found, report.root),
        "actions": [action_said(action, report.root) for action in actions],
        "places": {rule: len(_places(report, rule)) for rule in rules},
    }


def marks(report: Report, original: str, generated: str | None) -> list[Json]:
    """Return the diagnostics that have a place, or a note's place, in one pair of files."""
    names = {original, generated}
    rows = []
    for found in report.diagnostics:
        row = diagnostic_json(found, report.root)
        places = [row["location"], row["generated"]]
        for note in row["related"]:
            places += [note["location"], note["generated"]]
        if any(place is not None and place["path"] in names for place in places):
            keys = ("id", "severity", "message", "location", "generated", "related")
            rows.append({key: row[key] for key in keys})
    return rows[:_MARKS]


def place_rows(
    report: Report, rule: str, read: Callable[[Path], Document | None]
) -> list[Json]:
    """Return every place that actions of `rule` would edit, with the line that stands there."""
    rows = []
    for action in _places(report, rule):
        path, line = _place(report, action)
        document = read(path)
        rows.append(
            {
                "id": action.id,
                "path": relative(path, report.root),
                "line": line,
                "code": "" if document is None else document.line(line).strip()[:200],
                "applicability": action.applicability.word,
                "trial": action.trial.status.value,
                "reason": say(action.evidence[0]) if action.evidence else None,
            }
        )
    return rows


def _place(report: Report, action: CodeAction) -> tuple[Path, int]:
    """Return where an action belongs: at its diagnostic, else at its first edit."""
    assert action.edit is not None
    document = action.edit.documents[0]
    for found in report.diagnostics:
        if found.id in action.diagnostics and found.location is not None:
            return found.location.path, found.location.range.start.line
    return document.path, min(edit.range.start.line for edit in document.edits)


def _compiler(report: Report | None) -> tuple[str, str]:
    """Return the compiler with its version, and the targets, in few words."""
    facts = dict(report.stack) if report is not None else {}
    compiler = f"hipcc {facts['HIP']}" if facts.get("HIP") else ""
    return compiler, facts.get("arch", "").partition(" (")[0]


def _ended(report: Report | None) -> Json | None:
    """Return how a build ended, in the report's own words; None where there was no build."""
    if report is None or report.command != "build":
        return None
    remarks = [say(remark)[:_REMARK] for remark in report.advice[:_REMARKS]]
    return {"failed": report.failed, "remarks": remarks}


def snapshot(
    report: Report | None,
    *,
    project: str,
    numbers: tuple[int, int],
    history: Sequence[Json],
    receipt: Json | None,
    document: Callable[[str], Json | None],
) -> Json:
    """Return the picture of `report`, cut to `LIMIT`.

    Args:
        report: the last one, None before any.
        project: the name of the project.
        numbers: of this snapshot, and of the report whose ids it uses.
        history: the journal, for the count of fixes.
        receipt: the last write, if it is to be shown.
        document: texts of an original, None where they cannot be read.
    """
    files = file_rows(report) if report else []
    problems = problem_rows(report) if report else []
    first = report.first_error if report else None
    units = report.units if report else ()
    compiler, arch = _compiler(report)
    result: dict[str, Any] = {
        "revision": numbers[0],
        "report": numbers[1],
        "project": project,
        "errors": sum(row["severity"] == Severity.ERROR for row in problems),
        "warnings": sum(row["severity"] == Severity.WARNING for row in problems),
        "fixes": sum(not entry["undone"] for entry in history),
        "files": _within(files, _FILES_SHARE),
        "files_total": len(files),
        "problems": _within(problems, _PROBLEMS_SHARE),
        "problems_total": len(problems),
        "first_error": first.id if first else None,
        "detail": None,
        "texts": None,
        "marks": [],
        "units": {"total": len(units), "failed": sum(u.status != "ok" for u in units)},
        "checked": bool(units) or bool(problems),
        "build": _ended(report),
        "seconds": report.seconds if report else 0.0,
        "compiler": compiler,
        "arch": arch,
        "receipt": receipt,
    }
    if report is not None and first is not None:
        _add_first(result, report, first, document)
    return result


def _add_first(
    result: Json, report: Report, first: Diagnostic, document: Callable[[str], Json | None]
) -> None:
    """Add the first error in full, and its file's texts, where they fit."""
    shown = detail(report, first)
    if size_of(shown) <= _DETAIL_SHARE:
        result["detail"] = shown
    if first.location is None:
        return
    texts = document(relative(first.location.path, report.root))
    if texts is None:
        return
    found = marks(report, texts["original"], texts["generated"])
    if size_of(result) + size_of(texts) + size_of(found) <= LIMIT:
        result["texts"], result["marks"] = texts, found
