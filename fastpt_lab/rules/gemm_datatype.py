"""Give BLAS calls the data type enumeration that the installed header declares.

Why: hipBLAS took `hipblasDatatype_t` (`HIPBLAS_R_32F`), takes `hipDataType` (`HIP_R_32F`) with
`HIPBLAS_V2`, and nothing else since version 3, while a transcoder writes one of them whatever
is installed.

Safety: safe where the header declares the enumerator: it names the same element type. Each
argument is judged by the declared parameter type, never by a version number. Unsafe where the
header could not be read, and for variables, whose values are translated one by one.

Never offered: for an enumerator that the declared type has not, and for a name that is declared
nowhere outside a call whose parameter types could be read.

Source: hipBLAS headers of ROCm 5 to 7 (library/include/hipblas.h); ROCm/hipBLAS#529;
ggml-org/llama.cpp#17489.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement, place
from fastpt_lab.rules.kit.blas import (
    BLAS_DATA,
    HIP_DATA,
    Mismatch,
    Wanted,
    mismatch_of,
    proposal,
    spelled,
    wanted,
    wanted_in,
)
from fastpt_lab.rules.kit.calls import call_around
from fastpt_lab.rules.kit.places import named_place, style_for, undeclared
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace

_ENUMERATOR = re.compile(r"HIP(?:BLAS)?_([RC]_\w+)")
_TRANSLATED = ("R_16F", "R_16BF", "R_64F", "R_8I")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the call with its data types in the declared spelling."""
    mismatch = mismatch_of(diagnostic)
    if mismatch is None:
        yield from _undeclared(diagnostic, workspace, stack)
        return
    found = wanted(mismatch, diagnostic, workspace, stack)
    if mismatch.expected not in (HIP_DATA, BLAS_DATA) or found is None:
        return
    offered = tuple(proposal(found, stack))
    yield from offered or _translated(found, stack)


def _undeclared(
    diagnostic: Diagnostic, workspace: Workspace, stack: Stack
) -> Iterator[Proposal]:
    """Yield the call whose enumerator the headers have under another name only."""
    missing = _ENUMERATOR.fullmatch(undeclared(diagnostic) or "")
    if missing is None:
        return
    at = named_place(diagnostic, workspace, (missing[0], f"CUDA_{missing[1]}"))
    call = call_around(at) if at is not None else None
    if at is None or call is None:
        return
    position = next(i for i, (s, e) in enumerate(call.arguments) if s <= at.start < e)
    function = re.sub(r"^cu(?=blas|sparse|solver)", "hip", call.name.word)
    for expected in (BLAS_DATA, HIP_DATA):
        mismatch = Mismatch(function, missing[0], expected, position)
        found = wanted_in(call, mismatch, stack)
        if len(found.types) > 1:
            yield from proposal(found, stack)
            return


def _translated(found: Wanted, stack: Stack) -> Iterator[Proposal]:
    """Yield the call with a variable of one enumeration translated to the other."""
    call, mismatch = found.call, found.mismatch
    known = stack.enumerators(mismatch.expected)
    if (mismatch.given, mismatch.expected) != (HIP_DATA, BLAS_DATA) or not known:
        return
    replacements: list[Replacement] = []
    for index, expected in found.types.items():
        if expected != BLAS_DATA:
            continue
        start, end = call.arguments[index]
        changed = spelled(call.argument(index), start, expected, stack)
        if changed is not None:
            replacements += changed.replacements
        elif call.argument(index).isidentifier() and call.argument(index) not in known:
            replacements.append(Replacement(start, end, _chain(call.argument(index), known)))
    if not any(r.start == call.arguments[mismatch.position][0] for r in replacements):
        return
    edits = place(call.name.document, replacements, style_for(call.name.document, stack))
    if edits:
        yield Proposal(
            title=f"Translate the data types of {call.name.word} under HIP",
            applicability=Applicability.UNSAFE,
            evidence=(
                f"{mismatch.function} declares {BLAS_DATA}, and variables hold {HIP_DATA}",
                "values other than those named become HIPBLAS_R_32F: see that none occurs",
            ),
            files=(FileEdits(call.name.path, call.name.document, edits),),
        )


def _chain(name: str, known: tuple[str, ...]) -> str:
    spelling = {"R_16BF": "R_16B"}
    tests = [
        f"{name} == HIP_{data} ? HIPBLAS_{spelling.get(data, data)} : "
        for data in _TRANSLATED
        if f"HIPBLAS_{spelling.get(data, data)}" in known
    ]
    return f"({''.join(tests)}HIPBLAS_R_32F)"
