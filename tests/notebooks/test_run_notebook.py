"""The main notebook told by a kernel: with the compilers of this machine, and without hipcc."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from needs import need_hipcc, need_torch

if TYPE_CHECKING:
    from collections.abc import Callable

    from conftest import Executed

pytestmark = [pytest.mark.notebook, pytest.mark.xdist_group("ported")]


@need_hipcc
@need_torch
def test_shows_the_first_error_in_the_original(ported: Executed) -> None:
    shown = ported.text("check")
    assert "csrc/numeric.cuh:12:10: error: no matching function for call to 'rsqrtf'" in shown
    assert "a1" in shown


@need_hipcc
@need_torch
def test_tries_before_it_offers_and_takes_back_to_the_byte(ported: Executed) -> None:
    assert "tried: fixes this error" in ported.text("propose")
    assert ported.text("undone") == "[]"


@need_hipcc
@need_torch
def test_ends_green(ported: Executed) -> None:
    shown = ported.text("green")
    for rule in ("ambiguous-operator", "sync-shuffle", "gemm-"):
        assert f"[{rule}" in shown, rule
    assert "4 ok" in shown
    assert "DIFFERENT" not in ported.text("cuda")


@pytest.mark.skipif(any(Path("/opt").glob("rocm*")), reason="hipcc is found below /opt as well")
def test_says_so_without_hipcc(
    execute_notebook: Callable[..., Executed], tmp_path: Path
) -> None:
    elsewhere = {"PATH": str(Path(sys.executable).parent), "ROCM_HOME": "", "ROCM_PATH": ""}
    executed = execute_notebook("01_port_an_extension.ipynb", tmp_path, **elsewhere)
    assert "warp shuffles" in executed.text("survey")
    assert "8 written" in executed.text("transcode")
    for cell in ("check", "propose", "apply", "green"):
        assert "hipcc was not found" in executed.text(cell), cell
    assert executed.text("undone") == "[]"
