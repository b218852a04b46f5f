from __future__ import annotations

from pathlib import Path

import pytest

from fastpt_lab.core.errors import (
    ConfigError,
    NoSourcesError,
    OutsideRootError,
    PathMissingError,
)
from fastpt_lab.host.config import Config, load_config
from fastpt_lab.host.project import Project, find_root
from fastpt_lab.host.sourcetree import BREADCRUMB


def make(root: Path, *names: str) -> None:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("int x;\n")


def test_sources_leave_out_builds_outputs_and_links_that_lead_out(tmp_path: Path) -> None:
    root = tmp_path / "项目"
    make(
        root,
        "csrc/a.cu",
        "csrc/detail/归约.cuh",
        "bind.cpp",
        "build/temp/b.cu",
        ".git/c.cu",
        "node_modules/d.h",
        "env/e.h",
        "csrc/notes.md",
        "csrc/hip_wrapper.h",
    )
    (root / "env" / "pyvenv.cfg").write_text("")
    (root / "csrc" / "a_hip.cpp").write_bytes(BREADCRUMB + b"!!!\n")
    make(tmp_path, "outside.cu")
    (root / "link.cu").symlink_to(tmp_path / "outside.cu")
    project = Project(root)
    assert [project.relative(p) for p in project.sources()] == [
        "bind.cpp",
        "csrc/a.cu",
        "csrc/detail/归约.cuh",
        "csrc/hip_wrapper.h",
    ]
    assert [project.relative(p) for p in Project(root, ("csrc/*",)).sources()] == ["bind.cpp"]


def test_nothing_to_port_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(NoSourcesError, match=r"\.cu files"):
        Project(tmp_path).sources()


def test_root_is_found_upwards(tmp_path: Path) -> None:
    make(tmp_path, "ext/setup.py", "ext/csrc/a.cu", "loose/a.cu")
    assert find_root(tmp_path / "ext" / "csrc" / "a.cu") == tmp_path / "ext"
    assert find_root(tmp_path / "loose") == tmp_path / "loose"
    with pytest.raises(PathMissingError):
        find_root(tmp_path / "none")


def test_typed_names_are_looked_for_here_then_from_the_root(tmp_path: Path) -> None:
    make(tmp_path, "ext/csrc/a.cu", "other.cu")
    project = Project(tmp_path / "ext")
    found = tmp_path / "ext" / "csrc" / "a.cu"
    assert project.resolve("csrc/a.cu", cwd=tmp_path) == found
    assert project.resolve("a.cu", cwd=tmp_path / "ext" / "csrc") == found
    with pytest.raises(PathMissingError):
        project.resolve("b.cu", cwd=tmp_path)
    with pytest.raises(OutsideRootError):
        project.resolve(tmp_path / "other.cu")


def test_config_is_read_and_wrong_keys_are_named(tmp_path: Path) -> None:
    assert load_config(tmp_path) == Config()
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.fastpt-lab]\narch = "gfx928"\ninclude-dirs = ["inc"]\njobs = 2\n')
    config = load_config(tmp_path)
    assert (config.arch, config.include_dirs, config.jobs) == (("gfx928",), ("inc",), 2)
    for text, match in (
        ("archs = []", "no key 'archs'"),
        ("jobs = 'two'", "jobs"),
        ("std = 17", "std"),
        ("arch = [1]", "arch"),
    ):
        file.write_text(f"[tool.fastpt-lab]\n{text}\n")
        with pytest.raises(ConfigError, match=match):
            load_config(tmp_path)
    file.write_text("[tool.fastpt-lab\n")
    with pytest.raises(ConfigError):
        load_config(tmp_path)
