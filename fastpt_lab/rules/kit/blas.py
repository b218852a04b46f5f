"""Data and compute types of BLAS calls: per argument, from the installed declaration."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement, place
from fastpt_lab.rules.kit.calls import Call, call_of
from fastpt_lab.rules.kit.places import Place, point, style_for
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace

HIP_DATA = "hipDataType"
BLAS_DATA = "hipblasDatatype_t"
COMPUTE = "hipblasComputeType_t"
DATA_TYPES = frozenset(
    {HIP_DATA, BLAS_DATA, "hipblasDatatype_t", "cudaDataType", "cudaDataType_t"}
)

_CALL = re.compile(r"no matching function for call to '(hip(?:blas|sparse|solver)\w+)'")
_CONVERSION = re.compile(
    r"no known conversion from '([^']+)'(?: \(aka '([^']+)'\))? to '([^']+)'"
    r"(?: \(aka '([^']+)'\))? for (\d+)(?:st|nd|rd|th) argument"
)
_ENUMERATOR = re.compile(
    r"\b(?:CUDA_(?P<data>[RC]_\w+)|HIP(?:BLAS)?_(?P<hip>[RC]_\w+)"
    r"|(?:CU|HIP)BLAS_COMPUTE_(?P<compute>\w+))\b"
)
_COMPUTE_OF = {"R_16F": "16F", "R_32F": "32F", "C_32F": "32F", "R_64F": "64F", "C_64F": "64F",
               "R_32I": "32I"}  # fmt: skip
"""cublasGemmEx with a data type as compute type, as cublas_v2.h migrates it (CUDA 11 to 13)."""
_DATA_OF_COMPUTE = {"16F": "R_16F", "32F": "R_32F", "64F": "R_64F", "32I": "R_32I"}
_BLAS_SPELLING = {"R_16BF": "R_16B", "C_16BF": "C_16B"}


class Mismatch(NamedTuple):
    """What the compiler said of one argument: it has type `given`, `expected` is declared."""

    function: str
    given: str
    expected: str
    position: int


class Changed(NamedTuple):
    """Enumerators of one argument in the spelling of the expected type."""

    replacements: tuple[Replacement, ...]
    facts: tuple[str, ...]
    checked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """The call in the original, and the type that each argument should have."""

    call: Call
    mismatch: Mismatch
    types: dict[int, str]


def mismatch_of(diagnostic: Diagnostic) -> Mismatch | None:
    """Return the argument that the compiler's note names, None for any other message."""
    called = _CALL.search(diagnostic.message)
    if called is None:
        return None
    for related in diagnostic.related:
        found = _CONVERSION.search(related.message)
        if found:
            given, expected = found[2] or found[1], found[4] or found[3]
            return Mismatch(called[1], _base(given), _base(expected), int(found[5]) - 1)
    return None


def wanted(
    mismatch: Mismatch, diagnostic: Diagnostic, workspace: Workspace, stack: Stack
) -> Wanted | None:
    """Return the call at the diagnostic, with expected types from the installed header."""
    found = point(diagnostic.location, workspace)
    if found is None:
        return None
    path, document, offset = found
    name = re.compile(r"\w+").match(document.text, offset)
    if name is None:
        return None
    call = call_of(Place(path, document, offset, name.end()))
    if call is None or mismatch.position >= len(call.arguments):
        return None
    return wanted_in(call, mismatch, stack)


def wanted_in(call: Call, mismatch: Mismatch, stack: Stack) -> Wanted:
    """Return a call with expected types; with one alone where no declaration fits it."""
    return Wanted(call=call, mismatch=mismatch, types=_types(call, mismatch, stack))


def _types(call: Call, mismatch: Mismatch, stack: Stack) -> dict[int, str]:
    for parameters in stack.parameters(mismatch.function):
        bases = [_base(p) for p in parameters]
        fits = len(bases) == len(call.arguments)
        if fits and bases[mismatch.position] == mismatch.expected:
            return dict(enumerate(bases))
    return {mismatch.position: mismatch.expected}


def _base(type_name: str) -> str:
    return re.sub(r"\b(?:const|enum)\b|\s", "", type_name)


def spelled(text: str, start: int, expected: str, stack: Stack) -> Changed | None:
    """Return how the enumerators in an argument at `start` are called in type `expected`.

    None if there is none, or one has no counterpart there.
    """
    known = stack.enumerators(expected)
    if any(re.search(rf"\b{name}\b", text) for name in known):
        return None
    replacements: list[Replacement] = []
    facts: list[str] = []
    for match in _ENUMERATOR.finditer(text):
        new = _counterpart(match, expected)
        if new is None or (known and new not in known):
            return None
        if new != match[0]:
            at = start + match.start()
            replacements.append(Replacement(at, at + len(match[0]), new))
            facts.append(f"{match[0]} is {new} in {expected}")
    return Changed(tuple(replacements), tuple(facts), bool(known)) if replacements else None


def _counterpart(match: re.Match[str], expected: str) -> str | None:
    data, compute = match["data"] or match["hip"], match["compute"]
    if expected == COMPUTE:
        wide = compute or _COMPUTE_OF.get(data or "")
        return f"HIPBLAS_COMPUTE_{wide}" if wide else None
    data = data or _DATA_OF_COMPUTE.get(compute or "")
    if data is None:
        return None
    if expected == BLAS_DATA:
        return f"HIPBLAS_{_BLAS_SPELLING.get(data, data)}"
    back = {blas: plain for plain, blas in _BLAS_SPELLING.items()}
    return f"HIP_{back.get(data, data)}" if expected == HIP_DATA else None


def proposal(found: Wanted, stack: Stack) -> Iterator[Proposal]:
    """Yield the call with every mismatching type argument in the header's spelling."""
    call, mismatch = found.call, found.mismatch
    document = call.name.document
    replacements: list[Replacement] = []
    facts: list[str] = []
    checked = True
    for index, expected in found.types.items():
        if expected not in (HIP_DATA, BLAS_DATA, COMPUTE) or not _differs(
            call.argument(index), index, expected, mismatch
        ):
            continue
        changed = spelled(call.argument(index), call.arguments[index][0], expected, stack)
        if changed is not None:
            replacements += changed.replacements
            facts += changed.facts
            checked = checked and changed.checked
    start, end = call.arguments[mismatch.position]
    if not any(start <= r.start < end for r in replacements):
        return
    edits = place(document, replacements, style_for(document, stack))
    if not edits:
        return
    argument = (
        f"{mismatch.expected} for argument {mismatch.position + 1}, {mismatch.given} was given"
    )
    yield Proposal(
        title=f"Give {call.name.word} the types that {mismatch.function} declares",
        applicability=Applicability.SAFE if checked else Applicability.UNSAFE,
        evidence=(
            f"the installed header declares {argument}"
            if checked
            else f"the compiler's note names {argument}",
            *dict.fromkeys(facts),
            *(() if checked else ("the enumerators of the type could not be read",)),
        ),
        files=(FileEdits(call.name.path, document, edits),),
    )


def _differs(text: str, index: int, expected: str, mismatch: Mismatch) -> bool:
    """Whether an argument is known to have another type than the declared one."""
    if index == mismatch.position or expected == mismatch.expected:
        return True
    # The data type's own enumerators are right where the header takes that type.
    return expected == COMPUTE and re.search(r"\bCUDA_[RC]_", text) is not None
