"""Name a library's enumerator as the installed header spells it.

Why: libraries rename enumerators between versions; the transcoder writes one spelling.
clang's guess is by letters and can be wrong: for `HIPSPARSE_ORDER_COL` it proposes `…_ROW`.

Safety: safe for pairs that are known to be one value under two names, where the stack has the
other one.

Never offered: on likeness alone.

Source: hipsparse 2 and 3 headers (hipsparseOrder_t); hipblas 0.50 and 2 headers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.places import named_place, occurrences, undeclared
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_SAME = (
    ("HIPSPARSE_ORDER_COL", "HIPSPARSE_ORDER_COLUMN"),
    ("HIPSPARSE_SPMM_ALG_DEFAULT", "HIPSPARSE_MM_ALG_DEFAULT"),
    ("HIPSPARSE_SPMV_ALG_DEFAULT", "HIPSPARSE_MV_ALG_DEFAULT"),
    ("HIP_R_16BF", "HIP_R_16B"),
)
_CUDA = {
    "HIPSPARSE_ORDER_COL": "CUSPARSE_ORDER_COL",
    "HIPSPARSE_SPMM_ALG_DEFAULT": "CUSPARSE_SPMM_ALG_DEFAULT",
    "HIPSPARSE_SPMV_ALG_DEFAULT": "CUSPARSE_SPMV_ALG_DEFAULT",
    "HIP_R_16BF": "CUDA_R_16BF",
}


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the other spelling at all places of the file."""
    name = undeclared(diagnostic)
    for pair in _SAME:
        if name not in pair:
            continue
        other = pair[1] if name == pair[0] else pair[0]
        written = tuple(n for n in (name, _CUDA.get(name)) if n)
        at = named_place(diagnostic, workspace, written)
        if at is None or not stack.has(other):
            return
        replacements = [
            Replacement(p.start, p.end, other)
            for p in occurrences(at.path, at.document, written)
        ]
        yield from edited(
            f"Write {other} for {at.word} under HIP",
            at,
            replacements,
            stack,
            f"the installed header spells {name} so; the value is the same",
        )
