"""The dynamic loader outside Python: program start, `ldd`, C++ static initialisers.

*Source*: glibc 2.36 wordings; `terminate called` is libstdc++'s; torch's registries name a key.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.codes import loader_kind
from fastpt_lab.build.logs.mark import Mark, Role
from fastpt_lab.core.diagnostic import Severity

_START = re.compile(
    r"\s*\S+: (?P<message>(?:error while loading shared libraries|symbol lookup error|relocation error)[:：] .*)$"
)
_VERSION = re.compile(
    r"\s*\S+: (?P<message>\S+: version [`'‘][^'’]+['’] not found(?: \(required by .*\))?)$"
)
_WHAT = re.compile(r"\s*what\(\):\s+(?P<message>.*)$")
_TERMINATE = re.compile(r"\s*terminate called (?:after throwing|without|recursively)")
_DUPLICATE = re.compile(
    r"\s*(?P<message>.*(?:already (?:been )?registered with the same|[Oo]nly a single TORCH_LIBRARY"
    r"|Tried to register an operator|is already registered|registered multiple times"
    r"|has already been registered).*)$"
)
_DLOPEN = re.compile(
    r"\s*(?P<message>.*\.so[\w.]{0,40}: (?:cannot open shared object file|undefined symbol"
    r"|invalid ELF header|file too short|wrong ELF class|cannot enable executable stack"
    r"|cannot allocate memory in static TLS|无法打开共享).*)$"
)
_LDD = re.compile(r"\s*(?P<message>\S+\.so\S* => not found|undefined symbol: \S+\s+\(\S+\))$")
_PRELOAD = re.compile(r"\s*ERROR: ld\.so: object .* cannot be preloaded")


def recognise(text: str) -> Mark | None:
    """Return what a line of the loader means, None for any other line."""
    if _PRELOAD.match(text):
        # The loader says itself that it ignored it.
        return Mark(
            role=Role.MESSAGE,
            source="loader",
            message=text.strip(),
            severity=Severity.WARNING,
            code="missing-shared-object",
        )
    if match := _WHAT.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="runtime",
            message=match["message"],
            code=loader_kind(match["message"]) or "",
        )
    for pattern in (_START, _VERSION, _DLOPEN, _DUPLICATE):
        if match := pattern.match(text):
            return _mark(match["message"], Severity.ERROR)
    if match := _LDD.match(text):
        # ldd lists what Python and torch bring later as missing, too.
        return _mark(match["message"], Severity.WARNING)
    if _TERMINATE.match(text):
        return Mark(role=Role.BOUNDARY, source="runtime")
    return None


def _mark(message: str, severity: Severity) -> Mark:
    return Mark(
        role=Role.MESSAGE,
        source="loader",
        message=message.strip(),
        severity=severity,
        code=loader_kind(message) or "",
    )
