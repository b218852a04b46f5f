"""Leave the project's own operators on vector types out under HIP, which has them.

Why: HIP's `float2`, `float4` and their kind have arithmetic operators; a project that defines
its own, as CUDA needs it to, makes each use ambiguous.

Safety: safe where the definition is shown to be what HIP's operator computes, component by
component, and the compiler's notes name HIP's operator as the other candidate. Unsafe where
the body could not be read that way, and for the product or quotient of two `float2` or two
`double2`: HIP's complex numbers are these types, and wherever `hip_complex.h` is included
(hipBLAS does it) their operators are the complex ones. There the use is written as what the
project's definition is shown to compute, by components, which is safe.

Never offered: where either side is known to be another operator: a complex, dot or cross
product of the project's, or HIP's complex one. Removing the definition would compile and give
other numbers, so there is only advice.

Source: HIP 5.2.3 amd_hip_vector_types.h, amd_hip_complex.h; ROCm/hip#3510, #2797, #1575.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.functions import Function, function_around
from fastpt_lab.rules.kit.operands import operands_at
from fastpt_lab.rules.kit.operators import VECTOR, Meaning, meaning_of, symbol_of
from fastpt_lab.rules.kit.places import Place, occurrences, point
from fastpt_lab.rules.kit.proposal import Proposal, advice
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace

_AMBIGUOUS = re.compile(
    r"use of overloaded operator '([^']+)' is ambiguous \(with operand types '([^']+)'"
    r"(?: \(aka '[^']+'\))?(?: and '([^']+)')?"
)
_COMPLEX = {
    "float2": frozenset({"float2", "hipFloatComplex", "hipComplex"}),
    "double2": frozenset({"double2", "hipDoubleComplex"}),
}
"""Names that HIP's complex numbers share with these (HIP 5.2.3, amd_hip_complex.h)."""

_CANDIDATE = re.compile(r"^candidate function")


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield a guard around the operator that the notes name, and around all of its file."""
    message = _AMBIGUOUS.search(diagnostic.message)
    if message is None:
        return
    own, foreign = _candidates(diagnostic, workspace, message[1])
    if not own or not foreign:
        return
    other = [f for f in own if meaning_of(f) is Meaning.OTHER]
    if other:
        yield _advice(other[0])
        return
    if any(_may_turn_complex(f) for f in own) and _names_complex(diagnostic):
        written = tuple(_at_use(diagnostic, workspace, message, own, stack))
        yield from written or (_complex_advice(own[0]),)
        return
    yield from _proposal(f"Leave operator{message[1]} to HIP's {message[2]}", own, stack)
    first = own[0]
    every = [f for f in _operators_of(first) if meaning_of(f) is Meaning.ELEMENTWISE]
    every = [f for f in every if not _may_turn_complex(f) and _hip_has(f, stack)]
    if {f.start for f in own} < {f.start for f in every}:
        title = f"Leave all {len(every)} vector operators of {first.name.path.name} to HIP"
        yield from _proposal(title, every, stack)


def _candidates(
    diagnostic: Diagnostic, workspace: Workspace, symbol: str
) -> tuple[list[Function], bool]:
    """Return the project's candidates, and whether there is one that is not the project's."""
    own: list[Function] = []
    foreign = False
    for related in diagnostic.related:
        if not _CANDIDATE.search(related.message):
            continue
        found = point(related.location, workspace)
        if found is None:
            foreign = True
            continue
        function = function_around(*found)
        if function is not None and symbol_of(function) == symbol and _on_vectors(function):
            own.append(function)
    return own, foreign


def _on_vectors(function: Function) -> bool:
    start, end = function.parameters
    return VECTOR.search(function.name.document.text[start:end]) is not None


def _operators_of(first: Function) -> Iterator[Function]:
    """Yield the operators that the file of `first` defines."""
    path, document = first.name.path, first.name.document
    for at in occurrences(path, document, ("operator",)):
        function = function_around(path, document, at.start)
        if function is not None:
            yield function


def _operand_types(function: Function) -> list[str]:
    start, end = function.parameters
    return [
        re.sub(r"\s*\w+\s*$", "", part).replace("const", "").replace("&", "").strip()
        for part in function.name.document.text[start + 1 : end].split(",")
    ]


def _may_turn_complex(function: Function) -> bool:
    """Whether HIP's operator on these operands is another one once its complex header is read."""
    types = _operand_types(function)
    product = symbol_of(function) in ("*", "/", "*=", "/=")
    return product and any(types == [kind, kind] for kind in _COMPLEX)


