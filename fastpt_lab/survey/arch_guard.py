"""Find `__CUDA_ARCH__` around what the host must see: kernels, host functions, qualifier macros.

`__CUDA_ARCH__` exists only while nvcc compiles for the device, and never under HIP. clang looks
at device code in both passes, so what it hides from the host is missing there.

*Source*: clang documentation, "Compiling CUDA with clang", dialect differences; reports of ports
to DTK 25.04 say to ask for `__CUDACC__` instead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import code_tokens, conditional_groups, directives

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fastpt_lab.core.scan import Branch

_QUALIFIER = re.compile(r"__host__|__device__|__global__|__forceinline__")
_OPENING = re.compile(r"namespace|extern|struct|class|union|enum")


def hidden_from_host(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield each such `#if`: start and end of its directive, and what it hides."""
    groups = [
        group
        for group in conditional_groups(text)
        if any("__CUDA_ARCH__" in _argument(text, branch) for branch in group.branches)
    ]
    if not groups:
        return
    words = _code(text)
    for group in groups:
        first = group.branches[0].directive
        if _open_bodies(words, first.start):
            continue
        found = (_hides(text, words, branch) for branch in group.branches)
        what = next((each for each in found if each), "")
        if what:
            yield first.start, max(first.argument_end, first.start + 1), what


def _argument(text: str, branch: Branch) -> str:
    return text[branch.directive.argument_start : branch.directive.argument_end]


def _code(text: str) -> list[tuple[str, int]]:
    """Return the words outside directives with their places."""
    found: list[tuple[str, int]] = []
    at = 0
    for start, end in (*((d.start, d.end) for d in directives(text)), (len(text),) * 2):
        found += ((text[t.start : t.end], t.start) for t in code_tokens(text, at, start))
        at = end
    return found


def _open_bodies(words: list[tuple[str, int]], offset: int) -> int:
    """Return how many function bodies are open at `offset`; namespaces and classes aside."""
    stack: list[bool] = []
    head: list[str] = []
    for word, start in words:
        if start >= offset:
            break
        if word == "{":
            stack.append("(" in head or not any(_OPENING.fullmatch(w) for w in head))
            head = []
        elif word == "}":
            if stack:
                stack.pop()
            head = []
        elif word == ";":
            head = []
        else:
            head.append(word)
    return sum(stack)


def _hides(text: str, words: list[tuple[str, int]], branch: Branch) -> str:
    """Return the first thing in the arm that the host needs; "" if there is none."""
    for directive in directives(text):
        inside = branch.body_start <= directive.start < branch.body_end
        if inside and directive.name == "define":
            body = text[directive.argument_start : directive.argument_end]
            if _QUALIFIER.search(body):
                return f"the qualifiers in {body.split(None, 1)[0]}"
    head: list[str] = []
    depth = 0
    for word, start in words:
        if not branch.body_start <= start < branch.body_end:
            continue
        if word == "{" and depth == 0:
            name = _function(head)
            if name:
                return name
        depth += (word == "{") - (word == "}")
        if word in {";", "}"} and depth == 0:
            head = []
        elif depth == 0:
            head.append(word)
    return ""


def _function(head: list[str]) -> str:
    """Return what the function is whose body follows `head`; "" if the device alone has it."""
    if "(" not in head or _OPENING.fullmatch(head[0]):
        return ""
    name = head[head.index("(") - 1] if head.index("(") else ""
    if "__global__" in head:
        return f"the kernel {name}"
    if "__host__" in head:
        return f"the host function {name}"
    return "" if "__device__" in head else f"the function {name}"
