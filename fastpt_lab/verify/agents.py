"""The devices of this machine, by rocminfo, and which of them the variables leave visible."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.verify.parsers.rocminfo import Rocminfo, parse_rocminfo

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.verify.machine import Answer, Machine

VISIBILITY = (
    "ROCR_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "CUDA_VISIBLE_DEVICES",
    "GPU_DEVICE_ORDINAL",
    "DCU_VISIBLE_DEVICES",
    "DTK_VISIBLE_DEVICES",
)
"""Each can hide devices; ROCR counts first, the others count what it leaves."""


def ask_rocminfo(machine: Machine) -> tuple[Answer, Rocminfo]:
    """Run rocminfo, once a machine, and read it."""
    answer = machine.run("rocminfo")
    return answer, parse_rocminfo(answer.output)


def architectures(machine: Machine) -> tuple[str, ...]:
    """Return the devices' targets with their features, each once: `gfx906:sramecc+:xnack-`."""
    return tuple(dict.fromkeys(agent.isa for agent in ask_rocminfo(machine)[1].devices))


def hidden_by(env: Mapping[str, str], count: int) -> tuple[str, ...]:
    """Return what the variables hide: one sentence for each that hides something wrongly.

    `count` is the number of devices; an index at or beyond it ends the list (HIP 5 and 6).
    """
    found = []
    left = count
    for name in VISIBILITY:
        value = env.get(name)
        if value is None:
            continue
        words = [word.strip() for word in value.split(",")]
        indices = [int(word) for word in words if word.lstrip("-").isdigit() and len(word) < 9]
        if not value.strip() or "-1" in words[:1] or value.strip().lower() in ("none", "void"):
            found.append(f"{name}={value!r} hides every device")
        elif indices and not 0 <= indices[0] < left:
            found.append(f"{name}={value!r} hides every device: {left} to choose from")
        elif any(not 0 <= index < left for index in indices):
            found.append(f"{name}={value!r} names a device beyond the {left} there are")
        elif name == "ROCR_VISIBLE_DEVICES":
            left = len(words)
    return tuple(found)
