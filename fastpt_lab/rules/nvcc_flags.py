"""Drop or translate the nvcc flags that hipcc does not know.

Why: setup files pass `--expt-relaxed-constexpr`, `-gencode` and others to whatever compiles.

Safety: safe: each flag removed has no meaning for hipcc; `--use_fast_math` becomes
`-ffast-math`, unsafe, since it allows more than nvcc's.

Never offered: for flags that are not nvcc's.

Source: NVCC 13 command options; clang 15 options.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.rules.kit.messages import flags, heard

_DROPPED = re.compile(
    r"--?(?:expt-(?:relaxed-constexpr|extended-lambda)|extended-lambda|gencode|gpu-architecture"
    r"|gpu-code|ptxas-options|Xptxas|Xcudafe|diag-suppress|generate-line-info|lineinfo|maxrregcount"
    r"|default-stream|compiler-options|Xcompiler|threads|ftz|prec-div|prec-sqrt|fmad|cudart"
    r"|arch=(?:sm|compute)|code=|keep|resource-usage|restrict|split-compile|device-debug"
    r"|source-in-ptx|allow-unsupported-compiler|ccbin)"
)
_TRANSLATED = {"--use_fast_math": "-ffast-math", "-use_fast_math": "-ffast-math"}
_TAKES_A_VALUE = frozenset(
    {
        "-gencode",
        "--gencode",
        "-Xptxas",
        "--ptxas-options",
        "-Xcudafe",
        "-Xcompiler",
        "-ccbin",
        "--compiler-options",
        "-diag-suppress",
        "--diag-suppress",
        "--maxrregcount",
        "-maxrregcount",
    }
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the flags to remove and what to write instead."""
    if (
        heard(diagnostic, r"un(?:supported|known|recognized) (?:option|argument|command)")
        is None
    ):
        return
    named = re.findall(r"'(-[^']*)'", f"{diagnostic.message}\n{diagnostic.raw}")
    if not any(_DROPPED.match(word) or word in _TRANSLATED for word in named):
        return
    words = dict.fromkeys((*stack.flags, *named))
    known = tuple(w for w in words if _DROPPED.match(w) or w in _TRANSLATED)
    remove = _with_values(known, stack.flags)
    add = tuple(_TRANSLATED[w] for w in known if w in _TRANSLATED)
    yield from flags(
        "Choose the flags by compiler",
        "In setup.py pass these to nvcc only, for example `if torch.version.hip is None:`"
        f" around {' '.join(remove)}"
        + (f", and {' '.join(add)} to hipcc" if add else "")
        + ".",
        "nvcc's flags have no meaning for hipcc",
        add=add,
        remove=remove,
        applicability=Applicability.UNSAFE if add else Applicability.SAFE,
    )


def _with_values(known: tuple[str, ...], flags: tuple[str, ...]) -> tuple[str, ...]:
    """Return the flags with the words that are their values."""
    words: list[str] = []
    for flag in known:
        words.append(flag)
        if flag in flags and flag in _TAKES_A_VALUE:
            at = flags.index(flag) + 1
            words += flags[at : at + 1]
    return tuple(words)
