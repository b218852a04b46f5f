"""The HIP condition, guarded text, and what a CUDA or a HIP compiler sees of a file.

The views resolve every conditional that HIP macros alone decide, and leave all others as they
are, in the way of `unifdef`: an undecided chain whose first branch goes starts with its next
one, `#elif` becoming `#if` or `#else`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.condition import evaluate, names_of
from fastpt_lab.core.scan import Kind, code_tokens, directives

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from fastpt_lab.core.scan import Directive

HIP_CONDITION = (
    "defined(USE_ROCM) || defined(__HIP_PLATFORM_AMD__)"
    " || defined(__HIP_PLATFORM_HCC__) || defined(__HIPCC__)"
)
"""True while compiling for HIP.

Source: torch.utils.cpp_extension passes USE_ROCM and __HIP_PLATFORM_AMD__ (torch 2.13); hipcc
predefines __HIPCC__ for HIP units, hip/hip_common.h defines the platform macros, the older
`…_HCC__` until ROCm 6 (HIP 5.2.3).
"""

ALWAYS_UNDER_HIP = ("USE_ROCM", "__HIP_PLATFORM_AMD__", "__HIPCC__", "__HIP__")
SOMETIMES_UNDER_HIP = ("__HIP_PLATFORM_HCC__", "__HCC__", "__HIP_DEVICE_COMPILE__")
HIP_MACROS = frozenset(ALWAYS_UNDER_HIP + SOMETIMES_UNDER_HIP)

CUDA_VALUES: Mapping[str, bool | None] = dict.fromkeys(HIP_MACROS, False)
HIP_VALUES: Mapping[str, bool | None] = {
    **dict.fromkeys(ALWAYS_UNDER_HIP, True),
    **dict.fromkeys(SOMETIMES_UNDER_HIP, None),
}

ATTRIBUTES = frozenset({"__host__", "__device__"})
"""The words that an attribute-only edit may add."""

_OPENING = frozenset({"if", "ifdef", "ifndef"})
_MIDDLE = frozenset({"elif", "elifdef", "elifndef", "else"})
_NEWLINE_AT_END = re.compile(r"(\r\n|\n|\r)\Z")


class Style(NamedTuple):
    """How a guard is spelled: the directive that opens a HIP, and a CUDA, branch."""

    hip: str
    cuda: str


DEFAULT_STYLE = Style(f"#if {HIP_CONDITION}", f"#if !({HIP_CONDITION})")


class Cut(NamedTuple):
    """Text that a view leaves out, or replaces by `new`."""

    start: int
    end: int
    new: str


@dataclass(slots=True)
class _Chain:
    """An open conditional: was its place alive, was a branch taken, was one undecided."""

    alive: bool
    taken: bool = False
    undecided: bool = False


def guarded(*, hip: str, cuda: str, newline: str = "\n", style: Style = DEFAULT_STYLE) -> str:
    """Return whole lines that compile `hip` under HIP and `cuda`, unchanged, elsewhere.

    An empty `hip` gives a guard without a HIP branch, an empty `cuda` one with nothing else.
    Both end in a newline, or lack it at the end of a file: then the result lacks it too.
    """
    ends = bool(_NEWLINE_AT_END.search(cuda or hip))
    hip_lines, cuda_lines = (
        text if not text or _NEWLINE_AT_END.search(text) else text + newline
        for text in (hip, cuda)
    )
    if not hip_lines:
        parts = [style.cuda, newline, cuda_lines]
    elif not cuda_lines:
        parts = [style.hip, newline, hip_lines]
    else:
        parts = [style.hip, newline, hip_lines, "#else", newline, cuda_lines]
    return "".join((*parts, "#endif", newline if ends else ""))


def cuda_view(text: str) -> str:
    """Return `text` as a CUDA compiler sees it: no HIP macro is defined."""
    return _view(text, CUDA_VALUES)


def hip_view(text: str) -> str:
    """Return `text` as a HIP compiler sees it, undecided where HIP versions differ."""
    return _view(text, HIP_VALUES)


def dead_under_hip(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of `text` that no HIP compiler reads, directives included."""
    return tuple((cut.start, cut.end) for cut in cuts(text, HIP_VALUES))


