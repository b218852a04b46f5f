"""Equal to torch's hipify but for the intended kinds of differences, on real sources."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab.cli import main
from fastpt_lab.core.parity import REASONS, Difference, EngineParity
from fastpt_lab.host.project import Project
from fastpt_lab.session.session import Session
from fastpt_lab.transcode.parity import compare_engines
from fastpt_lab.transcode.result import TranscodeOptions

CASES = Path(__file__).parents[1] / "fixtures" / "cases"
EXAMPLES = Path(__file__).parents[2] / "notebooks" / "examples"


def report(found: EngineParity) -> dict[Difference, int]:
    counted = found.counts()
    for kind, number in counted.items():
        sys.stdout.write(f"{number:6} {kind.value:20} {REASONS[kind]}\n")
    assert [f for f in found.files if f.remark] == []
    unknown = [p for f in found.files for p in f.places if p.kind is Difference.UNKNOWN]
    assert unknown == []
    return counted


def compared(root: Path, **options: object) -> EngineParity:
    settings = TranscodeOptions(**options)  # type: ignore[arg-type]
    found = compare_engines(Project(root), (), settings, "torch")
    assert not list(root.rglob("*.hip"))
    return found


@need_torch
def test_on_torchs_own_cuda_headers(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("torch")
    assert spec is not None
    assert spec.origin is not None
    include = Path(spec.origin).parent / "include"
    root = tmp_path / "include"
    for path in sorted(include.rglob("*")):
        relative = path.relative_to(include)
        if path.is_file() and "cuda" in str(relative).lower():
            (root / relative).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, root / relative)
    counted = report(compared(root, include_dirs=(root,)))
    assert counted[Difference.LAUNCH] > 50
    assert counted[Difference.COMMENT_OR_STRING] > 50


@need_torch
def test_on_the_sources_of_the_cases_and_the_example(tmp_path: Path) -> None:
    root = tmp_path / "sources"
    for place in (CASES, EXAMPLES):
        for path in sorted(place.rglob("*")) if place.is_dir() else ():
            if path.suffix in {".cu", ".cuh", ".h"} and path.is_file():
                target = root / place.name / path.relative_to(place)
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, target)
    counted = report(compared(root))
    assert counted[Difference.LAUNCH] > 5


@need_torch
def test_the_comparison_is_a_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "p"
    (root / "csrc").mkdir(parents=True)
    (root / "setup.py").touch()
    text = "__global__ void k();\n// cudaFree is called below\nvoid f() { k<<<1, 2>>>(); }\n"
    (root / "csrc" / "a.cu").write_text(text)
    (root / "csrc" / "same.h").write_text("int same();\n")
    monkeypatch.chdir(root)
    assert main(["transcode", "csrc", "--compare", "torch"]) == 0
    out = capsys.readouterr().out
    assert "2 files with lab and torch: 1 equal, 2 lines differ" in out
    assert "csrc/a.cu:3" not in out
    assert main(["transcode", "--compare", "torch", "--verbose"]) == 0
    assert "csrc/a.cu:3: launch" in capsys.readouterr().out
    assert main(["transcode", "--compare", "torch", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["counts"] == {"comment-or-string": 1, "launch": 1}
    assert [f["original"] for f in document["files"]] == ["csrc/a.cu", "csrc/same.h"]
    assert document["files"][0]["differences"][1]["line"] == 2
    assert sorted(p.name for p in (root / "csrc").iterdir()) == ["a.cu", "same.h"]


@need_torch
def test_what_another_engine_made_is_known_and_cleaned(tmp_path: Path) -> None:
    root = tmp_path / "p"
    root.mkdir()
    (root / "setup.py").touch()
    (root / "a.cu").write_text('#include "h.cuh"\nvoid f() { cudaFree(0); }\n')
    (root / "h.cuh").write_text("cudaError_t h();\n")
    session = Session(root)
    session.transcode(engine="torch")
    assert (root / "a.hip").is_file()
    again = session.transcode()
    assert {f.status for f in again.files} == {"written"}
    assert (root / "h_hip.cuh").is_file()
    session.transcode(engine="torch")
    session.clean()
    assert not [p for p in root.iterdir() if "hip" in p.name]
