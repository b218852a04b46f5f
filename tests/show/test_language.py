"""Every message has its Chinese, and only the views speak it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from message_templates import NOT_SAID, templates

from fastpt_lab.cli import main
from fastpt_lab.core.errors import PathMissingError, UsageError
from fastpt_lab.show import language as language_module
from fastpt_lab.show.language import catalogue, chinese, error_line, language, say
from fastpt_lab.widgets.desk import failure_json

FOUND = templates()
FOLDER = Path(language_module.__file__).with_name("zh")
CATALOGUE = catalogue()


def catalogue_file(room: str) -> dict[str, str]:
    """Return the Chinese of one room's messages."""
    found: dict[str, str] = json.loads((FOLDER / f"{room}.json").read_text("utf-8"))
    return found


# In a rule's manual braces are C++.
WITH_VALUES = sorted(
    english for english in set(CATALOGUE) - set(catalogue_file("manual")) if "{}" in english
)

# What stands in a message has no blank, unless it is another message.
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=("Z", "C")), min_size=1)


@pytest.mark.parametrize("room", sorted(FOUND))
def test_every_message_of_the_sources_has_its_chinese(room: str) -> None:
    assert len(FOUND[room]) > 80
    known = catalogue_file(room)
    assert {text: path for text, path in FOUND[room].items() if text not in known} == {}


@pytest.mark.parametrize("room", sorted(FOUND))
def test_the_catalogue_has_nothing_that_is_not_said(room: str) -> None:
    assert sorted(set(catalogue_file(room)) - set(FOUND[room])) == []


def test_every_file_of_the_catalogue_belongs_to_a_room() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.json")) == sorted(FOUND)


@pytest.mark.parametrize("exception", sorted(NOT_SAID))
def test_what_is_no_message_is_still_in_the_sources(exception: str) -> None:
    assert any(exception in texts for texts in templates(exceptions=()).values())


@pytest.mark.parametrize("room", sorted(FOUND))
def test_a_translation_keeps_every_value_and_command(room: str) -> None:
    named = r"--[a-z-]+|`(?! )[^`{}]+`|[A-Z]+_[A-Z_]+"
    for english, translation in catalogue_file(room).items():
        numbers = [int(number) for number in re.findall(r"\{(\d)\}", translation)]
        values = english.count("{}") if english in WITH_VALUES else 0
        assert sorted(set(numbers)) == list(range(values)), english
        kept = set(re.findall(named, translation))
        assert set(re.findall(named, english)) <= kept, english


@given(english=st.sampled_from(WITH_VALUES), data=st.data())
def test_values_come_through_whole(english: str, data: st.DataObject) -> None:
    values = [data.draw(VALUES) for _ in range(english.count("{}"))]
    parts = english.split("{}")
    message = parts[0] + "".join(v + part for v, part in zip(values, parts[1:], strict=True))
    said = chinese(message)
    assert all(value in said for value in values)


def test_a_message_within_a_message_is_translated_too() -> None:
    inner = "there is no folder x"
    said = chinese(f"the torch engine failed: {inner}")
    assert chinese(inner) in said
    assert "torch" in said


def test_what_is_not_in_the_catalogue_stays() -> None:
    assert chinese("nobody ever said this") == "nobody ever said this"


@pytest.mark.parametrize(
    ("environ", "wanted"),
    [
        ({}, "en"),
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh_CN.GB18030", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "FASTPT_LANG": "en"}, "en"),
        ({"LANG": "C", "FASTPT_LANG": "zh"}, "zh"),
        ({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh"),
    ],
)
def test_the_variable_comes_before_the_locale(environ: dict[str, str], wanted: str) -> None:
    assert language(environ) == wanted


def test_the_command_line_speaks_it_and_json_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["check", "缺失.cu"]
    assert main(words) == 2
    english = capsys.readouterr().err
    monkeypatch.setenv("FASTPT_LANG", "zh")
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "缺失.cu" in english
    assert "there is no" in english
    assert "没有" in said
    assert "缺失.cu" in said
    (tmp_path / "a.cu").write_text("void f();\n")
    assert main(["status", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["version"]


def test_the_notebook_and_the_review_speak_it(monkeypatch: pytest.MonkeyPatch) -> None:
    error = UsageError("nothing was checked yet", next_step="Run check first")
    assert error_line(error) == "nothing was checked yet. Run check first"
    assert failure_json(error)["message"] == "nothing was checked yet"
    monkeypatch.setenv("FASTPT_LANG", "zh")
    assert error_line(error) == "还没有做过检查。请先运行 check"
    assert failure_json(error)["next_step"] == "请先运行 check"
    assert error_line(PathMissingError("there is no folder /数据")) == "没有文件夹 /数据"
    assert str(error) == "nothing was checked yet. Run check first"
    assert say("Run check first") == "请先运行 check"
