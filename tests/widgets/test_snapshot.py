from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fastpt_lab.core.action import (
    ActionKind,
    Applicability,
    CodeAction,
    CudaEffect,
    Trial,
    TrialStatus,
)
from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.report import FileReport, Report, UnitReport
from fastpt_lab.core.text import (
    Document,
    Location,
    Position,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from fastpt_lab.widgets.receipt import gone, receipt_of
from fastpt_lab.widgets.snapshot import (
    LIMIT,
    detail,
    file_rows,
    marks,
    place_rows,
    problem_rows,
    size_of,
    snapshot,
)

ROOT = Path("/p")


def at(path: str, line: int) -> Location:
    return Location.at(ROOT / path, line, 4)


def error(number: int, path: str = "a.cu", *, line: int = 3, **more: object) -> Diagnostic:
    return Diagnostic(
        severity=Severity.ERROR,
        message="use of undeclared identifier '__shfl_xor_sync'",
        source="clang",
        id=f"d{number}",
        location=at(path, line),
        generated=at(path.replace(".cu", ".hip"), line + 1),
        **more,
    )


def action(number: int, *diagnostics: str, rule: str = "sync-shuffle") -> CodeAction:
    here = Position(number, 0)
    edit = TextEdit(range=Range(here, here), new_text="#if X\n")
    return CodeAction(
        id=f"a{number}",
        title="Drop the mask",
        rule=rule,
        kind=ActionKind.EDIT,
        applicability=Applicability.SAFE,
        cuda_effect=CudaEffect.IDENTICAL,
        diagnostics=diagnostics,
        edit=WorkspaceEdit(
            documents=(TextDocumentEdit(path=ROOT / "a.cu", digest="", edits=(edit,)),)
        ),
    )


def report(
    diagnostics: tuple[Diagnostic, ...] = (), actions: tuple[CodeAction, ...] = ()
) -> Report:
    return Report(
        command="check",
        root=ROOT,
        stack=(("HIP", "5.2.3"), ("arch", "gfx906 gfx936 (given)")),
        files=(
            FileReport(original=ROOT / "a.cu", generated=ROOT / "a.hip", status="written"),
            FileReport(original=ROOT / "b.h", generated=None, status="skipped"),
        ),
        units=(UnitReport(original=ROOT / "a.cu", generated=ROOT / "a.hip", status="error"),),
        diagnostics=diagnostics,
        actions=actions,
    )


def picture(shown: Report | None, text: str = "int a;\n") -> dict[str, object]:
    return snapshot(
        shown,
        project="p",
        numbers=(1, 1),
        history=(),
        receipt=None,
        document=lambda path: {
            "original": path,
            "generated": "a.hip",
            "text": text,
            "generated_text": text,
            "digest": "",
        },
    )


@settings(max_examples=25, deadline=None)
@given(
    problems=st.integers(0, 3000),
    files=st.integers(0, 3000),
    length=st.integers(0, 20_000),
    text=st.integers(0, 60_000),
)
def test_a_snapshot_stays_below_its_limit_whatever_the_project_s_size(
    problems: int, files: int, length: int, text: int
) -> None:
    first = replace(error(1), message="长" * length)
    found = tuple(replace(first, id=f"d{n}") for n in range(problems))
    shown = replace(
        report(found, tuple(action(n, f"d{n}") for n in range(min(problems, 300)))),
        files=tuple(
            FileReport(original=ROOT / f"深/路径/{n}.cu", generated=None, status="written")
            for n in range(files)
        ),
    )
    result = picture(shown, "字" * text)
    assert size_of(result) <= LIMIT
    assert result["problems_total"] == problems
    named = min(problems, 1)
    assert result["files_total"] == (files or named), "messages name one original of their own"
    assert result["errors"] == problems


def test_small_projects_come_whole_with_the_first_error_s_texts() -> None:
    result = picture(report((error(1),), (action(1, "d1"),)))
    assert result["texts"]["text"] == "int a;\n"
    assert [mark["id"] for mark in result["marks"]] == ["d1"]
    assert result["detail"]["actions"][0]["id"] == "a1"
    assert (result["compiler"], result["arch"]) == ("hipcc 5.2.3", "gfx906 gfx936")
    assert result["checked"]
    assert result["units"] == {"total": 1, "failed": 1}


def test_nothing_checked_is_not_green() -> None:
    result = picture(None)
    assert not result["checked"]
    assert result["first_error"] is None


def test_files_count_their_own_errors_and_warnings() -> None:
    warning = replace(error(2), severity=Severity.WARNING)
    rows = file_rows(report((error(1), warning)))
    assert [(row["path"], row["errors"], row["warnings"]) for row in rows] == [
        ("a.cu", 1, 1),
        ("b.h", 0, 0),
    ]


def test_a_message_without_a_place_is_still_listed() -> None:
    lost = replace(error(1), location=None, generated=None)
    (row,) = problem_rows(report((lost,)))
    assert row["path"] is None
    assert marks(report((lost,)), "a.cu", "a.hip") == []


def test_the_most_trusted_action_comes_first() -> None:
    unsafe = replace(action(1, "d1"), applicability=Applicability.UNSAFE)
    shown = detail(report((error(1),), (unsafe, action(2, "d1"))), error(1))
    assert [each["id"] for each in shown["actions"]] == ["a2", "a1"]


def test_places_leave_out_an_action_that_only_gathers_others() -> None:
    found = (error(1), error(2, line=9))
    both = action(3, "d1", "d2")
    shown = report(found, (action(1, "d1"), action(2, "d2"), both))
    rows = place_rows(shown, "sync-shuffle", lambda _: Document("x\n" * 20))
    assert [(row["id"], row["line"]) for row in rows] == [("a1", 3), ("a2", 9)]
    assert detail(shown, found[0])["places"] == {"sync-shuffle": 2}
    alone = report(found, (both,))
    assert [row["id"] for row in place_rows(alone, "sync-shuffle", lambda _: None)] == ["a3"]


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        ((error(3, "b.cu"),), 2),
        ((error(1), error(3, "b.cu")), 1),
        ((error(1), error(2), error(3, "b.cu"), error(4, "b.cu")), None),
    ],
    ids=["it and its follower went", "one of two alike went", "it is still there"],
)
def test_the_receipt_counts_what_went_with_the_error(
    after: tuple[Diagnostic, ...], expected: int | None
) -> None:
    before = report((error(1), error(2, caused_by="d1"), error(3, "b.cu"), error(4, "b.cu")))
    assert gone(before, report(after)) == expected


