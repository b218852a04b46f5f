from __future__ import annotations

import json
from pathlib import Path

import pytest

from fastpt_lab.cli import main
from fastpt_lab.fix.journal import Journal

SETUP = """from setuptools import setup
from torch.utils.cpp_extension import BuildExtension, CUDAExtension

setup(
    ext_modules=[
        CUDAExtension("e", ["k.cu"], extra_compile_args={"nvcc": ["--use_fast_math", "-std=c++14"]})
    ],
    cmdclass={"build_ext": BuildExtension},
)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "setup.py").write_text(SETUP)
    (tmp_path / "k.cu").write_text("__global__ void k(float* x) { x[0] = 1; }\n")
    return tmp_path


def test_what_a_build_file_needs_is_offered_and_not_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fix", "--build-files", "--root", str(project), "--json"]) == 0
    actions = json.loads(capsys.readouterr().out)["actions"]
    assert [a["id"] for a in actions] == [f"b{n}" for n in range(1, len(actions) + 1)]
    assert "build-standard" in {a["rule"] for a in actions}
    assert all(a["applicability"] != "safe" for a in actions)
    assert (project / "setup.py").read_text() == SETUP
    assert main(["fix", "--build-files", "--apply", "--root", str(project)]) == 2
    assert (project / "setup.py").read_text() == SETUP
    assert Journal(project).entries() == ()
