"""GNU make: failed recipes, missing rules, the folders it enters; English and Chinese.

*Source*: make 4.3 and its zh_CN catalogue.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Place, Role
from fastpt_lab.core.diagnostic import Severity

_MAKE = r"(?:\S*/)?(?:g|mingw32-|n|re)?make(?:\.exe)?(?:\[\d+\])?[:：]\s?"
_FAILED = re.compile(rf"\s*{_MAKE}(?P<message>\*\*\* .*)$")
_IN_FILE = re.compile(r"\s*(?P<path>[^\s:：]+):(?P<line>\d{1,9})[:：] (?P<message>\*\*\* .*)$")
_NOT_REMADE = re.compile(
    rf"\s*{_MAKE}(?P<message>Target .* not remade because of errors\.|由于错误目标.*)$"
)
_MISSING_TOOL = re.compile(
    rf"\s*{_MAKE}(?P<message>\S+[:：] ?(?:(?:Command )?not found|No such file or directory|没有那个文件或目录|未找到命令).*)$"
)
_FOLDER = re.compile(
    rf"\s*{_MAKE}(?P<word>Entering|Leaving|进入|离开)(?: directory|目录) ?[`'‘“](?P<path>.+?)['’”]\s*$"
)
_QUIET = re.compile(r"\*\*\* (?:Waiting for|正在等待|Deleting|正在删除|Warning)")
_ECHO = re.compile(
    r"\*\*\* (?:\[.*\] (?:Error \d+|错误 \d+|Killed|已杀死|Segmentation fault|Aborted|Terminated)|Break\.|中断)"
)


def recognise(text: str) -> Mark | None:
    """Return what a line of make means, None for any other line."""
    if match := _FAILED.match(text) or _NOT_REMADE.match(text):
        message = match["message"].strip()
        quiet = _QUIET.match(message)
        return Mark(
            role=Role.BOUNDARY if quiet else Role.MESSAGE,
            source="make",
            message=message,
            code="" if _ECHO.match(message) else "build-config",
        )
    if match := _IN_FILE.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="make",
            message=match["message"].strip(),
            place=Place(path=match["path"], line=int(match["line"])),
            code="build-config",
        )
    if match := _MISSING_TOOL.match(text):
        return Mark(
            role=Role.MESSAGE,
            source="make",
            message=match["message"].strip(),
            severity=Severity.ERROR,
            code="build-config",
        )
    if match := _FOLDER.match(text):
        enter = match["word"] in ("Entering", "进入")
        return Mark(
            role=Role.ENTER if enter else Role.LEAVE, source="make", message=match["path"]
        )
    return None
