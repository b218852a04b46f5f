"""Values to the JSON of docs/contract.md, and back for the session that survives a restart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastpt_lab.core.action import (
    ActionKind,
    Applicability,
    CodeAction,
    CudaEffect,
    FlagChange,
    Trial,
    TrialStatus,
)
from fastpt_lab.core.diagnostic import Diagnostic, Related, Severity
from fastpt_lab.core.report import EngineCheck, FileNote, FileReport, Report, UnitReport
from fastpt_lab.core.text import (
    Location,
    Position,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

VERSION = 1
"""Of the JSON documents; it changes only together with a changelog line."""

Json = dict[str, Any]


def relative(path: Path, root: Path) -> str:
    """Return `path` from `root`, with `/`; as it is where it lies elsewhere."""
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return path.as_posix()


def _range(span: Range) -> Json:
    return {
        "start": {"line": span.start.line, "character": span.start.character},
        "end": {"line": span.end.line, "character": span.end.character},
    }


def location_json(place: Location | None, root: Path) -> Json | None:
    """Return a location, its path relative to `root`."""
    if place is None:
        return None
    return {"path": relative(place.path, root), "range": _range(place.range)}


def diagnostic_json(found: Diagnostic, root: Path) -> Json:
    """Return a diagnostic as the contract spells it."""
    return {
        "id": found.id,
        "severity": int(found.severity),
        "message": found.message,
        "code": found.code,
        "source": found.source,
        "location": location_json(found.location, root),
        "generated": location_json(found.generated, root),
        "related": [
            {
                "location": location_json(note.location, root),
                "generated": location_json(note.generated, root),
                "message": note.message,
            }
            for note in found.related
        ],
        "target": found.target,
        "caused_by": found.caused_by,
    }


def edit_json(edit: WorkspaceEdit | None, root: Path) -> Json | None:
    """Return a workspace edit as the contract spells it."""
    if edit is None:
        return None
    return {
        "documents": [
            {
                "path": relative(document.path, root),
                "digest": document.digest,
                "edits": [
                    {"range": _range(change.range), "newText": change.new_text}
                    for change in document.edits
                ],
            }
            for document in edit.documents
        ]
    }


def trial_json(trial: Trial) -> Json:
    """Return a trial."""
    return {
        "status": trial.status.value,
        "first_error_before": trial.first_error_before,
        "first_error_after": trial.first_error_after,
        "errors_before": trial.errors_before,
        "errors_after": trial.errors_after,
        "seconds": round(trial.seconds, 3),
    }


def action_json(action: CodeAction, root: Path) -> Json:
    """Return a code action as the contract spells it."""
    flags = action.flags
    return {
        "id": action.id,
        "title": action.title,
        "rule": action.rule,
        "kind": action.kind.value,
        "applicability": action.applicability.word,
        "cuda_effect": action.cuda_effect.value,
        "diagnostics": list(action.diagnostics),
        "edit": edit_json(action.edit, root),
        "advice": action.advice,
        "flags": None
        if flags is None
        else {"add": list(flags.add), "remove": list(flags.remove)},
        "evidence": list(action.evidence),
        "trial": trial_json(action.trial),
    }


def report_json(report: Report) -> Json:
    """Return the document that a command prints with `--json`."""
    root = report.root
    first = report.first_error
    return {
        "version": VERSION,
        "command": report.command,
        "root": str(root),
        "stack": dict(report.stack),
        "seconds": round(report.seconds, 3),
        "files": [
            {
                "original": relative(file.original, root),
                "generated": None if file.generated is None else relative(file.generated, root),
                "status": file.status,
                "why": file.why,
                "notes": [
                    {
                        "kind": note.kind,
                        "message": note.message,
                        "location": location_json(note.location, root),
                    }
                    for note in file.notes
                ],
            }
            for file in report.files
        ],
        "units": [
            {
                "original": relative(unit.original, root),
                "generated": relative(unit.generated, root),
                "status": unit.status,
                "seconds": round(unit.seconds, 3),
                "errors": unit.errors,
                "warnings": unit.warnings,
                "cached": unit.cached,
            }
            for unit in report.units
        ],
        "diagnostics": [diagnostic_json(found, root) for found in report.diagnostics],
        "first_error": None if first is None else first.id,
        "actions": [action_json(action, root) for action in report.actions],
        "applied": [entry.id for entry in report.applied],
        "advice": list(report.advice),
    } | ({"engines": [_engine_json(e, root) for e in report.engines]} if report.engines else {})


def _engine_json(found: EngineCheck, root: Path) -> Json:
    error = found.first_error
    return {
        "engine": found.engine,
        "status": found.status,
        "units": found.units,
        "failed": found.failed,
        "first_error": None if error is None else diagnostic_json(error, root),
        "why": found.why,
    }


def _read_range(data: Json) -> Range:
    start, end = data["start"], data["end"]
    return Range(
        Position(start["line"], start["character"]), Position(end["line"], end["character"])
    )


def _locations(root: Path) -> Callable[[Json | None], Location | None]:
    def read(data: Json | None) -> Location | None:
        if data is None:
            return None
        return Location(root / data["path"], _read_range(data["range"]))

    return read


def _read_diagnostic(data: Json, root: Path) -> Diagnostic:
    place = _locations(root)
    return Diagnostic(
        severity=Severity(data["severity"]),
        message=data["message"],
        source=data["source"],
        code=data["code"],
        location=place(data["location"]),
        generated=place(data["generated"]),
        related=tuple(
            Related(
                message=note["message"],
                location=place(note["location"]),
                generated=place(note["generated"]),
            )
            for note in data["related"]
        ),
        target=data["target"],
        id=data["id"],
        caused_by=data["caused_by"],
    )


def read_edit(data: Json, root: Path) -> WorkspaceEdit:
    """Return the edit that `edit_json` made, its paths under `root`.

    Raises:
        KeyError, TypeError: the data is not of the contract's shape.
    """
    return WorkspaceEdit(
        documents=tuple(
            TextDocumentEdit(
                path=root / document["path"],
                digest=document["digest"],
                edits=tuple(
                    TextEdit(range=_read_range(change["range"]), new_text=change["newText"])
                    for change in document["edits"]
                ),
            )
            for document in data["documents"]
        )
    )


def _read_action(data: Json, root: Path) -> CodeAction:
    flags, trial = data["flags"], data["trial"]
    return CodeAction(
        title=data["title"],
        rule=data["rule"],
        kind=ActionKind(data["kind"]),
        applicability=Applicability[data["applicability"].upper().replace("-", "_")],
        cuda_effect=CudaEffect(data["cuda_effect"]),
        diagnostics=tuple(data["diagnostics"]),
        edit=None if data["edit"] is None else read_edit(data["edit"], root),
        advice=data["advice"],
        flags=flags and FlagChange(add=tuple(flags["add"]), remove=tuple(flags["remove"])),
        evidence=tuple(data["evidence"]),
        trial=Trial(
            status=TrialStatus(trial["status"]),
            first_error_before=trial["first_error_before"],
            first_error_after=trial["first_error_after"],
            errors_before=trial["errors_before"],
            errors_after=trial["errors_after"],
            seconds=trial["seconds"],
        ),
        id=data["id"],
    )


def read_report(data: Json, root: Path) -> Report:
    """Return the report that `report_json` made, its paths under `root`.

    Raises:
        KeyError, TypeError, ValueError: the data is not of this version's shape.
    """
    if data["version"] != VERSION:
        raise ValueError(f"version {data['version']} is not {VERSION}")
    place = _locations(root)
    return Report(
        command=data["command"],
        root=root,
        stack=tuple(data["stack"].items()),
        seconds=data["seconds"],
        files=tuple(
            FileReport(
                original=root / file["original"],
                generated=None if file["generated"] is None else root / file["generated"],
                status=file["status"],
                why=file["why"],
                notes=tuple(
                    FileNote(
                        kind=note["kind"],
                        message=note["message"],
                        location=place(note["location"]),
                    )
                    for note in file["notes"]
                ),
            )
            for file in data["files"]
        ),
        units=tuple(
            UnitReport(
                original=root / unit["original"],
                generated=root / unit["generated"],
                status=unit["status"],
                seconds=unit["seconds"],
                errors=unit["errors"],
                warnings=unit["warnings"],
                cached=unit["cached"],
            )
            for unit in data["units"]
        ),
        diagnostics=tuple(_read_diagnostic(found, root) for found in data["diagnostics"]),
        actions=tuple(_read_action(action, root) for action in data["actions"]),
        advice=tuple(data["advice"]),
        engines=tuple(_read_engine(found, root) for found in data.get("engines", ())),
    )


def _read_engine(data: Json, root: Path) -> EngineCheck:
    error = data["first_error"]
    return EngineCheck(
        engine=data["engine"],
        status=data["status"],
        units=data["units"],
        failed=data["failed"],
        first_error=None if error is None else _read_diagnostic(error, root),
        why=data["why"],
    )
