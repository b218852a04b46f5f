from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_torch

from fastpt_lab.build.headers import (
    SDK,
    STAND_INS,
    HeaderPart,
    HeaderSet,
    hipified_include,
    prepare_headers,
)
from fastpt_lab.build.probe import Prober
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.build.torchfiles import find_torch, read_torch
from fastpt_lab.core.errors import CancelledError, ToolMissingError
from fastpt_lab.host.process import Cancel

if TYPE_CHECKING:
    from fastpt_lab.build.torchfiles import TorchFiles

VERSION = """
from typing import Optional
__version__ = '2.5.1+das.opt1.dtk25042'
hip: Optional[str] = {hip}
"""
EXTENSION = """
IS_WINDOWS = False
COMMON_HIP_FLAGS = ['-DUSE_ROCM=1']
if not IS_WINDOWS:
    COMMON_HIP_FLAGS.append('-fPIC')
COMMON_HIPCC_FLAGS = ['-DCUDA_HAS_FP16=1']
if IS_WINDOWS:
    COMMON_HIPCC_FLAGS.append('-fms-extensions')
flags = ['-std=c++14', '-std=c++17']
"""


@pytest.fixture
def small_torch(tmp_path: Path) -> TorchFiles:
    return write_torch(tmp_path / "torch", hip="None")


def write_torch(folder: Path, hip: str) -> TorchFiles:
    (folder / "include" / "torch").mkdir(parents=True)
    (folder / "include" / "torch" / "extension.h").write_text("#pragma once\n", "utf-8")
    (folder / "utils").mkdir()
    (folder / "utils" / "cpp_extension.py").write_text(EXTENSION, "utf-8")
    (folder / "version.py").write_text(VERSION.format(hip=hip), "utf-8")
    found = read_torch(folder)
    assert found is not None
    return found


def test_facts_of_torch_are_read_from_its_files(small_torch: TorchFiles) -> None:
    assert small_torch.version == "2.5.1+das.opt1.dtk25042"
    assert not small_torch.is_hip
    assert small_torch.common_flags == ("-DUSE_ROCM=1", "-fPIC")
    assert small_torch.hipcc_flags == ("-DCUDA_HAS_FP16=1",)
    assert small_torch.standard == "c++17"


def test_torch_without_headers_is_none(tmp_path: Path) -> None:
    assert read_torch(tmp_path) is None


@need_torch
def test_installed_torch_is_not_imported_to_be_read() -> None:
    found = find_torch()
    assert found is not None
    assert "-DUSE_ROCM=1" in found.common_flags
    assert found.standard.startswith("c++")


