"""What the torch of an interpreter says of itself, asked in a process of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastpt_lab.verify.linkage import parse_maps
from fastpt_lab.verify.parsers.hipcc import release_of

if TYPE_CHECKING:
    from fastpt_lab.verify.machine import Answer, Machine
    from fastpt_lab.verify.parsers.ldd import Library

_IMPORT_FACTOR = 6.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TorchInfo:
    """One torch.

    Attributes:
        origin: its `__init__.py`, "" where there is no torch.
        metadata: the version that pip knows, with its local part; the run-time one may lack it.
        version, hip, cuda, git: as torch says; "" for None.
        abi: C++ ABI, 0 or 1; None where it was not told.
        packages: `(name, version)` of those that matter.
        libraries: shared libraries after the import.
        error: why the import failed, "" if it did not.
    """

    origin: str = ""
    metadata: str = ""
    version: str = ""
    hip: str = ""
    cuda: str = ""
    git: str = ""
    abi: int | None = None
    architectures: tuple[str, ...] = ()
    folder: str = ""
    python: str = ""
    seconds: float = 0.0
    packages: tuple[tuple[str, str], ...] = ()
    libraries: tuple[Library, ...] = ()
    error: str = ""

    @property
    def imported(self) -> bool:
        """Whether the import went well."""
        return bool(self.version)

    @property
    def build(self) -> str:
        """`hip`, `cuda` or `cpu`; "" where it could not be imported."""
        if not self.imported:
            return ""
        return "hip" if self.hip else "cuda" if self.cuda else "cpu"

    @property
    def hip_release(self) -> tuple[int, int] | None:
        """Major and minor version of the HIP it was built with."""
        return release_of(self.hip)


def ask_torch(machine: Machine) -> tuple[Answer, TorchInfo]:
    """Import torch in a child, once a machine, and return what it says."""
    answer = machine.child("child", "torch", timeout=machine.timeout * _IMPORT_FACTOR)
    return answer, torch_info(answer)


def torch_info(answer: Answer) -> TorchInfo:
    """Read what the child reported; a child that died in the import leaves the first part."""
    records = {record.get("step"): record for record in answer.records}
    found: dict[str, Any] = records.get("found", {})
    facts: dict[str, Any] = records.get("imported", {})
    packages = found.get("packages") or {}
    error = str(facts.get("error") or "")
    if not facts and found.get("origin"):
        error = answer.problem or "the import ended the process"
    abi = facts.get("abi")
    return TorchInfo(
        origin=str(found.get("origin") or ""),
        metadata=str(packages.get("torch", "")),
        version=str(facts.get("version") or ""),
        hip=str(facts.get("hip") or ""),
        cuda=str(facts.get("cuda") or ""),
        git=str(facts.get("git") or ""),
        abi=abi if isinstance(abi, int) else None,
        architectures=tuple(map(str, facts.get("architectures") or ())),
        folder=str(facts.get("folder") or ""),
        python=str(facts.get("python") or ""),
        seconds=float(facts.get("seconds") or 0.0),
        packages=tuple(sorted((str(k), str(v)) for k, v in packages.items())),
        libraries=parse_maps("\n".join(f" {path}" for path in facts.get("libraries") or ())),
        error=error,
    )
