"""nvcc and its parts: the EDG front end (cudafe++), ptxas, nvlink, fatbinary, cicc.

*Source*: nvcc 13.0: `file(line): error: …`, older versions with `error #20-D:`; `ptxas` names a
file and a line in its own way.
"""

from __future__ import annotations

import re

from fastpt_lab.build.logs.mark import Body, Mark, Place, Role
from fastpt_lab.build.logs.severities import SEVERITIES
from fastpt_lab.core.diagnostic import Related, Severity

_LOCATED = re.compile(
    r"\s*(?:\d+>)?(?P<path>/[^:：\"<>]+?|(?:[A-Za-z]:[\\/])?[^\s:：'\"`()\[\]<>][^:：'\"`()\[\]<>]*?)\((?P<line>\d{1,9})(?:[,:](?P<column>\d{1,9}))?\)"
    r"\s?:\s(?P<severity>(?:catastrophic |fatal |internal )?error|warning|remark|note)"
    r"(?:\s+#?[\w-]*\d[\w-]*)?\s*(?::|(?=\s))\s*(?P<message>.*)$"
)
_HERE = re.compile(r"\s*(?P<path>[^\s:()][^:()]*?)\((?P<line>\d{1,9})\): here\s*$")
_TOOL = re.compile(
    r"\s*(?:\S*[/\\])?(?P<tool>nvcc|ptxas|nvlink|fatbinary|cudafe\+\+|cicc|bin2c)"
    r"(?: (?P<path>[^,;]+), line (?P<line>\d{1,9});)?\s+(?P<severity>fatal|error|warning|info)\s*: (?P<message>.*)$"
)
_CONTINUED = re.compile(r"\s{4,}(?P<text>\S.*)$")
_AT_LINE = re.compile(
    r"at line (?P<line>\d{1,9})\)?(?: of (?:file )?\"?(?P<path>[^\"]+?)\"?)?\s*$"
)
_COUNT = re.compile(
    r"\s*\d+ errors? detected (?:in the compilation of|during)|\s*Error limit reached"
)


def recognise(text: str) -> Mark | None:
    """Return what a line of nvcc or one of its parts means, None for any other line."""
    if match := _LOCATED.match(text):
        severity = SEVERITIES[match["severity"]]
        place = Place(
            path=match["path"], line=int(match["line"]), column=int(match["column"] or 0)
        )
        return Mark(
            role=Role.NOTE if severity is Severity.HINT else Role.MESSAGE,
            source="nvcc",
            message=match["message"].strip(),
            severity=severity,
            place=place,
            body=Body.CONTINUED,
        )
    if match := _HERE.match(text):
        place = Place(path=match["path"], line=int(match["line"]))
        return Mark(role=Role.NOTE, source="nvcc", message="here", place=place)
    if match := _TOOL.match(text):
        if match["severity"] == "info":
            return Mark(role=Role.BOUNDARY, source="nvcc")
        severity = SEVERITIES[match["severity"]]
        return Mark(
            role=Role.MESSAGE,
            source=match["tool"],
            message=match["message"].strip(),
            severity=severity,
            place=Place(path=match["path"], line=int(match["line"])) if match["path"] else None,
            code="inline-asm" if match["path"] else "",
        )
    if _COUNT.match(text):
        return Mark(role=Role.BOUNDARY, source="nvcc")
    return None


def continuation(text: str, path: str) -> tuple[Related, Place | None] | None:
    """Return the note in an indented line below a message in `path`, and the place it names.

    The front end continues a message with `argument types are: (…)` and
    `detected during instantiation of "…" at line 12`.
    """
    match = _CONTINUED.match(text)
    if match is None:
        return None
    words = match["text"]
    at = _AT_LINE.search(words)
    place = Place(path=at["path"] or path, line=int(at["line"])) if at else None
    return Related(message=words), place
