"""What a tool said about a place: the LSP 3.17 `Diagnostic`, with the compiler's own place kept."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastpt_lab.core.text import Location


class Severity(IntEnum):
    """LSP `DiagnosticSeverity`: the lower, the worse."""

    ERROR = 1
    WARNING = 2
    INFORMATION = 3
    HINT = 4


CODES = frozenset(
    {
        "undeclared-identifier",
        "no-matching-function",
        "ambiguous-operator",
        "redefinition",
        "host-device-call",
        "missing-header",
        "inline-asm",
        "static-assertion",
        "unsupported-flag",
        "unknown-arch",
        "missing-library",
        "undefined-reference",
        "undefined-symbol",
        "missing-shared-object",
        "symbol-version",
        "duplicate-registration",
        "missing-init",
        "cxx-standard",
        "no-device",
        "resource-limit",
        "build-config",
        "other",
    }
)
"""The stable kinds of `Diagnostic.code` (docs/contract.md)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A note that belongs to a diagnostic: a candidate, an instantiation, an include frame.

    `location` is the place in the original, `generated` the one that the tool printed; either
    is None where it is not known.
    """

    message: str
    location: Location | None = None
    generated: Location | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostic:
    """One message of a tool.

    Attributes:
        severity: errors first.
        message: the tool's own words, never rephrased or translated, without the place.
        source: the tool: `clang`, `gcc`, `nvcc`, `ld`, `loader`, `cmake`, `python`, `ninja`…
        code: one of `CODES`.
        location: the place in the *original* source, None if there is none or it is unknown.
        generated: the place that the tool printed, None if the message has no place.
        related: the tool's notes in printed order, include and instantiation frames among them.
        target: what was being compiled when it was said: `host`, `gfx906`, … or None.
        raw: the lines as the tool printed them, without terminal escapes.
        id: `d1`, `d2`, … in reading order; "" until a report numbers it.
        caused_by: the id of the error that this one only follows from.
    """

    severity: Severity
    message: str
    source: str
    code: str = "other"
    location: Location | None = None
    generated: Location | None = None
    related: tuple[Related, ...] = ()
    target: str | None = None
    raw: str = ""
    id: str = ""
    caused_by: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether the severity is ERROR."""
        return self.severity is Severity.ERROR
