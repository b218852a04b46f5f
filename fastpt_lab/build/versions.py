"""Read the version that hipcc, dcc and an installed tree say of themselves; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.core.dtk import parse_dtk

_HIP = re.compile(r"^HIP version\s*:\s*((\d+)\.(\d+)\S*)", re.MULTILINE)
_CLANG = re.compile(r"\bclang version (\S+)")
_DCC = re.compile(r"^dcc version:\s*(\S+)", re.MULTILINE)
_INSTALLED = re.compile(r"^InstalledDir:\s*(.+?)\s*$", re.MULTILINE)
_DTK_FOLDER = re.compile(r"dtk-?(\d[\d.]*)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """What `hipcc --version` printed, field by field; "" and None where a line is missing."""

    hip: tuple[int, int] | None = None
    hip_text: str = ""
    clang: str = ""
    dcc: str = ""
    installed_dir: str = ""
    nvidia: bool = False


def parse_versions(output: str) -> Versions:
    """Return the fields of the output of `hipcc --version`.

    The traceback of rocm_agent_enumerator, which hipcc prints without a device, is ignored.
    `nvidia` is true when the line after "HIP version" comes from nvcc: hipcc then compiles for
    NVIDIA.

    *Source*: outputs of HIP 5.2.3 (Debian) and of DTK 25 and 26 with their `dcc version` line.
    """
    hip = _HIP.search(output)
    return Versions(
        hip=(int(hip[2]), int(hip[3])) if hip else None,
        hip_text=hip[1] if hip else "",
        clang=_first(_CLANG, output),
        dcc=_first(_DCC, output),
        installed_dir=_first(_INSTALLED, output),
        nvidia="nvcc: NVIDIA" in output,
    )


def dtk_version(info: str, folder: str) -> str:
    """Return the DTK's number from `.info/rocm_version`, else from a folder named `dtk-25.04.2`.

    "" where neither speaks of a DTK: ROCm keeps its own number in the same file, so the file
    counts only in a tree whose resolved name has `dtk` in it.
    """
    named = _DTK_FOLDER.search(folder)
    if named is None and not re.search(r"(?:^|/)dtk(?:$|/)", folder):
        return ""
    return parse_dtk(info) or (parse_dtk(named[1]) if named else "")


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match[1] if match else ""
