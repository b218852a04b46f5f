"""The command that compiles one unit, as torch's own build or a plain hipcc would run it."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.headers import HeaderSet, prepare_headers
from fastpt_lab.build.probe import include_folders
from fastpt_lab.build.torchfiles import TorchFiles, find_torch
from fastpt_lab.build.unitfacts import UnitFacts, read_facts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fastpt_lab.build.compileoptions import CompileOptions
    from fastpt_lab.build.headers import HipifyEngine, Progress
    from fastpt_lab.build.toolchain import Toolchain
    from fastpt_lab.host.process import Cancel

HOST_SUFFIXES = frozenset({".c", ".cc", ".cpp", ".cxx", ".c++"})
"""Units for the host compiler: torch's build gives hipcc only `.cu` and `.hip`."""

_TARGET_OPTIONS = ("--offload-arch", "--amdgpu-target", "--cuda-gpu-arch")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A translation unit: the person's file and the one that is compiled, both absolute."""

    original: Path
    generated: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class CompilePass:
    """One run of a compiler over one unit.

    Attributes:
        side: the target it compiles for, `gfx906` or `host`.
        base: the compiler and all flags that decide what the code means.
        action: what to make of it.
        source: the file.
        hip: whether hipcc runs, not the host's compiler.
    """

    side: str
    base: tuple[str, ...]
    action: tuple[str, ...]
    source: str
    hip: bool = True

    @property
    def argv(self) -> tuple[str, ...]:
        """The whole command."""
        return (*self.base, *self.action, self.source)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPlan:
    """Everything that decides how a unit is compiled.

    `headers` is None as long as no unit needs them; `facts` knows the planned units.
    """

    root: Path
    toolchain: Toolchain
    options: CompileOptions
    torch: TorchFiles | None = None
    headers: HeaderSet | None = None
    facts: Mapping[Path, UnitFacts] = field(default_factory=dict)

    @property
    def architectures(self) -> tuple[str, ...]:
        """The targets; none where the user's own flags name them."""
        named = any(flag.startswith(_TARGET_OPTIONS) for flag in self.options.flags)
        return () if named else self.toolchain.architectures

    @property
    def include_dirs(self) -> tuple[Path, ...]:
        """The user's include folders, absolute."""
        return _absolute(self.options, self.root)

    def facts_of(self, unit: Unit) -> UnitFacts:
        """Return what the unit needs; a unit that was not planned is read now."""
        known = self.facts.get(unit.generated)
        if known is not None:
            return known
        return read_facts(unit.generated, unit.original, self.root, self.include_dirs)

    def flags(self, *, torch: bool, host: bool = False) -> tuple[str, ...]:
        """Return all flags but the targets and the action: language, defines, folders.

        They stand in the order of torch's build: its own first, so that the user's may undo
        them (`-U__HIP_NO_HALF_OPERATORS__`).
        """
        words: list[str] = [f"-std={self.options.std}"] if self.options.std else []
        if torch and self.torch is not None:
            words += self.torch.common_flags
            words += () if host else self.torch.hipcc_flags
            words += ("-DTORCH_EXTENSION_NAME=extension", "-DTORCH_API_INCLUDE_EXTENSION_H")
        words += (f"-I{folder}" for folder in self.include_dirs)
        words += (f"-D{define}" for define in self.options.defines)
        if self.headers is not None and (torch or self.options.off_device):
            words += self.headers.flags
        if host:
            words += _host_folders(self.toolchain)
            words += _host_flags(self.options.flags)
        else:
            words += self.options.flags
        return tuple(words)

    def passes(self, unit: Unit, output: Path) -> tuple[CompilePass, ...]:
        """Return the runs that check a unit, in the order in which a build prints their errors.

        hipcc's device side comes first, one run a target, then the host side. A unit with
        inline assembly is compiled to code below the folder `output`, others are only parsed.
        """
        facts = self.facts_of(unit)
        source = str(unit.generated)
        if is_host_unit(unit.generated):
            flags = self.flags(torch=facts.uses_torch, host=True)
            base = (*host_compiler(), *flags)
            action: tuple[str, ...] = ("-fsyntax-only",)
            return (
                CompilePass(side="host", base=base, action=action, source=source, hip=False),
            )
        flags = self.flags(torch=facts.uses_torch)
        hipcc = (str(self.toolchain.hipcc), *flags, "-Wno-unused-command-line-argument")
        runs: list[CompilePass] = []
        for architecture in self.architectures or ("",):
            side = architecture or "device"
            target = (f"--offload-arch={architecture}",) if architecture else ()
            action = ("-fsyntax-only",)
            if facts.inline_assembly:
                action = ("-c", "-o", str(output / f"{unit.generated.name}.{side}.o"))
            base = (*hipcc, *target, "--cuda-device-only")
            runs.append(CompilePass(side=side, base=base, action=action, source=source))
        first = tuple(f"--offload-arch={name}" for name in self.architectures[:1])
        base = (*hipcc, *first, "--cuda-host-only")
        last = CompilePass(side="host", base=base, action=("-fsyntax-only",), source=source)
        return (*runs, last)

    def command(self, unit: Unit) -> tuple[str, ...]:
        """Return one command that a person can run to see the same errors."""
        facts = self.facts_of(unit)
        if is_host_unit(unit.generated):
            return self.passes(unit, Path(os.devnull))[0].argv
        flags = self.flags(torch=facts.uses_torch)
        targets = tuple(f"--offload-arch={name}" for name in self.architectures)
        action = ("-c", "-o", os.devnull) if facts.inline_assembly else ("-fsyntax-only",)
        return (str(self.toolchain.hipcc), *flags, *targets, *action, str(unit.generated))

    def moved(self, root: Path) -> CheckPlan:
        """Return the plan for a copy of the project, or of a part of it, at another root.

        What the units need is not read again: a part may lack the build file that tells.
        """
        facts = {
            root / path.relative_to(self.root): fact
            for path, fact in self.facts.items()
            if path.is_relative_to(self.root)
        }
        return replace(self, root=root, facts=facts)

    def describe(self, read: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return lines about where the headers come from; none where only real ones were used.

        `read` are the dependencies of the results, to name only the stand-ins that took part.
        """
        return () if self.headers is None else self.headers.describe(read)


def plan_check(
    units: Sequence[Unit],
    root: Path,
    toolchain: Toolchain,
    options: CompileOptions,
    *,
    torch: TorchFiles | None = None,
    engine: HipifyEngine | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> CheckPlan:
    """Read the units, and prepare headers if one of them uses torch.

    `torch` is the installed one by default; `engine` and the errors are those of
    `headers.prepare_headers`.
    """
    folders = _absolute(options, root)
    facts = {
        unit.generated: read_facts(unit.generated, unit.original, root, folders)
        for unit in units
    }
    needed = any(fact.uses_torch for fact in facts.values())
    headers: HeaderSet | None = None
    if needed and torch is None:
        torch = find_torch()
    if needed or options.off_device:
        flags = [f"-I{folder}" for folder in folders] + list(options.flags)
        headers = prepare_headers(
            toolchain,
            torch if needed else None,
            flags=flags,
            cwd=root,
            off_device=options.off_device,
            engine=engine,
            progress=progress,
            cancel=cancel,
        )
    return CheckPlan(
        root=root,
        toolchain=toolchain,
        options=options,
        torch=torch,
        headers=headers,
        facts=facts,
    )


def is_host_unit(path: Path) -> bool:
    """Return whether the host's C++ compiler, not hipcc, compiles the file."""
    return path.suffix.lower() in HOST_SUFFIXES


def host_compiler() -> tuple[str, ...]:
    """Return the words that start the C++ compiler of torch's builds: `CXX`, else `c++`.

    `CXX` may name a launcher before the compiler: `ccache g++`.
    """
    words = shlex.split(os.environ.get("CXX", ""))
    return tuple(words) or (shutil.which("c++") or "g++",)


def _absolute(options: CompileOptions, root: Path) -> tuple[Path, ...]:
    return tuple(root / folder for folder in options.include_dirs)


def _host_folders(toolchain: Toolchain) -> tuple[str, ...]:
    """Return the SDK's include folder, which hipcc adds by itself and gcc does not.

    /usr/include is left out: naming it breaks gcc's own `#include_next`.
    """
    include = toolchain.root / "include"
    return () if include == Path("/usr/include") else ("-isystem", str(include))


def _host_flags(flags: Sequence[str]) -> tuple[str, ...]:
    """Keep those of the user's hipcc flags that mean the same to any C++ compiler."""
    folders = set(include_folders(flags))
    kept: list[str] = []
    for word, following in zip(flags, (*flags[1:], ""), strict=False):
        if word.startswith(("-D", "-U", "-std=")) or (word[:2] == "-I" and len(word) > 2):
            kept.append(word)
        elif word in ("-I", "-isystem", "-iquote", "-idirafter") and following in folders:
            kept += (word, following)
    return tuple(kept)
