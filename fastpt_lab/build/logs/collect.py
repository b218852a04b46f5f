"""The diagnostics of a log of any length in bounded memory, each with what was compiled.

clang names the target only in its count at the end of a pass (`1 error generated when compiling
for gfx906.`); the count itself is no message to anybody.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.core.diagnostic import Diagnostic, Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

LIMIT = 5000
"""Diagnostics of one severity that are kept; a build repeats itself long before."""

_SUMMARY = re.compile(
    r"(?:errors?|warnings?) generated(?: when compiling for (?P<target>[\w:+-]+))?\.$"
)
_COUNT = re.compile(r"(\d{1,9}) (error|warning)")
_WORDS = {Severity.ERROR: "error", Severity.WARNING: "warning"}


class Collector:
    """Keeps the first diagnostics of each severity, warnings once each."""

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._kept: list[Diagnostic] = []
        self._counts = dict.fromkeys(Severity, 0)
        self._seen: set[int] = set()

    def add(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Take more diagnostics in printed order."""
        for diagnostic in diagnostics:
            summary = _summary(diagnostic)
            if summary is not None:
                _give_target(self._kept, summary)
            elif self._is_new(diagnostic):
                self._kept.append(diagnostic)

    def _is_new(self, found: Diagnostic) -> bool:
        if self._counts[found.severity] >= self._limit:
            self._counts[found.severity] += 1
            return False
        if found.severity is not Severity.ERROR:
            key = hash((found.severity, found.source, found.message, found.generated))
            if key in self._seen:
                return False
            self._seen.add(key)
        self._counts[found.severity] += 1
        return True

    def result(self) -> tuple[Diagnostic, ...]:
        """Return what was kept, and a last line about what was not."""
        left = sum(max(count - self._limit, 0) for count in self._counts.values())
        if not left:
            return tuple(self._kept)
        note = Diagnostic(
            severity=Severity.INFORMATION,
            message=f"{left} more messages of the log are not listed",
            source="log",
        )
        return (*self._kept, note)


def _summary(diagnostic: Diagnostic) -> re.Match[str] | None:
    if diagnostic.severity is not Severity.INFORMATION:
        return None
    return _SUMMARY.search(diagnostic.message)


def _give_target(kept: list[Diagnostic], summary: re.Match[str]) -> None:
    """Give the target to as many of the last messages as the count says."""
    target = summary["target"]
    left = {word: int(number) for number, word in _COUNT.findall(summary.string)}
    for index in range(len(kept) - 1, -1, -1):
        found = kept[index]
        if target is None or found.target is not None or not any(left.values()):
            return
        word = _WORDS.get(found.severity, "")
        # A driver's message without a place is not in the count.
        if found.source == "clang" and found.generated is not None and left.get(word, 0) > 0:
            left[word] -= 1
            kept[index] = replace(found, target=target)
