"""Read `python -m torch.utils.collect_env`: what another machine said about its torch."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import lines

_NOTHING = frozenset({"", "n/a", "none", "could not collect"})


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectedEnv:
    """What was collected; "" for `N/A` and `Could not collect`, None where it says neither.

    Attributes:
        torch: as `torch.__version__`.
        cuda, hip: what torch was built with.
        runtime_cuda: version of the nvcc on PATH; says nothing about torch.
        packages: `(name, version)` as pip knows them, with the local part.
    """

    torch: str = ""
    cuda: str = ""
    hip: str = ""
    available: bool | None = None
    runtime_cuda: str = ""
    devices: str = ""
    packages: tuple[tuple[str, str], ...] = ()

    @property
    def build(self) -> str:
        """`hip`, `cuda`, `cpu`, or "" where the text does not tell.

        A CPU wheel says `CUDA used to build PyTorch: Could not collect` where nvcc is on PATH
        (torch 2.13), so only a number counts.
        """
        if self.hip:
            return "hip"
        if self.cuda:
            return "cuda"
        return "cpu" if "+cpu" in self.torch else ""


def parse_collect_env(text: str) -> CollectedEnv:
    """Read the report."""
    facts: dict[str, str] = {}
    packages = []
    for line in lines(text):
        package = re.match(r"^\[(?:pip3?|conda)\] ([\w.-]+)(?:==|\s+)(\S+)", line)
        if package and package.group(1) != "Could":
            packages.append((package.group(1), package.group(2)))
            continue
        key, colon, value = line.partition(":")
        if colon:
            facts.setdefault(key.strip(), value.strip())

    def fact(key: str) -> str:
        value = facts.get(key, "")
        return "" if value.lower() in _NOTHING else value

    return CollectedEnv(
        torch=fact("PyTorch version"),
        cuda=_version(fact("CUDA used to build PyTorch")),
        hip=_version(fact("ROCM used to build PyTorch")),
        available={"True": True, "False": False}.get(facts.get("Is CUDA available", "")),
        runtime_cuda=fact("CUDA runtime version"),
        devices=fact("GPU models and configuration"),
        packages=tuple(packages),
    )


def _version(text: str) -> str:
    return text if text[:1].isdigit() else ""
