from __future__ import annotations

import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_gxx, need_hipcc, need_torch

from fastpt_lab.build.check import UnitResult, check_units
from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.plan import CheckPlan, Unit, plan_check
from fastpt_lab.build.toolchain import Toolchain, find_toolchain
from fastpt_lab.build.versions import Versions
from fastpt_lab.host.process import Cancel, session_members

if TYPE_CHECKING:
    from conftest import MakeTool

GOOD = "#include <hip/hip_runtime.h>\n__global__ void k(float* x) { x[0] = 1; }\n"
DEVICE_ERROR = GOOD + "__device__ int d() { return no_such_name; }\n"
HOST_ERROR = GOOD + "#ifndef __HIP_DEVICE_COMPILE__\nint h() { return no_host_name; }\n#endif\n"
PTX = GOOD + '__global__ void p() { asm volatile("mov.u32 %r1, %laneid;"); }\n'


def unit_of(root: Path, name: str, text: str) -> Unit:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return Unit(original=path.with_suffix(".cu"), generated=path)


def plan_of(root: Path, units: list[Unit], **options: object) -> CheckPlan:
    return plan_check(units, root, find_toolchain(), CompileOptions(**options))  # type: ignore[arg-type]


def fake_toolchain(hipcc: Path) -> Toolchain:
    return Toolchain(
        hipcc=hipcc,
        found_by="--compiler",
        root=hipcc.parent,
        platform_reason="",
        versions=Versions(),
        dtk="",
        architectures=("gfx906",),
        architecture_reason="given",
        fingerprint=str(hipcc),
    )


def check_one(unit: Unit, plan: CheckPlan, **options: object) -> UnitResult:
    return check_units([unit], plan, **options)[0]  # type: ignore[arg-type]


@need_hipcc
def test_results_come_in_the_order_of_the_units(fresh_cache: Path, tmp_path: Path) -> None:
    root = tmp_path / "项目 a"
    units = [
        unit_of(root, "bad.hip", DEVICE_ERROR),
        unit_of(root, "中文 name.hip", GOOD),
        unit_of(root, "host.hip", HOST_ERROR),
    ]
    seen: list[tuple[str, int, int]] = []
    results = check_units(
        units,
        plan_of(root, units),
        progress=lambda result, done, total: seen.append((result.status, done, total)),
    )
    assert [result.status for result in results] == ["error", "ok", "error"]
    assert seen == [("error", 1, 3), ("ok", 2, 3), ("error", 3, 3)]
    assert "no_such_name" in results[0].log
    assert "when compiling for gfx906" in results[0].log
    assert results[1].log == ""
    assert "when compiling for host" in results[2].log
    assert all(
        result.command[-1] == str(unit.generated)
        for result, unit in zip(results, units, strict=True)
    )


@need_hipcc
def test_host_side_is_not_reached_after_a_device_error(
    fresh_cache: Path, tmp_path: Path
) -> None:
    both = unit_of(tmp_path, "both.hip", DEVICE_ERROR + HOST_ERROR.removeprefix(GOOD))
    plan = plan_of(tmp_path, [both])
    for jobs in (1, 4):
        result = check_one(both, plan, jobs=jobs, reuse=False)
        assert "no_such_name" in result.log
        assert "no_host_name" not in result.log


@need_hipcc
def test_inline_assembly_is_compiled_to_code(fresh_cache: Path, tmp_path: Path) -> None:
    unit = unit_of(tmp_path, "ptx.hip", PTX)
    commented = unit_of(tmp_path, "plain.hip", GOOD + '// asm("nonsense")\n')
    header = tmp_path / "wrapped.cuh"
    header.write_text(PTX.removeprefix(GOOD), "utf-8")
    included = unit_of(tmp_path, "included.hip", GOOD + '#include "wrapped.cuh"\n')
    units = [unit, commented, included]
    plan = plan_of(tmp_path, units)
    results = check_units(units, plan)
    assert [result.status for result in results] == ["error", "ok", "error"]
    assert "instantiated into assembly here" in results[0].log
    assert "wrapped.cuh" in results[2].log
    assert "-fsyntax-only" in results[1].command
    assert "-fsyntax-only" not in results[0].command
    assert not list(tmp_path.rglob("*.o"))


@need_hipcc
def test_every_architecture_is_compiled(fresh_cache: Path, tmp_path: Path) -> None:
    text = GOOD + "#ifdef __gfx908__\n#error only here\n#endif\n"
    unit = unit_of(tmp_path, "a.hip", text)
    toolchain = find_toolchain(architectures=("gfx906", "gfx908"))
    plan = plan_check([unit], tmp_path, toolchain, CompileOptions())
    result = check_one(unit, plan)
    assert result.status == "error"
    assert result.log.count("only here") == 2  # the message and the line it quotes
    assert "when compiling for gfx908" in result.log
    given = CompileOptions(flags=("--offload-arch=gfx906",))
    assert check_one(unit, replace(plan, options=given)).status == "ok"


