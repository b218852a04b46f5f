"""No device, no driver, or a device that refuses: HIP runtime, rocminfo, torch.

*Source*: HIP 5.2.3 and rocminfo on a machine without a driver; the wordings for DCU (hygon
module, `/dev/mkfd`, VMFault) are those users report.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Role
from fastpt_lab.core.diagnostic import Severity

_SAID = re.compile(
    r"hip(?:Error|_error)[A-Z]\w*|cudaError[A-Z]\w*|no (?:ROCm|CUDA|HIP)-capable device"
    r"|(?:ROCk|hygon|hycu|amdgpu) module is NOT loaded|Unable to open /dev/\w*kfd|Could not open /dev/\w*kfd"
    r"|Memory access fault by GPU|VMFault|invalid kernel file|no kernel image is available"
    r"|hsa api call failure|HSA_STATUS_ERROR\w*|HIP out of memory|invalid device function"
    r"|No (?:HIP|CUDA) GPUs are available"
)
_SECONDARY = re.compile(
    r"\s*(?:libkmod: ERROR|Error: could not get list of modules|Failed to get user name"
    r"|Call returned HSA_STATUS|rocminfo: |\S*lsmod: )"
)
_SUCCESS = re.compile(r"hipSuccess|cudaSuccess")
_CODE = re.compile(r"^\s*(?:#|//|\d+ \||if\b|case\b|return\b|[\w:]+\(|-- |\[\d+)|[;{}]\s*$")


def recognise(text: str) -> Mark | None:
    """Return what a line of a runtime or device tool means, None for any other line."""
    if _SECONDARY.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="rocminfo",
            message=text.strip(),
            severity=Severity.WARNING,
            code="no-device",
        )
    if _CODE.search(text) or _SUCCESS.search(text) or not _SAID.search(text):
        return None
    source = "rocminfo" if "module is NOT" in text or "/dev/" in text else "hip"
    return Mark(role=Role.MESSAGE, source=source, message=text.strip())
