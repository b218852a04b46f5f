from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_nvcc

from fastpt_lab.build import toolchain as toolchain_module
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.core.errors import LimitError, ToolMissingError

if TYPE_CHECKING:
    from conftest import MakeTool

ANSWER = """echo run >> "$0.runs"
echo 'HIP version: 6.1.40091'
echo 'clang version 17.0.0'
echo "InstalledDir: ${0%/*}" """


@need_hipcc
def test_installed_compiler(plain_environment: dict[str, str]) -> None:
    found = find_toolchain(environment=plain_environment)
    assert found.hipcc == Path(shutil.which("hipcc") or "")
    assert found.found_by == "PATH"
    assert found.versions.hip is not None
    assert found.versions.clang
    assert not found.versions.nvidia


@need_hipcc
@need_nvcc
def test_nvcc_on_path_does_not_choose_the_platform(plain_environment: dict[str, str]) -> None:
    found = find_toolchain(environment=plain_environment)
    assert "nvcc" in found.platform_reason
    child = found.environment(plain_environment)
    assert child["HIP_PLATFORM"] == "amd"
    assert "HIP_PLATFORM" not in plain_environment


def test_wrong_platform_is_overruled_and_said(fresh_cache: Path, make_tool: MakeTool) -> None:
    hipcc = make_tool("bin/hipcc", ANSWER)
    env = {"PATH": "/usr/bin:/bin", "HIP_PLATFORM": "nvidia"}
    found = find_toolchain(hipcc, environment=env)
    assert "HIP_PLATFORM=nvidia" in found.platform_reason
    assert found.environment(env)["HIP_PLATFORM"] == "amd"


def test_nothing_installed(fresh_cache: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolMissingError, match="hipcc was not found") as caught:
        find_toolchain(environment={"PATH": str(tmp_path)})
    assert caught.value.next_step
    assert caught.value.exit_code == 4


def test_named_compiler_is_missing(fresh_cache: Path, tmp_path: Path) -> None:
    with pytest.raises(ToolMissingError, match="no compiler"):
        find_toolchain(tmp_path / "hipcc", environment={"PATH": "/usr/bin"})


def test_compiler_that_is_killed(fresh_cache: Path, make_tool: MakeTool) -> None:
    hipcc = make_tool("bin/hipcc", "kill -9 $$")
    with pytest.raises(ToolMissingError, match="exit code -9"):
        find_toolchain(hipcc, environment={"PATH": "/usr/bin:/bin"})


def test_compiler_that_hangs(
    fresh_cache: Path, make_tool: MakeTool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(toolchain_module, "_VERSION_SECONDS", 0.3)
    hipcc = make_tool("bin/hipcc", "sleep 600")
    with pytest.raises(LimitError, match="did not end"):
        find_toolchain(hipcc, environment={"PATH": "/usr/bin:/bin"})


def test_rocm_path_comes_before_path(fresh_cache: Path, make_tool: MakeTool) -> None:
    wanted = make_tool("rocm/bin/hipcc", ANSWER)
    other = make_tool("other/hipcc", ANSWER)
    env = {"PATH": f"{other.parent}:/usr/bin:/bin", "ROCM_PATH": str(wanted.parent.parent)}
    found = find_toolchain(environment=env)
    assert (found.hipcc, found.found_by) == (wanted, "ROCM_PATH")
    assert found.root == wanted.parent.parent


def test_dtk_tree_with_hip_folder(
    fresh_cache: Path, tmp_path: Path, make_tool: MakeTool
) -> None:
    hipcc = make_tool("dtk-25.04.2/hip/bin/hipcc", ANSWER)
    env = {"PATH": str(tmp_path), "DTKROOT": str(hipcc.parents[2])}
    found = find_toolchain(environment=env)
    assert found.root == hipcc.parents[2]
    assert found.dtk == "25.04.2"


def test_asked_once_until_the_compiler_changes(fresh_cache: Path, make_tool: MakeTool) -> None:
    hipcc = make_tool("bin/hipcc", ANSWER)
    runs = hipcc.with_name("hipcc.runs")
    env = {"PATH": "/usr/bin:/bin"}
    first = find_toolchain(hipcc, environment=env)
    assert find_toolchain(hipcc, environment=env) == first
    assert runs.read_text().count("run") == 1
    make_tool("bin/hipcc", ANSWER.replace("6.1.40091", "6.2.41133"))
    changed = find_toolchain(hipcc, environment=env)
    assert changed.versions.hip == (6, 2)
    assert changed.fingerprint != first.fingerprint


def test_clang_upgrade_behind_hipcc_is_seen(fresh_cache: Path, make_tool: MakeTool) -> None:
    hipcc = make_tool("bin/hipcc", ANSWER)
    make_tool("bin/clang++", "exit 0")
    env = {"PATH": "/usr/bin:/bin"}
    first = find_toolchain(hipcc, environment=env)
    make_tool("bin/clang++", "exit 0 # another one")
    assert find_toolchain(hipcc, environment=env).fingerprint != first.fingerprint