@need_hipcc
def test_options_reach_the_compiler(fresh_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "inc dir").mkdir()
    (tmp_path / "inc dir" / "own.h").write_text("#define OWN 1\n", "utf-8")
    text = (
        GOOD
        + "#include <own.h>\n#if OWN + A + B != 6 || __cplusplus < 202002L\n#error x\n#endif\n"
    )
    unit = unit_of(tmp_path, "a.hip", text)
    plan = plan_of(
        tmp_path,
        [unit],
        std="c++20",
        include_dirs=(Path("inc dir"),),
        defines=("A=2",),
        flags=("-DB=3",),
    )
    result = check_one(unit, plan)
    assert result.status == "ok", result.log


@need_hipcc
def test_unchanged_unit_is_not_compiled_again(fresh_cache: Path, tmp_path: Path) -> None:
    (tmp_path / "dep.cuh").write_text("#pragma once\n", "utf-8")
    text = '#include "dep.cuh"\n'
    units = [unit_of(tmp_path, "a.hip", text + GOOD), unit_of(tmp_path, "b.hip", GOOD)]
    bad = unit_of(tmp_path, "bad.hip", DEVICE_ERROR)
    everything = [*units, bad]
    plan = plan_of(tmp_path, everything)
    first = check_units(everything, plan)
    again = check_units(everything, plan)
    assert [result.cached for result in first] == [False, False, False]
    assert [result.cached for result in again] == [True, True, True]
    assert [result.log for result in again] == [result.log for result in first]
    os.utime(tmp_path / "dep.cuh")
    assert check_one(units[0], plan).cached
    (tmp_path / "dep.cuh").write_text("#pragma once\n#error changed\n", "utf-8")
    changed = check_units(everything, plan)
    assert [result.cached for result in changed] == [False, True, True]
    assert changed[0].status == "error"
    assert not check_one(bad, plan_of(tmp_path, [bad], defines=("X",))).cached
    assert not check_one(bad, plan, reuse=False).cached


