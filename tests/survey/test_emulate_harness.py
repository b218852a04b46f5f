"""The comparison with a GPU: nvcc takes its programs, and a difference would be seen."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from needs import need_nvcc
from survey_reading import snippets

from fastpt_lab.survey.simt_values import Array


@pytest.fixture(scope="module")
def harness() -> ModuleType:
    path = Path(__file__).with_name("emulate_on_gpu.py")
    spec = importlib.util.spec_from_file_location("emulate_on_gpu", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@need_nvcc
def test_nvcc_takes_the_program_of_a_snippet(harness: ModuleType, tmp_path: Path) -> None:
    title, code = snippets("wave_wrong.cu")[0]
    for record in harness.compare(title, code, tmp_path):
        assert "skipped" not in record
        assert record.get("same") or record["differs"] == "it failed", record


def test_a_planted_difference_is_seen(harness: ModuleType) -> None:
    memory = [Array("o", "i32", [1, None, 3])]
    assert harness.verdict(memory, [[1.0, 7.0, 3.0]]) == {"same": True, "compared": 2}
    assert "o[2]: emulated 3, on the GPU 4" in str(harness.verdict(memory, [[1.0, 7.0, 4.0]]))
