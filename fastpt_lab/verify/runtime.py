"""The runtime layer: which hipcc for which platform, which DTK, and no mixture of them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Evidence
from fastpt_lab.verify.hipprobe import hip_probe
from fastpt_lab.verify.parsers.hipcc import HipccVersion, parse_hipcc
from fastpt_lab.verify.parsers.hipconfig import parse_hipconfig
from fastpt_lab.verify.question import Question, Verdict, fail, ok, unknown, warn
from fastpt_lab.verify.roots import (
    ROOT_VARIABLES,
    Root,
    active_root,
    find_roots,
    is_gpufusion,
    root_of,
)

if TYPE_CHECKING:
    from fastpt_lab.verify.machine import Answer, Machine


def ask_hipcc(machine: Machine) -> tuple[Answer, HipccVersion]:
    """Ask hipcc for its version; its exit code and stderr tell nothing (HIP 5.2.3)."""
    answer = machine.run("hipcc", "--version")
    return answer, parse_hipcc("" if answer.problem else answer.output)


def _source_step(machine: Machine) -> str:
    roots = [r for r in find_roots(machine) if machine.path(r.env_script).is_file()]
    if not roots:
        return "Install DTK or ROCm, or load its module"
    return "In a new shell: " + " or ".join(f"source {root.env_script}" for root in roots)


def _hipcc(machine: Machine) -> Verdict:
    path = machine.which("hipcc")
    if path is None:
        return fail(
            "no hipcc on PATH",
            "Nothing can be compiled for the device",
            _source_step(machine),
            [Evidence(command=("which", "hipcc"), returncode=1, output="")],
        )
    answer, version = ask_hipcc(machine)
    if not version.release or not version.compiler:
        return unknown(
            f"{path}: " + (answer.problem or "its version is not printed as known here"),
            "Run hipcc --version by hand; its first line should be `HIP version: …`",
            [answer.evidence],
        )
    dcc = f", dcc {version.dcc}" if version.dcc else ""
    behind = f"{version.compiler} {version.compiler_version}".strip()
    where = version.installed_dir or machine.real(path)
    return ok(f"{path}: HIP {version.hip}, {behind}{dcc}, from {where}", [answer.evidence])


def _platform(machine: Machine) -> Verdict:
    answer = machine.run("hipconfig", "--full")
    version, compiler = ask_hipcc(machine)
    evidence = [answer.evidence, version.evidence]
    platform = parse_hipconfig("" if answer.problem else answer.output).platform
    by_hipcc = {"nvcc": "nvidia", "clang": "amd"}.get(compiler.compiler, "")
    if "nvidia" in (platform, by_hipcc):
        nvcc = machine.which("nvcc")
        return fail(
            f"hipcc compiles for NVIDIA: nvcc on PATH ({nvcc or 'not found'}) was taken for the "
            f"platform, HIP_PLATFORM is {machine.env.get('HIP_PLATFORM') or 'not set'}",
            "A trap: hipcc hands every file to nvcc, and no gfx code comes out",
            "Set HIP_PLATFORM=amd, or take nvcc off PATH",
            evidence,
        )
    if platform == "amd" or (not platform and by_hipcc == "amd"):
        return ok(f"amd, by {'hipconfig' if platform else 'hipcc --version'}", evidence)
    return unknown(
        answer.problem or f"hipconfig names the platform {platform or 'nowhere'}",
        "Set HIP_PLATFORM=amd and ask again",
        evidence,
    )


def _describe(root: Root) -> str:
    aliases = [name for name in root.names if name != root.path]
    shown = f"{root.path} ({root.kind.upper()} {root.version or 'of unknown version'})"
    return shown + (f" = {', '.join(aliases)}" if aliases else "")


def _roots(machine: Machine) -> Verdict:
    roots = find_roots(machine)
    evidence = [machine.file(f"{root.path}/.info/rocm_version") for root in roots]
    named = {
        name: root_of(machine.real(machine.path(machine.env[name])))
        or machine.real(machine.path(machine.env[name]))
        for name in ROOT_VARIABLES
        if machine.env.get(name)
    }
    hipcc = machine.which("hipcc")
    trees = dict(named)
    if hipcc is not None and root_of(machine.real(hipcc)):
        trees["hipcc"] = root_of(machine.real(hipcc))
    absent = [n for n in named if not machine.path(machine.env[n]).exists()]
    shown = "; ".join(_describe(root) for root in roots) or "no DTK or ROCm in the usual places"
    if absent:
        return fail(
            "; ".join(f"{n}={machine.env[n]} does not exist" for n in absent),
            "Builds look for headers and libraries there",
            _source_step(machine),
            evidence,
        )
    if len(set(trees.values())) > 1:
        return fail(
            "; ".join(f"{name} leads to {tree}" for name, tree in trees.items()),
            "Compiler, headers and libraries come from different releases",
            _source_step(machine),
            evidence,
        )
    if not roots:
        if hipcc is not None:
            return warn(
                f"{shown}; hipcc is {hipcc}",
                "hipcc belongs to no DTK or ROCm tree: a distribution's own package",
                "Fine for compiling off the device; on a DCU source DTK's env.sh",
                evidence,
            )
        return fail(shown, "There is no HIP here", "Install DTK or ROCm", evidence)
    if any(not root.version for root in roots):
        return unknown(shown, "Look into .info/rocm_version of the tree", evidence)
    return ok(shown, evidence)


def _env_script(machine: Machine) -> Verdict:
    roots = find_roots(machine)
    active = active_root(machine)
    if not roots:
        return warn(
            "no tree with an env.sh was found",
            "The variables may still be set by hand or by a module",
            "On a DCU, source the env.sh of DTK",
        )
    if not active:
        return fail(
            f"{len(roots)} found, none is active: " + ", ".join(r.path for r in roots),
            "Neither a variable nor hipcc on PATH leads to one: its env.sh was not sourced",
            _source_step(machine),
        )
    libraries = _entries(machine)
    missing = [
        f"{active}/{part}"
        for part in ("lib", "hip/lib")
        if machine.path(f"{active}/{part}").is_dir()
        and f"{active}/{part}" not in {machine.real(machine.path(e)) for e in libraries if e}
    ]
    if missing and "/dtk" in active:
        return fail(
            f"{active} is active, LD_LIBRARY_PATH lacks {', '.join(missing)}",
            "libgalaxyhip.so.5 lies there; some env.sh leave hip/lib out (DTK 25.04)",
            f"In a new shell: source {active}/env.sh, then add what is still missing",
        )
    return ok(f"{active} is active")


def _entries(machine: Machine) -> list[str]:
    value = machine.env.get("LD_LIBRARY_PATH", "")
    return value.split(os.pathsep) if value else []


def _library_path(machine: Machine) -> Verdict:
    entries = _entries(machine)
    evidence = [
        Evidence(command=("LD_LIBRARY_PATH",), returncode=None, output="\n".join(entries))
    ]
    if not entries:
        return ok("LD_LIBRARY_PATH is not set")
    trees = list(
        dict.fromkeys(
            tree for e in entries if e and (tree := root_of(machine.real(machine.path(e))))
        )
    )
    if len(trees) > 1:
        return fail(
            "LD_LIBRARY_PATH names " + str(len(trees)) + " trees: " + ", ".join(trees),
            "Libraries of different releases end up in one process",
            _source_step(machine),
            evidence,
        )
    notes = []
    if "" in entries:
        notes.append("an empty entry, which means the current folder")
    absent = [e for e in entries if e and not machine.path(e).is_dir()]
    notes += [f"no folder {entry}" for entry in absent]
    notes += [
        f"{entry} has an own libstdc++"
        for entry in entries
        if "conda" in entry and any(machine.path(entry).glob("libstdc++.so*"))
    ]
    if notes:
        return warn(
            "; ".join(notes),
            "The loader may find another library than the one meant",
            "Take these entries out of LD_LIBRARY_PATH",
            evidence,
        )
    return ok(f"{len(entries)} folders" + (f", all of {trees[0]}" if trees else ""), evidence)


def _gpufusion(machine: Machine) -> Verdict:
    nvcc = machine.which("nvcc")
    home = machine.env.get("CUDA_HOME") or machine.env.get("CUDA_PATH") or ""
    by_nvcc = nvcc is not None and is_gpufusion(machine.real(nvcc))
    by_home = bool(home) and is_gpufusion(machine.real(machine.path(home)))
    by_path = any(is_gpufusion(machine.real(machine.path(e))) for e in _entries(machine) if e)
    shown = f"nvcc {nvcc or 'not on PATH'}; CUDA_HOME {home or 'not set'}"
    if by_nvcc and (by_home or not home):
        return ok(f"active, for building (fastpt -C): {shown}")
    if by_nvcc or by_home:
        return fail(
            f"half active: {shown}",
            "nvcc and CUDA_HOME belong to different toolkits; fastpt -C sets both only when "
            "it is sourced",
            "In a new shell: source fastpt -C",
        )
    if by_path:
        return ok("active, for running (fastpt -E): DTK's CUDA libraries are found")
    if nvcc or home:
        return ok(f"not active; a CUDA toolkit of NVIDIA is here: {shown}")
    return ok("not active")


_STEERING = (
    ("LD_PRELOAD", "loads a library before all others"),
    ("HIPCC_COMPILE_FLAGS_APPEND", "adds flags to every hipcc command"),
    ("PYTHONPATH", "may import another torch or extension than the installed one"),
)


def _variables(machine: Machine) -> Verdict:
    found = [
        f"{name}={machine.env[name]} {meaning}"
        for name, meaning in _STEERING
        if machine.env.get(name)
    ]
    if found:
        return warn(
            "; ".join(found),
            "It changes what is built or loaded without showing in any command",
            "Unset it unless you set it on purpose",
        )
    return ok("no variable changes builds or loading from outside")


RUNTIME: tuple[Question, ...] = (
    Question(id="hipcc", layer="runtime", title="hipcc answers", answer=_hipcc, gate=True),
    Question(id="hip-platform", layer="runtime", title="hipcc compiles for amd",
             answer=_platform),
    Question(id="dtk-roots", layer="runtime", title="compiler and variables lead to one tree",
             answer=_roots),
    Question(id="env-script", layer="runtime", title="the env.sh of one DTK is sourced",
             answer=_env_script),
    Question(id="library-path", layer="runtime", title="LD_LIBRARY_PATH names one tree only",
             answer=_library_path),
    Question(id="gpufusion", layer="runtime", title="GPUFusion is wholly on or wholly off",
             answer=_gpufusion),
    Question(id="variables", layer="runtime", title="nothing steers builds from outside",
             answer=_variables),
    Question(id="hip-probe", layer="runtime", title="a HIP program compiles, and runs",
             answer=hip_probe),
)  # fmt: skip
"""From the compiler to a program that runs."""
