"""Compile and link the file that defines what the linker misses.

Why: outputs have other names than their originals (`a.cu` becomes `a.hip`), and a build that
lists files still names the old ones.

Safety: advice: the source list is the build's.

Never offered: for symbols of CUDA's libraries, which `missing-library` answers.

Source: GNU ld "undefined reference to".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.rules.kit.functions import functions_named
from fastpt_lab.rules.kit.messages import heard
from fastpt_lab.rules.kit.proposal import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield where the name is defined."""
    symbol = heard(
        diagnostic, r"undefined reference to [`'‘]([^'’]+)['’]|对[‘“]([^’”]+)[’”]未定义的引用"
    )
    if symbol is None:
        return
    name = next(filter(None, symbol.groups()))
    plain = re.match(r"(?:\w+::)*(\w+)", name)
    word = plain[1] if plain else name
    paths = [
        function.name.path.name
        for function in functions_named(word, workspace)
        if function.body is not None
    ]
    where = (
        f"{word} is defined in {', '.join(sorted(set(paths)))}"
        if paths
        else (f"no original defines {word}")
    )
    yield advice(
        f"Add the file that defines {word} to the build",
        "See that the source list names the transcoded file (.hip, or _hip.cpp), that it is"
        " compiled for HIP, and that declaration and definition agree.",
        where,
    )
