"""Which files are units of their own: what another source includes is a part of that one."""

from __future__ import annotations

from pathlib import Path

from needs import need_torch

from fastpt_lab.host.project import Project
from fastpt_lab.session.checking import units_of
from fastpt_lab.session.sources import Sources
from fastpt_lab.transcode.run import transcode


@need_torch
def test_a_source_that_another_one_includes_is_no_unit(tmp_path: Path) -> None:
    texts = {
        "manager.cu": '#include "manager.cpp"\n#include "part.cu"\nvoid f() { cudaFree(0); }\n',
        "manager.cpp": "void g() { cudaFree(0); }\n",
        "part.cu": "void h() { cudaFree(0); }\n",
        "alone.cpp": '// #include "host.cpp"\nvoid i() { cudaFree(0); }\n',
        "unchanged.cpp": "void j();\n",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    project = Project(tmp_path)
    units = units_of(transcode(project), Sources(project))
    assert [unit.original.name for unit in units] == ["alone.cpp", "manager.cu"]
