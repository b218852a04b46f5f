from __future__ import annotations

import sys
from pathlib import Path

import pytest

from fastpt_lab.build.buildcommand import plan_build
from fastpt_lab.build.toolchain import Toolchain
from fastpt_lab.build.versions import Versions
from fastpt_lab.core.errors import UsageError

TOOLCHAIN = Toolchain(
    hipcc=Path("/opt/dtk/bin/hipcc"),
    found_by="PATH",
    root=Path("/opt/dtk"),
    platform_reason="",
    versions=Versions(),
    dtk="25.04.2",
    architectures=("gfx928", "gfx936"),
    architecture_reason="given",
    fingerprint="",
)


@pytest.mark.parametrize(
    ("files", "words", "reason"),
    [
        (("setup.py", "pyproject.toml"), (sys.executable, "setup.py", "build_ext"), "setup.py"),
        (("pyproject.toml", "CMakeLists.txt"), (sys.executable, "-m", "pip"), "pyproject.toml"),
        (("CMakeLists.txt", "Makefile"), ("cmake", "--build", "build"), "CMakeLists.txt"),
        (("Makefile",), ("make",), "Makefile"),
    ],
)
def test_found_by_its_file(
    files: tuple[str, ...], words: tuple[str, ...], reason: str, tmp_path: Path
) -> None:
    for name in files:
        (tmp_path / name).write_text("", "utf-8")
    plan = plan_build(tmp_path)
    assert plan.argv[: len(words)] == words or plan.argv[0].startswith(words[0])
    assert plan.reason == reason
    assert plan.cwd == tmp_path


def test_configured_tree_is_not_configured_again(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text("", "utf-8")
    assert plan_build(tmp_path).before[0][:4] == ("cmake", "-S", ".", "-B")
    (tmp_path / "build_hip").mkdir()
    (tmp_path / "build_hip" / "CMakeCache.txt").write_text("", "utf-8")
    plan = plan_build(tmp_path)
    assert plan.before == ()
    assert plan.argv[:3] == ("cmake", "--build", "build_hip")


def test_given_command_wins(tmp_path: Path) -> None:
    (tmp_path / "setup.py").write_text("", "utf-8")
    plan = plan_build(tmp_path, command=("make", "hip"))
    assert (plan.argv, plan.reason) == (("make", "hip"), "given")


def test_nothing_to_build(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no setup") as caught:
        plan_build(tmp_path)
    assert "--" in caught.value.next_step


def test_targets_are_named_so_that_torch_passes_no_empty_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTORCH_ROCM_ARCH", raising=False)
    (tmp_path / "setup.py").write_text("", "utf-8")
    child = plan_build(tmp_path, TOOLCHAIN).environment({"PATH": "/usr/bin"})
    assert child["PYTORCH_ROCM_ARCH"] == "gfx928;gfx936"
    assert child["HIP_PLATFORM"] == "amd"
    assert child["PATH"] == "/usr/bin"


def test_the_users_targets_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTORCH_ROCM_ARCH", "gfx906")
    (tmp_path / "setup.py").write_text("", "utf-8")
    assert plan_build(tmp_path, TOOLCHAIN).environment()["PYTORCH_ROCM_ARCH"] == "gfx906"
