"""The line that clang and gcc share: `path:line:column: severity: message`."""

from __future__ import annotations

import re

from fastpt_lab.build.logs import gcc
from fastpt_lab.build.logs.mark import Body, Mark, Place, Role
from fastpt_lab.build.logs.severities import SEVERITIES
from fastpt_lab.core.diagnostic import Severity

SEVERITY = (
    r"(?P<severity>(?:[Ff]atal |internal compiler |catastrophic |internal )?error|sorry, unimplemented"
    r"|[Ww]arning|remark|note|错误|致命错误|编译器内部错误|对不起，尚未实现|警告|附注|备注|注意)"
)
_PATH = (
    # An absolute path may hold nearly anything; else quotes would let source text pass.
    r"(?P<path>/[^:：\"*?|<>\n]+?|(?:[A-Za-z]:[\\/])?[^\s:：'\"`*?|<>()\[\]{};,=][^:：'\"`*?|<>\n]*?"
    r"|<[\w ./+-]+>)"
)
_POINT = (
    r":(?P<line>\d{1,9})(?:[:.](?P<column>\d{1,9}))?(?:-\d+(?::\d+)?)?:?(?:\{[\d:,{}-]*\}:?)*"
)
_AT_START = re.compile(
    rf"\s*(?:\d+>)?{_PATH}{_POINT}\s*{SEVERITY}\s?(?::\s|：)\s*(?P<message>.+)$"
)
# After a prefix that nobody knows: the path is the last word, and the column must be there.
_ANYWHERE = re.compile(
    r"(?:^|[\s>\]:])(?P<path>(?:[A-Za-z]:[\\/])?[^\s:'\"`*?|<>()\[\]{};,=]+\.\w+)"
    rf":(?P<line>\d{{1,9}}):(?P<column>\d{{1,9}}): {SEVERITY}: (?P<message>.*)$"
)


def located(text: str) -> Mark | None:
    """Return what a line with a place means, None for any other line.

    The words tell clang from gcc; where they do not, it is taken for clang's.
    """
    match = _AT_START.match(text)
    if match is None and ": " in text:
        match = _ANYWHERE.search(text)
    if match is None:
        return None
    word, path, message = match["severity"], match["path"], match["message"].strip()
    severity = SEVERITIES[word]
    place = Place(path=path, line=int(match["line"]), column=int(match["column"] or 0))
    of_gcc = not word.isascii() or gcc.speaks(message)
    return Mark(
        role=Role.NOTE if severity is Severity.HINT else Role.MESSAGE,
        source="gcc" if of_gcc else "clang",
        message=message,
        severity=severity,
        place=place,
        body=Body.SNIPPET,
    )