def test_a_receipt_is_of_the_last_entry_of_its_kind() -> None:
    entries = [{"id": "j1", "undone": False}, {"id": "j2", "undone": True}]
    assert receipt_of("accepted", entries, None, None)["entry"]["id"] == "j1"
    assert receipt_of("undone", entries, None, None)["entry"]["id"] == "j2"
    assert receipt_of("redone", [], None, None) is None


def test_a_trial_does_not_make_ids_mean_something_else() -> None:
    from fastpt_lab.widgets.desk import _same_ids

    one = report((error(1),), (action(1, "d1"),))
    tried = replace(action(1, "d1"), trial=Trial(status=TrialStatus.FIXED))
    assert _same_ids(one, replace(one, actions=(tried,)))
    assert _same_ids(one, replace(one, actions=(tried, action(2, "d1"))))
    assert not _same_ids(one, replace(one, actions=(replace(tried, title="Other"),)))
    assert not _same_ids(one, report())


def test_a_build_shows_how_it_ended_and_the_files_its_messages_name() -> None:
    remarks = ("the build was cancelled", "log: .fastpt/logs/b.log")
    nothing = replace(
        report(), command="build", files=(), units=(), advice=remarks, failed=True
    )
    result = picture(nothing)
    assert result["build"] == {"failed": True, "remarks": list(remarks)}
    assert not result["checked"]
    found = replace(nothing, diagnostics=(error(1), error(2, "a.cu"), error(3, "c.cu")))
    rows = picture(found)["files"]
    assert [(row["path"], row["generated"], row["errors"]) for row in rows] == [
        ("a.cu", "a.hip", 2),
        ("c.cu", "c.hip", 1),
    ]
    assert picture(report())["build"] is None
