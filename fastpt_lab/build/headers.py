"""Headers for a check without a device: hipified copy of the installed torch's, and stand-ins."""

from __future__ import annotations

import os
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.probe import Prober
from fastpt_lab.build.store import digest_of_words
from fastpt_lab.core.errors import CancelledError, LimitError, ToolMissingError
from fastpt_lab.host.config import cache_dir
from fastpt_lab.host.files import lock
from fastpt_lab.host.process import Cancel, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fastpt_lab.build.toolchain import Toolchain
    from fastpt_lab.build.torchfiles import TorchFiles

Progress = Callable[[str], None]
HipifyEngine = Callable[["TorchFiles", Path, "Cancel | None"], None]
"""Fills an empty folder with the hipified headers of a torch; raises if it cannot."""

SDK = Path(__file__).parent / "sdk"
_CHILD = Path(__file__).parent / "hipify_child.py"
_HIPIFY_SECONDS = 600.0
_WAIT_EVENT = re.compile(r"(\bhipStreamWaitEvent\(\w+, \w+)\)")

STAND_INS: dict[str, tuple[str, ...]] = {
    "hipblas": ("hipblas/hipblas.h", "hipblas.h"),
    "hipblaslt": ("hipblaslt/hipblaslt.h",),
    "hipsparse": ("hipsparse/hipsparse.h", "hipsparse.h"),
    "hipsolver": ("hipsolver/hipsolver.h", "hipsolver.h"),
    "hipfft": ("hipfft/hipfft.h", "hipfft.h"),
    "rocblas": ("rocblas/rocblas.h", "rocblas.h"),
    "rocrand": ("rocrand/rocrand.h",),
    "rccl": ("rccl/rccl.h", "rccl.h"),
    "hipcub": ("hipcub/hipcub.hpp",),
    "thrust": ("thrust/version.h", "thrust/complex.h"),
    "roctracer": ("roctracer/roctx.h", "roctx.h"),
    "bf16": ("hip/hip_bf16.h",),
    "math_constants": ("hip/hip_math_constants.h",),
    "omp": ("omp.h",),
}
"""Each stand-in and the headers of the real part; one of them found means: it is installed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderPart:
    """Where the headers of one part come from.

    `kind` is `installed`, `hipified copy`, `stand-in` or `missing`.
    """

    name: str
    kind: str
    folder: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HeaderSet:
    """The include flags of units that use torch, and an honest list of what stands behind them."""

    flags: tuple[str, ...]
    parts: tuple[HeaderPart, ...]

    def describe(self, read: Iterable[str] | None = None) -> tuple[str, ...]:
        """Return lines for people: what is real, what is a copy, what is only declared.

        With the files that the compiler `read`, only those stand-ins are named that took part.
        """
        stood_in = {part.name for part in self.parts}
        if read is not None:
            sdk = (Path(name).parts for name in read if name.startswith(f"{SDK}{os.sep}"))
            stood_in = {parts[len(SDK.parts)] for parts in sdk}
        lines: list[str] = []
        for kind, meaning in (
            ("installed", "installed headers"),
            (
                "hipified copy",
                "hipified copy of the installed headers, checked without a device",
            ),
            ("stand-in", "declarations of the lab stand in; install the library to be certain"),
            ("missing", "not found"),
        ):
            names = [part.name for part in self.parts if part.kind == kind]
            if kind == "stand-in":
                names = [name for name in names if name in stood_in]
            if names:
                lines.append(f"{', '.join(names)}: {meaning}")
        return tuple(lines)


def prepare_headers(
    toolchain: Toolchain,
    torch: TorchFiles | None,
    *,
    flags: Sequence[str],
    cwd: Path,
    off_device: bool = False,
    engine: HipifyEngine | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> HeaderSet:
    """Return the include flags for units that use torch, making what is missing once.

    A torch built for HIP is used as it is, unless `off_device`; of another one a hipified copy
    is made below the cache folder. A stand-in is used only if this compiler, with these flags,
    finds none of the part's own headers.

    Args:
        toolchain: the compiler that decides what is installed.
        torch: the installed torch; None leaves its headers out.
        flags: the user's include folders and defines.
        cwd: what relative include folders start from.
        off_device: insist on the copy and the stand-ins.
        engine: makes the copy; torch's own hipify by default.
        progress: told before something that takes seconds.
        cancel: ends it.

    Raises:
        ToolMissingError, LimitError: the copy could not be made.
        CancelledError: the user ended it.
        LockedError: another process has been making the same copy for ten minutes.
    """
    words: list[str] = []
    parts: list[HeaderPart] = []
    if torch is not None:
        real = torch.is_hip and not off_device
        include = torch.include
        if not real:
            include = hipified_include(torch, engine, progress, cancel)
        words += ["-isystem", str(include)]
        words += ["-isystem", str(include / "torch" / "csrc" / "api" / "include")]
        kind = "installed" if real else "hipified copy"
        parts.append(HeaderPart(name=f"torch {torch.version}", kind=kind, folder=include))
        python = _python_include()
        if python is not None:
            words += ["-isystem", str(python)]
        kind = "missing" if python is None else "installed"
        parts.append(HeaderPart(name="Python.h", kind=kind, folder=python))
        if real:
            return HeaderSet(flags=tuple(words), parts=tuple(parts))
    for part in _stand_ins(toolchain, flags, cwd):
        parts.append(part)
        if part.kind == "stand-in":
            words += ["-idirafter", str(part.folder)]
    return HeaderSet(flags=tuple(words), parts=tuple(parts))


def hipified_include(
    torch: TorchFiles,
    engine: HipifyEngine | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Path:
    """Return the folder of the hipified copy of torch's headers, making it if it is not there.

    The copy is made aside and renamed when it is whole, so a reader sees all of it or nothing;
    of several processes one makes it and the others wait.
    """
    maker = hipify_with_torch if engine is None else engine
    name = f"{maker.__module__}.{maker.__qualname__}"
    recipe = sha256(_CHILD.read_bytes() + Path(__file__).read_bytes()).hexdigest()
    folder = cache_dir() / "headers" / digest_of_words(torch.stamp, name, recipe)[:24]
    finished = folder / "include"
    if finished.is_dir():
        return finished
    with lock(folder, wait=_HIPIFY_SECONDS):
        if finished.is_dir():
            return finished
        if progress is not None:
            progress(f"Hipifying the headers of torch {torch.version}, once (about 15 s)")
        building = Path(tempfile.mkdtemp(prefix="building-", dir=folder))
        try:
            maker(torch, building, cancel)
            _add_build_macros(building)
            _pass_event_flags(building)
            building.chmod(0o755)
            building.rename(finished)
        finally:
            shutil.rmtree(building, ignore_errors=True)
    return finished


def hipify_with_torch(torch: TorchFiles, target: Path, cancel: Cancel | None) -> None:
    """Fill `target` by torch's own hipify, in a child process with a time limit.

    Raises:
        ToolMissingError: it failed; its last line is in the message.
        LimitError: it did not end within ten minutes.
        CancelledError: `cancel` was set.
    """
    argv = [sys.executable, "-I", str(_CHILD), str(torch.folder), str(target)]
    environment = dict(os.environ) | {"PYTHONDONTWRITEBYTECODE": "1"}
    result = run(argv, env=environment, timeout=_HIPIFY_SECONDS, cancel=cancel)
    if result.cancelled:
        raise CancelledError("cancelled while torch's headers were being hipified")
    if result.timed_out:
        raise LimitError(
            f"torch's hipify did not end within {_HIPIFY_SECONDS:.0f} seconds",
            next_step="Run it again on a machine with less load",
        )
    if not result.ok:
        last = (result.output.strip().splitlines() or ["it printed nothing"])[-1]
        raise ToolMissingError(
            f"the headers of torch {torch.version} cannot be hipified: {last}",
            next_step="Install a torch that is whole, or check units that do not use torch",
        )


def _add_build_macros(include: Path) -> None:
    """Add the header that a GPU build of torch generates and a CPU wheel lacks.

    *Source*: torch 2.13, c10/cuda/impl/cuda_cmake_macros.h.in.
    """
    text = (
        "#pragma once\n#define C10_CUDA_BUILD_SHARED_LIBS\n#define C10_HIP_BUILD_SHARED_LIBS\n"
    )
    for side in ("cuda", "hip"):
        path = include / "c10" / side / "impl" / f"{side}_cmake_macros.h"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(text, "utf-8")


def _pass_event_flags(include: Path) -> None:
    """Pass the flags of `hipStreamWaitEvent`, which have a default only in newer HIP.

    *Source*: hip_runtime_api.h of HIP 5.2.3, and of HIP 6 with `flags __dparm(0)`.
    """
    for path in (*include.glob("c10/*/*Event.h"), *include.glob("ATen/*/*Event.h")):
        text = path.read_text("utf-8")
        called = _WAIT_EVENT.sub(r"\1, 0)", text)
        if called != text:
            path.write_text(called, "utf-8")


def _python_include() -> Path | None:
    for name in ("include", "platinclude"):
        folder = Path(sysconfig.get_path(name))
        if (folder / "Python.h").is_file():
            return folder
    return None


def _stand_ins(toolchain: Toolchain, flags: Sequence[str], cwd: Path) -> list[HeaderPart]:
    prober = Prober(toolchain, flags, cwd)
    found = prober.headers(header for headers in STAND_INS.values() for header in headers)
    parts: list[HeaderPart] = []
    for name, headers in STAND_INS.items():
        # None: the compiler does not even preprocess. Its own log will say why.
        if any(found[header] is not False for header in headers):
            parts.append(HeaderPart(name=name, kind="installed"))
        else:
            parts.append(HeaderPart(name=name, kind="stand-in", folder=SDK / name))
    return parts
