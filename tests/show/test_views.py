from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
from fastpt_lab.core.report import FileNote, FileReport, Report, UnitReport
from fastpt_lab.core.sourcemap import Origin, SourceMap
from fastpt_lab.core.text import (
    Document,
    Location,
    Position,
    Range,
    TextDocumentEdit,
    TextEdit,
    WorkspaceEdit,
)
from fastpt_lab.show.code import Mark, colour, line_html
from fastpt_lab.show.diff import edit_lines, fold, pair_lines
from fastpt_lab.show.html import report_html
from fastpt_lab.show.json import read_report, report_json
from fastpt_lab.show.text import Style, diagnostic_text, printable, report_text

ROOT = Path("/项目/ext")
CU = ROOT / "csrc" / "<script>alert(1)</script>.cu"
HIP = ROOT / "csrc" / "k.hip"
TEXT = (
    "// 中文\nint a;\n" + "int b;\n" * 20 + "\tv += __shfl_sync(m, v, 0);\n" + "int c;\n" * 20
)
OUTPUT = "// banner\n" + TEXT.replace("int a;", "long a;")


def report() -> Report:
    start = TEXT.index("int a;")
    source_map = SourceMap.from_replacements(
        [(0, 0, "// banner\n"), (start, start + 3, "long")]
    )
    assert source_map.to_generated(start + 8) == start + 8 + len("// banner\n") + 1
    span = Range(Position(22, 6), Position(22, 17))
    edit = TextEdit(
        range=Range(Position(22, 0), Position(23, 0)),
        new_text="#if HIP\n\tv += __shfl(v, 0);\n#else\n\tv += __shfl_sync(m, v, 0);\n#endif\n",
    )
    return Report(
        command="check",
        root=ROOT,
        stack=(("hipcc", "/usr/bin/hipcc"),),
        seconds=1.5,
        files=(
            FileReport(
                original=CU,
                generated=HIP,
                status="written",
                notes=(
                    FileNote(kind="unmapped", message="cuFoo", location=Location.at(CU, 1)),
                ),
            ),
        ),
        units=(
            UnitReport(
                original=CU, generated=HIP, status="error", errors=2, warnings=1, seconds=0.7
            ),
        ),
        diagnostics=(
            Diagnostic(
                id="d1",
                severity=Severity.ERROR,
                message="use of undeclared identifier '__shfl_sync' <b>\x1b[31m",
                source="clang",
                code="undeclared-identifier",
                location=Location(CU, span),
                generated=Location.at(HIP, 23, 6),
                related=(Related(message="declared here", generated=Location.at(HIP, 1)),),
            ),
            Diagnostic(
                id="d2",
                severity=Severity.ERROR,
                message="too few arguments",
                source="clang",
                location=Location.at(CU, 22, 3),
                caused_by="d1",
            ),
            Diagnostic(id="d3", severity=Severity.ERROR, message="ld: no", source="ld"),
        ),
        actions=(
            CodeAction(
                id="a1",
                title="Drop the mask",
                rule="sync-shuffle",
                kind=ActionKind.EDIT,
                applicability=Applicability.SAFE,
                cuda_effect=CudaEffect.IDENTICAL,
                diagnostics=("d1",),
                edit=WorkspaceEdit(
                    documents=(TextDocumentEdit(path=CU, digest="sha256:1", edits=(edit,)),)
                ),
                evidence=("the mask is <full>",),
                trial=Trial(status=TrialStatus.FIXED, errors_before=2),
            ),
            CodeAction(
                id="a2",
                title="Raise the standard",
                rule="cxx-standard",
                kind=ActionKind.FLAG,
                applicability=Applicability.UNSAFE,
                cuda_effect=CudaEffect.NONE,
                diagnostics=("d3",),
                flags=FlagChange(add=("-std=c++17",)),
                advice="in setup.py",
            ),
        ),
    )


def read(path: Path) -> Document | None:
    return Document(TEXT, digest="sha256:1") if path == CU else None


def origin(path: Path) -> Origin | None:
    start = TEXT.index("int a;")
    source_map = SourceMap.from_replacements(
        [(0, 0, "// banner\n"), (start, start + 3, "long")]
    )
    return Origin(CU, Document(TEXT), Document(OUTPUT), source_map) if path == HIP else None


