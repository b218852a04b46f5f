"""Say what a misspelt name was probably meant to be."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def closest(name: str, known: Iterable[str]) -> str | None:
    """Return the known name that is most like `name`, None if none is like it at all."""
    # Loaded only here: nothing of it is needed where nothing is misspelt.
    from difflib import get_close_matches

    by_lower = {each.lower(): each for each in known}
    found = get_close_matches(name.lower(), by_lower, n=1)
    return by_lower[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str], otherwise: str) -> str:
    """Return the next step for a name that does not exist: the closest one, and `otherwise`."""
    found = closest(name, known)
    return otherwise if found is None else f"Did you mean {found}? {otherwise}"
