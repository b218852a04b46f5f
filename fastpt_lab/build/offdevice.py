"""Let a project's own build compile for HIP where torch was not built for it."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.headers import prepare_headers
from fastpt_lab.build.probe import include_folders

if TYPE_CHECKING:
    from fastpt_lab.build.buildcommand import BuildPlan
    from fastpt_lab.build.headers import HeaderSet, Progress
    from fastpt_lab.build.toolchain import Toolchain
    from fastpt_lab.build.torchfiles import TorchFiles
    from fastpt_lab.host.process import Cancel

BOOTSTRAP = Path(__file__).with_name("offdevice_path")

NO_LINK = (
    "torch here was not built for HIP: the build compiles against the hipified copy of its "
    "headers, and cannot link (-lc10_hip, -ltorch_hip)"
)


def off_device_build(
    plan: BuildPlan,
    toolchain: Toolchain,
    torch: TorchFiles,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> tuple[BuildPlan, tuple[str, ...]]:
    """Return the plan with an environment in which torch's build takes the HIP route.

    `CUDAExtension` then hipifies the sources and calls hipcc, as with a HIP torch; every error
    of the compilers is a real one, and only linking is out of reach. Nothing installed changes.
    The lines returned say so to people.

    Raises:
        ToolMissingError, LimitError, CancelledError, LockedError: as `prepare_headers` does.
    """
    headers = prepare_headers(
        toolchain, torch, flags=(), cwd=plan.cwd, progress=progress, cancel=cancel
    )
    given = dict(plan.env_changes)
    search = given.get("PYTHONPATH") or os.environ.get("PYTHONPATH", "")
    changes = {
        **given,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(BOOTSTRAP), search])),
        "FASTPT_OFF_DEVICE": json.dumps(_wanted(headers, toolchain, torch)),
        "ROCM_HOME": str(toolchain.root),
    }
    changed = replace(plan, env_changes=tuple(changes.items()))
    return changed, (NO_LINK, *headers.describe())


def _wanted(headers: HeaderSet, toolchain: Toolchain, torch: TorchFiles) -> dict[str, object]:
    words = headers.flags
    late = {w for option, w in pairwise(words) if option == "-idirafter"}
    folders = include_folders(words)
    return {
        "hip": toolchain.versions.hip_text or "0.0",
        "torch_include": str(torch.include),
        "before": [folder for folder in folders if folder not in late],
        "after": [folder for folder in folders if folder in late],
    }
