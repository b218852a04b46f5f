"""Read what the local part of a wheel's version tells: its DTK, its torch, its C++ ABI."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.core.dtk import dtk_of_wheel

_TORCH = re.compile(r"\+(?:.*?\.)?dtk\d{4,5}\.torch(\d+)")
_ABI = re.compile(r"(?:[.+])abi([01])(?:\.|$)")


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
    torch, abi = _TORCH.search(version), _ABI.search(version)
    return WheelTag(
        dtk=dtk_of_wheel(version),
        torch=torch.group(1) if torch else "",
        abi=int(abi.group(1)) if abi else None,
    )
