"""Compilers that misbehave: each ends within its time, and nothing of it is left."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

import pytest
from needs import need_hipcc

from fastpt_lab.build.check import UnitResult, check_units
from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.plan import CheckPlan, Unit
from fastpt_lab.build.probe import Prober
from fastpt_lab.build.toolchain import Toolchain, find_toolchain
from fastpt_lab.build.versions import Versions
from fastpt_lab.host.process import KEPT_BYTES, session_members

SOURCE = "#include <hip/hip_runtime.h>\n__global__ void k(float* x) { x[0] = 1; }\n"


def fake(folder: Path, body: str) -> Toolchain:
    path = folder / "bin" / "hipcc"
    path.parent.mkdir()
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return Toolchain(
        hipcc=path,
        found_by="--compiler",
        root=folder,
        platform_reason="",
        versions=Versions(),
        dtk="",
        architectures=("gfx906",),
        architecture_reason="given",
        fingerprint=str(path),
    )


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FASTPT_CACHE_DIR", str(tmp_path / "cache"))
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    root = tmp_path / "p"
    root.mkdir()
    (root / "k.hip").write_text(SOURCE)
    return root


def check(root: Path, toolchain: Toolchain, *, timeout: float) -> UnitResult:
    plan = CheckPlan(root=root, toolchain=toolchain, options=CompileOptions())
    unit = Unit(original=root / "k.cu", generated=root / "k.hip")
    return check_units([unit], plan, timeout=timeout)[0]


@pytest.mark.parametrize(
    ("body", "status", "say"),
    [
        ("yes error: flood", "timeout", "did not end within"),
        ("trap '' TERM; echo $$ > {pid}; while :; do sleep 1; done", "timeout", "did not end"),
        ("(trap '' TERM HUP; echo $$ > {pid}; exec sleep 600) & sleep 600", "timeout", "end"),
        ("exec >&- 2>&-; sleep 600", "timeout", "did not end within"),
        ("kill -SEGV $$", "error", "SIGSEGV"),
        ("head -c 90000000 /dev/zero | tr '\\\\0' x; exit 1", "error", "exit code 1"),
        ("printf '\\\\033]52;c;eA==\\\\007'; exit 3", "error", "exit code 3"),
    ],
    ids=["endless", "deaf", "grandchild", "closed", "signal", "flood", "escapes"],
)
def test_a_compiler_that_misbehaves(root: Path, body: str, status: str, say: str) -> None:
    pid = root.parent / "pid"
    text = body.replace("{pid}", str(pid)).replace("\\\\", "\\")
    result = check(root, fake(root.parent, text), timeout=2 if status == "timeout" else 60)
    assert result.status == status
    assert say in result.log
    assert len(result.log) <= 2 * KEPT_BYTES + 1000
    if pid.exists():
        assert not Path(f"/proc/{pid.read_text().strip()}").exists() or not session_members(
            int(pid.read_text())
        )


def test_files_that_a_killed_compiler_leaves_are_removed(root: Path) -> None:
    body = 'mkdir "$TMPDIR/a-145bea"; echo x > "$TMPDIR/k-1234.o"; sleep 600'
    assert check(root, fake(root.parent, body), timeout=2).status == "timeout"
    assert os.listdir(root.parent / "tmp") == []  # noqa: PTH208 - the names matter


@need_hipcc
def test_a_real_compiler_leaves_nothing(root: Path) -> None:
    toolchain = find_toolchain()
    assert check(root, toolchain, timeout=600).status == "ok"
    assert Prober(toolchain, (), root).compile(SOURCE).compiled is True
    assert os.listdir(root.parent / "tmp") == []  # noqa: PTH208 - the names matter
