"""Ninja: failed edges, its own errors, the folder it works in.

*Source*: Ninja 1.11; 1.13 adds `[code=1]` to `FAILED:`.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Role
from fastpt_lab.core.diagnostic import Severity

_FAILED = re.compile(r"\s*(?P<message>FAILED: (?:\[code=\d+\] )?\S.*)$")
_OWN = re.compile(r"\s*ninja: (?P<word>error|fatal|warning|build stopped): (?P<message>.*)$")
_ENTER = re.compile(r"\s*ninja: Entering directory [`'](?P<path>.+)'$")
_PROGRESS = re.compile(r"\s*\[\s*(?:\d+/\d+|\d+%)\]\s")


def recognise(text: str) -> Mark | None:
    """Return what a line of Ninja means, None for any other line."""
    if match := _FAILED.match(text):
        return Mark(role=Role.MESSAGE, source="ninja", message=match["message"].strip())
    if match := _OWN.match(text):
        word = match["word"]
        message = match["message"].strip()
        return Mark(
            role=Role.MESSAGE,
            source="ninja",
            message=f"{word}: {message}" if word == "build stopped" else message,
            severity=Severity.WARNING if word == "warning" else Severity.ERROR,
            code="" if word == "build stopped" else "build-config",
        )
    if match := _ENTER.match(text):
        return Mark(role=Role.ENTER, source="ninja", message=match["path"])
    if _PROGRESS.match(text):
        return Mark(role=Role.BOUNDARY, source="ninja")
    return None