def test_copy_is_made_once_by_one_of_many(fresh_cache: Path, small_torch: TorchFiles) -> None:
    made: list[Path] = []

    def engine(torch: TorchFiles, target: Path, cancel: Cancel | None) -> None:
        made.append(target)
        (target / "torch").mkdir()

    threads = [
        threading.Thread(target=hipified_include, args=(small_torch, engine)) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    folder = hipified_include(small_torch, engine)
    assert len(made) == 1
    assert sorted(path.name for path in folder.iterdir()) == ["c10", "torch"]
    assert (folder / "c10" / "hip" / "impl" / "hip_cmake_macros.h").is_file()
    assert sorted(path.name for path in folder.parent.iterdir()) == ["include", "lock"]


def test_failed_copy_leaves_nothing(fresh_cache: Path, small_torch: TorchFiles) -> None:
    def engine(torch: TorchFiles, target: Path, cancel: Cancel | None) -> None:
        (target / "half").write_text("", "utf-8")
        raise ToolMissingError("no", next_step="")

    with pytest.raises(ToolMissingError):
        hipified_include(small_torch, engine)
    left = [path.name for path in (fresh_cache / "headers").rglob("*") if path.is_file()]
    assert left == ["lock"]


def test_torch_without_hipify_is_a_clear_error(
    fresh_cache: Path, small_torch: TorchFiles
) -> None:
    (small_torch.folder / "utils" / "hipify").mkdir()
    (small_torch.folder / "utils" / "hipify" / "__init__.py").write_text("", "utf-8")
    (small_torch.folder / "utils" / "hipify" / "hipify_python.py").write_text(
        "raise SystemExit('broken on purpose')", "utf-8"
    )
    with pytest.raises(ToolMissingError, match="broken on purpose"):
        hipified_include(small_torch)


def test_copy_can_be_cancelled(fresh_cache: Path, small_torch: TorchFiles) -> None:
    cancel = Cancel()
    cancel.set()
    with pytest.raises(CancelledError):
        hipified_include(small_torch, cancel=cancel)


def test_another_torch_in_the_same_place_makes_another_copy(
    fresh_cache: Path, small_torch: TorchFiles
) -> None:
    def engine(torch: TorchFiles, target: Path, cancel: Cancel | None) -> None:
        (target / torch.version).write_text("", "utf-8")

    first = hipified_include(small_torch, engine)
    text = (small_torch.folder / "version.py").read_text("utf-8").replace("2.5.1", "2.6.0")
    (small_torch.folder / "version.py").write_text(text, "utf-8")
    upgraded = read_torch(small_torch.folder)
    assert upgraded is not None
    assert hipified_include(upgraded, engine) != first


@need_hipcc
def test_hip_build_of_torch_is_used_as_it_is(fresh_cache: Path, tmp_path: Path) -> None:
    torch = write_torch(tmp_path / "torch", hip="'6.3.25211'")
    found = prepare_headers(find_toolchain(), torch, flags=(), cwd=tmp_path)
    assert str(torch.include) in found.flags
    assert {part.kind for part in found.parts} <= {"installed", "missing"}
    assert not (fresh_cache / "headers").exists()


@need_hipcc
def test_nothing_installed_is_shadowed(tmp_path: Path) -> None:
    (tmp_path / "hipblas").mkdir()
    (tmp_path / "hipblas" / "hipblas.h").write_text("#pragma once\n", "utf-8")
    toolchain = find_toolchain()
    flags = ("-I", str(tmp_path))
    found = prepare_headers(toolchain, None, flags=flags, cwd=tmp_path, off_device=True)
    kinds = {part.name: part.kind for part in found.parts}
    assert kinds["hipblas"] == "installed"
    assert str(SDK / "hipblas") not in found.flags
    answers = Prober(toolchain, flags, tmp_path).headers(
        h for hs in STAND_INS.values() for h in hs
    )
    for name, headers in STAND_INS.items():
        present = any(answers[header] for header in headers)
        assert kinds[name] == ("installed" if present else "stand-in")
    assert any("stand in" in line for line in found.describe())


@need_hipcc
@pytest.mark.parametrize("define", ["-DHIPBLAS_V2", "-UHIPBLAS_V2"])
def test_every_stand_in_compiles_and_is_usable(define: str, tmp_path: Path) -> None:
    source = (Path(__file__).parent / "data" / "every_stand_in.hip").read_text("utf-8")
    folders = [word for name in STAND_INS for word in ("-idirafter", str(SDK / name))]
    prober = Prober(find_toolchain(), ("-std=c++17", define, *folders), tmp_path)
    answer = prober.compile(source, device=False)
    assert answer.compiled is True, answer.output


def test_every_part_has_its_folder_and_every_folder_its_part() -> None:
    assert {path.name for path in SDK.iterdir() if path.is_dir()} == set(STAND_INS)
    for name, headers in STAND_INS.items():
        assert any((SDK / name / header).is_file() for header in headers), name


def test_only_stand_ins_that_took_part_are_named() -> None:
    parts = tuple(
        HeaderPart(name=name, kind="stand-in", folder=SDK / name)
        for name in ("hipblas", "rccl")
    )
    found = HeaderSet(flags=(), parts=parts)
    assert found.describe()[0].startswith("hipblas, rccl: ")
    read = ("/usr/include/x.h", str(SDK / "rccl" / "rccl" / "rccl.h"))
    assert found.describe(read)[0].startswith("rccl: ")
    assert found.describe(()) == ()
