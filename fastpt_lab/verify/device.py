"""The device layer: driver, nodes, permission, agents, architecture, free memory."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Evidence
from fastpt_lab.verify.agents import VISIBILITY, ask_rocminfo, hidden_by
from fastpt_lab.verify.idle import device_memory
from fastpt_lab.verify.question import Question, Verdict, fail, ok, skip, unknown, warn
from fastpt_lab.verify.refusals import ARCHITECTURES, CONTAINER_FLAGS, REFUSALS
from fastpt_lab.verify.roots import find_roots, is_gpufusion

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.verify.machine import Machine

MODULES = ("hycu", "hydcu", "amdgpu")
"""Kernel drivers: of Hygon, new and old, and of AMD."""


def in_container(machine: Machine) -> bool:
    """Return whether this is a container, by the files that engines leave in one."""
    return any(machine.path(p).exists() for p in ("/.dockerenv", "/run/.containerenv"))


def _kernel_driver(machine: Machine) -> Verdict:
    loaded = [m for m in MODULES if machine.path(f"/sys/module/{m}").is_dir()]
    if loaded:
        version = (machine.read(f"/sys/module/{loaded[0]}/version") or "").strip()
        shown = f"{loaded[0]} {version}".strip()
        return ok(f"{shown} is loaded", [machine.file(f"/sys/module/{loaded[0]}/version")])
    answer, info = ask_rocminfo(machine)
    if info.module_loaded:
        return ok(info.module, [answer.evidence])
    if info.module_loaded is False:
        return fail(
            f"no device: its driver is not loaded ({info.module})",
            *REFUSALS["no-module"],
            [answer.evidence],
        )
    return unknown(
        f"no driver among {', '.join(MODULES)} in /sys/module, and rocminfo does not tell"
        + (f" ({answer.problem})" if answer.problem else ""),
        "Ask on the host: lsmod | grep -E 'hycu|hydcu|amdgpu'",
        [answer.evidence],
    )


def _nodes(machine: Machine) -> list[Path]:
    dri = machine.path("/dev/dri")
    render = sorted(dri.glob("renderD*")) if dri.is_dir() else []
    return [p for p in (machine.path("/dev/kfd"), machine.path("/dev/mkfd")) if p.exists()] + (
        render
    )


def _listing(nodes: list[Path]) -> Evidence:
    rows = []
    for node in nodes:
        info = node.stat()
        mode = stat.filemode(info.st_mode)
        rows.append(f"{mode} uid={info.st_uid} gid={info.st_gid} /dev/{node.name}")
    return Evidence(command=("ls", "-ln", "/dev"), returncode=None, output="\n".join(rows))


def _device_nodes(machine: Machine) -> Verdict:
    nodes = _nodes(machine)
    evidence = [_listing(nodes)]
    kfd = machine.path("/dev/kfd").exists()
    render = [node.name for node in nodes if node.name.startswith("renderD")]
    missing = [name for name, there in (("kfd", kfd), ("dri/renderD*", render)) if not there]
    if missing:
        step = (
            f"Start the container with {CONTAINER_FLAGS}"
            if in_container(machine)
            else "Load the driver; if the machine has no such card, go to one that has"
        )
        return fail(
            "not there: " + ", ".join(f"/dev/{name}" for name in missing),
            "There is no device here, its driver is not loaded, or it was not passed in",
            step,
            evidence,
        )
    return ok(", ".join(f"/dev/{n.name}" for n in nodes), evidence)


def _device_access(machine: Machine) -> Verdict:
    nodes = _nodes(machine)
    if not nodes:
        return skip(
            "there is no device node to open",
            "Permission cannot be right where there is nothing",
            "Settle device-nodes first",
        )
    groups = " ".join(map(str, sorted({os.getgid(), *os.getgroups()})))
    mine = Evidence(command=("id", "-G"), returncode=None, output=groups)
    closed = [node for node in nodes if not os.access(node, os.R_OK | os.W_OK)]
    evidence = [_listing(nodes), mine]
    if closed:
        owners = ", ".join(f"/dev/{n.name} belongs to group {n.stat().st_gid}" for n in closed)
        return fail(f"may not open: {owners}; own groups {groups}",
                    *REFUSALS["no-permission"], evidence)  # fmt: skip
    return ok(f"may read and write {len(nodes)} nodes", evidence)


def _container(machine: Machine) -> Verdict:
    if not in_container(machine):
        return ok("not in a container")
    unmapped = [p for p in ("/dev/kfd", "/dev/dri") if not machine.path(p).exists()]
    if unmapped:
        return fail(
            f"in a container without {' and '.join(unmapped)}",
            "A container sees only the devices that it was started with",
            f"Start the container with {CONTAINER_FLAGS}",
        )
    if any(root.kind == "dtk" for root in find_roots(machine)):
        absent = [p for p in ("/dev/mkfd", "/opt/hyhal") if not machine.path(p).exists()]
        if absent and not machine.path("/usr/local/hyhal").exists():
            return warn(
                f"in a container without {' and '.join(absent)}",
                "hy-smi then sees no card, and the runtime may count none",
                f"Start the container with {CONTAINER_FLAGS}",
            )
    return ok("in a container; all that a device needs is mapped in")


def _agents(machine: Machine) -> Verdict:
    answer, info = ask_rocminfo(machine)
    evidence = [answer.evidence]
    if info.devices and (info.refusal or not info.complete):
        return unknown(
            f"{len(info.devices)} listed, then the output breaks off", "Run rocminfo again",
            evidence,
        )  # fmt: skip
    if info.devices:
        shown = "; ".join(
            f"{a.isa}, {a.device_type or 'device'} {a.marketing_name}".strip()
            for a in info.devices
        )
        return ok(f"{len(info.devices)} found: {shown}", evidence)
    if info.refusal:
        return fail(f"no device: {info.refusal.message}", *REFUSALS[info.refusal.kind],
                    evidence)  # fmt: skip
    if info.complete:
        return fail(
            "no device: rocminfo lists CPUs only",
            "The driver is there and shows no card to this process",
            "Check that /dev/dri is passed in, and look at dmesg",
            evidence,
        )
    if answer.problem and not machine.path("/dev/kfd").exists():
        return fail(
            f"no device: /dev/kfd is not there, and {answer.problem}",
            "No HIP device can be reached without that node",
            f"Install the driver and rocminfo, or start the container with {CONTAINER_FLAGS}",
            evidence,
        )
    return unknown(
        answer.problem or "rocminfo printed nothing that is known here",
        "Install rocminfo of this DTK or ROCm, or run it by hand and read it",
        evidence,
    )


def _visible(machine: Machine) -> Verdict:
    values = {name: machine.env[name] for name in VISIBILITY if name in machine.env}
    shown = ", ".join(f"{name}={value}" for name, value in values.items())
    evidence = [Evidence(command=("env",), returncode=None, output=shown.replace(", ", "\n"))]
    count = len(ask_rocminfo(machine)[1].devices)
    hidden = hidden_by(machine.env, count) if count else hidden_by(machine.env, 1 << 10)
    if any("every device" in sentence for sentence in hidden):
        return fail(
            "; ".join(hidden),
            "The runtime counts no device, whatever rocminfo lists",
            "Unset " + ", ".join(values),
            evidence,
        )
    filters = [n for n in values if n in ("ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                          "CUDA_VISIBLE_DEVICES")]  # fmt: skip
    if hidden or ("ROCR_VISIBLE_DEVICES" in filters and len(filters) > 1):
        return warn(
            "; ".join(hidden) or f"two filters: {shown}",
            "ROCR_VISIBLE_DEVICES renumbers, and the HIP names then count what is left",
            "Set one of them only",
            evidence,
        )
    return ok(shown or "no variable hides a device", evidence)


def _arch(machine: Machine) -> Verdict:
    answer, info = ask_rocminfo(machine)
    evidence = [answer.evidence]
    if not info.devices:
        return unknown("no device was listed", "Settle device-agents first", evidence)
    override = machine.env.get("HSA_OVERRIDE_GFX_VERSION")
    if override:
        return warn(
            f"HSA_OVERRIDE_GFX_VERSION={override}",
            "The runtime reports another architecture than the card has; code built for the "
            "reported one may be wrong on it",
            "Unset it",
            evidence,
        )
    names = {agent.name for agent in info.devices}
    waves = {agent.wavefront for agent in info.devices}
    dcu = all("Hygon" in a.vendor or "C-3000" in a.vendor or "Haiguang" in a.vendor
              or a.device_type == "HCU" for a in info.devices)  # fmt: skip
    shown = ", ".join(sorted(names)) + (" (DCU)" if dcu else "")
    if None in waves:
        return unknown(
            f"{shown}: no wavefront size is printed", "Run rocminfo by hand", evidence
        )
    lanes = "/".join(str(wave) for wave in sorted(w for w in waves if w))
    if waves != {64}:
        return warn(
            f"{shown}, wavefront {lanes}",
            "Every DCU so far has 64 lanes; guards and shuffles were chosen for that",
            "Read warpSize at run time",
            evidence,
        )
    strange = sorted(names - set(ARCHITECTURES)) if dcu else []
    if strange:
        return unknown(
            f"{shown}, wavefront 64: {', '.join(strange)} is not known here",
            "Check that hipcc takes it: hipcc --offload-arch=" + strange[0],
            evidence,
        )
    known = "; ".join(ARCHITECTURES[name] for name in sorted(names) if name in ARCHITECTURES)
    return ok(f"{shown}, wavefront 64{': ' + known if dcu else ''}", evidence)


def _nvidia_tools(machine: Machine) -> Verdict:
    nvcc = machine.which("nvcc")
    if nvcc is not None and is_gpufusion(machine.real(nvcc)):
        return ok(f"nvcc is GPUFusion's: {machine.real(nvcc)}")
    cards = [p.name for p in sorted(machine.path("/dev").glob("nvidia[0-9]*"))]
    smi = machine.which("nvidia-smi")
    seen = [f"nvcc on PATH: {nvcc}"] if nvcc else []
    seen += [f"nvidia-smi on PATH: {smi}"] if smi else []
    seen += ["NVIDIA device nodes: " + ", ".join(cards)] if cards else []
    if not seen:
        return ok("no NVIDIA tool or device here")
    return warn(
        "; ".join(seen),
        "A trap: they are no sign of a device that HIP can use. With nvcc on PATH, hipcc "
        "chooses NVIDIA's platform unless HIP_PLATFORM=amd is set",
        "Set HIP_PLATFORM=amd for every build, or take nvcc off PATH",
    )


DEVICE: tuple[Question, ...] = (
    Question(id="kernel-driver", layer="device", title="the device's kernel driver is loaded",
             answer=_kernel_driver),
    Question(id="device-nodes", layer="device", title="/dev/kfd and /dev/dri/renderD* are there",
             answer=_device_nodes),
    Question(id="device-access", layer="device", title="this user may open the device nodes",
             answer=_device_access),
    Question(id="container", layer="device", title="a container has all that the device needs",
             answer=_container),
    Question(id="device-agents", layer="device", title="rocminfo lists a device",
             answer=_agents, gate=True),
    Question(id="visible-devices", layer="device", title="no variable hides the devices",
             answer=_visible),
    Question(id="device-arch", layer="device", title="a known architecture with 64 lanes",
             answer=_arch),
    Question(id="device-memory", layer="device", title="the device is idle and its memory free",
             answer=device_memory),
    Question(id="nvidia-tools", layer="device", title="no NVIDIA tool can be taken for a device",
             answer=_nvidia_tools),
)  # fmt: skip
"""In the order in which one looks: from the kernel up to the memory."""
