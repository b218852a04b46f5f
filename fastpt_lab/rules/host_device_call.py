"""Add `__host__ __device__` to a host function that device code calls.

Why: nvcc only warns when a `__host__ __device__` function calls a host function, as long as no
kernel gets there; clang makes it an error.

Safety: safe where the function calls nothing itself, so that it compiles for the device as it
stands; unsafe where it calls others, whose side is not known here. Only attributes are added.

Never offered: for functions outside the project, and where a macro in front of the function
is meant to give the attributes (that is `cuda-arch-guard`).

Source: clang 15 "reference to __host__ function … in __host__ __device__ function"; nvcc
warning #20014-D; ROCm/hip#2095.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.code import code_around
from fastpt_lab.core.scan import Kind
from fastpt_lab.rules.kit.functions import (
    DEVICE,
    Function,
    attribute_edit,
    function_around,
    functions_named,
    same_parameters,
)
from fastpt_lab.rules.kit.macros import attribute_macros
from fastpt_lab.rules.kit.places import point
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import TextEdit
    from fastpt_lab.core.workspace import Workspace

_REFERENCE = re.compile(
    r"reference to __host__ function '([\w:]+)[^']*' in __(?:host|dev|glob)"
)
_NO_MATCH = re.compile(r"no matching (?:member )?function for call to '([\w:]+)'")
_NOTE = re.compile(r"call to __host__ function from __(?:device|global|host)__")
_DECLARED = re.compile(r"declared here$")
_KEYWORDS = frozenset(
    {"if", "for", "while", "switch", "return", "sizeof", "alignof", "decltype"}
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the attributes for the function that the compiler's note names."""
    reference = _REFERENCE.search(diagnostic.message)
    called = reference or _NO_MATCH.search(diagnostic.message)
    if called is None:
        return
    name = called[1].rpartition("::")[2]
    noted = _DECLARED if reference else _NOTE
    for related in diagnostic.related:
        found = point(related.location, workspace)
        if not noted.search(related.message) or found is None:
            continue
        callee = function_around(*found)
        if callee is None or callee.name.word != name or callee.words & {*DEVICE, "__host__"}:
            continue
        if callee.words & attribute_macros(workspace):
            continue
        yield _attributes(callee, workspace)
        return


def _attributes(callee: Function, workspace: Workspace) -> Proposal:
    edits: dict[Path, tuple[FileEdits, list[TextEdit]]] = {}
    calls: set[str] = set()
    for other in functions_named(callee.name.word, workspace):
        related = (callee.is_template and other.is_template) or same_parameters(callee, other)
        if not related or other.words & {*DEVICE, "__host__"}:
            continue
        file = FileEdits(other.name.path, other.name.document, ())
        edits.setdefault(other.name.path, (file, []))[1].append(
            attribute_edit(other, "__host__ __device__")
        )
        calls |= _calls_in(other)
    doubt = f"it calls {', '.join(sorted(calls))}: see that they may run on the device"
    return Proposal(
        title=f"Add __host__ __device__ to {callee.name.word}, which device code calls",
        applicability=Applicability.UNSAFE if calls else Applicability.SAFE,
        evidence=(
            "the compiler's note names this function as the callee",
            doubt if calls else "it calls no function itself",
        ),
        files=tuple(
            FileEdits(file.path, file.document, tuple(added)) for file, added in edits.values()
        ),
    )


def _calls_in(function: Function) -> set[str]:
    """Return the names that look like calls in a body; parameters of templates are types."""
    if function.body is None:
        return set()
    text = function.name.document.text
    code = code_around(text, function.body[0])
    types = set(
        re.findall(r"(?:typename|class)\s+(\w+)", text[function.start : function.insert])
    )
    first, last = code.first_at(function.body[0]), code.before(function.body[1])
    return {
        code.words[i]
        for i in range(first, last - 1)
        if code.words[i + 1] == "("
        and code.kinds[i] is Kind.IDENTIFIER
        and code.words[i] not in types | _KEYWORDS | {function.name.word}
        and code.words[i] not in _BUILT_IN
    }


_BUILT_IN = frozenset(
    {"int", "unsigned", "float", "double", "bool", "char", "long", "short", "size_t",
     "int32_t", "int64_t", "uint32_t", "uint64_t", "static_cast", "min", "max"}
)  # fmt: skip
