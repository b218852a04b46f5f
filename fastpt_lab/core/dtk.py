"""Read the versions of DTK: 25044, 25.04.4 and `+das.opt1.dtk25044` are one release."""

from __future__ import annotations

import re

_DOTTED = re.compile(r"^(\d{2})\.(\d{2})(?:\.(\d{1,2}))?(?!\d)")
_DIGITS = re.compile(r"^(\d{2})(\d{2})(\d?)(?!\d)")
_WHEEL = re.compile(r"\+(?:.*?\.)?dtk(\d{4,5})(?!\d)")


def parse_dtk(text: str) -> str:
    """Return a DTK version as `25.04.4`, "" if `text` is none.

    *Source*: `.info/rocm_version` has `25.04.4`, `fastpt -C` prints `25044` and `2604`, and the
    folder is named `dtk-25.04.4`.
    """
    word = text.strip().lower().removeprefix("dtk").removeprefix("-")
    match = _DOTTED.match(word) or _DIGITS.match(word)
    if match is None or not 1 <= int(match.group(2)) <= 12:
        return ""
    head = f"{match.group(1)}.{match.group(2)}"
    return f"{head}.{int(match.group(3))}" if match.group(3) else head


def dtk_of_wheel(version: str) -> str:
    """Return the DTK that a wheel's version names, "" if it names none.

    *Source*: `2.5.1+das.opt1.dtk25042`, older wheels as `1.13.1+git7d2dd01.abi0.dtk2310`.
    """
    match = _WHEEL.search(version)
    return parse_dtk(match.group(1)) if match else ""