class Checker(HTMLParser):
    """Fails on a tag left open, and collects text and scripts."""

    void = ("br", "col", "hr", "meta")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.add(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag not in self.void:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += data


def test_html_is_whole_escaped_and_names_the_first_error() -> None:
    page = report_html(report(), read, origin)
    checker = Checker()
    checker.feed(page)
    assert checker.open == []
    assert "script" not in checker.seen
    assert "b" in checker.seen
    assert "\x1b" not in page
    for words in (
        "First error",
        "csrc/<script>alert(1)</script>.cu:23:7",
        "use of undeclared identifier '__shfl_sync' <b>",
        "tried: compiles",
        "CUDA view identical",
        "1 later error may follow from it.",
        "unchanged lines, no messages",
        "#if HIP",
    ):
        assert words in checker.text


def test_the_error_line_is_never_inside_a_fold() -> None:
    page = report_html(report(), read, origin)
    before, marked, after = page.partition("class='fpt-first'")
    assert marked
    assert before.count("<details>") - before.count("</details>") == 0
    assert "<details>" in after


def test_text_shows_place_caret_and_fix_without_terminal_codes() -> None:
    text = report_text(report(), read)
    assert "csrc/<script>alert(1)</script>.cu:23:7: error: use of undeclared" in text
    assert "\n>    23   v += __shfl_sync(m, v, 0);\n" + " " * 15 + "^" * 11 in text
    assert "a1  Drop the mask  [sync-shuffle]" in text
    assert "\x1b" not in text
    assert "\x1b[1;31m" in report_text(report(), read, Style(colour=True))


def test_caret_stands_under_wide_characters() -> None:
    document = Document("/* 中文 */ f();\n")
    found = Diagnostic(
        severity=Severity.ERROR,
        message="m",
        source="clang",
        location=Location(CU, Range(Position(0, 9), Position(0, 10))),
    )
    line, caret = diagnostic_text(found, ROOT, lambda _: document).splitlines()[1:3]
    assert line.endswith("/* 中文 */ f();")
    assert caret == " " * (9 + 11) + "^"


def test_json_round_trips() -> None:
    document = json.loads(json.dumps(report_json(report())))
    assert document["first_error"] == "d1"
    assert document["diagnostics"][0]["location"]["range"]["start"] == {
        "line": 22,
        "character": 6,
    }
    assert report_json(read_report(document, ROOT)) == document


def test_json_of_another_version_is_refused() -> None:
    document = report_json(report())
    document["version"] = 99
    with pytest.raises(ValueError, match="99"):
        read_report(document, ROOT)


@given(st.text(max_size=60), st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60))))
def test_a_line_keeps_its_text_whatever_is_marked(
    line: str, places: list[tuple[int, int]]
) -> None:
    line = line.replace("\r", "").replace("\n", "")
    marks = [Mark(min(p), max(p), "fpt-here") for p in places]
    pieces = colour(line)
    checker = Checker()
    checker.feed(f"<pre>{line_html(line, pieces[0] if pieces else (), marks)}</pre>")
    assert checker.open == []
    # A mark past the end brings a space to stand on.
    assert checker.text.rstrip(" ") == line.rstrip(" ")


@given(st.text(alphabet="ab\n", max_size=40), st.text(alphabet="ab\n", max_size=40))
def test_pairing_keeps_every_line_of_both_sides_in_order(left: str, right: str) -> None:
    before, after = Document(left), Document(right)
    rows = pair_lines(
        before, after, SourceMap.from_replacements([(0, len(left), right)] if left else [])
    )
    assert [r.left for r in rows if r.left is not None] == list(range(before.line_count))
    if left:
        assert [r.right for r in rows if r.right is not None] == list(range(after.line_count))


def test_folding_keeps_all_rows() -> None:
    found = origin(HIP)
    assert found is not None
    rows = pair_lines(found.original, found.generated, found.source_map)
    hunks = fold(rows, keep_left=[22])
    assert tuple(row for hunk in hunks for row in hunk.rows) == rows
    assert any(hunk.folded for hunk in hunks)
    assert all(row.left != 22 for hunk in hunks if hunk.folded for row in hunk.rows)


def test_a_guard_shows_as_added_lines_around_unchanged_ones() -> None:
    edit = report().actions[0].edit
    assert edit is not None
    lines = edit_lines(Document(TEXT), edit.documents[0])
    assert [(line.mark, line.number) for line in lines] == [
        (" ", 21),
        ("+", 22),
        ("+", 23),
        ("+", 24),
        (" ", 25),
        ("+", 26),
        (" ", 27),
    ]


def test_control_characters_are_shown_not_sent() -> None:
    assert printable("a\x1b]0;title\x07\x9b2J\tb") == "a\\x1b]0;title\\x07\\x9b2J\tb"
