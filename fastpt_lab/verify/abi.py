"""Tell which C++ ABI a library was built with, from the names it asks for."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fastpt_lab.verify.elf import Elf

_OLD = re.compile(r"^_Z.*(?:RKSs|RSs|OSs|PKSs|Ss(?:$|[A-Z]))")


def cxx11_abi(elf: Elf) -> int | None:
    """Return 1 for `std::__cxx11` strings in the interface, 0 for the old ones, else None.

    Only undefined names count: a library may define templates of either kind for itself.
    With both kinds the answer is None. *Source*: libstdc++ dual ABI; g++ 12 objects.
    """
    asked = [
        s.name for s in elf.symbols if not s.defined and not s.name.startswith("_ZNKSt7__cxx11")
    ]
    new = any("__cxx11" in name or "B5cxx11" in name for name in asked)
    old = any(_OLD.match(name) and "__cxx11" not in name for name in asked)
    if new == old:
        defined = [s.name for s in elf.symbols if s.defined]
        new = any("__cxx11" in name for name in defined)
        old = any(_OLD.match(name) and "__cxx11" not in name for name in defined)
    return None if new == old else int(new)
