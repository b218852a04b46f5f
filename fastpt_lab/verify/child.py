"""Run in a process of its own: what imports torch or touches the device.

`python -m fastpt_lab.verify.child torch|tensor|import|ladder …`: each step is announced
before it is taken, so that the caller knows where a fault ended it.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import json
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.verify.machine import RECORD

if TYPE_CHECKING:
    from collections.abc import Sequence


def report(**facts: object) -> None:
    """Tell the parent one record; written at once, so that a crash does not lose it."""
    data = json.dumps(facts, default=str, separators=(",", ":")).encode()
    sys.stdout.flush()
    os.write(1, RECORD.encode() + data + b"\n")


def torch_facts() -> int:
    """Report where torch is, what its metadata says, and what it says after the import."""
    spec = importlib.util.find_spec("torch")
    report(step="found", origin=spec.origin if spec else None, packages=_packages())
    if spec is None:
        return 0
    started = time.perf_counter()
    try:
        torch = importlib.import_module("torch")
    except (ImportError, OSError, AttributeError, RuntimeError) as error:
        report(step="imported", error=f"{type(error).__name__}: {error}")
        return 0
    arch = getattr(torch._C, "_cuda_getArchFlags", None)
    report(
        step="imported",
        seconds=time.perf_counter() - started,
        version=torch.__version__,
        hip=getattr(torch.version, "hip", None),
        cuda=torch.version.cuda,
        git=torch.version.git_version,
        abi=int(torch._C._GLIBCXX_USE_CXX11_ABI),
        architectures=(arch() or "").split() if arch else [],
        folder=str(Path(str(torch.__file__)).parent),
        python=sys.version.split()[0],
        libraries=_mapped(),
    )
    return 0


def _packages() -> dict[str, str]:
    """Return the versions of the packages that must match DTK, and of those that matter."""
    found: dict[str, str] = {}
    for distribution in importlib.metadata.distributions():
        name = distribution.metadata["Name"] if distribution.metadata else None
        version = distribution.version
        if name and version and (name.lower() in KEY_PACKAGES or "dtk" in version):
            found.setdefault(name.lower(), version)
    return found


KEY_PACKAGES = frozenset(
    {
        "torch", "torchvision", "torchaudio", "triton", "fastpt", "apex", "numpy", "setuptools",
        "ninja", "pybind11", "xformers", "flash-attn", "deepspeed", "vllm", "transformers",
        "fastpt-lab",
    }
)  # fmt: skip
"""Packages that a record of the environment names."""


def _mapped() -> list[str]:
    """Return the shared libraries of this process, the loader's truth."""
    try:
        text = Path("/proc/self/maps").read_text("utf-8", "replace")
    except OSError:
        return []
    paths = (line.split(maxsplit=5)[-1] for line in text.splitlines() if ".so" in line)
    return list(dict.fromkeys(path for path in paths if path.startswith("/")))


def tensor() -> int:
    """Take the minimal steps on the device: count, allocate, copy there and back, compute."""
    torch: Any = importlib.import_module("torch")
    report(step="count", devices=torch.cuda.device_count(), available=torch.cuda.is_available())
    if not torch.cuda.is_available():
        return 0
    try:
        properties = torch.cuda.get_device_properties(0)
        report(
            step="device",
            name=properties.name,
            arch=getattr(properties, "gcnArchName", ""),
            wavefront=getattr(properties, "warp_size", None),
        )
        one = torch.ones(1, device="cuda")
        torch.cuda.synchronize()
        report(step="allocated", value=float(one.cpu()[0]))
        twice = (torch.arange(130, device="cuda") * 2).cpu()
        torch.cuda.synchronize()
        right = bool((twice == torch.arange(130) * 2).all())
        report(step="computed", right=right)
    except RuntimeError as error:
        report(step="failed", error=f"{type(error).__name__}: {error}")
    return 0


def import_module(name: str, folder: str) -> int:
    """Import an extension as the project would: torch first, `folder` first on the path."""
    sys.path.insert(0, folder)
    importlib.invalidate_caches()
    if name.split(".", maxsplit=1)[0] != "torch" and importlib.util.find_spec("torch"):
        importlib.import_module("torch")
    before = set(_mapped())
    started = time.perf_counter()
    try:
        module = importlib.import_module(name)
    except (ImportError, OSError, AttributeError, RuntimeError, ValueError) as error:
        report(step="imported", error=f"{type(error).__name__}: {error}")
        return 0
    report(
        step="imported",
        seconds=time.perf_counter() - started,
        file=getattr(module, "__file__", None),
        loaded=[path for path in _mapped() if path not in before],
        libraries=_mapped(),
    )
    return 0


def main(argv: Sequence[str]) -> int:
    """Run one of the jobs by its name."""
    job, *arguments = argv
    if job == "torch":
        return torch_facts()
    if job == "tensor":
        return tensor()
    if job == "import":
        return import_module(*arguments)
    if job == "ladder":
        from fastpt_lab.verify.climb import climb

        return climb(arguments[0], report)
    report(step="usage", error=f"no job {job!r}")
    return 2


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
