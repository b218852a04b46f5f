"""Tell which `#if` branch this stack takes, in the host and in the device pass.

*Source* of what is known without a probe: hipcc of HIP 5.2.3 and torch 2.13 (`-dM -E`, and the
flags of `torch.utils.cpp_extension`): hipcc defines `__HIP__` and `__HIPCC__`, in the device
pass `__HIP_DEVICE_COMPILE__`; neither `__CUDACC__`, `__CUDA_ARCH__`, `CUDA_VERSION` nor
`CUDART_VERSION`; torch adds `USE_ROCM` and `__HIP_PLATFORM_AMD__`. `__HIP_PLATFORM_HCC__` was
removed in ROCm 6 and before that exists only after a HIP header.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Branch, Group, conditional_groups, directives
from fastpt_lab.core.survey import Condition
from fastpt_lab.core.text import Location
from fastpt_lab.survey.condition import Macros, evaluate, names_in

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fastpt_lab.core.survey import StackFacts
    from fastpt_lab.core.text import Document

_PLATFORM = re.compile(
    r"CUDA|CUDART|NVCC|HIP|ROCM|(?<![A-Z])DTK|(?<![A-Z])DCU|gfx|GFX|AMDGCN"
    r"|^TORCH_VERSION|^TORCH_HIP|^(?:CUB|THRUST|NCCL|CUDNN|CUBLAS|CUTLASS)_"
)
HIP_MACROS = frozenset(
    {"USE_ROCM", "__HIP_PLATFORM_AMD__", "__HIPCC__", "__HIP__", "__HIP_PLATFORM_HCC__"}
)
_NAME = re.compile(r"[A-Za-z_]\w*")
_VERSIONS = frozenset({"CUDA_VERSION", "CUDART_VERSION", "__CUDACC_VER_MAJOR__"})
_PASSED = {"USE_ROCM": "1", "__HIP_PLATFORM_AMD__": "1", "HIPBLAS_V2": ""}
_LINUX = {"__linux__": "1", "__GNUC__": "4", "__clang__": "1", "__cplusplus": "201703L"}
_NEVER = (
    r"__CUDACC__|__CUDA_ARCH__|__CUDA_ARCH_\w+|__NVCC__|__CUDACC_\w+|CUDA_VERSION|CUDART_VERSION"
    r"|_MSC_VER|_WIN32|WIN32|_WIN64|__APPLE__|__MINGW32__"
)
_ABSENT_DEVICE = re.compile(_NEVER)
_ABSENT_HOST_PASS = re.compile(_NEVER + r"|__HIP_DEVICE_COMPILE__|__AMDGCN__|__gfx\w+__")
_ABSENT_PLAIN = re.compile(
    _NEVER + r"|__HIP_DEVICE_COMPILE__|__AMDGCN__|__gfx\w+__|__HIPCC__|__HIP__"
)
# A probe reads the HIP runtime alone: macros of other headers stay unknown.
_ABSENT_PROBED = re.compile(
    _NEVER + r"|__HIP\w*|HIP_\w+|__AMDGCN\w*|__gfx\w+__|USE_ROCM|USE_HIP|__HCC\w*"
    r"|__NV\w+|__CUDA\w*|CUDA_\w+|CUDART_\w+"
)


@dataclass(frozen=True, slots=True)
class Passes:
    """The macros of both passes of hipcc, and of the plain host compiler."""

    host: Macros
    device: Macros
    plain: Macros


def passes_of(facts: StackFacts) -> Passes:
    """Return the macros to decide by: the probed ones, else what holds on every HIP stack.

    After a probe, a platform's macro that the compiler did not name is surely absent.
    """
    plain = Macros({**_PASSED, "__linux__": "1", "__GNUC__": "4"}, _ABSENT_PLAIN)
    hip = {**_LINUX, **_PASSED, "__HIP__": "1", "__HIPCC__": "1"}
    host = Macros(hip, _ABSENT_HOST_PASS)
    device = Macros({**hip, "__HIP_DEVICE_COMPILE__": "1", "__AMDGCN__": "1"}, _ABSENT_DEVICE)
    if facts.host_macros is not None:
        host = Macros(facts.host_macros, _ABSENT_PROBED)
    if facts.device_macros is not None:
        device = Macros(facts.device_macros, _ABSENT_PROBED)
    return Passes(host, device, plain)


@dataclass(frozen=True, slots=True)
class Live:
    """Which parts of a text this stack compiles."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    groups: tuple[Group, ...]
    states: tuple[tuple[tuple[bool | None, bool | None], ...], ...]

    def dead(self, offset: int) -> bool:
        """Return whether `offset` is in a branch that neither pass compiles."""
        index = bisect.bisect_right(self.starts, offset) - 1
        return index >= 0 and offset < self.ends[index]


def _condition(text: str, branch: Branch) -> str:
    directive = branch.directive
    body = text[directive.argument_start : directive.argument_end]
    if directive.name in {"ifdef", "elifdef"}:
        return f"defined({body})"
    if directive.name in {"ifndef", "elifndef"}:
        return f"!defined({body})"
    return body


