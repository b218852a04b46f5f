"""One file a dialect: bytes of a log in, diagnostics out, streaming."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.build.logs.collect import LIMIT, Collector
from fastpt_lab.build.logs.parser import LogParser
from fastpt_lab.build.logs.wrappers import is_wrapper

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastpt_lab.core.diagnostic import Diagnostic

__all__ = ["Collector", "LogParser", "is_wrapper", "parse", "read"]


def parse(data: bytes | str) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a whole log in printed order."""
    return read((data.encode(errors="replace") if isinstance(data, str) else data,))


def read(chunks: Iterable[bytes], *, limit: int = LIMIT) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a log that arrives in pieces, in printed order.

    At most `limit` of each severity are kept, so that memory does not grow with the log.
    """
    parser = LogParser()
    collector = Collector(limit)
    for chunk in chunks:
        collector.add(parser.feed(chunk))
    collector.add(parser.close())
    return collector.result()
