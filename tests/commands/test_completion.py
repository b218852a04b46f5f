"""The scripts complete in real shells what the grammar knows."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from needs import need_shells

from fastpt_lab.cli import main
from fastpt_lab.commands.grammar import Grammar
from fastpt_lab.rules import RULES

CASES = [
    ("tr", {"transcode"}),
    ("--ver", {"--version"}),
    ("check --in", {"--include-dir"}),
    ("fix --rule gemm-d", {"gemm-datatype"}),
    ("rules sync-sh", {"sync-shuffle"}),
    ("transcode --engine to", {"torch"}),
    ("completion z", {"zsh"}),
    ("env -", set(Grammar().options("env"))),
    ("fix --rule ", set(RULES)),
]


def script(shell: str, capsys: pytest.CaptureFixture[str], folder: Path) -> Path:
    assert main(["completion", shell]) == 0
    path = folder / f"fastpt-lab.{shell}"
    path.write_text(capsys.readouterr().out)
    return path


def ask(argv: list[str]) -> set[str]:
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return {line.split("\t")[0] for line in done.stdout.splitlines()}


@pytest.mark.parametrize(("typed", "offered"), CASES, ids=[typed for typed, _ in CASES])
def test_bash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: str, offered: set[str]
) -> None:
    code = (
        'source "$1"; shift; COMP_WORDS=(fastpt-lab "$@"); COMP_CWORD=$#; '
        '_fastpt_lab; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    words = typed.split(" ")
    assert (
        ask(["bash", "-c", code, "-", str(script("bash", capsys, tmp_path)), *words]) == offered
    )


@need_shells
@pytest.mark.parametrize(("typed", "offered"), CASES, ids=[typed for typed, _ in CASES])
def test_fish(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: str, offered: set[str]
) -> None:
    path = script("fish", capsys, tmp_path)
    code = f'source {path}; complete -C "fastpt-lab {typed}"'
    assert ask([str(shutil.which("fish")), "--no-config", "-c", code]) == offered


@need_shells
@pytest.mark.parametrize(("typed", "offered"), CASES, ids=[typed for typed, _ in CASES])
def test_zsh(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], typed: str, offered: set[str]
) -> None:
    """`compadd` is what offers words; it is replaced by one that prints those that fit."""
    path = script("zsh", capsys, tmp_path)
    code = (
        'compdef() { :; }; compadd() { shift; print -l -- "${(@M)@:#${words[CURRENT]}*}"; }; '
        'source "$1"; shift; words=(fastpt-lab "$@"); CURRENT=$#words; _fastpt_lab'
    )
    found = ask(["zsh", "-fc", code, "-", str(path), *typed.split(" ")])
    assert found == offered


def test_a_path_is_left_to_the_shell(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = 'source "$1"; COMP_WORDS=(fastpt-lab check cs); COMP_CWORD=2; _fastpt_lab; echo ${#COMPREPLY[@]}'
    assert ask(["bash", "-c", code, "-", str(script("bash", capsys, tmp_path))]) == {"0"}
    assert "complete -o default" in (tmp_path / "fastpt-lab.bash").read_text()
