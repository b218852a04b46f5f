"""Which language the views speak; light, for an answer that is given before much is loaded."""

from __future__ import annotations

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "FASTPT_LANG"
_LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


def language(environ: Mapping[str, str] | None = None) -> str:
    """Return `zh` or `en`: what FASTPT_LANG says, else the locale, as POSIX looks it up."""
    values = os.environ if environ is None else environ
    named = next((values[name] for name in (VARIABLE, *_LOCALE) if values.get(name)), "")
    return "zh" if named.lower().startswith("zh") else "en"


def later(message: str) -> str:
    """Return a message as it is: it is said at another place, and needs its Chinese."""
    return message
