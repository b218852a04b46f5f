"""Compile with the C++ standard that the code or torch's headers ask for.

Why: hipcc of HIP 5 takes C++11 or 14 by default; torch's headers and much code want C++17.

Safety: safe: the flag only raises the standard, to what an error names or the code uses.

Never offered: where the flags name a standard that is high enough.

Source: HIP 5.2.3 hipcc; torch 2.13 all.h, "C++17 or later compatible compiler is required".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.messages import flags, heard

_STANDARD = 17
_MEMBERS = (
    r"no (?:template|member|type) named '\w+_v(?:<|')?|named '(?:\w+_v|optional|string_view|variant"
    r"|void_t|conjunction|disjunction|invoke_result\w*|byte|any|apply|clamp)' in namespace 'std'"
    r"|is not a member of .std."
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield `-std=c++17`, or the standard that the message names."""
    asked = heard(
        diagnostic,
        r"C\+\+(\d\d)(?: or later compatible compiler| extension|\b.*is required)"
        r"|only available with '?-std=c\+\+(\d\d)",
    )
    member = re.search(_MEMBERS, diagnostic.message)
    if asked is None and member is None and diagnostic.code != "cxx-standard":
        return
    wanted = int(next(filter(None, asked.groups()))) if asked else _STANDARD
    present = [f for f in stack.flags if f.startswith(("-std=", "--std="))]
    levels = [int(m[1]) for f in present if (m := re.search(r"(\d\d)\Z", f))]
    if max(levels, default=0) >= max(wanted, _STANDARD):
        return
    yield from flags(
        f"Compile with -std=c++{max(wanted, _STANDARD)}",
        f"Pass -std=c++{max(wanted, _STANDARD)} to hipcc: in setup.py among the cxx and nvcc flags"
        " of extra_compile_args, in CMake by CMAKE_HIP_STANDARD.",
        f"the units are compiled with {' '.join(present) or 'the default standard'}",
        add=(f"-std=c++{max(wanted, _STANDARD)}",),
        remove=tuple(present),
    )
