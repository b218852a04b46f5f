"""What the pages say of commands and rules is what the code has; no link is broken."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from fastpt_lab.commands.grammar import Grammar
from fastpt_lab.rules import RULES

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def test_generated_pages_are_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "docs" / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_magics_and_rules_that_are_named_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    commands = set(Grammar().commands)
    named = set(re.findall(r"%fastpt_(\w+)", text)) | set(
        re.findall(r"`fastpt-lab (\w+)", text)
    )
    assert named - commands - {"COMMAND"} == set()
    options = {option for command in commands for option in Grammar().options(command)}
    for line in re.findall(r"^(?:fastpt-lab|%fastpt_)\S* .*$", text, re.MULTILINE):
        spelled = set(re.findall(r"(?<!\S)--[a-z][\w-]+", line.split("#")[0]))
        assert spelled <= options, line


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", page.read_text("utf-8")):
        if not re.match(r"https?://|mailto:", target):
            assert (page.parent / target).exists(), target


def test_every_rule_and_command_is_documented() -> None:
    rules = (ROOT / "docs" / "rules.md").read_text("utf-8")
    assert [name for name in RULES if f"\n## {name}\n" not in rules] == []
    commands = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert [name for name in Grammar().commands if f"\n## {name}\n" not in commands] == []


def test_every_rule_has_its_manual() -> None:
    for rule in RULES.values():
        assert rule.summary, rule.name
        assert rule.why, rule.name
        assert rule.safety, rule.name
        assert rule.source, rule.name


def test_the_contract_names_every_command() -> None:
    contract = (ROOT / "docs" / "contract.md").read_text("utf-8")
    assert [
        c
        for c in Grammar().commands
        if f"`{c}" not in contract and f"%fastpt_{c}" not in contract
    ] == []
