"""A survey, and what a mode of FastPT sets, as the JSON of docs/contract.md."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.survey import Effort
from fastpt_lab.show.json import VERSION, Json, diagnostic_json, location_json, relative

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.check import Check
    from fastpt_lab.core.command import CommandResult
    from fastpt_lab.core.modes import ModeCapture
    from fastpt_lab.core.survey import (
        Condition,
        Feature,
        FileSurvey,
        Lint,
        RouteAdvice,
        Survey,
    )


def survey_json(survey: Survey) -> Json:
    """Return the document that `survey --json` prints."""
    root = survey.root
    return {
        "version": VERSION,
        "command": "survey",
        "root": str(root),
        "seconds": round(survey.seconds, 3),
        "totals": {
            "files": len(survey.files),
            "lines": survey.lines,
            "kernels": sum(file.kernels for file in survey.files),
            "launches": sum(file.launches for file in survey.files),
            **{effort.value: survey.total(effort) for effort in Effort},
            "unknown": sum(file.unknown for file in survey.files),
            "ported": survey.ported,
        },
        "route": _route(survey.route),
        "files": [_file(file, root) for file in survey.files],
        "features": [_feature(feature, root) for feature in survey.features],
        "build": [
            {
                "name": fact.name,
                "value": fact.value,
                "location": location_json(fact.location, root),
            }
            for fact in survey.build
        ],
        "conditions": [_condition(each, root) for each in survey.conditions],
        "lints": [_lint(lint, root) for lint in survey.lints],
        "versions": [_check(check) for check in survey.versions],
        "refused": [{"path": relative(path, root), "why": why} for path, why in survey.refused],
    }


def _file(file: FileSurvey, root: Path) -> Json:
    return {
        "path": relative(file.path, root),
        "kind": file.kind,
        "lines": file.lines,
        "kernels": file.kernels,
        "launches": file.launches,
        "automatic": file.automatic,
        "review": file.review,
        "no-equivalent": file.no_equivalent,
        "unknown": file.unknown,
        "effort": file.level,
        "reasons": list(file.reasons),
        "encoding": file.encoding,
    }


def _feature(feature: Feature, root: Path) -> Json:
    return {
        "id": feature.id,
        "title": feature.title,
        "kind": feature.kind,
        "effort": feature.effort.value,
        "gpufusion": feature.gpufusion.value,
        "reason": feature.reason,
        "remedy": feature.remedy,
        "source": feature.source,
        "count": feature.count,
        "places": [location_json(place, root) for place in feature.places],
    }


def _condition(condition: Condition, root: Path) -> Json:
    return {
        "location": location_json(condition.location, root),
        "condition": condition.text,
        "host": condition.host,
        "device": condition.device,
        "values": dict(condition.values),
        "warning": condition.warning or None,
    }


def _lint(lint: Lint, root: Path) -> Json:
    return {
        **diagnostic_json(lint.diagnostic, root),
        "check": lint.check,
        "certain": lint.certain,
        "evidence": list(lint.evidence),
        "suggestion": lint.suggestion or None,
    }


def _route(route: RouteAdvice) -> Json:
    return {
        "route": route.route.value,
        "title": route.title,
        "why": route.why,
        "steps": [
            {"question": step.question, "answer": step.answer, "reason": step.reason}
            for step in route.steps
        ],
        "todo": list(route.todo),
        "change": list(route.change),
        "options": [
            {
                "route": option.route.value,
                "title": option.title,
                "invasiveness": option.invasiveness,
                "effort": option.effort,
                "deployment": option.deployment,
                "cmake": option.cmake,
                "for": list(option.pros),
                "against": list(option.cons),
                "unknown": list(option.unknowns),
            }
            for option in route.options
        ],
    }


def _check(check: Check) -> Json:
    return {
        "id": check.id,
        "status": check.status.value,
        "observed": check.observed,
        "expected": check.expected,
        "why": check.why,
        "next_step": check.next_step,
        "source": check.evidence[0].output if check.evidence else "",
    }


def mode_json(captured: ModeCapture, result: CommandResult | None = None) -> Json:
    """Return what a mode sets, and the outcome of a command that ran inside it."""
    said = captured.said
    return {
        "version": VERSION,
        "command": "env",
        "mode": captured.mode.value,
        "script": str(captured.script),
        "status": captured.returncode,
        "ok": captured.ok,
        "problems": list(captured.problems),
        "said": {
            "dtk": said.dtk,
            "required_dtk": said.required_dtk,
            "torch_ok": said.torch_ok,
            "cuda_loaded": said.cuda_loaded,
            "warnings": list(said.warnings),
        },
        "changes": [
            {
                "name": change.name,
                "kind": change.kind,
                "before": change.before,
                "after": change.after,
                "entries": list(change.entries),
            }
            for change in captured.changes
        ],
        "run": None
        if result is None
        else {
            "argv": list(result.argv),
            "returncode": result.returncode,
            "seconds": round(result.seconds, 3),
            "timed_out": result.timed_out,
            "cancelled": result.cancelled,
        },
    }
