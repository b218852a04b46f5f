"""Read the versions of DTK: 25044, 25.04.4 and `+das.opt1.dtk25044` are one release."""

from __future__ import annotations

import re
from dataclasses import dataclass

_DOTTED = re.compile(r"^(\d{2})\.(\d{2})(?:\.(\d{1,2}))?(?!\d)")
_DIGITS = re.compile(r"^(\d{2})(\d{2})(\d?)(?!\d)")
_WHEEL = re.compile(r"\+(?:.*?\.)?dtk(\d{4,5})(?:\.torch(\d+))?(?![\d])")
_ABI = re.compile(r"(?:[.+])abi([01])(?:\.|$)")


def parse_dtk(text: str) -> str:
    """Return a DTK version as `25.04.4`, "" if `text` is none.

    Both spellings are printed: `25.04.4` in `.info/rocm_version`, `25044` by `fastpt -C`.
    """
    word = text.strip().removeprefix("dtk").removeprefix("-")
    match = _DOTTED.match(word) or _DIGITS.match(word)
    if match is None or not 1 <= int(match.group(2)) <= 12:
        return ""
    head = f"{match.group(1)}.{match.group(2)}"
    return f"{head}.{int(match.group(3))}" if match.group(3) else head


@dataclass(frozen=True, slots=True, kw_only=True)
class WheelTag:
    """What the local part of a wheel's version tells.

    Attributes:
        dtk: `25.04.2`, "" where it has none.
        torch: digits of the torch it was built for, `251`; "" where it has none.
        abi: 0 or 1, the C++ ABI; None where it is not told.
    """

    dtk: str = ""
    torch: str = ""
    abi: int | None = None


def parse_wheel(version: str) -> WheelTag:
    """Read a version such as `2.5.1+das.opt1.dtk25042` or `1.13.1+git7d2dd01.abi0.dtk2310`."""
    wheel, abi = _WHEEL.search(version), _ABI.search(version)
    return WheelTag(
        dtk=parse_dtk(wheel.group(1)) if wheel else "",
        torch=(wheel.group(2) or "") if wheel else "",
        abi=int(abi.group(1)) if abi else None,
    )
