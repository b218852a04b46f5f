from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc

from fastpt_lab.build.check import check_units
from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.plan import CheckPlan, Unit
from fastpt_lab.build.toolchain import find_toolchain

if TYPE_CHECKING:
    from fastpt_lab.build.check import UnitResult

# Stands for the big one: what decides is its name and that it is not the project's.
BIG = """#pragma once
#include <hip/hip_runtime.h>
template <class T> __host__ __device__ T twice(T x) { return x + x; }
"""
INCLUDE = "#include <torch/extension.h>\n"
KERNEL = "__global__ void k(float* x) { x[0] = twice(x[1]); }\n"


class Tree:
    """A project beside a torch."""

    def __init__(self, folder: Path) -> None:
        self.root = folder / "project"
        self.big = folder / "site" / "torch" / "extension.h"
        self.big.parent.mkdir(parents=True)
        self.big.write_text(BIG, "utf-8")
        options = CompileOptions(include_dirs=(folder / "site",))
        self.plan = CheckPlan(root=self.root, toolchain=find_toolchain(), options=options)

    def unit(self, name: str, text: str) -> Unit:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return Unit(original=path, generated=path)

    def check(self, *units: Unit) -> tuple[UnitResult, ...]:
        return check_units(units, self.plan)


@pytest.fixture
def tree(tmp_path: Path, fresh_cache: Path) -> Tree:
    return Tree(tmp_path)


def sets_in(cache: Path) -> list[Path]:
    return sorted((cache / "precompiled").glob("*.pch"))


@need_hipcc
def test_made_for_units_that_begin_alike(tree: Tree, fresh_cache: Path) -> None:
    units = [tree.unit(f"{name}.hip", INCLUDE + KERNEL) for name in "ab"]
    bad = tree.unit("bad.hip", INCLUDE + "int x = no_such_name;\n")
    results = tree.check(*units, bad)
    assert [result.status for result in results] == ["ok", "ok", "error"]
    assert f"{bad.generated}:2:9: error:" in results[2].log
    assert len(sets_in(fresh_cache)) == 2  # device and host side
    assert [result.cached for result in tree.check(*units, bad)] == [True] * 3


@need_hipcc
def test_host_side_that_is_never_reached_gets_no_set(tree: Tree, fresh_cache: Path) -> None:
    units = [tree.unit(f"{name}.hip", INCLUDE + "__device__ int x = no;\n") for name in "ab"]
    assert [result.status for result in tree.check(*units)] == ["error", "error"]
    assert len(sets_in(fresh_cache)) == 1


@need_hipcc
def test_made_when_a_unit_comes_again(tree: Tree, fresh_cache: Path) -> None:
    unit = tree.unit("a.hip", INCLUDE + KERNEL)
    assert tree.check(unit)[0].status == "ok"
    assert sets_in(fresh_cache) == []
    tree.unit("a.hip", INCLUDE + KERNEL + "\n")
    assert tree.check(unit)[0].status == "ok"
    assert len(sets_in(fresh_cache)) == 2


@need_hipcc
def test_changed_header_is_seen_through_the_set(tree: Tree, fresh_cache: Path) -> None:
    units = [tree.unit(f"{name}.hip", INCLUDE + KERNEL) for name in "ab"]
    assert tree.check(*units)[0].status == "ok"
    before = {path: path.stat().st_mtime_ns for path in sets_in(fresh_cache)}
    tree.big.write_text(BIG.replace("twice", "thrice"), "utf-8")
    results = tree.check(*units)
    assert [result.status for result in results] == ["error", "error"]
    assert "twice" in results[0].log
    after = {path: path.stat().st_mtime_ns for path in sets_in(fresh_cache)}
    assert before.keys() == after.keys()
    assert before != after


@need_hipcc
def test_damaged_set_is_not_used(tree: Tree, fresh_cache: Path) -> None:
    units = [tree.unit(f"{name}.hip", INCLUDE + KERNEL) for name in "ab"]
    tree.check(*units)
    for path in sets_in(fresh_cache):
        path.write_bytes(b"damaged")
    for name in "ab":
        tree.unit(f"{name}.hip", INCLUDE + KERNEL + "\n")
    results = tree.check(*units)
    assert [(result.status, result.log) for result in results] == [("ok", "")] * 2


@need_hipcc
def test_headers_that_do_not_compile_are_shown_by_the_unit(
    tree: Tree, fresh_cache: Path
) -> None:
    tree.big.write_text("#error broken\n", "utf-8")
    units = [tree.unit(f"{name}.hip", INCLUDE) for name in "ab"]
    results = tree.check(*units)
    assert [result.status for result in results] == ["error", "error"]
    assert "In file included from" in results[0].log
    assert sets_in(fresh_cache) == []


@need_hipcc
def test_copy_of_the_project_uses_the_same_set(
    tree: Tree, fresh_cache: Path, tmp_path: Path
) -> None:
    units = [tree.unit(f"{name}.hip", INCLUDE + KERNEL) for name in "ab"]
    tree.check(*units)
    times = [path.stat().st_mtime_ns for path in sets_in(fresh_cache)]
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    copy = scratch / "a.hip"
    copy.write_text(INCLUDE + KERNEL + "// fixed\n", "utf-8")
    moved = tree.plan.moved(scratch)
    result = check_units([Unit(original=copy, generated=copy)], moved)[0]
    assert result.status == "ok"
    assert len(sets_in(fresh_cache)) == 2
    assert [path.stat().st_mtime_ns for path in sets_in(fresh_cache)] != times  # used
