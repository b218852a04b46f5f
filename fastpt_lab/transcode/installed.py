"""Where torch's hipify and the HIP headers are installed, found without loading anything."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

from fastpt_lab.core.errors import ToolMissingError

_TABLES = "torch/utils/hipify/cuda_to_hip_mappings.py"


def find_hipify() -> Path:
    """Return the folder of the installed torch's hipify, without importing torch.

    Raises:
        ToolMissingError: no torch is installed, or it has no hipify.
    """
    for place in sys.path:
        if os.path.isfile(f"{place or '.'}/{_TABLES}"):  # noqa: PTH113 - at every start
            return Path(place or ".", _TABLES).parent.resolve()
    # An editable install is found by an import hook alone.
    spec = importlib.util.find_spec("torch")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = Path(place) / "utils" / "hipify"
        if (folder / "cuda_to_hip_mappings.py").is_file():
            return folder
    raise ToolMissingError(
        "torch is not installed for this Python, and its tables say what CUDA names become",
        next_step="Install torch here, or run this with the Python that has it",
    )


def find_include_root() -> Path | None:
    """Return the include folder of the installed HIP, looked for where hipcc is looked for.

    *Source*: torch's builds take ROCM_HOME and ROCM_PATH before PATH (torch 2.13,
    cpp_extension.py); DTK's env.sh sets DTKROOT and ROCM_PATH and installs in /opt/dtk.
    """
    candidates = [os.environ.get(name, "") for name in ("ROCM_HOME", "ROCM_PATH")]
    for place in os.environ.get("PATH", "").split(os.pathsep):
        # Not shutil.which: it takes longer to load than all the rest of a quick run.
        if os.access(f"{place}/hipcc", os.X_OK):
            candidates.append(str(Path(place, "hipcc").resolve().parent.parent))
            break
    candidates += [os.environ.get(name, "") for name in ("HIP_PATH", "DTKROOT", "DTK_ROOT")]
    for pattern in ("dtk*", "rocm*"):
        candidates += sorted((str(place) for place in Path("/opt").glob(pattern)), reverse=True)
    for place in (*candidates, "/usr"):
        root = Path(place, "include")
        if place and (root / "hip" / "hip_runtime.h").is_file():
            return root
    return None


def installation_key(include_root: Path | None) -> list[list[object]]:
    """Return what changes when another torch, HIP or version of this engine is installed.

    For HIP the times of the libraries' own folders and of the version header: a package manager
    replaces files, which renews their folder.
    """
    engine = Path(__file__).parent
    places = [find_hipify() / "cuda_to_hip_mappings.py"]
    places += sorted(engine.glob("*.py"))
    if include_root is not None:
        places += [include_root / "hip" / "hip_version.h", include_root / "hip" / "amd_detail"]
        places += sorted(include_root.glob("hip*")) + sorted(include_root.glob("roc*"))
    found: list[list[object]] = []
    for place in places:
        try:
            info = place.stat()
        except OSError:
            continue
        found.append([str(place), info.st_size, info.st_mtime_ns])
    return found
