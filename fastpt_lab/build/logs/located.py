"""The line that clang and gcc share: `path:line:column: severity: message`."""

from __future__ import annotations

import re
from typing import NamedTuple

from fastpt_lab.build.logs.mark import Place
from fastpt_lab.core.diagnostic import Severity

SEVERITIES = {
    "error": Severity.ERROR,
    "Error": Severity.ERROR,
    "ERROR": Severity.ERROR,
    "fatal error": Severity.ERROR,
    "Fatal error": Severity.ERROR,
    "internal compiler error": Severity.ERROR,
    "sorry, unimplemented": Severity.ERROR,
    "catastrophic error": Severity.ERROR,
    "internal error": Severity.ERROR,
    "command-line error": Severity.ERROR,
    "fatal": Severity.ERROR,
    "错误": Severity.ERROR,
    "致命错误": Severity.ERROR,
    "编译器内部错误": Severity.ERROR,
    "对不起，尚未实现": Severity.ERROR,
    "warning": Severity.WARNING,
    "Warning": Severity.WARNING,
    "WARNING": Severity.WARNING,
    "警告": Severity.WARNING,
    "remark": Severity.INFORMATION,
    "note": Severity.HINT,
    "附注": Severity.HINT,
    "备注": Severity.HINT,
    "注意": Severity.HINT,
}
"""The words of compilers for a severity; HINT stands for a note.

*Source*: clang 15, nvcc 13, binutils 2.40, gcc 12 (zh_CN catalogue).
"""

SEVERITY = (
    r"(?P<severity>(?:[Ff]atal |internal compiler |catastrophic |internal )?error|sorry, unimplemented"
    r"|[Ww]arning|Error|remark|note|错误|致命错误|编译器内部错误|对不起，尚未实现|警告|附注|备注|注意)"
)
_PATH = (
    r"(?P<path>(?:[A-Za-z]:[\\/])?[^\s:：'\"`*?|<>()\[\]{};,=][^:：'\"`*?|<>\n]*?|<[\w ./+-]+>)"
)
_POINT = r":(?P<line>\d+)(?:[:.](?P<column>\d+))?(?:-\d+(?::\d+)?)?:?(?:\{[\d:,{}-]*\}:?)*"
_AT_START = re.compile(rf"\s*(?:\d+>)?{_PATH}{_POINT}\s*{SEVERITY}\s?[:：]\s?(?P<message>.*)$")
# After a prefix that nobody knows: the path is the last word, and the column must be there.
_ANYWHERE = re.compile(
    r"(?:^|[\s>\]:])(?P<path>(?:[A-Za-z]:[\\/])?[^\s:'\"`*?|<>()\[\]{};,=]+\.\w+)"
    rf":(?P<line>\d+):(?P<column>\d+): {SEVERITY}: (?P<message>.*)$"
)


class Located(NamedTuple):
    """A line with a place: `severity` HINT is a note."""

    place: Place | None
    severity: Severity
    word: str
    message: str


def located(text: str) -> Located | None:
    """Return the parts of a line in the shape of clang and gcc, None for any other line."""
    match = _AT_START.match(text) or _ANYWHERE.search(text)
    if match is None:
        return None
    word = match["severity"]
    path = match["path"]
    # `<inline asm>` and `<command line>` are no files.
    place = (
        None
        if path.startswith("<")
        else Place(path=path, line=int(match["line"]), column=int(match["column"] or 0))
    )
    return Located(place, SEVERITIES[word], word, match["message"].strip())
