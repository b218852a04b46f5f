"""Bad input: one line that names the next step, the contract's exit code, nothing written."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from needs import need_hipcc, need_torch

from fastpt_lab import Session
from fastpt_lab.cli import main
from fastpt_lab.core.errors import StaleEditError

SOURCE = b"""#include <cuda_runtime.h>
__global__ void k(float* x) { x[threadIdx.x] += __shfl_xor_sync(0xffffffff, x[0], 1); }
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "ext"
    (root / "csrc").mkdir(parents=True)
    (root / "setup.py").write_text("")
    (root / "csrc" / "k.cu").write_bytes(SOURCE)
    return root


def snapshot(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes()
        for p in root.rglob("*")
        if p.is_file() and ".fastpt" not in p.parts
    }


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = main(list(words))
    err = capsys.readouterr().err
    assert "Traceback" not in err
    return code, err


@pytest.mark.parametrize(
    ("words", "code", "say"),
    [
        (["check", "no/such"], 2, "there is no no/such"),
        (["chek"], 2, "Did you mean check?"),
        (["check", "--jobs", "many"], 2, "invalid int value"),
        (["fix", "--rule", "no-such-rule"], 2, "there is no rule no-such-rule"),
        (["explain", "a99"], 2, "there is no action a99"),
        (["undo", "--id", "j99"], 2, "no entry j99"),
        (["diagnose", "no.log"], 2, "there is no log"),
        (["env", "--", "true"], 2, "needs a mode"),
    ],
    ids=["path", "command", "value", "rule", "action", "entry", "log", "mode"],
)
def test_usage(
    project: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    say: str,
) -> None:
    monkeypatch.chdir(project)
    before = snapshot(project)
    found, err = run(capsys, *words)
    assert found == code
    assert say in err
    assert len(err.splitlines()) <= 2
    assert snapshot(project) == before


def test_no_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "readme.txt").write_text("")
    code, err = run(capsys, "check", "--root", str(tmp_path))
    assert code == 2
    assert "Name the folder that holds the .cu files" in err


@need_torch
def test_binary_source_is_refused_and_the_rest_is_done(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "csrc" / "junk.cu").write_bytes(b"\x7fELF\0\0\0")
    code = main(["transcode", "--root", str(project), "--json"])
    files = json.loads(capsys.readouterr().out)["files"]
    status = {file["original"]: file["status"] for file in files}
    assert status == {"csrc/junk.cu": "refused", "csrc/k.cu": "written"}
    assert code == 1
    assert not (project / "csrc" / "junk.hip").exists()


@need_torch
def test_a_generated_file_is_never_fixed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["transcode", "--root", str(project)]) == 0
    capsys.readouterr()
    before = snapshot(project)
    code, err = run(capsys, "fix", str(project / "csrc" / "k.hip"), "--root", str(project))
    assert code == 3
    assert "k.hip is generated from k.cu" in err
    assert snapshot(project) == before


@need_hipcc
@need_torch
def test_an_original_that_changed_since_the_proposal_is_not_written(project: Path) -> None:
    session = Session(project)
    report = session.check()
    (project / "csrc" / "k.cu").write_bytes(SOURCE + b"// mine\n")
    before = snapshot(project)
    with pytest.raises(StaleEditError):
        session.apply(report.actions[0].id)
    assert snapshot(project) == before


@need_hipcc
@need_torch
def test_a_read_only_original_is_not_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "csrc" / "k.cu").chmod(0o444)
    code, err = run(capsys, "fix", "--until-green", "--root", str(project))
    assert code == 3
    assert "read-only" in err
    assert (project / "csrc" / "k.cu").read_bytes() == SOURCE


@need_torch
def test_without_hipcc_the_next_step_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, err = run(
        capsys, "check", "--root", str(project), "--compiler", str(project / "no-hipcc")
    )
    assert code == 4
    assert "no-hipcc" in err
    assert "--compiler" in err


@need_hipcc
@need_torch
def test_a_compiler_that_is_killed_is_an_error_and_never_green(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fake = project / "hipcc"
    fake.write_text(
        '#!/bin/sh\ncase "$*" in *--version*) exec hipcc --version;; esac\nkill -9 $$\n'
    )
    fake.chmod(0o755)
    code = main(["check", "--root", str(project), "--compiler", str(fake), "--json"])
    document = json.loads(capsys.readouterr().out)
    assert code == 1
    assert document["units"][0]["status"] == "error"
    assert document["first_error"] is not None


def test_a_broken_pipe_is_no_error(project: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    child = os.fork()
    if child == 0:
        os.dup2(write, 1)
        os._exit(main(["rules"]))
    os.close(write)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
