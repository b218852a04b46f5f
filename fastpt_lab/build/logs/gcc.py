"""gcc and g++: English and Chinese messages, include stacks, instantiation frames.

*Source*: gcc 12.2 and its zh_CN catalogue, where `错误：` and its companions have a full-width
colon and most context lines stay English.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Mark, Place, Role, tool_name
from fastpt_lab.build.logs.severities import SEVERITIES
from fastpt_lab.core.diagnostic import Severity

INCLUDED = "included from here"
"""The message of an include frame: the tools print none."""

_WORDS = re.compile(
    r"[‘’“”]|was not declared in this scope|does not name a type|No such file or directory$"
    r"|has not been declared|is not a member of|^#(?:error|warning)\b|expected .* before"
    r"|no match for|ISO C\+\+|\[-Werror=|static assertion failed:|in expansion of macro|required from"
)
_INCLUDE = re.compile(
    r"\s*(?:In file included from |在包含自 ?|from |从 ?)(?P<path>[^:：]+?):(?P<line>\d{1,9})"
    r"(?::(?P<column>\d{1,9}))?(?P<more>[,:，：]| 的文件中[，：:,])?\s*$"
)
_INCLUDE_START = ("In file included from", "在包含自")
_CONTEXT = re.compile(
    r"\s*(?P<path>(?:[A-Za-z]:[\\/])?[^\s:：'\"`][^:：'\"`]*?)[:：]\s?"
    r"(?P<message>(?:In (?:member |static member |lambda |copy |move )?(?:function|constructor|destructor|"
    r"instantiation|substitution|lambda|substitution|program|expansion)|At (?:global scope|top level)"
    r"|在(?:成员)?(?:函数|构造函数|析构函数|静态成员函数|全局域|文件作用域|实例化|.{0,40}的实例化)).*?)[:：]?\s*$"
)
_REQUIRED = re.compile(
    r"\s*(?P<path>(?:[A-Za-z]:[\\/])?[^\s:：'\"`][^:：'\"`]*?):(?P<line>\d{1,9}):(?P<column>\d{1,9}):\s+"
    r"(?P<message>(?:recursively |constexpr )?required (?:from|by|for) .*|  *in .constexpr. expansion.*"
    r"|required from here|从.{0,10}(?:要求|实例化).*)$"
)
_DRIVER = re.compile(
    r"\s*(?P<tool>(?:[\w./+\\-]*?[/\\-])?(?:gcc|g\+\+|c\+\+|cc|cc1|cc1plus|lto1|lto-wrapper|cpp|as|f951)"
    r"(?:-[\d.]+)?(?:\.exe)?)[:：]\s?"
    r"(?P<severity>(?:fatal |internal compiler )?error|warning|note|错误|致命错误|编译器内部错误|警告|附注)"
    r"\s?[:：]\s?(?P<message>.*)$"
)
# The file on the command line is not there; a header would have a place.
_NO_SOURCE = re.compile(r"\S+[:：] ?(?:No such file or directory|没有那个文件或目录)")
_ASSEMBLER = re.compile(
    r"\s*(?P<path>[^\s:：]+):(?P<line>\d{1,9})[:：] (?P<severity>Error|Warning|错误|警告)[:：]\s?"
    r"(?P<message>.*)$"
)


def speaks(message: str) -> bool:
    """Return whether a message is gcc's by its words; clang's quotes are ASCII."""
    return bool(_WORDS.search(message))


def _frame(text: str) -> Mark | None:
    if match := _INCLUDE.match(text):
        opened = text.lstrip().startswith(_INCLUDE_START)
        # `from a.h:1` continues a stack; alone it could be anything's words.
        if opened or match["more"]:
            place = Place(path=match["path"], line=int(match["line"]))
            source = "include" if opened else "include-more"
            return Mark(role=Role.FRAME, source=source, message=INCLUDED, place=place)
    if match := _REQUIRED.match(text):
        place = Place(path=match["path"], line=int(match["line"]), column=int(match["column"]))
        return Mark(
            role=Role.FRAME, source="gcc", message=match["message"].strip(), place=place
        )
    if match := _CONTEXT.match(text):
        return Mark(role=Role.FRAME, source="gcc", message=match["message"].strip())
    return None


def recognise(text: str) -> Mark | None:
    """Return what a line of gcc, its driver or its assembler means, None for any other line."""
    if frame := _frame(text):
        return frame
    if match := _ASSEMBLER.match(text):
        place = Place(path=match["path"], line=int(match["line"]))
        return Mark(
            role=Role.MESSAGE,
            source="as",
            message=match["message"],
            severity=SEVERITIES[match["severity"]],
            place=place,
            code="inline-asm",
        )
    if match := _DRIVER.match(text):
        severity = SEVERITIES[match["severity"]]
        return Mark(
            role=Role.NOTE if severity is Severity.HINT else Role.MESSAGE,
            source="as" if tool_name(match["tool"]) == "as" else "gcc",
            message=match["message"].strip(),
            severity=severity,
            code="build-config" if _NO_SOURCE.match(match["message"]) else "",
        )
    return None
