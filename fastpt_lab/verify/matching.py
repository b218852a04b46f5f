"""Do DTK, hipcc, torch, FastPT and the other wheels belong together."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.verify.parsers.hipcc import parse_hipcc
from fastpt_lab.verify.parsers.versions import parse_wheel
from fastpt_lab.verify.question import Verdict, fail, ok, unknown
from fastpt_lab.verify.roots import active_root, find_roots
from fastpt_lab.verify.torchinfo import TorchInfo, ask_torch

if TYPE_CHECKING:
    from fastpt_lab.verify.machine import Machine


def wheel_mismatches(torch: TorchInfo, dtk: str) -> tuple[str, ...]:
    """Return one sentence for each wheel that was made for another DTK or torch.

    `dtk` is the active one, "" if unknown; wheels are then compared with torch's own.
    """
    own = parse_wheel(torch.metadata).dtk
    wanted = dtk or own
    digits = "".join(re.findall(r"\d+", torch.version.split("+")[0]))
    found = []
    for name, version in torch.packages:
        tag = parse_wheel(version)
        if tag.dtk and wanted and tag.dtk != wanted:
            found.append(f"{name} {version} was made for DTK {tag.dtk}, here is {wanted}")
        if tag.torch and digits and not digits.startswith(tag.torch) and name != "torch":
            found.append(f"{name} {version} was made for torch {tag.torch}, here is {digits}")
    return tuple(found)


def fastpt_mismatches(torch: TorchInfo) -> tuple[str, ...]:
    """Return what FastPT 2 needs and is not here: torch 2.4.1 or newer, DTK 25.04 or newer."""
    version = dict(torch.packages).get("fastpt", "")
    if not version.startswith("2."):
        return ()
    found = []
    numbers = tuple(map(int, re.findall(r"\d+", torch.version.split("+")[0])[:3]))
    if numbers and numbers < (2, 4, 1):
        found.append(f"FastPT {version} needs torch 2.4.1 or newer, here is {torch.version}")
    dtk = parse_wheel(version).dtk or parse_wheel(torch.metadata).dtk
    if dtk and dtk < "25.04":
        found.append(f"FastPT {version} needs DTK 25.04 or newer, here is {dtk}")
    return tuple(found)


def version_match(machine: Machine) -> Verdict:
    """Answer whether all that must match does."""
    answer, torch = ask_torch(machine)
    version = machine.run("hipcc", "--version")
    hipcc = parse_hipcc("" if version.problem else version.output)
    evidence = [answer.evidence, version.evidence]
    if not torch.imported:
        return unknown("torch was not imported", "Settle torch-import first", evidence)
    active = active_root(machine)
    root = next((r for r in find_roots(machine) if r.path == active), None)
    dtk = root.version if root is not None and root.kind == "dtk" else ""
    problems = [*wheel_mismatches(torch, dtk), *fastpt_mismatches(torch)]
    if torch.hip_release and hipcc.release and torch.hip_release != hipcc.release:
        problems.append(f"torch was built with HIP {torch.hip}, hipcc is HIP {hipcc.hip}")
    if problems:
        return fail(
            "; ".join(problems),
            "Typical of it: it installs, then the import ends in an undefined symbol, or the "
            "first kernel fails",
            "Take DTK, torch, FastPT and the other wheels from one release",
            evidence,
        )
    known = parse_wheel(torch.metadata).dtk
    shown = (
        f"DTK {dtk or 'not told'}; torch {torch.metadata or torch.version}; torch's HIP "
        f"{torch.hip or 'none'}; hipcc's HIP {hipcc.hip or 'not told'}"
    )
    if torch.build != "hip" or not hipcc.release or not torch.hip_release:
        return unknown(shown, "Two of them must tell their version to be compared", evidence)
    if "/dtk" in active and not (known and dtk):
        return unknown(
            shown + " (the wheel or the tree does not name its DTK)",
            "Compare the wheel's file name with .info/rocm_version",
            evidence,
        )
    return ok(shown, evidence)