def _arms(text: str, group: Group, macros: Macros) -> list[bool | None]:
    """Return for each arm whether it is taken; the first true one shuts the rest."""
    found: list[bool | None] = []
    earlier: bool | None = False
    for branch in group.branches:
        value: int | None = 1
        if branch.directive.name != "else":
            value = evaluate(_condition(text, branch), macros)
        state = None if value is None else bool(value)
        if earlier or state is False:
            found.append(False)
        else:
            found.append(state if earlier is False else None)
            earlier = True if state else None
    return found


def _own_macros(text: str) -> frozenset[str]:
    """Return the macros that the file itself defines or removes, whose value has a place."""
    found: set[str] = set()
    for directive in directives(text):
        if directive.name in {"define", "undef"}:
            match = _NAME.match(text, directive.argument_start)
            if match:
                found.add(match[0])
    return frozenset(found)


def live_parts(text: str, passes: Passes, *, host_only: bool = False) -> Live:
    """Return the branches of `text` with the state of each in both passes.

    Args:
        text: the original.
        passes: the macros.
        host_only: whether the plain host compiler reads the file.
    """
    groups = conditional_groups(text)
    if not groups:
        return Live((), (), (), ())
    own = _own_macros(text)
    host = replace(passes.plain if host_only else passes.host, hidden=own)
    device = host if host_only else replace(passes.device, hidden=own)
    states: list[tuple[tuple[bool | None, bool | None], ...]] = []
    for group in groups:
        above: tuple[bool | None, bool | None] = (True, True)
        if group.parent is not None and group.parent_branch is not None:
            above = states[group.parent][group.parent_branch]
        arms = zip(_arms(text, group, host), _arms(text, group, device), strict=True)
        states.append(tuple((_both(above[0], h), _both(above[1], d)) for h, d in arms))
    spans = sorted(
        (branch.body_start, branch.body_end)
        for group, arms_ in zip(groups, states, strict=True)
        for branch, state in zip(group.branches, arms_, strict=True)
        if state == (False, False)
    )
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if not merged or start >= merged[-1][1]:
            merged.append((start, end))
    return Live(tuple(s for s, _ in merged), tuple(e for _, e in merged), groups, tuple(states))


def _both(above: bool | None, own: bool | None) -> bool | None:
    if above is False or own is False:
        return False
    return None if above is None or own is None else True


def conditions(
    path: Path, document: Document, live: Live, passes: Passes, *, host_only: bool = False
) -> Iterator[Condition]:
    """Yield each arm of each `#if` that decides by a platform or a version."""
    text = document.text
    host = passes.plain if host_only else passes.host
    device = passes.device
    for group, states in zip(live.groups, live.states, strict=True):
        asked = [_condition(text, b) for b in group.branches if b.directive.name != "else"]
        names = names_in(" ".join(asked))
        if not any(_PLATFORM.search(name) for name in names):
            continue
        shown = tuple((name, _values(name, host, device, host_only)) for name in names)
        for branch, (on_host, on_device) in zip(group.branches, states, strict=True):
            own = branch.directive.name != "else"
            condition = _condition(text, branch) if own else _negated(asked)
            start, end = branch.directive.start, branch.directive.argument_end
            yield Condition(
                location=Location(path, document.range_of(start, max(start, end))),
                text=" ".join(condition.split()),
                host=on_host,
                device=None if host_only else on_device,
                values=shown,
                warning=_warning(names_in(condition), on_host, host_only) if own else "",
            )


def _values(name: str, host: Macros, device: Macros, host_only: bool) -> str:
    first, second = host.shown(name), device.shown(name)
    if host_only or first == second:
        return first
    return f"{first} on the host, {second} on the device"


def _negated(asked: list[str]) -> str:
    return " && ".join(f"!({condition})" for condition in asked)


def _warning(names: tuple[str, ...], taken: bool | None, host_only: bool) -> str:
    platform = HIP_MACROS.intersection(names)
    if platform == {"__HIP_PLATFORM_HCC__"}:
        return (
            "decides by __HIP_PLATFORM_HCC__ alone: ROCm 6 removed it, and before that it exists "
            "only after a HIP header; add USE_ROCM or __HIP_PLATFORM_AMD__"
        )
    if host_only and platform and platform <= {"__HIPCC__", "__HIP__"}:
        return "a host compiler defines neither __HIPCC__ nor __HIP__; use USE_ROCM here"
    versions = _VERSIONS.intersection(names)
    if versions and not platform:
        name = min(versions)
        outcome = {
            True: "this branch is taken whatever the stack can do",
            False: "this branch is not taken whatever the stack can do",
            None: "this branch is perhaps taken whatever the stack can do",
        }[taken]
        return (
            f"{name} has no value under HIP and counts as 0, so {outcome}; "
            "ask for the platform first"
        )
    if "__CUDA_ARCH__" in names and not any("HIP" in name or "ROCM" in name for name in names):
        return (
            "__CUDA_ARCH__ is not defined in HIP's device pass: device code takes the branch "
            "of the host; to ask for the pass use __HIP_DEVICE_COMPILE__, for the compiler "
            "__CUDACC__ or __HIPCC__"
        )
    return ""
