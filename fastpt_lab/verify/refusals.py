"""Why a device is not reached and what to do, and the architectures of the cards."""

from __future__ import annotations

CONTAINER_FLAGS = (
    "--device=/dev/kfd --device=/dev/mkfd --device=/dev/dri --group-add video "
    "--security-opt seccomp=unconfined -v /opt/hyhal:/opt/hyhal:ro"
)
"""What a DCU container needs. *Source*: images of DTK 24.04 to 26.04; AMD has no mkfd, hyhal."""

ARCHITECTURES = {
    "gfx906": "Z100, Z100L (the same name as AMD's MI50, MI60)",
    "gfx926": "K100",
    "gfx928": "K100_AI, K500SM_AI",
    "gfx936": "BW100 to BW1000",
    "gfx938": "BW1100, BW1101",
}
"""Targets of DCU cards. *Source*: DTK 26.04's hipcc and users' rocminfo."""

REFUSALS = {
    "no-module": (
        "The kernel driver is not loaded, or this machine has no such device",
        (
            "On the host: load the driver (modprobe hycu, or amdgpu) and look at dmesg. In a "
            "container: start it on a host that has the driver"
        ),
    ),
    "no-permission": (
        "This user may not open /dev/kfd: its group is not among this process's groups",
        (
            "Compare ls -ln /dev/kfd with id -G; add the user to that group and log in again, or "
            "start the container with --group-add"
        ),
    ),
    "not-permitted": (
        "A device filter or seccomp forbids it, though the file's permissions allow it",
        f"Start the container with {CONTAINER_FLAGS}",
    ),
    "invalid-argument": (
        "The container's device filter, another driver on the node, or an unplugged card",
        f"Start the container with {CONTAINER_FLAGS}; on the host look at dmesg",
    ),
    "no-node": (
        "The device node is not there: it was not passed into the container",
        f"Start the container with {CONTAINER_FLAGS}",
    ),
    "no-resources": (
        "The driver refuses this process: IOMMU, memory limits, or a card in a bad state",
        "Look at dmesg for kfd, and at ulimit -l",
    ),
    "hsa-failure": (
        "The HSA runtime and the kernel driver do not fit each other",
        "Compare the driver's version with the one that this DTK or ROCm wants",
    ),
    "other": ("/dev/kfd cannot be opened", "Look at dmesg for kfd"),
}
"""Cause and next step by the kind of `Refusal`. *Source*: issues of ROCm and gpustack users."""
