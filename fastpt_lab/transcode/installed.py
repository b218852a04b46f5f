"""Where torch's hipify and the HIP headers are installed, found without loading anything."""

from __future__ import annotations

import os
import sys

from fastpt_lab.core.errors import ToolMissingError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path

_FOLDER = "torch/utils/hipify"
_TABLES = "cuda_to_hip_mappings.py"


def find_hipify() -> Path:
    """Return the folder of the installed torch's hipify, without importing torch.

    Raises:
        ToolMissingError: no torch is installed, or it has no hipify.
    """
    from pathlib import Path

    return Path(_hipify_folder())


def _hipify_folder() -> str:
    for place in sys.path:
        folder = f"{place or '.'}/{_FOLDER}"
        if os.path.isfile(f"{folder}/{_TABLES}"):  # noqa: PTH113 - at every start
            return os.path.realpath(folder)
    # An editable install is found by an import hook alone.
    import importlib.util

    spec = importlib.util.find_spec("torch")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        folder = f"{place}/utils/hipify"
        if os.path.isfile(f"{folder}/{_TABLES}"):  # noqa: PTH113
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
    from pathlib import Path

    found = _include_folder()
    return Path(found) if found else None


def _include_folder() -> str:
    candidates = [os.environ.get(name, "") for name in ("ROCM_HOME", "ROCM_PATH")]
    for place in os.environ.get("PATH", "").split(os.pathsep):
        # Not shutil.which: it takes longer to load than all the rest of a quick run.
        if os.access(f"{place}/hipcc", os.X_OK):
            compiler = os.path.realpath(f"{place}/hipcc")
            candidates.append(os.path.dirname(os.path.dirname(compiler)))  # noqa: PTH120
            break
    candidates += [os.environ.get(name, "") for name in ("HIP_PATH", "DTKROOT", "DTK_ROOT")]
    for prefix in ("dtk", "rocm"):
        candidates += reversed(_entries("/opt", (prefix,)))
    for place in (*candidates, "/usr"):
        if place and os.path.isfile(f"{place}/include/hip/hip_runtime.h"):  # noqa: PTH113
            return f"{place}/include"
    return ""


def _entries(folder: str, prefixes: tuple[str, ...] = ("",), suffix: str = "") -> list[str]:
    try:
        names = os.listdir(folder)  # noqa: PTH208 - pathlib is not loaded
    except OSError:
        return []
    chosen = (name for name in names if name.startswith(prefixes) and name.endswith(suffix))
    return [f"{folder}/{name}" for name in sorted(chosen)]


def installation_key() -> list[list[object]]:
    """Return what changes when another torch, HIP or version of this engine is installed.

    For HIP the times of the libraries' own folders and of the version header: a package manager
    replaces files, which renews their folder.

    Raises:
        ToolMissingError: no torch is installed.
    """
    places = [f"{_hipify_folder()}/{_TABLES}"]
    places += _entries(os.path.dirname(__file__), suffix=".py")  # noqa: PTH120
    include = _include_folder()
    if include:
        places += [f"{include}/hip/hip_version.h", f"{include}/hip/amd_detail"]
        places += _entries(include, ("hip", "roc"))
    found: list[list[object]] = []
    for place in places:
        try:
            info = os.stat(place)  # noqa: PTH116
        except OSError:
            continue
        found.append([place, info.st_size, info.st_mtime_ns])
    return found
