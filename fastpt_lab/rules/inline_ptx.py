"""Write inline PTX as the C++ that it means under HIP.

Why: inline assembly goes to the assembler of the target; PTX is NVIDIA's.

Safety: safe for instructions whose result PTX defines to the bit: lane and thread registers
(counted in the caller's CUDA warp), logic, shifts, bit fields, integer arithmetic, fences,
loads and stores with cache hints. Unsafe for approximations and clocks, and where the file
uses another wave size.

Never offered: for instructions that a HIP program has no word for (`mma`, `ldmatrix`,
`cp.async`, `mbarrier`, barriers with a count): there is advice, and `cp-async` for copies. Nor
for addresses in shared or local memory, which are no pointers, for a float instruction on
words, where an output that is written twice would be evaluated twice, or where one output is
an index or a part of another.

Source: PTX ISA 8.5; rocThrust#25, hip#3271; clang 15 "invalid instruction".
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.asm import Assembly, assembly_at
from fastpt_lab.rules.kit.places import Place, occurrences, point
from fastpt_lab.rules.kit.proposal import advice
from fastpt_lab.rules.kit.ptxcode import Written, written
from fastpt_lab.rules.kit.remove import edited

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_MESSAGE = re.compile(
    r"^(?:invalid instruction|unknown (?:token|directive|use of instruction)"
    r"|unexpected token|not a valid operand|invalid operand|expected .*(?:register|identifier)"
    r"|invalid (?:input|output) constraint|invalid % escape in inline assembly"
    r"|couldn't allocate (?:input|output) reg|instruction not supported|too few operands"
    r"|error in inline asm|unrecognized instruction|failed parsing operand)"
)
_WORDS = ("asm", "__asm__", "__asm")
_WHAT_OTHERS_DID = (
    (r"cp\.async\.bulk|mbarrier|tensormap|cluster", ("There is no counterpart of Hopper's bulk"
     " copies, clusters and memory barriers: load with plain copies and __syncthreads.")),
    (r"mma|wgmma", ("Use rocWMMA, the __builtin_amdgcn_mfma_* intrinsics, or a library GEMM; the"
     " layout of fragments differs, so tiles must be loaded anew.")),
    (r"ldmatrix|stmatrix", ("Load the fragments with plain shared-memory reads in the layout"
     " that the matrix instruction you use wants.")),
    (r"cp\.async", ("Copy with plain loads and stores; commit and wait groups become"
     " __syncthreads where threads read what others copied.")),
    (r"bar\.sync|barrier|bar\.arrive", ("HIP has one barrier for the whole block: give each"
     " part of the block its own kernel, or use flags in shared memory.")),
    (r"smid|warpid|globaltimer", ("The register has no counterpart; wall_clock64() counts time"
     " at a fixed rate.")),
)  # fmt: skip


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the statement in C++, and all statements of the file that can be written so."""
    found = point(diagnostic.location, workspace)
    if _MESSAGE.search(diagnostic.message) is None or found is None:
        return
    path, document, offset = found
    statements = [
        (place, assembly)
        for place in occurrences(path, document, _WORDS)
        if (assembly := assembly_at(document, place)) is not None
    ]
    here = next(((p, a) for p, a in statements if a.start <= offset < a.end), None)
    if here is None:
        return
    place, assembly = here
    form = written(assembly)
    if form is None:
        yield _advice(place, assembly)
        return
    yield from _edit("Write this assembly in C++ under HIP", place, [here], workspace, stack)
    known = [(p, a) for p, a in statements if written(a) is not None]
    if len(known) > 1:
        title = f"Write {len(known)} assembly statements of {place.path.name} in C++ under HIP"
        yield from _edit(title, place, known, workspace, stack)


def _edit(
    title: str,
    at: Place,
    statements: list[tuple[Place, Assembly]],
    workspace: Workspace,
    stack: Stack,
) -> Iterator[Proposal]:
    replacements: list[Replacement] = []
    doubts: list[str] = []
    for place, assembly in statements:
        form = written(assembly)
        if form is None:
            continue
        replacements.append(Replacement(assembly.start, assembly.end, _text(form)))
        doubts += form.doubts
        if form.lanes:
            doubt = warp.wave_size_doubt(place.document, workspace)
            doubts += [doubt] if doubt else []
    yield from edited(
        title,
        at,
        replacements,
        stack,
        "the C++ form is what the PTX manual defines for these instructions",
        doubts=tuple(dict.fromkeys(doubts)),
    )


def _text(form: Written) -> str:
    """Return the form as one statement without its semicolon."""
    if len(form.statements) == 1:
        return form.statements[0]
    return f"do {{ {'; '.join(form.statements)}; }} while (0)"


def _advice(place: Place, assembly: Assembly) -> Proposal:
    names = ", ".join(dict.fromkeys(i.name for i in assembly.instructions)) or "this"
    for pattern, text in _WHAT_OTHERS_DID:
        if re.search(pattern, assembly.template):
            return advice(f"Rewrite {names}: HIP has no equivalent", text, _line(place))
    return advice(
        f"Rewrite {names} for HIP by hand",
        "Keep the assembly for CUDA and put C++ or an AMDGPU builtin in the HIP branch.",
        _line(place),
    )


def _line(place: Place) -> str:
    return f"{place.path.name}:{place.line} is PTX, which only NVIDIA's assembler reads"
