"""Until green with both engines: what torch's hipify leaves is found, fixed, or said."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from needs import need_hipcc, need_torch

from fastpt_lab import Session
from fastpt_lab.cli import main
from fastpt_lab.core.errors import UnknownNameError
from fastpt_lab.core.guard import cuda_view

CASES = Path(__file__).parents[1] / "fixtures" / "cases"


def project(folder: Path, case: str) -> Path:
    """A recorded failure that only torch's hipify has."""
    root = folder / "ext"
    root.mkdir()
    (root / "pyproject.toml").write_text("[tool.fastpt-lab]\n")
    shutil.copyfile(next(CASES.glob(f"{case}-*")) / "input.cu", root / "input.cu")
    return root


@need_hipcc
@need_torch
@pytest.mark.parametrize(("case", "rule"), [("20", "cucomplex"), ("30", "missing-header")])
def test_what_only_torch_hipify_leaves_is_fixed(
    case: str, rule: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path, case)
    source = root / "input.cu"
    before = source.read_text()
    options = ["--until-green", "--unsafe", "--json", "--root", str(root), "--arch", "gfx906"]

    assert main(["fix", "--engines", "lab", *options]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert "engines" not in alone
    assert source.read_text() == before, "the own engine needs no fix"

    assert main(["fix", *options]) == 0
    both = json.loads(capsys.readouterr().out)
    assert both["engines"] == [
        {
            "engine": "torch",
            "status": "ok",
            "units": 1,
            "failed": 0,
            "first_error": None,
            "why": "",
        }
    ]
    assert both["applied"]
    written = [step for step in both["steps"] if step["applied"]]
    assert {step["engine"] for step in written} == {"torch"}
    assert rule in {action["rule"] for step in written for action in step["tried"]}
    assert source.read_text() != before
    assert cuda_view(source.read_text()) == before
    assert sorted(p.name for p in root.glob("input*")) == ["input.cu", "input.hip"]


@need_hipcc
@need_torch
def test_what_no_rule_fixes_is_said_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = project(tmp_path, "30")
    before = (root / "input.cu").read_bytes()
    argv = ["fix", "--until-green", "--rule", "sync-shuffle", "--root", str(root), "--json"]
    assert main(argv) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["first_error"] is None, "the own engine's output compiles"
    (engine,) = report["engines"]
    assert (engine["status"], engine["failed"]) == ("error", 1)
    assert engine["first_error"]["location"]["path"] == "input.cu"
    assert engine["first_error"]["location"]["range"]["start"]["line"] == 1
    assert (
        "green with lab; torch's hipify of the same originals fails at input.cu:2"
        in (report["advice"][0])
    )
    assert (root / "input.cu").read_bytes() == before
    assert main(argv[:-1]) == 1
    assert "First error after torch's hipify: input.cu:2" in capsys.readouterr().out


@need_hipcc
@need_torch
def test_the_other_engine_is_not_asked_before_the_own_one_is_green(tmp_path: Path) -> None:
    root = project(tmp_path, "30")
    with (root / "input.cu").open("a") as file:
        file.write("__global__ void k() { no_such_function(); }\n")
    report = Session(root).until_green(unsafe=True)
    assert not report.green
    (engine,) = report.engines
    assert engine.status == "not-run"


@pytest.mark.parametrize("engines", [["torch"], ["lab", "cuda"]])
def test_engines_are_named_in_full(tmp_path: Path, engines: list[str]) -> None:
    root = project(tmp_path, "30")
    with pytest.raises(UnknownNameError):
        Session(root).until_green(engines=engines)
    assert main(["fix", "--engines", "lab,torch", "--root", str(root)]) == 2
