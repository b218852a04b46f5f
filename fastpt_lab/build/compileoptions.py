"""What a user says about how units are compiled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class CompileOptions:
    """What the user asked for.

    Attributes:
        std: language standard, as `c++17`; "" leaves it to the compiler.
        include_dirs: absolute, or relative to the project root.
        defines: `NAME` or `NAME=VALUE`.
        flags: further flags for hipcc, after all others.
        off_device: use the copy of torch's headers and the stand-ins for every unit.
    """

    std: str = "c++17"
    include_dirs: tuple[Path, ...] = ()
    defines: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    off_device: bool = False
