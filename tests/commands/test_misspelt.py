"""What is misspelt is answered with what was probably meant, and the contract's exit code."""

from __future__ import annotations

from pathlib import Path

import pytest

from fastpt_lab.cli import main
from fastpt_lab.core.version import __version__


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "csrc").mkdir()
    (tmp_path / "setup.py").write_text("")
    (tmp_path / "csrc" / "kernels.cu").write_text("int x;\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("chekc", "check"),
        ("Status", "status"),
        ("check --archh gfx906", "--arch"),
        ("check --of-device", "--off-device"),
        ("check --std=c++17 --include-dirs=x", "--include-dir"),
        ("fix csrc --aply", "--apply"),
        ("transcode --engine lap", "lab"),
        ("doctor --layer runtme", "runtime"),
        ("rules sync-shufle", "sync-shuffle"),
        ("fix --rule gemm-datatyp", "gemm-datatype"),
        ("check csrc/kernel.cu", "csrc/kernels.cu"),
        ("check crsc/kernels.cu", "csrc"),
        ("check --root ../{parent}x", "{parent}"),
        ("batch lst.txt --out out", "list.txt"),
        ("doctor --only device-arhc", "device-arch"),
        ("completion bahs", "bash"),
    ],
)
def test_the_closest_is_named(
    project: Path, capsys: pytest.CaptureFixture[str], line: str, meant: str
) -> None:
    (project / "list.txt").write_text("csrc\n")
    words = line.format(parent=project.name).split()
    assert main(words) == 2
    told = capsys.readouterr().err
    assert "Did you mean " in told
    assert meant.format(parent=project.name) in told.partition("Did you mean ")[2].split("?")[0]
    assert len(told.splitlines()) == 2


@pytest.mark.parametrize("line", ["zzzzqqq", "check --qqqqzzz", "rules qqqqqq", "check qqq/zz"])
def test_nothing_is_guessed_where_nothing_is_like_it(
    project: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    assert main(line.split()) == 2
    told = capsys.readouterr().err
    assert "Did you mean" not in told
    assert len(told.splitlines()) == 2


def test_a_key_of_the_configuration(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text("[tool.fastpt-lab]\ninclude-dir = ['x']\n")
    assert main(["status"]) == 2
    assert "Did you mean include-dirs?" in capsys.readouterr().err


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"fastpt-lab {__version__}\n"
