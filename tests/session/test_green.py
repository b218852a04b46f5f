"""Until green: one fix builds on the other, each tried with the ones before it made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from needs import need_hipcc

from fastpt_lab import Session

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.session.green import GreenStep

KERNEL = """\
#include <cuda_runtime.h>

__global__ void sums(float* out, const int* in) {
  float a = __shfl_down_sync(0xffffffffu, out[threadIdx.x], 1);
  __syncwarp();
  int n = __reduce_add_sync(0xffffffffu, in[threadIdx.x]);
  out[threadIdx.x] = a + float(n) + float(__ballot_sync(0xffffffffu, n > 0));
}
"""


@need_hipcc
def test_a_long_chain_of_fixes_keeps_every_place_whichever_copy_a_trial_is_made_in(
    tmp_path: Path,
) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.fastpt-lab]\njobs = 2\n")
    (tmp_path / "sums.cu").write_text(KERNEL)
    steps: list[GreenStep] = []
    report = Session(tmp_path).until_green(unsafe=True, on_step=steps.append)
    assert report.green
    assert len(steps) >= 4
    for step in steps:
        assert step.error.location is not None, step
        assert step.error.location.path == tmp_path / "sums.cu"
        assert step.applied is not None, step.reason
