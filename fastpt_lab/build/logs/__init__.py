"""One file a dialect: bytes of a log in, diagnostics out, streaming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.build.logs.parser import LogParser
from fastpt_lab.build.logs.wrappers import is_wrapper

if TYPE_CHECKING:
    from fastpt_lab.core.diagnostic import Diagnostic

__all__ = ["LogParser", "is_wrapper", "parse"]


def parse(data: bytes | str) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a whole log in printed order."""
    parser = LogParser()
    found = parser.feed(data.encode() if isinstance(data, str) else data)
    return (*found, *parser.close())
