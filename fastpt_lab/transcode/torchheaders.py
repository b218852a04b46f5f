"""Torch's own headers for HIP, made by this engine: seconds instead of half a minute.

A HIP build of torch installs its headers under both names: `ATen/hip/…` beside `ATen/cuda/…`,
and one text behind `x.h` and `x_hip.h`. The copy is laid out the same way.
"""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Protocol

from fastpt_lab.host.project import Project
from fastpt_lab.transcode.result import TranscodeOptions
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.host.process import Cancel


class InstalledTorch(Protocol):
    """What is asked of an installed torch: the folder of the package."""

    @property
    def folder(self) -> Path:
        """The folder that holds `include/`."""
        ...


def hipify_headers(torch: InstalledTorch, target: Path, cancel: Cancel | None) -> None:
    """Fill the empty folder `target` with torch's headers for HIP.

    Raises:
        ToolMissingError: torch has no hipify.
        CancelledError: `cancel` was set.
    """
    shutil.copytree(torch.folder / "include", target, dirs_exist_ok=True)
    root = target.resolve()
    dirs = (root, root / "torch" / "csrc" / "api" / "include")
    result = transcode(Project(root), (), TranscodeOptions(include_dirs=dirs), cancel=cancel)
    for file in result.files:
        renamed = file.original.stem + "_hip" + file.original.suffix
        if file.generated == file.original.with_name(renamed):
            file.generated.replace(file.original)
            # No `#pragma once`: gcc takes files of equal bytes and times for one file (gcc 12),
            # and the header that is included guards itself.
            forward = f'#include "{file.original.name}"\n'
            file.generated.write_text(forward, "utf-8")
    shutil.rmtree(root / ".fastpt", ignore_errors=True)
