"""Choose the `gfx…` targets of a check: given, from the environment, from the device, or 906."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FALLBACK = "gfx906"
"""Every HIP compiler since ROCm 2 knows it, and it is the first DCU generation's name."""

_GFX = re.compile(r"\b(gfx[0-9a-f]{3,4})\b")
_PROBE_SECONDS = 20.0
_DRIVER = Path("/dev/kfd")


def choose_architectures(
    given: Sequence[str],
    environment: Mapping[str, str],
    root: Path,
    driver: Path = _DRIVER,
) -> tuple[tuple[str, ...], str]:
    """Return the targets to compile for and one line that says why.

    Order: `given`; `PYTORCH_ROCM_ARCH`, as torch's builds read it (`;` or spaces); the devices
    that `rocm_agent_enumerator` or `rocminfo` of the tree at `root` list, asked only where the
    `driver`'s device node is there; `gfx906`.
    """
    if given:
        return tuple(dict.fromkeys(given)), "given"
    named = environment.get("PYTORCH_ROCM_ARCH", "").replace(";", " ").split()
    if named:
        return tuple(dict.fromkeys(named)), "PYTORCH_ROCM_ARCH"
    for tool in ("rocm_agent_enumerator", "rocminfo") if driver.exists() else ():
        found = _ask(tool, environment, root)
        if found:
            return found, f"{tool} lists this device"
    return (FALLBACK,), "no device answered and PYTORCH_ROCM_ARCH is not set"


def _ask(tool: str, environment: Mapping[str, str], root: Path) -> tuple[str, ...]:
    own = root / "bin" / tool
    path = str(own) if own.exists() else shutil.which(tool, path=environment.get("PATH"))
    if path is None:
        return ()
    try:
        result = run([path], env=environment, timeout=_PROBE_SECONDS)
    except ToolMissingError:
        return ()
    if not result.ok:
        return ()
    # gfx000 is the enumerator's name of the host processor.
    names = (name for name in _GFX.findall(result.output) if name != "gfx000")
    return tuple(dict.fromkeys(names))
