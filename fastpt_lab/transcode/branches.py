"""Which `#if` branches a project keeps for CUDA alone, or for HIP alone.

A branch kept for CUDA needs no transcoding and is left as the project wrote it. A branch for
HIP is transcoded like the rest, since projects that are built with torch write CUDA names in
it and count on hipify; only a line that defines a CUDA name by its HIP name stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.condition import evaluate, names_of
from fastpt_lab.core.guard import HIP_MACROS
from fastpt_lab.core.scan import conditional_groups

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastpt_lab.core.scan import Branch, Group

_CUDA_MACROS = frozenset({"USE_CUDA", "__CUDACC__", "__NVCC__"})
"""Macros that say "this is CUDA"; the first two are themselves mapped to HIP's."""

_UNDER_HIP: Mapping[str, bool | None] = {
    "USE_ROCM": True,
    "__HIP_PLATFORM_AMD__": True,
    # Defined by HIP's own headers until ROCm 6, and by the flags of older torch.
    "__HIP_PLATFORM_HCC__": True,
    "__NVCC__": False,
    "__CUDA_ARCH__": False,
}
_UNDER_HIPCC: Mapping[str, bool | None] = {**_UNDER_HIP, "__HIPCC__": True, "__HIP__": True}
_UNDER_CUDA: Mapping[str, bool | None] = {
    **dict.fromkeys(HIP_MACROS, False),
    **dict.fromkeys(_CUDA_MACROS, True),
}


class Kept(NamedTuple):
    """A branch of one side only. `condition` is the offset of its directive."""

    start: int
    end: int
    condition: int
    for_cuda: bool


def kept_branches(text: str, *, device: bool) -> tuple[Kept, ...]:
    """Return the branches that only a CUDA, or only a HIP, compiler reads, in order.

    Args:
        text: any source.
        device: whether only hipcc compiles it, so that `__HIPCC__` is certain; a header may
            be included by units of the host compiler too.
    """
    groups = conditional_groups(text)
    under_hip = _UNDER_HIPCC if device else _UNDER_HIP
    found: list[Kept] = []
    for group in groups:
        names = frozenset().union(*(names_of(text, b.directive) for b in group.branches))
        if names & HIP_MACROS:
            found += _of_group(text, group, under_hip)
    return tuple(_outermost(sorted(found)))


def _of_group(text: str, group: Group, under_hip: Mapping[str, bool | None]) -> Iterator[Kept]:
    hip = list(_taken(text, group, under_hip))
    cuda = list(_taken(text, group, _UNDER_CUDA))
    for number, branch in enumerate(group.branches):
        span = (branch.body_start, branch.body_end, branch.directive.start)
        if hip[number] is False and cuda[number] is not False:
            yield Kept(*span, True)
        elif cuda[number] is False and hip[number] is not False:
            yield Kept(*span, False)
        elif False in cuda[number + 1 :] and _asks_for_cuda(text, branch):
            # `#ifdef USE_CUDA … #elif defined(USE_ROCM)`: mapped, both would be the same.
            yield Kept(branch.directive.start, branch.body_end, branch.directive.start, True)


def _asks_for_cuda(text: str, branch: Branch) -> bool:
    names = names_of(text, branch.directive)
    return bool(names) and names <= _CUDA_MACROS and branch.directive.name in {"if", "ifdef"}


def _taken(text: str, group: Group, values: Mapping[str, bool | None]) -> Iterator[bool | None]:
    """Yield for each branch whether it is taken; None where that is not decided."""
    before: bool | None = False
    for branch in group.branches:
        own = (
            True
            if branch.directive.name == "else"
            else evaluate(text, branch.directive, values)
        )
        if before is True or own is False:
            yield False
        else:
            yield None if before is None or own is None else True
        if own is True or before is True:
            before = True
        elif own is None:
            before = None


def _outermost(branches: list[Kept]) -> Iterator[Kept]:
    """Drop what lies in a CUDA branch already, and the outer of nested HIP branches' spans."""
    end = -1
    for kept in branches:
        if kept.start >= end or not kept.for_cuda or kept.end > end:
            yield kept
            if kept.for_cuda:
                end = max(end, kept.end)
