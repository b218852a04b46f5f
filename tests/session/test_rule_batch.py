"""One rule at fourteen places of three files: one journal entry, and one check after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_torch
from rule_bench import STUBS

from fastpt_lab import Session
from fastpt_lab.core.guard import cuda_view
from fastpt_lab.widgets.snapshot import place_rows

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.session.workbench import Checked

PLACES = {"a.cu": 6, "b.cu": 5, "c.cu": 3}
HEAD = "#include <cublas_v2.h>\nvoid f(cublasHandle_t h, void* p, float* s) {\n"
CALL = """\
  cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, {0}, 1, 1, s, p, CUDA_R_16F, 1, p, CUDA_R_16F, 1, s,
               p, CUDA_R_16F, 1, CUDA_R_32F, CUBLAS_GEMM_DEFAULT);
"""


def texts(root: Path) -> dict[str, str]:
    return {name: (root / name).read_text() for name in PLACES}


@need_hipcc
@need_torch
def test_a_rule_at_fourteen_places_is_one_entry_and_one_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, count in PLACES.items():
        calls = "".join(CALL.format(number + 1) for number in range(count))
        (tmp_path / name).write_text(HEAD + calls + "}\n")
    before = texts(tmp_path)
    session = Session(tmp_path, include_dirs=[str(STUBS / "hipblas_v1")], arch=["gfx906"])
    report = session.check()
    rows = place_rows(report, "gemm-datatype", session.read)
    places = {(row["path"], row["line"]) for row in rows}
    assert len(places) == sum(PLACES.values())

    checks: list[str] = []
    check = session._workbench.check

    def counted(*arguments: object) -> Checked:
        checks.append("check")
        return check(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(session._workbench, "check", counted)
    after = session.apply(*(row["id"] for row in rows))
    assert checks == ["check"]
    assert after.green, after.diagnostics
    (entry,) = session.journal()
    assert {path.name for path in entry.paths} == set(PLACES)
    fixed = texts(tmp_path)
    for name, count in PLACES.items():
        assert fixed[name].count("HIPBLAS_R_16F") == 3 * count
        assert cuda_view(fixed[name]) == before[name]
    session.undo()
    assert texts(tmp_path) == before

    session.fix(all=True, rules=["gemm-datatype"], apply=True)
    assert checks == ["check"] * 3, "one to propose, one after all is written"
    assert texts(tmp_path) == fixed
    assert len(session.journal()) == 2
