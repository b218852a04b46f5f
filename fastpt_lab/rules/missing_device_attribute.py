"""Add the `__device__` that a function needs because it calls device functions.

Why: nvcc takes a template without attribute as long as nobody calls it from the host, since
CUDA declares `rsqrtf` and its kind for both sides. HIP's are `__device__` alone, so clang
refuses the call in a host function, even in one that is never used.

Safety: safe where every mention of the function in the originals stands in a device function:
then no host code loses it, and a call that was overlooked fails to compile, on both sides.
Unsafe where only the project's headers can tell. The edit adds attributes and nothing else.

Never offered: `__device__` where host code calls the function; there HIP's branch gets CUDA's
own host formula of `rsqrt`, if it is that.

Source: clang 15's note "call to __device__ function from __host__ function" and its
__clang_hip_math.h; CUDA 13 crt/math_functions.hpp for the host formula of `rsqrtf`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard_place import Replacement, place
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.functions import (
    DEVICE,
    Function,
    attribute_edit,
    callers,
    function_around,
    functions_named,
    same_parameters,
)
from fastpt_lab.rules.kit.places import named_place, point, style_for
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import TextEdit
    from fastpt_lab.core.workspace import Workspace

_CALL = re.compile(r"no matching function for call to '(\w+)'")
_REFERENCE = re.compile(r"reference to __device__ function '(\w+)[^']*' in __host__ function")
_NOTE = re.compile(r"call to __device__ function from __host__ function")
_HOST_FORMULA = {"rsqrtf": "(float)(1.0 / sqrt((double)({})))", "rsqrt": "(1.0 / sqrt({}))"}
_HEADERS = frozenset({".h", ".hh", ".hpp", ".hxx", ".inl", ".in"})


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the attribute for the function around the call, or a host formula."""
    callee = _callee(diagnostic)
    found = point(diagnostic.location, workspace)
    if callee is None or found is None:
        return
    function = function_around(*found)
    if function is None or function.words & DEVICE or function.body is None:
        return
    host, device = _sides(function, workspace)
    if host:
        yield from _host_formula(diagnostic, workspace, stack, callee, host)
        return
    yield _attribute(function, callee, device, workspace)


def _callee(diagnostic: Diagnostic) -> str | None:
    match = _REFERENCE.search(diagnostic.message)
    if match:
        return match[1]
    match = _CALL.search(diagnostic.message)
    noted = any(_NOTE.search(related.message) for related in diagnostic.related)
    return match[1] if match and noted else None


def _sides(function: Function, workspace: Workspace) -> tuple[list[str], list[str]]:
    """Return the names of host and of device functions that mention `function`."""
    host: list[str] = []
    device: list[str] = []
    for caller in callers(function.name.word, workspace):
        if not isinstance(caller, Function):
            host.append(f"{caller.path.name}:{caller.line}")
        elif "__host__" not in caller.words and caller.words & DEVICE:
            device.append(caller.name.word)
        elif caller.name.word != function.name.word:
            host.append(caller.name.word)
    return host, device


def _attribute(
    function: Function, callee: str, device: Sequence[str], workspace: Workspace
) -> Proposal:
    name = function.name.word
    edits: dict[Path, tuple[FileEdits, list[TextEdit]]] = {}
    doubts: list[str] = []
    for other in functions_named(name, workspace):
        related = other.start == function.start and other.name.path == function.name.path
        related |= function.is_template and other.is_template
        related |= same_parameters(function, other)
        if not related or other.words & {*DEVICE, "__host__"}:
            continue
        file = FileEdits(other.name.path, other.name.document, ())
        edits.setdefault(other.name.path, (file, []))[1].append(
            attribute_edit(other, "__device__")
        )
        doubts += _header_doubt(other)
    users = f"only device functions use it here: {', '.join(sorted(set(device)))}"
    return Proposal(
        title=f"Add __device__ to {name}, which calls {callee}",
        applicability=Applicability.UNSAFE if doubts else Applicability.SAFE,
        evidence=(
            f"{callee} is a __device__ function under HIP",
            users if device else f"no original calls {name} from host code",
            *doubts,
        ),
        files=tuple(
            FileEdits(file.path, file.document, tuple(added)) for file, added in edits.values()
        ),
    )


def _header_doubt(function: Function) -> Iterator[str]:
    """Yield a doubt if host compilers, which do not know the attribute, may read the file."""
    text = function.name.document.text
    path = function.name.path
    if path.suffix in _HEADERS and "__device__" not in text and "__global__" not in text:
        yield f"{path.name} has no other device code: a host compiler may read it too"


def _host_formula(
    diagnostic: Diagnostic, workspace: Workspace, stack: Stack, callee: str, host: Sequence[str]
) -> Iterator[Proposal]:
    at = named_place(diagnostic, workspace, (callee,))
    call = call_of(at) if at is not None else None
    if call is None or callee not in _HOST_FORMULA or len(call.arguments) != 1:
        return
    name = call.name
    formula = _HOST_FORMULA[callee].format(call.argument(0))
    edits = place(
        name.document,
        [Replacement(name.start, call.close + 1, formula)],
        style_for(name.document, stack),
    )
    if edits:
        yield Proposal(
            title=f"Compute {callee} by its host formula under HIP",
            applicability=Applicability.UNSAFE,
            evidence=(
                f"host code uses the function: {', '.join(sorted(set(host)))}",
                (
                    "the formula is what CUDA computes on the host; in device code the last bit"
                    " may differ"
                ),
            ),
            files=(FileEdits(name.path, name.document, edits),),
        )