def _at_use(
    diagnostic: Diagnostic,
    workspace: Workspace,
    message: re.Match[str],
    own: Sequence[Function],
    stack: Stack,
) -> Iterator[Proposal]:
    """Yield the use with the operation written out, as the project's one definition has it."""
    found = point(diagnostic.location, workspace)
    if found is None or len(own) != 1:
        return
    path, document, offset = found
    symbol, kind = symbol_of(own[0]), _operand_types(own[0])[0]
    given = {t.removeprefix("const ") if t else t for t in message.groups()[1:]}
    operands = operands_at(document.text, offset)
    shown = meaning_of(own[0]) is Meaning.ELEMENTWISE
    if operands is None or not shown or not given <= _COMPLEX[kind]:
        return
    opening = (
        f"[]({kind} a, {kind} b) {{ return make_{kind}(a.x {symbol} b.x, a.y {symbol} b.y); }}("
    )
    left, right = operands
    at = Place(path, document, offset, offset + 1)
    yield from edited(
        f"Write the {'product' if symbol == '*' else 'quotient'} by components under HIP",
        at,
        [
            Replacement(left[0], left[0], opening),
            Replacement(left[1], right[0], ", "),
            Replacement(right[1], right[1], ")"),
        ],
        stack,
        f"{own[0].name.path.name}:{own[0].name.line} defines operator{symbol} by components",
        "HIP's operator on these types is that of complex numbers where its header is read",
    )


def _names_complex(diagnostic: Diagnostic) -> bool:
    """Whether a note of the compiler points into HIP's header of complex numbers."""
    places = [p for r in diagnostic.related for p in (r.generated, r.location) if p is not None]
    return any("hip_complex" in place.path.name for place in places)


def _hip_has(function: Function, stack: Stack) -> bool:
    """Whether HIP's headers alone give the operator its operands."""
    types = _operand_types(function)
    symbol = symbol_of(function)
    names = ("a", "b")[: len(types)]
    used = f"a {symbol} b" if len(types) == 2 else f"{symbol}a"
    heads = ", ".join(f"{t} {n}" for t, n in zip(types, names, strict=True))
    source = (
        f"#include <hip/hip_runtime.h>\n__device__ void probe({heads}) {{ (void)({used}); }}\n"
    )
    return stack.compiles(source) is True


def _proposal(title: str, functions: Sequence[Function], stack: Stack) -> Iterator[Proposal]:
    first = functions[0].name
    if any(f.name.path != first.path for f in functions):
        return
    doubts: tuple[str, ...] = ()
    if any(_may_turn_complex(f) for f in functions):
        doubts = ("where hip_complex.h is included, HIP's operator here is the complex one",)
    elif any(meaning_of(f) is not Meaning.ELEMENTWISE for f in functions):
        doubts = ("its body could not be shown to be component by component: compare it",)
    yield from edited(
        title,
        first,
        [Replacement(f.start, f.end, "") for f in functions],
        stack,
        "the compiler names HIP's operator and this one as candidates",
        *(() if doubts else ("it computes component by component, as HIP's does",)),
        doubts=doubts,
    )


def _complex_advice(function: Function) -> Proposal:
    symbol = symbol_of(function)
    return advice(
        f"Give operator{symbol} a name of its own: HIP's is the complex one here",
        f"HIP's complex numbers are these vector types, and its operator{symbol} is that of"
        " complex numbers wherever hip_complex.h is included, which hipBLAS does. Rename the"
        " component-wise definition to a function and call that: guarding it out would compile"
        " and give other numbers.",
        "a candidate that the compiler names lies in HIP's header of complex numbers",
    )


def _advice(function: Function) -> Proposal:
    symbol = symbol_of(function)
    return advice(
        f"Give operator{symbol} a name of its own: it is not HIP's",
        f"HIP's operator{symbol} works component by component, this definition mixes"
        " components (a complex, dot or cross product). Rename it to a function, for example"
        " `cmul`, and call that: guarding the definition out would compile and give other"
        " numbers.",
        f"{function.name.path.name}:{function.name.line} mixes components",
    )
