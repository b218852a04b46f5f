"""Copy to shared memory by plain loads and stores where CUDA copies asynchronously.

Why: `cp.async` and the shared-memory address that `__cvta_generic_to_shared` gives it are
NVIDIA's.

Safety: never safe: the copy is done at once, so a wait has nothing to wait for, but threads
that read what others copied still need their `__syncthreads`.

Never offered: for copies of another size than 4, 8 or 16 bytes, and with a source size.

Source: PTX ISA 8.5 `cp.async`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.enclosing import definition_around
from fastpt_lab.core.guard_place import Replacement
from fastpt_lab.rules.kit.asm import Assembly, assembly_at
from fastpt_lab.rules.kit.places import Place, named_place, occurrences, point, undeclared
from fastpt_lab.rules.kit.remove import edited, removal, statement_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import Proposal

_ADDRESS = "__cvta_generic_to_shared"
_DECLARATION = re.compile(
    r"(?:const\s+)?(?:unsigned(?:\s+int)?|uint32_t|auto|int|size_t)\s+(?P<name>\w+)\s*=\s*"
    r"(?:\(\s*[\w ]+\)\s*)?(?P<cast>static_cast<[\w ]+>\(\s*)?"
    rf"{_ADDRESS}\((?P<pointer>.*)\)(?(cast)\s*\))\s*;\Z",
    re.DOTALL,
)
_COPY = re.compile(r"cp\.async\.c[ag]\.shared\.global(?:\.L2::\w+)?")
_WAIT = re.compile(r"cp\.async\.(?:wait_all|commit_group|wait_group)")
_WORDS = {4: "int", 8: "int2", 16: "int4"}


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the function with plain copies."""
    at = named_place(diagnostic, workspace, (_ADDRESS,)) if _asks(diagnostic) else None
    if at is None:
        found = point(diagnostic.location, workspace)
        if found is None or "asm" not in diagnostic.message:
            return
        at = Place(*found, found.offset + 1)
    bounds = definition_around(at.document.text, at.start, at.end)
    if bounds is None:
        return
    pointers: dict[str, str] = {}
    replacements: list[Replacement] = []
    for place in _inside(at, (_ADDRESS,), bounds):
        statement = statement_at(place)
        declared = statement and _DECLARATION.match(at.document.text[slice(*statement)])
        if not declared or statement is None:
            return
        pointers[declared["name"]] = declared["pointer"]
        replacements.append(Replacement(*statement, ""))
    copies = 0
    for place in _inside(at, ("asm", "__asm__"), bounds):
        assembly = assembly_at(at.document, place)
        text = _plain(assembly, pointers) if assembly is not None else None
        if assembly is None or text is None:
            return
        copies += bool(text)
        out = removal(place)
        if text or out is None:
            replacements.append(Replacement(assembly.start, assembly.end, text or "(void)0"))
        else:
            replacements.append(out)
    if copies:
        yield from edited(
            "Copy to shared memory with plain loads and stores under HIP",
            at,
            replacements,
            stack,
            doubts=("see that a __syncthreads stands between the copy and its readers",),
        )


def _asks(diagnostic: Diagnostic) -> bool:
    return undeclared(diagnostic) == _ADDRESS


def _inside(at: Place, names: tuple[str, ...], bounds: tuple[int, int]) -> list[Place]:
    found = occurrences(at.path, at.document, names)
    return [p for p in found if bounds[0] <= p.start < bounds[1]]


def _plain(assembly: Assembly, pointers: dict[str, str]) -> str | None:
    """Return a plain copy, "" for a wait, None for any other assembly."""
    names = [i.name for i in assembly.instructions]
    if names and all(_WAIT.fullmatch(name) for name in names):
        return ""
    if len(names) != 1 or not _COPY.fullmatch(names[0]):
        return None
    operands = assembly.instructions[0].operands
    if len(operands) != 3:
        return None
    places = [re.fullmatch(r"\[\s*%(\d+)\s*\]", o) for o in operands[:2]]
    size = _size(assembly, operands[2])
    if None in places or size not in _WORDS:
        return None
    target, source = (assembly.operands[int(p[1])].expression for p in places if p)
    if target not in pointers:
        return None
    word = _WORDS[size]
    return f"*({word}*)({pointers[target]}) = *(const {word}*)({source})"


def _size(assembly: Assembly, text: str) -> int:
    numbered = re.fullmatch(r"%(\d+)", text)
    value = assembly.operands[int(numbered[1])].expression if numbered else text
    return int(value) if value.isdigit() else 0
