from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.architectures import choose_architectures

if TYPE_CHECKING:
    from conftest import MakeTool

# On a DCU the device type is "HCU", not "GPU": only the name may be looked for.
ROCMINFO = """\
\x1b[37mhygon module is loaded\x1b[0m
*******
Agent 1
*******
  Name:                    C86 7285 32-core Processor
  Device Type:             CPU
*******
Agent 2
*******
  Name:                    gfx936
  Device Type:             HCU
  ISA 1
    Name:                    amdgcn-amd-amdhsa--gfx936:sramecc+:xnack-
"""


def test_given_wins(tmp_path: Path) -> None:
    env = {"PYTORCH_ROCM_ARCH": "gfx90a"}
    assert choose_architectures(("gfx928", "gfx928"), env, tmp_path) == (("gfx928",), "given")


def test_variable_is_read_as_torch_reads_it(tmp_path: Path) -> None:
    env = {"PYTORCH_ROCM_ARCH": "gfx906;gfx928 gfx936"}
    found, reason = choose_architectures((), env, tmp_path)
    assert found == ("gfx906", "gfx928", "gfx936")
    assert reason == "PYTORCH_ROCM_ARCH"


def test_device_is_asked(tmp_path: Path, make_tool: MakeTool) -> None:
    make_tool("bin/rocm_agent_enumerator", "echo gfx000\necho gfx906\necho gfx906")
    found, reason = choose_architectures((), {}, tmp_path, driver=tmp_path)
    assert found == ("gfx906",)
    assert "rocm_agent_enumerator" in reason


def test_hygon_device_is_found_by_its_name(tmp_path: Path, make_tool: MakeTool) -> None:
    make_tool("bin/rocm_agent_enumerator", "echo Traceback; exit 1")
    make_tool("bin/rocminfo", f"cat <<'END'\n{ROCMINFO}END")
    found, reason = choose_architectures((), {}, tmp_path, driver=tmp_path)
    assert found == ("gfx936",)
    assert "rocminfo" in reason


def test_without_a_driver_nothing_is_asked(tmp_path: Path, make_tool: MakeTool) -> None:
    make_tool("bin/rocminfo", "echo gfx942")
    found, reason = choose_architectures((), {}, tmp_path, driver=tmp_path / "kfd")
    assert found == ("gfx906",)
    assert "no device" in reason
