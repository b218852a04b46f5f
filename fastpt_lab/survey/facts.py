"""Find out the versions and macros of this machine without importing torch or touching a device."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import platform
import re
import shutil
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.dtk import parse_dtk
from fastpt_lab.core.errors import ToolMissingError
from fastpt_lab.core.survey import StackFacts
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFINE = re.compile(r"#define (?P<name>[A-Za-z_]\w*)(?P<call>\()?(?P<rest>[^\n]*)")
_HIP = re.compile(r"""(?m)^hip\b[^=\n]*=\s*['"](?P<version>[^'"]+)['"]""")
_DTK_FOLDER = re.compile(r"dtk-?(?P<version>\d\d\.\d\d(?:\.\d+)?)")
_TORCH_FLAGS = ("-D__HIP_PLATFORM_AMD__=1", "-DUSE_ROCM=1", "-DHIPBLAS_V2")
_TIMEOUT = 60.0


def probe_facts(
    *, compiler: Path | None = None, environment: Mapping[str, str] | None = None
) -> StackFacts:
    """Return what this machine says about itself.

    Args:
        compiler: hipcc, found on PATH by default; without one the macros stay unknown.
        environment: by default this process's.
    """
    env = os.environ if environment is None else environment
    torch, hip = torch_versions()
    found = compiler or _which("hipcc", env)
    return StackFacts(
        dtk=dtk_installed(env),
        torch=torch,
        torch_hip=hip,
        fastpt=_distribution("fastpt"),
        python=platform.python_version(),
        glibc=platform.libc_ver()[1] or None,
        host_macros=hip_macros(found, "--cuda-host-only", env),
        device_macros=hip_macros(found, "--cuda-device-only", env),
    )


def _which(name: str, env: Mapping[str, str]) -> Path | None:
    found = shutil.which(name, path=env.get("PATH", os.defpath))
    return Path(found) if found else None


def _distribution(name: str) -> str | None:
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def torch_versions() -> tuple[str | None, str | None]:
    """Return torch's distribution version and `torch.version.hip`, read from its files.

    The distribution names the DTK where `torch.__version__` may not: `2.9.0` at run time can be
    `2.9.0+das.opt1.dtk2604` in the metadata.
    """
    spec = importlib.util.find_spec("torch")
    version = _distribution("torch")
    if spec is None or spec.origin is None:
        return version, None
    try:
        text = (Path(spec.origin).parent / "version.py").read_text("utf-8")
    except (OSError, UnicodeDecodeError):
        return version, None
    match = _HIP.search(text)
    return version, match["version"] if match else None


def dtk_installed(env: Mapping[str, str]) -> str | None:
    """Return the DTK that the environment points to: its version file, else its folder's name.

    *Source*: `.info/rocm_version` holds the DTK's number, as `25.04.4`; `/opt/dtk` is a link to
    `/opt/dtk-25.04.4`.
    """
    roots = [env[name] for name in ("DTKROOT", "ROCM_PATH", "ROCM_HOME") if env.get(name)]
    for root in (*(Path(name) for name in roots), Path("/opt/dtk")):
        real = root.resolve()
        if "dtk" not in str(real).lower() and "dtk" not in str(root).lower():
            continue
        for name in ("rocm_version", "version"):
            try:
                version = parse_dtk((real / ".info" / name).read_text("ascii"))
            except (OSError, UnicodeDecodeError):
                continue
            if version:
                return version
        match = _DTK_FOLDER.search(str(real))
        if match and (version := parse_dtk(match["version"])):
            return version
    return None


def hip_macros(
    compiler: Path | None, which: str, env: Mapping[str, str]
) -> dict[str, str] | None:
    """Return the macros that hipcc has in one pass once the HIP runtime is included.

    None if there is no hipcc or it fails. Function-like macros are named without a value.
    """
    if compiler is None:
        return None
    try:
        stamp = compiler.resolve().stat().st_mtime_ns
    except OSError:
        return None
    path = env.get("PATH", os.defpath)
    found = _macros(compiler, which, stamp, path, env.get("ROCM_PATH", ""))
    return None if found is None else dict(found)


@lru_cache(maxsize=16)
def _macros(
    compiler: Path, which: str, stamp: int, path: str, root: str
) -> tuple[tuple[str, str], ...] | None:
    """Ask hipcc once a process, and again when it was replaced or the environment moved."""
    env = {**os.environ, "PATH": path, "HIP_PLATFORM": "amd"}
    if root:
        env["ROCM_PATH"] = root
    command = [
        str(compiler), "-E", "-dM", "-x", "hip", which, "--offload-arch=gfx906", *_TORCH_FLAGS,
        "-include", "hip/hip_runtime.h", os.devnull,
    ]  # fmt: skip
    try:
        result = run(command, env=env, timeout=_TIMEOUT)
    except ToolMissingError:
        return None
    if not result.ok:
        return None
    return tuple(
        (match["name"], "" if match["call"] else match["rest"].strip())
        for match in _DEFINE.finditer(result.output)
    )
