"""With FASTPT_LANG=zh the views speak Chinese, and JSON stays English."""

from __future__ import annotations

import json
import re

import pytest
from rule_bench import Case, all_cases

from fastpt_lab.cli import main
from fastpt_lab.core.check import Check, CheckStatus
from fastpt_lab.core.report import Report, UnitReport
from fastpt_lab.rules import actions_for
from fastpt_lab.show.checks import checks_html, checks_text
from fastpt_lab.show.html import report_html
from fastpt_lab.show.json import report_json
from fastpt_lab.show.language import chinese
from fastpt_lab.show.text import report_text
from fastpt_lab.widgets.words import action_said

CASES = all_cases()
HAN = re.compile(r"[一-鿿]")
# What is a place in a file, or a name in code, has no word to translate.
ENGLISH = re.compile(r"\b(?:the|is|are|has|under|with|that|of|in)\b")


@pytest.fixture(autouse=True)
def _speak_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FASTPT_LANG", "zh")


def reported(case: Case) -> Report:
    diagnostics = case.diagnostics()
    actions = actions_for(diagnostics, case.workspace(), case.stack())
    path = next(iter(case.workspace().documents))
    unit = UnitReport(
        original=path,
        generated=path,
        status="error",
        seconds=0.5,
        errors=len(diagnostics),
        warnings=0,
    )
    return Report(
        command="check",
        root=path.parent,
        units=(unit,),
        diagnostics=diagnostics,
        actions=actions,
    )


def test_all_that_the_rules_say_of_recorded_errors_is_chinese() -> None:
    said: set[str] = set()
    for case in CASES:
        for action in actions_for(case.diagnostics(), case.workspace(), case.stack()):
            said |= {action.title, action.advice or action.title, *action.evidence}
    assert len(said) > 200
    untold = sorted(text for text in said if not HAN.search(chinese(text)))
    assert untold == []
    mixed = sorted(text for text in said if ENGLISH.search(re.sub("[`(].*", "", chinese(text))))
    assert mixed == []


def test_a_check_with_a_fix() -> None:
    case = next(c for c in CASES if "sync_shuffle" in c.id.replace("-", "_") and c.speaks)
    report = reported(case)
    text = report_text(report, case.workspace().document)
    html = report_html(report, case.workspace().document, lambda _: None)
    for view in (text, html):
        assert "首个错误" in view
        assert "去掉" in view
        assert "mask" in view
        assert "CUDA 视图相同" in view
        assert "First error" not in view
    document = json.dumps(report_json(report))
    assert "under HIP" in document
    assert not HAN.search(json.dumps(report_json(report)["actions"], ensure_ascii=False))
    action = report.actions[0]
    shown = action_said(action, report.root)
    assert shown["title"] == chinese(action.title) != action.title
    assert shown["rule"] == action.rule


def test_doctor() -> None:
    checks = (
        Check(
            id="hipcc",
            layer="runtime",
            status=CheckStatus.FAIL,
            observed="no hipcc on PATH",
            expected="hipcc answers",
            why="Nothing can be compiled for the device",
            next_step="In a new shell: source /opt/dtk/env.sh",
        ),
        Check(
            id="torch-import",
            layer="framework",
            status=CheckStatus.SKIP,
            observed="not run: blocked by hipcc (runtime)",
            expected="torch can be imported",
        ),
    )
    text = checks_text(checks)
    assert text.splitlines()[0] == (
        "停在DTK / HIP 运行时：PATH 上没有 hipcc。torch HIP 构建建立在它之上。"
    )
    assert "在新的 shell 中：source /opt/dtk/env.sh" in text
    assert "1 项失败，1 项跳过" in text
    html = checks_html(checks)
    assert "环境诊断" in html
    assert "PATH 上没有 hipcc" in html
    assert "无法为设备编译任何东西" in html


def test_doctor_answers_in_english_json(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor", "--only", "nvidia-tools", "--json"])
    document = json.loads(capsys.readouterr().out)
    assert document["checks"]
    assert not HAN.search(json.dumps(document, ensure_ascii=False))


@pytest.mark.parametrize(
    ("english", "wanted"),
    [
        ("out: 3 of 10 beyond the tolerance", "out：10 个中有 3 个超出容差"),
        ("an unknown thing; exit code 3", "an unknown thing；退出码 3"),
        ("DTK 25.04; torch not told; torch's HIP none; hipcc's HIP 6.3", "hipcc 的 HIP 6.3"),
        ("no device: ROCk module is NOT loaded", "没有设备：ROCk module is NOT loaded"),
        ("nobody: ever said this, or that; not at all", "nobody: ever said this, or that; "),
    ],
)
def test_clauses_are_translated_one_by_one(english: str, wanted: str) -> None:
    assert wanted in chinese(english)
