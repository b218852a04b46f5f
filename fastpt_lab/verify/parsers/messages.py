"""Read what the loader, the runtime and torch say when they fail: cause and next step.

One table row a message. *Source*: glibc 2.36, HIP 5.2 to 6.3, torch 2.4 to 2.13, and the
reports of DTK 24.04 to 26.04 users.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a message means.

    Attributes:
        kind: kebab-case, `missing-library`, `symbol-version`, `undefined-symbol`, …
        subject: the library, version or symbol, "" where there is none.
        cause: what is the matter.
        next_step: the one thing to do now.
        message: the tool's own line.
    """

    kind: str
    subject: str
    cause: str
    next_step: str
    message: str


_NEW_SHELL = "Open a new shell, source the env.sh of one DTK only, then import again"

_LIBRARIES: tuple[tuple[str, str, str], ...] = (
    (
        r"lib(?:c10|torch)_cuda",
        "The extension was built against torch's CUDA libraries, which a HIP torch has not",
        "On the GPUFusion route: source fastpt -E. Else rebuild it with the HIP torch",
    ),
    (
        r"lib(?:c10|torch)_hip",
        "The extension was built against a HIP torch, and the torch here is none",
        "Reinstall the HIP wheel of torch, with pip install --no-deps",
    ),
    (r"lib(?:c10|torch)", "torch's own libraries are loaded by torch", "Import torch first"),
    (
        r"lib(?:galaxyhip|amdhip64|hsa-runtime64|hip\w*|roc\w*)",
        "The loader does not find the HIP runtime, or it has another major version",
        _NEW_SHELL + "; never link one version's name to another's file",
    ),
    (
        r"lib(?:cudart|cublas|cudnn|nvrtc|cusparse|cufft|curand)",
        "A CUDA library is asked for: an object was built for NVIDIA, or GPUFusion is not set",
        "On the GPUFusion route: source fastpt -E. Else rebuild from the transcoded sources",
    ),
)

_SYMBOLS: tuple[tuple[str, str, str], ...] = (
    (
        r"^_ZN?K?3c10.*RKSs|^_ZN?K?(?:3c10|2at|5torch).*Ss",
        "The extension was built with the old C++ ABI (0), this torch with the new one",
        "Rebuild it with -D_GLIBCXX_USE_CXX11_ABI as torch.compiled_with_cxx11_abi() tells",
    ),
    (
        r"^_ZN?K?(?:3c10|2at|5torch|8pybind11)|^THP|^_ZTIN(?:3c10|2at|5torch)",
        "The extension was built with another version of torch, or torch is not imported yet",
        "Import torch first; if it stays, rebuild with the torch that is installed",
    ),
    (
        r"^_*cuda[A-Z]|^__cudaRegister|^cu[A-Z]|^cu(?:blas|dnn|sparse|fft|rand|solver)",
        "An object calls CUDA: it was not transcoded, or comes from a CUDA build",
        "Transcode and rebuild the file that calls it",
    ),
    (
        r"^_*hip[A-Z_]|^__hipRegister|^hsa_|^roc(?:blas|fft|rand|solver|sparse)_|^hip(?:blas|fft)",
        "The HIP runtime that is loaded has not this function: another version, or not linked",
        "Link -lamdhip64 of the DTK that is active, and check where ldd finds it",
    ),
    (r"^rsmi_", "The ROCm management library is not linked", "Link -lrocm_smi64"),
    (r"^Py|^_Py", "Built for another Python", "Rebuild with this Python"),
    (
        r"__cxx11",
        "A function with std::string in its signature has the new C++ ABI here only",
        "Build all of the project with one _GLIBCXX_USE_CXX11_ABI",
    ),
    (
        r"RKSs|Ss$|Sstd",
        "A function with std::string in its signature has the old C++ ABI here only",
        "Build all of the project with one _GLIBCXX_USE_CXX11_ABI",
    ),
)


def classify_symbol(name: str) -> tuple[str, str]:
    """Return cause and next step of an undefined symbol, by its mangled name."""
    for pattern, cause, step in _SYMBOLS:
        if re.search(pattern, name):
            return cause, step
    return (
        "It is the project's own: the file that defines it is not built, or its signature differs",
        "Demangle it, find its definition, and check that this file is in the source list",
    )


def classify_library(name: str) -> tuple[str, str]:
    """Return cause and next step of a shared library that was not found."""
    for pattern, cause, step in _LIBRARIES:
        if re.match(pattern + r"\b|" + pattern + r"[-_.]", name):
            return cause, step
    return (
        "The loader does not find it in RUNPATH, LD_LIBRARY_PATH or the system's cache",
        "Install it, or add its folder to LD_LIBRARY_PATH",
    )


