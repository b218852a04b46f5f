"""What the pages say of commands and rules is what the code has; no link is broken."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from IPython.core.interactiveshell import InteractiveShell

from fastpt_lab.commands.grammar import Grammar
from fastpt_lab.host.config import Config
from fastpt_lab.magics import FastPT, FastptMagics
from fastpt_lab.rules import RULES

ROOT = Path(__file__).parents[2]
# Names a value between two parts of one file; nobody sets it.
INTERNAL = {"FASTPT_OUTPUT"}
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


def anchors(page: Path) -> set[str]:
    """Return what a link may end in: ids, and headings as GitHub and MkDocs make them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    slugs = {re.sub(r"\s", "-", re.sub(r"[^\w\s-]", "", h).strip().lower()) for h in headings}
    return slugs | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text("utf-8")
    found = re.findall(r"\]\(([^)\s]+)\)|(?:src|srcset)=\"([^\"]+)\"", text)
    for target in (one or other for one, other in found):
        if re.match(r"https?://|mailto:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


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


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    keys = [field.name.replace("_", "-") for field in fields(Config)]
    traits = [f"FastPT.{name}" for name in FastPT.class_own_traits(config=True)]
    schema = ROOT / "extension" / "labextension" / "schema" / "plugin.json"
    of_jupyterlab = list(json.loads(schema.read_text("utf-8"))["properties"])
    words = [*keys, *traits, *of_jupyterlab]
    assert len(words) > 15
    assert [word for word in words if f"`{word}`" not in page] == []


def test_every_variable_that_the_code_names_is_documented() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    files = (ROOT / "fastpt_lab").rglob("*.py")
    # Doctor and survey look at whatever a machine may have set; nobody sets it for them.
    code = "".join(
        p.read_text("utf-8") for p in files if p.parent.name not in ("verify", "survey")
    )
    read = re.findall(r"(?:environ|env|environment)(?:\.get\(|\[)[\"'](\w+)[\"']", code)
    own = re.findall(r"[\"'](FASTPT_[A-Z_]+)[\"']", code)
    assert {"FASTPT_CACHE_DIR", "PYTORCH_ROCM_ARCH"} <= {*read, *own}
    assert [name for name in sorted({*read, *own} - INTERNAL) if f"`{name}" not in page] == []


def test_every_magic_is_registered_and_shown_in_the_commands() -> None:
    """`%fastpt_x` exists for each command that the page shows, and for no other."""
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    shell = InteractiveShell()
    magics = FastptMagics(shell)
    names = {name.removeprefix("fastpt_") for name in magics.magics["line"]}
    assert names == set(re.findall(r"^## (\w+)$", page, re.MULTILINE))
    assert {name.removeprefix("fastpt_") for name in magics.magics["cell"]} <= names


def test_the_documentation_builds_without_a_warning(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet"),
            *("--config-file", ROOT / ".ci" / "mkdocs.yml", "--site-dir", tmp_path / "site"),
        ],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONWARNINGS": "default"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout + done.stderr == ""
    pages = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert pages == {p.stem for p in (tmp_path / "site").glob("*.html")} - {"404", "search"}
