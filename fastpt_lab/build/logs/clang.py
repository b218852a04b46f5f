"""clang and what is built on it: hipcc, amdclang, DTK's dcc and aicc.

*Source*: clang 15.0.6 (HIP 5.2.3); the gutter before snippets since clang 17; a vendor's driver
prints its own name where clang prints `clang`. `Died at` is hipcc's of ROCm up to 5, `failed to
execute:` its successor's.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Role
from fastpt_lab.build.logs.severities import SEVERITIES
from fastpt_lab.core.diagnostic import Severity

_DRIVER = re.compile(
    r"\s*(?P<tool>(?:[\w./+\\-]*?[/\\-])?(?:clang|clang\+\+|clang-cl|amdclang|amdclang\+\+|dcc|dcc\+\+|aicc"
    r"|hcc|hipcc|flang|clang-offload-\w+|clang-linker-wrapper|llvm-\w+|opt|llc)(?:-\d+(?:\.\d+)*)?"
    r"(?:\.(?:exe|bin|pl))?): "
    r"(?P<severity>fatal error|error|warning|note|remark): (?P<message>.*)$"
)
# The compiler proper, which the driver runs, prints no name.
_BARE = re.compile(
    r"\s*(?P<severity>fatal error|error|warning): (?P<message>.*\[-W[\w+#=,-]+\]|too many errors emitted.*"
    r"|error in backend: .*|cannot .*|invalid .*|unable to .*|unknown .*|unsupported .*|no such .*"
    r"|.* exceeds limit .*|ran out of .*|local memory .*|.*register allocation.*|<unknown>.*"
    r"|.* not supported.*|undefined .*|'.*' file not found)$"
)
_BARE_NOTE = re.compile(r"\s*note: (?P<message>.*)$")
_BACKEND = re.compile(r"\s*(?P<message>LLVM ERROR: .*)$")
_HIPCC = re.compile(r"\s*(?P<message>failed to execute:.*|Died at \S+ line \d+\.)$")
_TOO_MANY = re.compile(r"too many errors emitted")
_SUMMARY = re.compile(
    r"\s*(?:\d+ warnings? and |\d+ )?(?:\d+ )?(?:errors?|warnings?) generated(?: when compiling for \S+?)?\.$"
)


def recognise(text: str) -> Mark | None:
    """Return what a line of clang or a driver on it means, None for any other line."""
    match = _DRIVER.match(text) or _BARE.match(text)
    if match:
        severity = SEVERITIES[match["severity"]]
        if _TOO_MANY.match(match["message"]):
            severity = Severity.INFORMATION
        return Mark(
            role=Role.NOTE if severity is Severity.HINT else Role.MESSAGE,
            source="clang",
            message=match["message"].strip(),
            severity=severity,
        )
    if match := _BARE_NOTE.match(text):
        return Mark(role=Role.NOTE, source="clang", message=match["message"])
    if match := _BACKEND.match(text):
        return Mark(role=Role.MESSAGE, source="clang", message=match["message"])
    if match := _HIPCC.match(text):
        return Mark(role=Role.MESSAGE, source="hipcc", message=match["message"])
    if _SUMMARY.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="clang",
            message=text.strip(),
            severity=Severity.INFORMATION,
        )
    return None
