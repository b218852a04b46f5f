"""The README's own commands, in a fresh clone, with an empty home and a new environment.

Every `console` block is run, in order, in one shell. What a block shows must come out, with two
liberties: a line `…` stands for any lines, and a length of time for any other.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from needs import need_hipcc

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_DURATION = re.compile(r"\b\d+(?:\.\d+)? (?:ms|s|min)\b|\bkept result\b")
_EXIT = re.compile(r"\s+# exit code (\d+).*$")
_KEPT = re.compile(
    r"PIP_\w+|\w+_proxy|\w+_PROXY|npm_config_\w+|SSL_CERT_\w+|REQUESTS_CA_BUNDLE"
)
_SYSTEM = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command of the README, what it shows of the output, and how the command ends."""

    command: str
    shown: str
    exit_code: int


def steps_of(page: str) -> tuple[Step, ...]:
    steps = []
    for block in _BLOCK.findall(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            code = _EXIT.search(line)
            steps.append(
                Step(
                    command=_EXIT.sub("", line),
                    shown=shown,
                    exit_code=int(code[1]) if code else 0,
                )
            )
    return tuple(steps)


def shows(shown: str, output: str) -> bool:
    """Whether `output` is what the page shows of it."""

    def lines(text: str) -> list[str]:
        return [_DURATION.sub("TIME", line.rstrip()) for line in text.splitlines()]

    pattern = "".join(
        r"(?:.*\n)*?" if line == "…" else re.escape(line) + "\n" for line in lines(shown)
    )
    return re.fullmatch(pattern, "".join(f"{line}\n" for line in lines(output))) is not None


def clean_environment(home: Path) -> dict[str, str]:
    """Return what a new user's shell has, and how this machine reaches its packages."""
    kept = {name: value for name, value in os.environ.items() if _KEPT.fullmatch(name)}
    for place in (".config/pip/pip.conf", ".pip/pip.conf"):
        if (Path.home() / place).exists():
            kept.setdefault("PIP_CONFIG_FILE", str(Path.home() / place))
    interpreter = Path(sys.base_prefix) / "bin"
    return {**kept, "HOME": str(home), "PATH": f"{interpreter}:{_SYSTEM}", "LANG": "C.UTF-8"}


@need_hipcc
def test_the_readme_s_commands_do_what_it_shows(tmp_path: Path) -> None:
    home, checkout = tmp_path / "home", tmp_path / "fastpt-lab"
    home.mkdir()
    subprocess.run(["git", "clone", "--quiet", ROOT, checkout], check=True)
    steps = steps_of((checkout / "README.md").read_text("utf-8"))
    assert len(steps) > 10
    script = "".join(
        f"echo '@@ {n}'\n{step.command}\necho \"@@ ended $?\"\n" for n, step in enumerate(steps)
    )
    done = subprocess.run(
        ["bash", "-c", f"exec 2>&1\n{script}"],
        cwd=checkout,
        env=clean_environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        timeout=1500,
    )
    text = done.stdout.decode("utf-8", "replace")
    parts = re.split(r"^@@ \d+\n", text, flags=re.MULTILINE)[1:]
    assert len(parts) == len(steps), text[-2000:]
    for step, part in zip(steps, parts, strict=True):
        output, _, code = part.rpartition("@@ ended ")
        assert int(code) == step.exit_code, f"$ {step.command}\n{output}"
        if step.shown:
            assert shows(step.shown, output), f"$ {step.command}\n{output}"


@pytest.mark.parametrize(
    ("shown", "output", "same"),
    [
        ("a\nb\n", "a\nb\n", True),
        ("a\nb\n", "a\nc\n", False),
        ("a\n", "a\nb\n", False),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nd\n", "a\nb\nc\ne\n", False),
        ("done (52.3 s)\n", "done (1.4 s)\n", True),
        ("done (52.3 s)\n", "done (52.3 MB)\n", False),
        ("  x  12 ms\n", "  x  kept result\n", True),
    ],
)
def test_a_page_that_shows_something_else_is_noticed(
    shown: str, output: str, same: bool
) -> None:
    assert shows(shown, output) is same


def test_commands_outputs_and_exit_codes_are_read_from_the_blocks() -> None:
    page = "```console\n$ one    # exit code 1: it fails\nout\n$ two\n```\n\n```sh\n$ no\n```\n"
    assert steps_of(page) == (
        Step(command="one", shown="out\n", exit_code=1),
        Step(command="two", shown="", exit_code=0),
    )