def dead_under_cuda(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of `text` that no CUDA compiler reads, directives included."""
    return tuple((cut.start, cut.end) for cut in cuts(text, CUDA_VALUES))


def same_cuda_view(before: str, after: str) -> bool:
    """Whether a CUDA compiler sees the same bytes of both texts."""
    return cuda_view(before) == cuda_view(after)


def attribute_only(before: str, after: str) -> bool:
    """Whether a CUDA compiler sees the same tokens but for added `__host__`, `__device__`."""
    remaining = iter(_words(cuda_view(after)))
    for word in _words(cuda_view(before)):
        for candidate in remaining:
            if candidate == word:
                break
            if candidate not in ATTRIBUTES:
                return False
        else:
            return False
    return all(word in ATTRIBUTES for word in remaining)


def style_of(text: str, defined: Collection[str]) -> Style:
    """Return how `text` itself guards HIP code, if one of the `defined` macros decides it.

    The first condition in `text` that consists of HIP macros alone is the project's style.
    """
    values: dict[str, bool | None] = dict.fromkeys(HIP_MACROS, None)
    values.update((name, True) for name in HIP_MACROS.intersection(defined))
    for directive in directives(text):
        condition = text[directive.argument_start : directive.argument_end].strip()
        if directive.name not in _OPENING or "\n" in condition:
            continue
        names = names_of(text, directive)
        if not names or not names <= HIP_MACROS:
            continue
        value = evaluate(text, directive, values)
        if value is True and directive.name == "ifdef":
            return Style(f"#ifdef {condition}", f"#ifndef {condition}")
        if value is False and directive.name == "ifndef":
            return Style(f"#ifdef {condition}", f"#ifndef {condition}")
        if value is True and "//" not in condition and "/*" not in condition:
            return Style(f"#if {condition}", f"#if !({condition})")
    return DEFAULT_STYLE


def cuts(text: str, values: Mapping[str, bool | None]) -> tuple[Cut, ...]:
    """Return what a view with these macro `values` leaves out; None is undecided.

    A text whose conditionals do not close is left whole.
    """
    found: list[Cut] = []
    chains: list[_Chain] = []
    alive, at = True, 0
    for directive in directives(text):
        if directive.name not in _OPENING | _MIDDLE | {"endif"}:
            continue
        start, end = line_bounds(text, directive.start, directive.end)
        if not alive and start > at:
            found.append(Cut(at, start, ""))
        at = end
        if directive.name in _OPENING:
            chains.append(_Chain(alive))
        elif not chains:
            return ()
        alive, kept = _step(text, directive, chains, values)
        if kept != text[start:end]:
            found.append(Cut(start, end, kept))
    return () if chains else tuple(found)


def conditionals_close(text: str) -> bool:
    """Whether every `#if` of a text has its `#endif`, and nothing else is left over."""
    depth = 0
    for directive in directives(text):
        depth += (directive.name in _OPENING) - (directive.name == "endif")
        if depth < (directive.name in _MIDDLE):
            return False
    return depth == 0


def line_bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the whole lines that `text[start:end]` touches."""
    first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    last = re.compile(r"\r\n|\n|\r").search(text, end)
    return first, last.end() if last else len(text)


def _step(
    text: str, directive: Directive, chains: list[_Chain], values: Mapping[str, bool | None]
) -> tuple[bool, str]:
    """Return whether the text after `directive` is alive, and what is left of its line."""
    chain = chains[-1]
    start, end = line_bounds(text, directive.start, directive.end)
    line = text[start:end]
    if directive.name == "endif":
        chains.pop()
        return chain.alive, line if chain.undecided else ""
    if not chain.alive or chain.taken:
        return False, ""
    value = True if directive.name == "else" else evaluate(text, directive, values)
    if value is False:
        return False, ""
    if value is None:
        first, chain.undecided = not chain.undecided, True
        return True, _renamed(line, "if") if first and directive.name in _MIDDLE else line
    chain.taken = True
    if not chain.undecided:
        return True, ""
    return True, line if directive.name == "else" else _renamed(line, "else")


def _renamed(line: str, keyword: str) -> str:
    """Return an `#elif…` line as the `#if…` or bare `#else` that is left of it."""
    if keyword == "else":
        ending = _NEWLINE_AT_END.search(line)
        head = re.match(r"[^#]*#\s*", line)
        return (head[0] if head else "#") + "else" + (ending[0] if ending else "")
    # Padded as unifdef pads, so that what follows keeps its column.
    return re.sub(r"^([^#]*#\s*)elif", r"\1if  ", line, count=1)


def _view(text: str, values: Mapping[str, bool | None]) -> str:
    parts: list[str] = []
    at = 0
    for cut in cuts(text, values):
        parts += (text[at : cut.start], cut.new)
        at = cut.end
    view = "".join(parts) + text[at:]
    # A guard around a last line without newline had to add one; it goes with the directive.
    if at == len(text) and at and not _NEWLINE_AT_END.search(text):
        return _NEWLINE_AT_END.sub("", view)
    return view


def _words(text: str) -> list[str]:
    return [text[t.start : t.end] for t in code_tokens(text) if t.kind is not Kind.OTHER]
