"""Numbers in words; nothing is loaded for them."""

from __future__ import annotations

from fastpt_lab.show.tongue import language

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def count(number: int, word: str) -> str:
    """Return "1 error", "2 errors"."""
    plural = word if number == 1 else word[:-1] + "ies" if word.endswith("ry") else word + "s"
    return f"{number:,} {plural}"


def counted(number: int, word: str) -> str:
    """Return the same in the user's language."""
    if language() == "en":
        return count(number, word)
    from fastpt_lab.show.language import said

    return said(f"{{}} {word}", f"{number:,}")


def transcoded(totals: Mapping[str, int]) -> str:
    """Return how many files a transcode looked at, and what became of them by status."""
    parts = [(number, status) for status, number in sorted(totals.items()) if number]
    whole = sum(totals.values())
    if language() == "en":
        words = ", ".join(f"{number} {status}" for number, status in parts)
        return f"Transcoded {count(whole, 'file')}: {words}"
    from fastpt_lab.show.language import said, say

    words = "，".join(f"{number} {say(status)}" for number, status in parts)
    return said("Transcoded {}: {}", counted(whole, "file"), words)
