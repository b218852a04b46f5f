"""Say which build of torch this is, in words that cannot be misread."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastpt_lab.verify.anytype import Torch


def describe_build(torch: Torch) -> str:
    """Return the words for an imported torch."""
    version = torch.__version__
    if getattr(torch.version, "hip", None):
        return f"torch {version}, a HIP build (torch.version.hip {torch.version.hip})"
    if torch.version.cuda:
        return (
            f"torch {version}, a CUDA build for NVIDIA (torch.version.cuda "
            f"{torch.version.cuda}, torch.version.hip None): this is no run on HIP"
        )
    return f"torch {version}, a CPU build (neither torch.version.hip nor .cuda)"
