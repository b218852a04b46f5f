"""Find out which declaration and definition of a symbol differ, or which ABI it is of.

Why: a library that loads with an undefined symbol was linked without the file that defines it,
from a declaration with other types, or with the other C++ ABI.

Safety: the ABI flag is safe to try: torch's own is what the extension must have. The rest is
advice.

Never offered: as an edit: the two places cannot be told from a mangled name alone.

Source: Itanium C++ ABI mangling (`Ss`, `cxx11`); libstdc++ dual ABI documentation.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.rules.kit.functions import functions_named
from fastpt_lab.rules.kit.messages import flags, heard
from fastpt_lab.rules.kit.proposal import advice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the ABI flag, or where to look."""
    symbol = heard(diagnostic, r"undefined symbol:? ([\w.@$]+)|symbol lookup error.*: (\w+)")
    if symbol is None:
        return
    name = next(filter(None, symbol.groups()))
    new_abi = "cxx11" in name
    if new_abi or re.search(r"(?:^_Z.*|K|R)S[sS](?:[^t]|$)", name):
        yield from flags(
            "Build with the C++ ABI of the installed torch",
            "Pass -D_GLIBCXX_USE_CXX11_ABI with the value of torch._C._GLIBCXX_USE_CXX11_ABI;"
            " torch.utils.cpp_extension does so by itself. Rebuild every library involved.",
            f"{name} is of the {'new' if new_abi else 'old'} std::string ABI, and was not found",
            add=(f"-D_GLIBCXX_USE_CXX11_ABI={int(not new_abi)}",),
            applicability=Applicability.UNSAFE,
        )
        return
    length = re.match(r"_Z(\d+)", name)
    word = name[length.end() : length.end() + int(length[1])] if length else name
    found = [f"{f.name.path.name}:{f.name.line}" for f in functions_named(word, workspace)]
    yield advice(
        f"Compare declaration and definition of {word}",
        "Demangle the symbol (c++filt) and compare its types with the definition; see that the"
        " file that defines it is compiled and linked.",
        f"{word} stands in {', '.join(found)}" if found else f"no original names {word}",
    )