_VERSION_STEPS = (
    (
        "hip_",
        "The binary was built for another HIP than the one that is loaded",
        "Install the build made for this DTK; upstream ROCm wheels do not run on DTK",
    ),
    (
        "GLIBCXX_",
        "An older libstdc++ is found before the one that the binary was built with",
        "See where ldd finds libstdc++.so.6; a conda environment often brings its own",
    ),
    (
        "GLIBC_",
        "The binary was built on a newer system than this one",
        "Install the wheel for this glibc (manylinux2014, not manylinux_2_28)",
    ),
)

_RUNTIME: tuple[tuple[str, str, str, str], ...] = (
    (
        r"invalid device function|no kernel image is available|invalid kernel file \(\d+\)",
        "no-kernel-image",
        "The binary holds no code for the architecture of this device",
        "Set PYTORCH_ROCM_ARCH to the device's gfx name and rebuild",
    ),
    (
        r"KERNEL VMFault.*|Memory access fault by GPU.*|an illegal memory access.*",
        "memory-fault",
        "A kernel read or wrote outside its buffers",
        "Run the ladder: the smallest shape that faults names the index that is wrong",
    ),
    (
        r"(?:HIP|CUDA|HCU) out of memory.*|OutOfMemoryError.*",
        "out-of-memory",
        "The device has not this much free memory; other processes may hold it",
        "Look at the idle baseline (hy-smi --showpids), then take a smaller shape",
    ),
    (
        (
            r"no (?:ROCm|HIP|CUDA)-(?:capable )?devices? .*|hipErrorNoDevice|No HIP GPUs are available"
            r"|No CUDA GPUs are available|Found no NVIDIA driver.*"
        ),
        "no-device",
        "The runtime sees no device",
        "Check driver, /dev/kfd, /dev/dri, groups and HIP_VISIBLE_DEVICES, in this order",
    ),
    (
        r"Torch not compiled with CUDA enabled|module 'torch\._C' has no attribute '_cuda_\w+'",
        "torch-without-device",
        "This torch was built without device support: a CPU wheel took the HIP one's place",
        "Reinstall the HIP wheel with pip install --no-deps",
    ),
    (
        r"dynamic module does not define module export function \(PyInit_(\w+)\)",
        "missing-init",
        "The file has another name than the module inside",
        "Use TORCH_EXTENSION_NAME in PYBIND11_MODULE and keep the file's name",
    ),
    (
        r"(?:invalid ELF header|file too short)",
        "not-a-library",
        "The file is no shared library: a Git LFS pointer or a cut download",
        "Fetch or build it again",
    ),
    (
        r"Key already registered with the same priority: (\w+)",
        "registered-twice",
        "Two libraries register one key: a build for NVIDIA is loaded beside the HIP one",
        "Install the adapted build, and remove the other",
    ),
)


def parse_message(text: str) -> Finding | None:
    """Return what the first known message in `text` means, None if there is none."""
    for line in plain(text).split("\n"):
        found = _loader(line.strip()) or _at_run_time(line.strip())
        if found is not None:
            return found
    return None


def _loader(line: str) -> Finding | None:
    missing = re.search(r"([\w.+-]+\.so[\w.]*): cannot open shared object file", line)
    if missing:
        cause, step = classify_library(missing.group(1))
        return Finding(
            kind="missing-library", subject=missing.group(1), cause=cause, next_step=step,
            message=line,
        )  # fmt: skip
    version = re.search(r"version [`'\"‘]([\w.]+)['\"’] not found", line)
    if version:
        name = version.group(1)
        cause, step = next(
            ((c, s) for head, c, s in _VERSION_STEPS if name.startswith(head)),
            ("The library that is found has not this symbol version", "See where ldd finds it"),
        )
        return Finding(
            kind="symbol-version", subject=name, cause=cause, next_step=step, message=line
        )
    symbol = re.search(r"undefined symbol: ([^\s,()]+)", line)
    if symbol:
        cause, step = classify_symbol(symbol.group(1))
        return Finding(
            kind="undefined-symbol", subject=symbol.group(1), cause=cause, next_step=step,
            message=line,
        )  # fmt: skip
    return None


def _at_run_time(line: str) -> Finding | None:
    for pattern, kind, cause, step in _RUNTIME:
        match = re.search(pattern, line)
        if match:
            subject = match.group(1) if match.re.groups else ""
            return Finding(
                kind=kind, subject=subject, cause=cause, next_step=step, message=line
            )
    return None
