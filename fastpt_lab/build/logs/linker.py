"""GNU ld, gold, lld and mold, in English and Chinese.

*Source*: binutils 2.40 and its zh_CN catalogue, lld 15; collect2 runs ld in English always.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Body, Mark, Place, Role
from fastpt_lab.core.diagnostic import Severity

_LD = re.compile(
    r"\s*(?P<tool>(?:\S*[/\\-])?(?:ld|gold|lld|mold)(?:\.(?:bfd|gold|lld|mold|exe))?|\S*[/\\]lld-link|wasm-ld|ld64\.lld)"
    r"[:：]\s?(?P<rest>.*)$"
)
_SEVERITY = re.compile(
    r"(?:fatal )?(?P<word>error|warning|note|NOTE|错误|警告)\s?[:：]\s?(?P<message>.*)$"
)
_IN_FUNCTION = re.compile(
    r".*?[:：]\s?(?:in function|在函数|于函数)\s?[`‘'“].*[:：]?$|.*[:：]\s?(?:在函数).*中[:：]?$"
)
_REFERENCE = re.compile(
    r"\s*(?:(?P<path>[^\s:：()][^:：()]*?)[:：](?:(?P<line>\d{1,9})[:：])?)?\s?(?:\([^()\s]+(?:\([^()]*\))?\+0x[0-9a-f]+\)[:：])?\s?"
    r"(?P<message>(?:warning: )?(?:more )?(?:undefined (?:reference|symbol)s? ?(?:to|:)? ?[`'‘“].*"
    r"|对[‘“'`].+[’”'`]未定义的引用.*|multiple definition of .*|.+的多重定义.*|relocation truncated to fit.*"
    r"|跟着更多未定义的参考到.*|未定义参考到.*|relocation R_\w+ against .*|hidden symbol .*|截断重寻址.*))$"
)
_QUIET = re.compile(
    r"skipping incompatible|跳过不兼容的|total time in link|mode elf_|warning|警告|supported emulations"
    r"|note:|NOTE:|first defined here|第一次在此定义|.*(?:DWARF error|Dwarf Error)"
    r"|.*missing \.note\.GNU-stack"
)
_MORE = re.compile(r"more undefined references|跟着更多未定义的参考")
_LLD_NOTE = re.compile(r"\s*>>> (?P<message>.*)$")
_LLD_PLACE = re.compile(
    r"(?:referenced|defined) (?:by|at|in) (?P<path>[^\s:()]+):(?P<line>\d{1,9})"
)


def _reference(match: re.Match[str]) -> Mark:
    place = None
    if match["path"] and match["line"]:
        place = Place(path=match["path"], line=int(match["line"]))
    message = match["message"].strip()
    quiet = message.startswith("warning: ") or _MORE.match(message)
    return Mark(
        role=Role.NOTE if _MORE.match(message) else Role.MESSAGE,
        source="ld",
        message=message,
        severity=Severity.WARNING if quiet else Severity.ERROR,
        place=place,
    )


def _from_ld(rest: str) -> Mark:
    if _IN_FUNCTION.match(rest):
        return Mark(role=Role.FRAME, source="ld", message=rest.rstrip(":："))
    if match := _REFERENCE.match(rest):
        return _reference(match)
    severity, message, note = Severity.ERROR, rest, False
    if match := _SEVERITY.match(rest):
        message = match["message"]
        note = match["word"] in ("note", "NOTE")
        if match["word"] in ("warning", "警告"):
            severity = Severity.WARNING
    elif _QUIET.match(rest):
        severity = Severity.WARNING
    return Mark(
        role=Role.NOTE if note else Role.MESSAGE,
        source="ld",
        message=message.strip(),
        severity=severity,
        body=Body.CONTINUED,
    )


def recognise(text: str) -> Mark | None:
    """Return what a line of a linker means, None for any other line."""
    if match := _LD.match(text):
        return _from_ld(match["rest"])
    if match := _LLD_NOTE.match(text):
        at = _LLD_PLACE.match(match["message"])
        place = Place(path=at["path"], line=int(at["line"])) if at else None
        return Mark(role=Role.NOTE, source="ld", message=match["message"].strip(), place=place)
    if (match := _REFERENCE.match(text)) and match["path"]:
        return _reference(match)
    if match := re.match(
        r"\s*\S+\.(?:o|a|so)[:：]\s?(?:in function|在函数)\s?[`‘'“](.*)$", text
    ):
        return Mark(role=Role.FRAME, source="ld", message=text.strip().rstrip(":："))
    return None
