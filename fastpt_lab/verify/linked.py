"""Judge what an extension is linked to: whose runtime, one tree, nothing missing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.verify.linkage import demangle, grouped, read_linkage
from fastpt_lab.verify.parsers.messages import classify_library, classify_symbol, parse_message
from fastpt_lab.verify.question import Verdict, fail, ok, unknown
from fastpt_lab.verify.torchinfo import ask_torch

if TYPE_CHECKING:
    from fastpt_lab.core.check import Evidence
    from fastpt_lab.verify.extensions import Extension
    from fastpt_lab.verify.machine import Machine

_RUNTIME_NAMES = {
    "dtk": "DTK's HIP",
    "rocm": "ROCm's HIP",
    "gpufusion": "GPUFusion (DTK's CUDA libraries over HIP)",
    "nvidia": "NVIDIA's CUDA",
    "": "no device runtime",
}


def runtime_verdict(machine: Machine, extension: Extension) -> Verdict:
    """Answer whose runtime an extension is linked to, and whether it is torch's."""
    answer, linkage = read_linkage(machine, extension.path)
    evidence = [answer.evidence]
    if not linkage.listing.recognised:
        return unknown(answer.problem or "ldd printed nothing that is known here",
                       "Run ldd by hand", evidence)  # fmt: skip
    mine = linkage.runtime
    shown = f"{extension.shown} is linked to {_RUNTIME_NAMES[mine]}"
    build = ask_torch(machine)[1].build
    fits = {"hip": {"dtk", "rocm", "gpufusion", ""}, "cuda": {"nvidia", ""}, "cpu": {""}}
    if build and mine not in fits[build]:
        return fail(
            f"{shown}, torch is a {build.upper()} build",
            "Two runtimes in one process share neither memory nor streams",
            "Build the extension with the torch that imports it",
            evidence,
        )
    if not build:
        return unknown(
            f"{shown}; torch was not imported", "Settle torch-import first", evidence
        )
    return ok(f"{shown}, torch is a {build.upper()} build", evidence)


def linkage_verdict(machine: Machine, extension: Extension) -> Verdict:
    """Answer whether all that an extension needs is found, once, in the right version."""
    answer, linkage = read_linkage(machine, extension.path)
    listing = linkage.listing
    evidence = [answer.evidence]
    if not listing.recognised:
        return unknown(answer.problem or "ldd printed nothing that is known here",
                       "Run ldd by hand", evidence)  # fmt: skip
    if linkage.doubles or len(linkage.roots) > 1:
        return fail(
            f"{extension.shown}: "
            + ("; ".join(linkage.doubles) or " and ".join(linkage.roots)),
            "Two releases in one process",
            "Open a new shell, source one env.sh, and build again",
            evidence,
        )
    if listing.wrong_versions:
        worst = listing.wrong_versions[0]
        found = parse_message(f"{worst.library}: version `{worst.version}' not found")
        return fail(
            f"{extension.shown}: {worst.library} has no {worst.version}",
            found.cause if found else "", found.next_step if found else "", evidence,
        )  # fmt: skip
    return _missing(
        machine, extension, linkage.listing.missing, listing.undefined, evidence
    ) or ok(
        f"{extension.shown}: {len(linkage.libraries)} libraries, from "
        + ", ".join(
            # All that is still not found is in the process once torch is imported.
            f"{len(group)} of import torch" if name == "not found" else name
            for name, group in grouped(linkage.libraries)
        ),
        evidence,
    )


def _missing(
    machine: Machine,
    extension: Extension,
    missing: tuple[str, ...],
    undefined: tuple[str, ...],
    evidence: list[Evidence],
) -> Verdict | None:
    """Return what is not found, None if nothing.

    torch's own folder is no default of the loader: torch, once imported, has these libraries
    in the process already, and with them their symbols.
    """
    torch = ask_torch(machine)[1]
    loaded = {library.name for library in torch.libraries}
    absent = [name for name in missing if name not in loaded]
    if absent:
        cause, step = classify_library(absent[0])
        return fail(f"{extension.shown}: not found: {', '.join(absent)}", cause, step, evidence)
    if missing and loaded:
        # With torch's libraries not found, ldd calls all that they define undefined.
        return None
    if undefined:
        cause, step = classify_symbol(undefined[0])
        names = demangle(machine, undefined[:5])
        more = f" and {len(undefined) - 5} more" if len(undefined) > 5 else ""
        return fail(f"{extension.shown}: undefined: {'; '.join(names)}{more}", cause, step,
                    evidence)  # fmt: skip
    return None
