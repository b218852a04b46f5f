"""Include the standard header that a name comes from.

Why: CUDA's headers bring `<cfloat>`, `<climits>` and others with them; HIP's do not.

Safety: safe: a standard header declares the name, and it is included under HIP alone.

Never offered: for names that are no standard ones.

Source: C++17 standard library; HIP 5.2.3 and CUDA 13 headers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.guard import hip_view, line_bounds
from fastpt_lab.core.guard_place import insert_under_hip
from fastpt_lab.core.scan import conditional_groups, directives
from fastpt_lab.rules.kit.places import point, style_for, undeclared
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace

_HEADERS = (
    (r"(?:FLT|DBL|LDBL)_(?:MAX|MIN|EPSILON|DIG|MANT_DIG)|(?:FLT|DBL)_TRUE_MIN", "cfloat"),
    (r"U?(?:CHAR|SHRT|INT|LONG|LLONG)_(?:MAX|MIN)", "climits"),
    (r"U?INT(?:8|16|32|64)_(?:MAX|MIN)|SIZE_MAX|u?int(?:8|16|32|64)_t|u?intptr_t", "cstdint"),
    (r"M_(?:PI|E|SQRT2|SQRT1_2|LN2|LN10|LOG2E|LOG10E|1_PI|2_PI|PI_2|PI_4)|HUGE_VALF?", "cmath"),
    (r"assert", "cassert"),
    (r"printf|fprintf|stderr|stdout|snprintf", "cstdio"),
    (r"memcpy|memset|strlen|strcmp", "cstring"),
    (r"malloc|free|exit|abort|getenv|rand", "cstdlib"),
)
_MEMBERS = {
    "numeric_limits": "limits", "vector": "vector", "string": "string", "array": "array",
    "tuple": "tuple", "unordered_map": "unordered_map", "map": "map", "set": "set",
    "min": "algorithm", "max": "algorithm", "sort": "algorithm", "function": "functional",
    "unique_ptr": "memory", "shared_ptr": "memory", "runtime_error": "stdexcept",
    "invalid_argument": "stdexcept", "cout": "iostream", "cerr": "iostream",
    "stringstream": "sstream", "ostringstream": "sstream", "mutex": "mutex",
    "optional": "optional", "accumulate": "numeric", "iota": "numeric",
}  # fmt: skip
_MEMBER = re.compile(
    r"no (?:member|template|type) named '(\w+)' in namespace 'std'"
    r"|implicit instantiation of undefined template 'std::(?:\w+::)?(\w+)<"
)


def propose(diagnostic: Diagnostic, workspace: Workspace, stack: Stack) -> Iterator[Proposal]:
    """Yield the include, after the file's first one."""
    header = _header_of(diagnostic)
    found = point(diagnostic.location, workspace)
    if header is None or found is None:
        return
    path, document, _ = found
    present = rf"#\s*include\s*<(?:{header}|{header.removeprefix('c')}\.h)>"
    if re.search(present, hip_view(document.text)):
        return
    edit = insert_under_hip(
        document,
        _after_includes(document.text),
        f"#include <{header}>\n",
        style_for(document, stack),
    )
    yield Proposal(
        title=f"Include <{header}> under HIP",
        applicability=Applicability.SAFE,
        evidence=(f"<{header}> declares the name, and HIP's headers do not include it",),
        files=(FileEdits(path, document, (edit,)),),
    )


def _header_of(diagnostic: Diagnostic) -> str | None:
    name = undeclared(diagnostic)
    if name is not None:
        return next((h for pattern, h in _HEADERS if re.fullmatch(pattern, name)), None)
    member = _MEMBER.search(diagnostic.message)
    return _MEMBERS.get(next(filter(None, member.groups()))) if member else None


def _after_includes(text: str) -> int:
    """Return the offset of the line after the first include that no condition decides."""
    inside = [(g.branches[0].directive.start, g.endif.start if g.endif else len(text))
              for g in conditional_groups(text) if not _is_include_guard(text, g.branches[0].directive.start)]  # fmt: skip
    for directive in directives(text):
        free = not any(start < directive.start < end for start, end in inside)
        if directive.name == "include" and free:
            return line_bounds(text, directive.start, directive.end)[1]
    return 0


def _is_include_guard(text: str, start: int) -> bool:
    """Whether the group at `start` is `#ifndef X` followed by `#define X`."""
    return re.match(r"#\s*ifndef\s+(\w+)\s*\n\s*#\s*define\s+\1\b", text[start:]) is not None
