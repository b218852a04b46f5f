"""The main job on recorded failures, through the command line and its JSON contract."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from needs import need_hipcc, need_torch

from fastpt_lab.cli import main

CASES = Path(__file__).parents[1] / "fixtures" / "cases"

# Case, words for the compiler, file and one-based line of the first error, code, rule.
EXPECTED = [
    ("01-shfl-xor-sync", [], "input.cu", 4, "undeclared-identifier", "sync-shuffle"),
    (
        "02-shfl-down-in-header",
        [],
        "detail/reduce.cuh",
        7,
        "undeclared-identifier",
        "sync-shuffle",
    ),
    (
        "11-gemmex-datatype",
        ["hipblas_v1"],
        "input.cu",
        6,
        "no-matching-function",
        "gemm-datatype",
    ),
    (
        "15-float2-mul-ambiguous",
        ["vecfriend"],
        "input.cu",
        8,
        "ambiguous-operator",
        "ambiguous-operator",
    ),
    (
        "16-float4-add-assign-header",
        [],
        "input.cu",
        5,
        "ambiguous-operator",
        "ambiguous-operator",
    ),
    (
        "21-rsqrt-missing-device",
        [],
        "input.cu",
        3,
        "host-device-call",
        "missing-device-attribute",
    ),
]


def originals(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in sorted(root.rglob("*"))
        if p.is_file() and p.suffix in (".cu", ".cuh", ".h") and "_hip" not in p.name
    }


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, object]]:
    code = main([*words, "--json"])
    return code, json.loads(capsys.readouterr().out)


@need_hipcc
@need_torch
@pytest.mark.parametrize(
    ("case", "stubs", "path", "line", "code", "rule"), EXPECTED, ids=[e[0] for e in EXPECTED]
)
def test_case_is_found_fixed_and_undone(
    case: str,
    stubs: list[str],
    path: str,
    line: int,
    code: str,
    rule: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    root = tmp_path / "ext"
    root.mkdir()
    for source in (CASES / case).rglob("*"):
        if source.suffix in (".cu", ".cuh", ".h") and "_hip" not in source.name:
            if "fixed" in source.relative_to(CASES / case).as_posix():
                continue
            target = root / source.relative_to(CASES / case)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    before = originals(root)
    options = ["--root", str(root), "--arch", "gfx906", "--std", "c++17"]
    for stub in stubs:
        options += ["--include-dir", str(CASES / "_stubs" / stub)]

    status, document = run(capsys, "check", *options)
    assert status == 1
    assert document["version"] == 1
    first = next(d for d in document["diagnostics"] if d["id"] == document["first_error"])
    assert first["location"]["path"] == path
    assert first["location"]["range"]["start"]["line"] == line - 1
    assert first["code"] == code
    assert originals(root) == before

    status, document = run(capsys, "fix", *options)
    assert status == 1
    assert rule in {action["rule"] for action in document["actions"]}
    assert document["applied"] == []
    assert originals(root) == before

    status, document = run(capsys, "fix", "--until-green", "--unsafe", *options)
    assert document["first_error"] is None
    assert status == 0
    assert document["applied"]
    assert originals(root) != before

    status, document = run(capsys, "undo", "--all", "--root", str(root))
    assert status == 0
    assert originals(root) == before

    status, document = run(capsys, "redo", "--root", str(root))
    assert status == 0
    assert originals(root) != before
