"""Numbers in words; nothing is loaded for them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def count(number: int, word: str) -> str:
    """Return "1 error", "2 errors"."""
    plural = word if number == 1 else word[:-1] + "ies" if word.endswith("ry") else word + "s"
    return f"{number:,} {plural}"


def transcoded(totals: Mapping[str, int]) -> str:
    """Return how many files a transcode looked at, and what became of them by status."""
    words = ", ".join(
        f"{number} {status}" for status, number in sorted(totals.items()) if number
    )
    return f"Transcoded {count(sum(totals.values()), 'file')}: {words}"
