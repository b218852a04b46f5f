"""Python: tracebacks, exceptions of torch and of the build backends.

*Source*: CPython 3.11 tracebacks; torch 2.13 `cpp_extension`; hipcc 5.2.3 prints a traceback of
`rocm_agent_enumerator` on a machine without a device and compiles all the same.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.build.logs.codes import loader_kind
from fastpt_lab.build.logs.mark import Body, Mark, Place, Role
from fastpt_lab.core.diagnostic import Severity

if TYPE_CHECKING:
    from fastpt_lab.core.diagnostic import Related

TRACEBACK = "Traceback (most recent call last):"

_FRAME = re.compile(
    r'\s*File "(?P<path>[^"]+)", line (?P<line>\d{1,9})(?:, in (?P<function>.*))?$'
)
_EXCEPTION = re.compile(
    r"\s*(?P<message>(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt|Failure|Failed|Timeout|Expired|NotFound"
    r"|Exit)(?::.*)?)$"
)
_FATAL = re.compile(r"\s*(?P<message>Fatal Python error: .*)$")
_ANY_EXCEPTION = re.compile(r"\s*(?P<message>(?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*(?::.*)?)$")
_FOREIGN = re.compile(
    r"site-packages|dist-packages|/lib(?:64)?/python\d|^<|importlib|/(?:setuptools|pip)/"
)


def is_traceback(text: str) -> bool:
    """Return whether a line opens a traceback."""
    return text.lstrip(" |+").startswith("Traceback (most recent call last)")


def _exception(message: str) -> Mark:
    kind = loader_kind(message)
    return Mark(
        role=Role.MESSAGE,
        source="loader" if kind else "python",
        # hipcc's look for a device reads this folder and goes on without it.
        severity=Severity.INFORMATION if "/sys/class/kfd/" in message else Severity.ERROR,
        message=message.strip(),
        code=kind or "",
        # A message that begins with a newline, as torch's about versions.
        body=Body.NEXT_LINE if message.rstrip().endswith(":") else Body.NONE,
    )


def recognise(text: str) -> Mark | None:
    """Return what a line of a traceback means, None for any other line."""
    if is_traceback(text):
        return Mark(role=Role.FRAME, source="python", message=TRACEBACK)
    if match := _FRAME.match(text):
        place = Place(path=match["path"], line=int(match["line"]))
        message = f"in {match['function']}" if match["function"] else "here"
        return Mark(role=Role.FRAME, source="python", message=message, place=place)
    if match := _EXCEPTION.match(text) or _FATAL.match(text):
        return _exception(match["message"])
    return None


def end_of_traceback(text: str) -> Mark | None:
    """Return the mark of the line after the frames: any exception, whatever its name."""
    match = _ANY_EXCEPTION.match(text)
    return _exception(match["message"]) if match else None


def placed(mark: Mark, frames: tuple[Related, ...]) -> Mark:
    """Return the mark of an exception with the place of its innermost own frame.

    A frame of an installed package or the standard library is not own. What hipcc's look for a
    device says is no error.
    """
    paths = [str(frame.generated.path) if frame.generated else "" for frame in frames]
    if any("rocm_agent_enumerator" in path for path in paths):
        return replace(mark, severity=Severity.INFORMATION)
    for frame, path in zip(reversed(frames), reversed(paths), strict=True):
        if frame.generated is not None and not _FOREIGN.search(path):
            return replace(
                mark, place=Place(path=path, line=frame.generated.range.start.line + 1)
            )
    return mark