@need_hipcc
def test_flags_that_hipcc_takes_from_the_environment_count(
    fresh_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = unit_of(tmp_path, "a.hip", GOOD + "#ifdef HIDDEN\n#error hidden\n#endif\n")
    assert check_one(unit, plan_of(tmp_path, [unit])).status == "ok"
    monkeypatch.setenv("HIPCC_COMPILE_FLAGS_APPEND", "-DHIDDEN")
    assert check_one(unit, plan_of(tmp_path, [unit])).status == "error"


@need_hipcc
def test_missing_header_is_looked_for_again(fresh_cache: Path, tmp_path: Path) -> None:
    include = tmp_path / "include"
    (include / "sub").mkdir(parents=True)
    unit = unit_of(tmp_path, "a.hip", GOOD + "#include <sub/late.h>\n")
    plan = plan_of(tmp_path, [unit], include_dirs=(include,))
    assert "file not found" in check_one(unit, plan).log
    (include / "sub" / "late.h").write_text("#pragma once\n", "utf-8")
    assert check_one(unit, plan).status == "ok"


@need_hipcc
def test_header_that_now_comes_first_is_seen(fresh_cache: Path, tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "two" / "x.h").write_text("#pragma once\n", "utf-8")
    unit = unit_of(tmp_path, "a.hip", GOOD + "#include <x.h>\n")
    plan = plan_of(tmp_path, [unit], include_dirs=(Path("one"), Path("two")))
    assert check_one(unit, plan).status == "ok"
    (tmp_path / "one" / "x.h").write_text("#error first\n", "utf-8")
    assert check_one(unit, plan).status == "error"


@need_gxx
def test_host_units_go_to_the_host_compiler(fresh_cache: Path, tmp_path: Path) -> None:
    unit = unit_of(tmp_path, "bind.cpp", "int f() { return no_such_name; }\n")
    plan = CheckPlan(
        root=tmp_path, toolchain=fake_toolchain(tmp_path / "hipcc"), options=CompileOptions()
    )
    result = check_one(unit, plan)
    assert result.status == "error"
    assert "no_such_name" in result.log
    assert result.command[0].endswith(("c++", "g++"))


def test_compiler_that_vanished(fresh_cache: Path, tmp_path: Path) -> None:
    unit = unit_of(tmp_path, "a.hip", GOOD)
    plan = CheckPlan(
        root=tmp_path, toolchain=fake_toolchain(tmp_path / "gone"), options=CompileOptions()
    )
    result = check_one(unit, plan)
    assert result.status == "not-run"
    assert "cannot be started" in result.log


def test_compiler_that_is_killed(
    fresh_cache: Path, tmp_path: Path, make_tool: MakeTool
) -> None:
    unit = unit_of(tmp_path, "a.hip", GOOD)
    hipcc = make_tool("hipcc", "echo partial\nkill -9 $$")
    plan = CheckPlan(root=tmp_path, toolchain=fake_toolchain(hipcc), options=CompileOptions())
    result = check_one(unit, plan)
    assert result.status == "error"
    assert result.log.startswith("partial\n")
    assert "was ended by SIGKILL" in result.log
    assert not check_one(unit, plan).cached


def test_compiler_that_fails_without_a_word(
    fresh_cache: Path, tmp_path: Path, make_tool: MakeTool
) -> None:
    unit = unit_of(tmp_path, "a.hip", GOOD)
    plan = CheckPlan(
        root=tmp_path,
        toolchain=fake_toolchain(make_tool("hipcc", "exit 3")),
        options=CompileOptions(),
    )
    result = check_one(unit, plan)
    assert result.status == "error"
    assert "hipcc: error:" in result.log
    assert "exit code 3 and printed no error" in result.log


def test_compiler_that_hangs_is_ended_with_its_children(
    fresh_cache: Path, tmp_path: Path, make_tool: MakeTool
) -> None:
    unit = unit_of(tmp_path, "a.hip", GOOD)
    hipcc = make_tool("hipcc", f"echo $$ > {tmp_path}/pid\nsleep 600 &\nwait")
    plan = CheckPlan(root=tmp_path, toolchain=fake_toolchain(hipcc), options=CompileOptions())
    result = check_one(unit, plan, timeout=0.5, jobs=1)
    assert result.status == "timeout"
    assert "did not end within" in result.log
    assert session_members(int((tmp_path / "pid").read_text())) == ()


def test_cancel_ends_the_compilers(
    fresh_cache: Path, tmp_path: Path, make_tool: MakeTool
) -> None:
    units = [unit_of(tmp_path, f"{index}.hip", GOOD) for index in range(4)]
    hipcc = make_tool("hipcc", f"touch {tmp_path}/started\nsleep 600")
    plan = CheckPlan(root=tmp_path, toolchain=fake_toolchain(hipcc), options=CompileOptions())
    cancel = Cancel()

    def cancel_when_started() -> None:
        deadline = time.monotonic() + 30
        while not (tmp_path / "started").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        cancel.set()

    threading.Thread(target=cancel_when_started).start()
    results = check_units(units, plan, jobs=2, cancel=cancel)
    assert {result.status for result in results} == {"not-run"}
    assert len(results) == 4


def test_interrupt_leaves_no_compiler(
    fresh_cache: Path, tmp_path: Path, make_tool: MakeTool
) -> None:
    units = [unit_of(tmp_path, name, GOOD) for name in ("a.hip", "b.hip")]
    hipcc = make_tool(
        "hipcc",
        f'case "$*" in *a.hip*) exit 0;; esac\necho $$ > {tmp_path}/pid\nsleep 600',
    )
    plan = CheckPlan(root=tmp_path, toolchain=fake_toolchain(hipcc), options=CompileOptions())

    def interrupt(result: UnitResult, done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_units(units, plan, jobs=2, progress=interrupt)
    if (tmp_path / "pid").exists():
        assert session_members(int((tmp_path / "pid").read_text())) == ()


@need_hipcc
def test_copy_of_a_part_keeps_what_the_build_file_said(tmp_path: Path) -> None:
    project, scratch = tmp_path / "project", tmp_path / "scratch"
    unit = unit_of(project, "csrc/a.hip", GOOD)
    (project / "setup.py").write_text("from torch.utils import cpp_extension\n", "utf-8")
    plan = CheckPlan(root=project, toolchain=find_toolchain(), options=CompileOptions())
    facts = plan.facts_of(unit)
    assert facts.uses_torch
    moved = replace(plan, facts={unit.generated: facts}).moved(scratch)
    copy = unit_of(scratch, "csrc/a.hip", GOOD)
    assert moved.facts_of(copy).uses_torch
    assert moved.root == scratch


EXTENSION = """
#include <torch/extension.h>
#include <ATen/hip/HIPContext.h>
#include <c10/hip/HIPGuard.h>
#include <hipcub/hipcub.hpp>
__global__ void scale(float* x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
void scale_(at::Tensor x, double by) {
  const at::cuda::OptionalCUDAGuard guard(x.device());
  int n = x.numel();
  scale<<<(n + 255) / 256, 256, 0, at::cuda::getCurrentCUDAStream()>>>(x.data_ptr<float>(), by, n);
}
"""
BINDING = """
#include <torch/extension.h>
#include <ATen/hip/HIPContext.h>
void scale_(at::Tensor x, double by);
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("scale_", &scale_); }
"""


@need_hipcc
@need_torch
@need_gxx
def test_torch_extension_without_a_device(tmp_path: Path) -> None:
    units = [unit_of(tmp_path, "scale.hip", EXTENSION), unit_of(tmp_path, "bind.cpp", BINDING)]
    plan = plan_of(tmp_path, units)
    assert any("hipified copy" in line for line in plan.describe())
    results = check_units(units, plan)
    assert [result.status for result in results] == ["ok", "ok"], results
    assert "-DUSE_ROCM=1" in results[0].command
    again = check_units(units, plan)
    assert [result.cached for result in again] == [True, True]
