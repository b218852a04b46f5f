"""The kernels that a GPU compares: made by the lab as they stand here, and fit to be run."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_nvcc, need_torch

if TYPE_CHECKING:
    from types import ModuleType

HERE = Path(__file__).parent


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, HERE / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


compare, record, words = load("compare"), load("record"), load("words")
KERNELS = (*compare.DTYPES, *compare.WORDS)
# The other variants differ from these by macros alone; the GPU's run builds them.
BUILDS = [(kernel, variant) for kernel in KERNELS for variant in ("cuda", "hip")]


def test_fixed_is_what_the_rules_write() -> None:
    answers = record.Answers(json.loads(record.STACK.read_text(encoding="utf-8")))
    made = record.replayed(record.kernels(), answers)
    assert sorted(made) == sorted(Path(fixed.name) for fixed in record.FIXED.iterdir())
    for path, document in made.items():
        fixed = (record.FIXED / path).read_bytes()
        assert document.text.encode(document.encoding) == fixed, path


@need_hipcc
def test_hipcc_builds_the_fixed_kernels(tmp_path: Path) -> None:
    from fastpt_lab import Session

    project = tmp_path / "fixed"
    shutil.copytree(record.FIXED, project)
    session = Session(project, include_dirs=(str(compare.STUBS),))
    session.transcode()
    report = session.check()
    assert sorted(unit.original.stem for unit in report.units) == sorted(KERNELS)
    assert report.green, report.first_error


@need_nvcc
@pytest.mark.parametrize(("kernel", "variant"), BUILDS)
def test_nvcc_builds_both_branches(kernel: str, variant: str, tmp_path: Path) -> None:
    argv = compare.nvcc_command(kernel, variant, "sm_80", tmp_path / "kernel.so")
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_every_row_has_a_name_of_its_own() -> None:
    for kernel in compare.WORDS:
        source = record.FIXED / f"{kernel}.cu"
        before = next(f / source.name for f in record.FOLDERS if (f / source.name).exists())
        assert compare.entries(kernel)
        for entry in compare.entries(kernel):
            rows = words.rows(source, entry)
            assert rows
            assert len(set(rows)) == len(rows), entry
            assert rows == words.rows(before, entry)


@need_torch
def test_words_that_differ_are_told() -> None:
    import torch

    half_nan, other_nan, zero, minus_zero = 0x7E00, 0x7FFF, 0, 0x8000
    cuda = torch.tensor([[half_nan, zero, 1]] * 3)
    same = torch.tensor([[other_nan, minus_zero, 1]] * 3)
    labels = ("hmax", "atomicAdd half, after", "add.u32")
    line = words.compared(
        "k", labels, {"cuda": cuda, "hip": same, "wave64": cuda, "planted": ~cuda}
    )
    assert [text.partition(",")[0] for text in line.wrong] == ["atomicAdd half", "add.u32"]
    assert "1 of 3 differ, first 1: 0x0000000000008000 for 0x0000000000000000" in line.wrong[0]
    unplanted = words.compared("k", labels, dict.fromkeys(compare.VARIANTS, cuda))
    assert unplanted.wrong == tuple(f"{label}: planted error not found" for label in labels)


@need_torch
def test_floats_may_differ_as_far_as_their_row_says() -> None:
    import torch

    def word(value: float) -> torch.Tensor:
        return torch.tensor([value]).view(torch.int32).long() & 0xFFFFFFFF

    near = words.how("ex2.approx.f32").same
    assert near(word(1.0000001), word(1.0)).all()
    assert not near(word(1.00001), word(1.0)).any()
    assert not near(word(-1.0), word(1.0)).any()
    assert not near(word(float("nan")), word(1.0)).any()


@need_torch
def test_a_difference_is_told() -> None:
    import torch

    want = torch.zeros(2, 3)
    got = want.clone()
    assert compare.difference(got, want, 0.0) == ""
    got[1, 2] = 1
    assert "first output 1, element 2: 1.0 for 0.0" in compare.difference(got, want, 0.0)
    got[1, 2] = float("nan")
    assert "1 of 6" in compare.difference(got, want, 1e-5)


@pytest.mark.device
def test_both_branches_agree_on_this_gpu() -> None:
    import torch

    if not torch.cuda.is_available() or torch.version.hip:
        pytest.skip("needs an NVIDIA GPU")
    sys.argv[1:] = []
    assert compare.main() == 0
