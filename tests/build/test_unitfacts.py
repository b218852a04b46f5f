from __future__ import annotations

from pathlib import Path

import pytest

from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.plan import CheckPlan, Unit, host_compiler
from fastpt_lab.build.toolchain import Toolchain
from fastpt_lab.build.torchfiles import TorchFiles
from fastpt_lab.build.unitfacts import UnitFacts, read_facts
from fastpt_lab.build.versions import Versions

TOOLCHAIN = Toolchain(
    hipcc=Path("/opt/dtk/bin/hipcc"),
    found_by="PATH",
    root=Path("/opt/dtk"),
    platform_reason="",
    versions=Versions(),
    dtk="",
    architectures=("gfx928",),
    architecture_reason="given",
    fingerprint="",
)
TORCH = TorchFiles(
    folder=Path("/site/torch"),
    version="2.5.1",
    hip="",
    common_flags=("-DUSE_ROCM=1",),
    hipcc_flags=("-D__HIP_NO_HALF_OPERATORS__=1",),
    standard="c++17",
)


def facts(root: Path, text: str, encoding: str = "utf-8") -> UnitFacts:
    unit = root / "csrc" / "a.hip"
    unit.parent.mkdir(exist_ok=True)
    unit.write_bytes(text.encode(encoding))
    return read_facts(unit, unit, root, (root / "include",))


@pytest.mark.parametrize(
    "text",
    [
        "#include <torch/extension.h>\n",
        "  #  include <ATen/hip/HIPContext.h>\n",
        '#include "c10/util/Half.h"\n',
        "#include <pybind11/pybind11.h>\r\n",
    ],
)
def test_torch_by_its_headers(text: str, tmp_path: Path) -> None:
    assert facts(tmp_path, text).uses_torch


@pytest.mark.parametrize("text", ["", "#include <hip/hip_runtime.h>\n", "int torch;\n"])
def test_no_torch(text: str, tmp_path: Path) -> None:
    assert not facts(tmp_path, text).uses_torch


def test_torch_through_project_headers(tmp_path: Path) -> None:
    (tmp_path / "include" / "deep").mkdir(parents=True)
    (tmp_path / "include" / "deep" / "b.h").write_text("#include <torch/all.h>\n", "utf-8")
    (tmp_path / "a.h").write_text('#include <deep/b.h>\n#include "a.h"\n', "utf-8")
    assert facts(tmp_path, '#include "../a.h"\n').uses_torch


def test_header_outside_the_project_is_not_read(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "other.h").write_text('#include <torch/all.h>\nasm("x");\n', "utf-8")
    assert facts(root, '#include "../../other.h"\n') == UnitFacts(
        uses_torch=False, inline_assembly=False
    )


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("setup.py", "from torch.utils.cpp_extension import CUDAExtension\n"),
        ("CMakeLists.txt", "find_package( Torch REQUIRED)\n"),
        ("csrc/CMakeLists.txt", "target_link_libraries(x ${TORCH_LIBRARIES})\n"),
    ],
)
def test_torch_by_the_build_file(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "csrc").mkdir()
    (tmp_path / name).write_text(text, "utf-8")
    assert facts(tmp_path, "int x;\n").uses_torch


def test_unit_written_elsewhere_is_judged_by_its_original(tmp_path: Path) -> None:
    root, out = tmp_path / "project", tmp_path / "out"
    (root / "csrc").mkdir(parents=True)
    out.mkdir()
    (root / "setup.py").write_text("CUDAExtension\n", "utf-8")
    (out / "a.hip").write_text("int x;\n", "utf-8")
    assert read_facts(out / "a.hip", root / "csrc" / "a.cu", root, ()).uses_torch


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ('asm volatile("nop");', True),
        ('__asm__("nop");', True),
        ('#define NOP() asm("nop")\n', True),
        ('// asm\n/* asm("x") */', False),
        ('const char* s = "asm";', False),
        ("int asm_count;", False),
    ],
)
def test_inline_assembly(text: str, there: bool, tmp_path: Path) -> None:
    assert facts(tmp_path, text).inline_assembly is there


def test_gbk_source_is_read(tmp_path: Path) -> None:
    text = '// 说明:内联\nasm("nop");\n#include <torch/all.h>\n'
    found = facts(tmp_path, text, encoding="gbk")
    assert found == UnitFacts(uses_torch=True, inline_assembly=True)


def plan_for(unit: Unit, **options: object) -> CheckPlan:
    known = {unit.generated: UnitFacts(uses_torch=True, inline_assembly=False)}
    return CheckPlan(
        root=Path("/p"),
        toolchain=TOOLCHAIN,
        options=CompileOptions(**options),  # type: ignore[arg-type]
        torch=TORCH,
        facts=known,
    )


def test_the_users_flags_come_after_torchs() -> None:
    unit = Unit(original=Path("/p/a.cu"), generated=Path("/p/a.hip"))
    command = plan_for(unit, flags=("-U__HIP_NO_HALF_OPERATORS__",)).command(unit)
    torch_word = command.index("-D__HIP_NO_HALF_OPERATORS__=1")
    assert torch_word < command.index("-U__HIP_NO_HALF_OPERATORS__")
    assert command[0] == "/opt/dtk/bin/hipcc"
    assert "--offload-arch=gfx928" in command


def test_host_unit_gets_what_any_compiler_understands() -> None:
    unit = Unit(original=Path("/p/b.cpp"), generated=Path("/p/b_hip.cpp"))
    flags = ("-DA", "-ffast-math", "-isystem", "/inc", "--offload-arch=gfx906", "-std=c++20")
    command = plan_for(unit, flags=flags, include_dirs=(Path("x"),)).command(unit)
    assert command[: len(host_compiler())] == host_compiler()
    assert "-DUSE_ROCM=1" in command
    assert "-D__HIP_NO_HALF_OPERATORS__=1" not in command
    assert command[-6:] == (
        "-DA",
        "-isystem",
        "/inc",
        "-std=c++20",
        "-fsyntax-only",
        "/p/b_hip.cpp",
    )
    assert "-I/p/x" in command
    assert command[-8:-6] == ("-isystem", "/opt/dtk/include")


def test_targets_in_the_users_flags_replace_the_toolchains() -> None:
    unit = Unit(original=Path("/p/a.cu"), generated=Path("/p/a.hip"))
    plan = plan_for(unit, flags=("--offload-arch=gfx936",))
    assert "--offload-arch=gfx928" not in plan.command(unit)
    assert [each.side for each in plan.passes(unit, Path("/o"))] == ["device", "host"]


def test_launcher_before_the_host_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "ccache g++")
    assert host_compiler() == ("ccache", "g++")
