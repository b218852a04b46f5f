"""Which file each library resolves to, grouped by the tree it comes from, and what clashes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.verify.elf import Elf, mapped, read_elf
from fastpt_lab.verify.parsers.ldd import LddOutput, Library, parse_ldd
from fastpt_lab.verify.roots import is_gpufusion, root_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fastpt_lab.verify.machine import Answer, Machine

_RUNTIMES = ("libamdhip64", "libgalaxyhip", "libhsa-runtime64")
_STEM = re.compile(r"^(lib.+?)\.so(?:\.[\d.]+)?$")
_SINGLE = (
    "libamdhip64", "libgalaxyhip", "libhsa-runtime64", "librocblas", "libhipblas", "libhipblaslt",
    "libMIOpen", "librccl", "libhipfft", "libhipsparse", "libhiprand", "librocsolver",
    "libstdc++", "libtorch", "libtorch_cpu", "libtorch_hip", "libtorch_cuda", "libc10",
    "libc10_hip", "libc10_cuda", "libcudart",
)  # fmt: skip
"""Libraries with state of their own: two files of one in a process do not work together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Linkage:
    """What a library or process is linked to.

    Attributes:
        libraries: with their files, links resolved.
        listing: as ldd gave it.
    """

    libraries: tuple[Library, ...]
    listing: LddOutput

    @property
    def roots(self) -> tuple[str, ...]:
        """DTK and ROCm trees that libraries come from."""
        return roots_of(self.libraries)

    @property
    def doubles(self) -> tuple[str, ...]:
        """Libraries of which two files are loaded: `libamdhip64: /a, /b`."""
        return doubles_of(self.libraries)

    @property
    def runtime(self) -> str:
        """`dtk`, `rocm`, `gpufusion`, `nvidia`, or "" for none."""
        return runtime_of(self.libraries)


def group_of(path: str) -> str:
    """Return the tree or folder that a library's file belongs to, for grouping."""
    if not path:
        return "not found"
    if "/torch/lib/" in path:
        return path.split("/torch/lib/")[0] + "/torch/lib"
    pip = re.search(r"^(.*/site-packages/(?:_rocm_sdk_[^/]+|nvidia/[^/]+))/", path)
    return root_of(path) or (pip.group(1) if pip else str(Path(path).parent))


def grouped(libraries: Iterable[Library]) -> tuple[tuple[str, tuple[Library, ...]], ...]:
    """Return the libraries by the tree they come from."""
    groups: dict[str, list[Library]] = {}
    for library in libraries:
        groups.setdefault(group_of(library.path), []).append(library)
    return tuple((name, tuple(groups[name])) for name in sorted(groups))


def roots_of(libraries: Iterable[Library]) -> tuple[str, ...]:
    """Return the DTK, ROCm and pip trees among the files, each once, sorted."""
    found = set()
    for library in libraries:
        group = group_of(library.path)
        if root_of(library.path) or "_rocm_sdk_" in group:
            found.add(root_of(library.path) or re.sub(r"/_rocm_sdk_[^/]+", "/_rocm_sdk", group))
    return tuple(sorted(found))


def doubles_of(libraries: Iterable[Library]) -> tuple[str, ...]:
    """Return the libraries that are there twice, from different files.

    libgalaxyhip *is* DTK's libamdhip64: one of each from two trees is two HIP runtimes.
    """
    files: dict[str, set[str]] = {}
    for library in libraries:
        match = _STEM.match(library.name)
        if match and library.path and match.group(1) in _SINGLE:
            files.setdefault(match.group(1), set()).add(library.path)
    found = [
        f"{stem}: {', '.join(sorted(p))}" for stem, p in sorted(files.items()) if len(p) > 1
    ]
    hip = sorted({p for stem in ("libamdhip64", "libgalaxyhip") for p in files.get(stem, ())})
    if len({root_of(path) or str(Path(path).parent) for path in hip}) > 1 and not any(
        line.startswith(("libamdhip64", "libgalaxyhip")) for line in found
    ):
        found.append(f"HIP runtime: {', '.join(hip)}")
    return tuple(found)


def runtime_of(libraries: Iterable[Library]) -> str:
    """Return whose runtime is linked; libcudart is told by its path, not by its name."""
    names = {library.name.split(".so")[0]: library for library in libraries}
    cudart = next((item for name, item in names.items() if name == "libcudart"), None)
    if cudart is not None:
        if is_gpufusion(cudart.path):
            return "gpufusion"
        if cudart.path or "libgalaxyhip" not in names:
            return "nvidia"
    if "libgalaxyhip" in names:
        return "dtk"
    hip = names.get("libamdhip64") or names.get("libhsa-runtime64")
    if hip is None:
        return "nvidia" if {"libc10_cuda", "libtorch_cuda"} & names.keys() else ""
    return "dtk" if "/dtk" in root_of(hip.path) else "rocm"


def read_linkage(machine: Machine, path: Path) -> tuple[Answer, Linkage]:
    """Ask the loader, with this environment, what a library resolves to.

    ldd runs the loader on the file: only for files that the user built or imports anyway.
    """
    answer = machine.run("ldd", "-r", str(path))
    listing = parse_ldd("" if answer.problem else answer.output)
    resolved = tuple(
        Library(name=item.name, path=machine.real(Path(item.path)) if item.path else "")
        for item in listing.libraries
    )
    return answer, Linkage(libraries=resolved, listing=listing)


def parse_maps(text: str) -> tuple[Library, ...]:
    """Return the shared libraries of `/proc/self/maps`, each file once, in order of loading."""
    paths = dict.fromkeys(
        re.findall(r"\s(/\S.*?\.so(?:\.[\w.]+)?)(?: \(deleted\))?$", text, re.MULTILINE)
    )
    return tuple(Library(name=path.rsplit("/", 1)[-1], path=path) for path in paths)


def elf_of(path: Path) -> Elf | None:
    """Return what an ELF file says, None where it is none or cannot be read."""
    try:
        with mapped(path) as data:
            return read_elf(data)
    except OSError:
        return None


def demangle(machine: Machine, names: Iterable[str]) -> tuple[str, ...]:
    """Return C++ names as they are written, or as they are where there is no c++filt."""
    mangled = tuple(names)
    if not mangled or machine.which("c++filt") is None:
        return mangled
    answer = machine.run("c++filt", "--", *mangled)
    plain = tuple(answer.output.splitlines())
    return plain if not answer.problem and len(plain) == len(mangled) else mangled
