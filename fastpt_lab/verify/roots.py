"""Find every DTK and ROCm on the machine, and tell to which of them a path belongs."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.dtk import parse_dtk

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.verify.machine import Machine

ROOT_VARIABLES = ("ROCM_PATH", "ROCM_HOME", "HIP_PATH", "DTKROOT")
"""All of them must lead to one tree (DTK 25.04's env.sh sets three, torch reads two)."""

_PLACES = ("opt", "public/software/compiler", "public/software/compiler/rocm")
_NAME = re.compile(r"^(?:dtk|rocm)(?:-[\w.]+)?$")
_VERSION_FILES = ("rocm_version", "version", "version-dev")
_IN_PATH = re.compile(r"^(.*?/(?:dtk|rocm)(?:-[\d][\w.]*)?)(?=/|$)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Root:
    """One tree.

    Attributes:
        path: links resolved.
        kind: `dtk` or `rocm`.
        version: `25.04.2` or `5.7.1`, "" if it does not tell.
        names: the names that lead to it, `/opt/dtk` among them.
    """

    path: str
    kind: str
    version: str
    names: tuple[str, ...] = ()

    @property
    def env_script(self) -> str:
        """The script that sets the variables of this tree, by its shortest name."""
        return f"{min(self.names or (self.path,), key=len)}/env.sh"


def find_roots(machine: Machine) -> tuple[Root, ...]:
    """Return the trees in the usual places and behind the variables, each once."""
    names: dict[str, list[str]] = {}
    for place in _PLACES:
        folder = machine.system / place
        for name in _folders(folder):
            if _NAME.match(name):
                shown = f"/{place}/{name}"
                names.setdefault(machine.real(folder / name), []).append(shown)
    for variable in ROOT_VARIABLES:
        value = machine.env.get(variable, "")
        path = machine.path(value) if value else None
        if path is not None and path.is_dir():
            tree = root_of(machine.real(path))
            if tree and tree not in names:
                names[tree] = [value if not value.rstrip("/").endswith("/hip") else tree]
    return tuple(_root(machine, path, tuple(names[path])) for path in sorted(names))


def _folders(folder: Path) -> tuple[str, ...]:
    try:
        return tuple(sorted(entry.name for entry in os.scandir(folder) if entry.is_dir()))
    except OSError:
        return ()


def _root(machine: Machine, path: str, names: tuple[str, ...]) -> Root:
    kind = "dtk" if "/dtk" in path else "rocm"
    texts = [machine.read(f"{path}/.info/{name}") or "" for name in _VERSION_FILES]
    # The link's target, `/opt/dtk-25.04.2`, tells where the files are missing.
    texts.append(path.rsplit("-", 1)[-1] if "-" in path.rsplit("/", 1)[-1] else "")
    if kind == "dtk":
        version = next((v for v in map(parse_dtk, texts) if v), "")
    else:
        found = (re.match(r"\s*(\d+\.\d+(?:\.\d+)?)", text) for text in texts)
        version = next((match.group(1) for match in found if match), "")
    return Root(path=path, kind=kind, version=version, names=names)


def root_of(path: str) -> str:
    """Return the DTK or ROCm tree that an absolute path lies in, "" if in none."""
    match = _IN_PATH.match(path)
    return match.group(1) if match else ""


def is_gpufusion(path: str) -> bool:
    """Return whether a path lies in DTK's own CUDA toolkit, which runs on HIP."""
    return bool(re.search(r"/dtk[^/]*/cuda(?:/|$)", path))


def active_root(machine: Machine) -> str:
    """Return the tree in use: of the variables, else of the hipcc on PATH; "" if none."""
    for variable in ROOT_VARIABLES:
        value = machine.env.get(variable)
        if value:
            tree = root_of(machine.real(machine.path(value)))
            if tree:
                return tree
    hipcc = machine.which("hipcc")
    return root_of(machine.real(hipcc)) if hipcc else ""
