from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from IPython.testing.globalipapp import start_ipython
from needs import need_hipcc, need_torch

from fastpt_lab.commands.grammar import Grammar

SOURCE = """#include <cuda_runtime.h>
__global__ void k(float* x) { x[threadIdx.x] += __shfl_xor_sync(0xffffffff, x[0], 1); }
"""


@pytest.fixture(scope="module")
def ipython() -> object:
    shell = start_ipython()
    shell.run_line_magic("load_ext", "fastpt_lab")
    return shell


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "csrc").mkdir()
    (tmp_path / "csrc" / "k.cu").write_text(SOURCE)
    before = Path.cwd()
    os.chdir(tmp_path)
    yield tmp_path
    os.chdir(before)


def test_every_command_is_a_magic_with_help(
    ipython: object, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in Grammar().commands:
        assert ipython.run_line_magic(f"fastpt_{command}", "--help") is None
        assert capsys.readouterr().out.startswith(f"usage: %fastpt_{command}")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("nowhere", "there is no nowhere"),
        ("--archh gfx906", "unrecognized arguments"),
        ("'open", "No closing quotation"),
    ],
)
def test_an_error_is_one_line_with_the_next_step(
    ipython: object, project: Path, capsys: pytest.CaptureFixture[str], line: str, words: str
) -> None:
    assert ipython.run_line_magic("fastpt_check", line) is None
    err = capsys.readouterr().err
    assert words in err
    assert "Traceback" not in err
    assert err.count("\n") == 1


@need_hipcc
@need_torch
def test_the_loop_in_a_notebook(ipython: object, project: Path) -> None:
    outcome = ipython.run_line_magic("fastpt_check", "csrc")
    assert outcome.exit_code == 1
    assert outcome.first_error.location.range.start.line == 1
    bundle = outcome._repr_mimebundle_()
    assert "First error" in bundle["text/html"]
    assert "csrc/k.cu:2:49" in bundle["text/plain"]
    assert ipython.run_line_magic("fastpt_check", "csrc;") is None
    fixed = ipython.run_line_magic("fastpt_fix", "--until-green")
    assert fixed.green
    assert "__shfl_xor(" in (project / "csrc" / "k.cu").read_text()
    ipython.run_line_magic("fastpt_undo", "")
    assert (project / "csrc" / "k.cu").read_text() == SOURCE


def test_completion_of_paths_options_and_rules(ipython: object, project: Path) -> None:
    magics = ipython.magics_manager.registry["FastptMagics"]

    def complete(line: str) -> list[str]:
        symbol = "" if line.endswith(" ") else line.split()[-1]
        event = SimpleNamespace(line=line, symbol=symbol, text_until_cursor=line)
        return magics.complete(None, event)

    assert "csrc/k.cu" in complete("%fastpt_check csrc/")
    assert "--include-dir" in complete("%fastpt_check --incl")
    assert "sync-shuffle" in complete("%fastpt_rules sync")


def test_importing_the_package_is_light() -> None:
    code = (
        "import sys, fastpt_lab; "
        "heavy = {'torch', 'IPython', 'ipywidgets', 'pygments', 'numpy'} & set(sys.modules); "
        "sys.exit(', '.join(heavy) or 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
