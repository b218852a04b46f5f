"""Which language the views speak; light, for an answer that is given before much is loaded."""

from __future__ import annotations

import os
from contextvars import ContextVar

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeVar

    Made = TypeVar("Made")

VARIABLE = "FASTPT_LANG"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")
_FOR_PROGRAMS: ContextVar[bool] = ContextVar("_FOR_PROGRAMS", default=False)


def language(environ: Mapping[str, str] | None = None) -> str:
    """Return `zh` or `en`: what FASTPT_LANG says, else the locale, as POSIX looks it up."""
    if _FOR_PROGRAMS.get():
        return "en"
    values = os.environ if environ is None else environ
    named = next((values[name] for name in (VARIABLE, *_LOCALE) if values.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"


def in_english(make: Callable[[], Made]) -> Made:
    """Return what `make` gives for a program to read, in English whatever the user's language."""
    token = _FOR_PROGRAMS.set(True)
    try:
        return make()
    finally:
        _FOR_PROGRAMS.reset(token)


def later(message: str) -> str:
    """Return a message as it is: it is said at another place, and needs its Chinese."""
    return message
