"""Say in one word how much work a file is, by a rule that anyone can follow."""

from __future__ import annotations

SMALL_REVIEWS = 5
LARGE_REVIEWS = 30


def level_of(review: int, no_equivalent: int) -> str:
    """Return `none`, `small`, `medium` or `large`.

    None: nothing to look at. Small: at most five places to look at, each with a known form.
    Large: more than thirty of them, or more than one use without an equivalent. Medium: the rest.
    """
    if not review and not no_equivalent:
        return "none"
    if review > LARGE_REVIEWS or no_equivalent > 1:
        return "large"
    if review <= SMALL_REVIEWS and not no_equivalent:
        return "small"
    return "medium"
