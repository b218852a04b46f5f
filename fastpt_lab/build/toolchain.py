"""Which compiler, which platform, which versions: probed, cached, never assumed."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.build.architectures import choose_architectures
from fastpt_lab.build.store import Store, digest_of_words
from fastpt_lab.build.versions import Versions, dtk_version, parse_versions
from fastpt_lab.core.errors import LimitError, ToolMissingError
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_VERSION_SECONDS = 60.0
_SILENT_OPTIONS = (
    "HIPCC_COMPILE_FLAGS_APPEND",
    "HIP_CLANG_PATH",
    "HIP_DEVICE_LIB_PATH",
    "HIP_PATH",
    "ROCM_PATH",
    "CCC_OVERRIDE_OPTIONS",
    "CPATH",
    "CPLUS_INCLUDE_PATH",
)
"""Variables that change what hipcc and clang compile without being in the command."""

_INSTALL = "Install HIP (hipcc), source the DTK's env.sh, or name the compiler with --compiler"


@dataclass(frozen=True, slots=True, kw_only=True)
class Toolchain:
    """A HIP compiler that ran, and how it will be used.

    Attributes:
        hipcc: the program as it was found; links are not resolved, hipcc reads its own name.
        found_by: where it was looked for: `--compiler`, `ROCM_PATH`, `PATH`, …
        root: the tree it belongs to, with `include/` in it.
        platform_reason: why the platform is forced to AMD, for people.
        versions: what it said.
        dtk: the DTK's number, "" where the tree is not a DTK.
        architectures: `gfx…` targets, with `architecture_reason`.
        fingerprint: changes whenever the compiler changes; part of every cache key.
    """

    hipcc: Path
    found_by: str
    root: Path
    platform_reason: str
    versions: Versions
    dtk: str
    architectures: tuple[str, ...]
    architecture_reason: str
    fingerprint: str

    def environment(
        self, base: Mapping[str, str] | None = None, *, scratch: Path | None = None
    ) -> dict[str, str]:
        """Return the environment of a compiler run; the caller's own is not changed.

        Messages are asked for in English UTF-8: gcc translates its own.

        Args:
            base: what it is made from, this process's by default.
            scratch: where temporary files go. clang 15 leaves an empty folder for each
                compilation for two targets, and object files when it is killed.
        """
        child = dict(os.environ if base is None else base)
        child["HIP_PLATFORM"] = "amd"
        child["LC_ALL"] = "C.UTF-8"
        # hipcc prints its own command into the log when this is set.
        child.pop("HIPCC_VERBOSE", None)
        if scratch is not None:
            child["TMPDIR"] = str(scratch)
        return child

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Return what is worth showing to a person, as (name, value)."""
        pairs = (
            ("hipcc", f"{self.hipcc} ({self.found_by})"),
            ("HIP", self.versions.hip_text),
            ("clang", self.versions.clang),
            ("dcc", self.versions.dcc),
            ("DTK", self.dtk),
            ("platform", f"amd: {self.platform_reason}"),
            ("arch", f"{' '.join(self.architectures)} ({self.architecture_reason})"),
        )
        return tuple(pair for pair in pairs if pair[1])


def find_toolchain(
    compiler: str | Path = "",
    *,
    architectures: Sequence[str] = (),
    environment: Mapping[str, str] | None = None,
) -> Toolchain:
    """Find hipcc, run it once for its versions, and decide the targets.

    Order: `compiler`; `ROCM_HOME` and `ROCM_PATH`, which torch's builds take before `PATH`
    (torch 2.13, utils/cpp_extension.py, `_find_rocm_home`); `PATH`; `HIP_PATH`; the DTK's
    variables; the usual folders. What it said is kept until the compiler's file changes.

    Raises:
        ToolMissingError: there is none, or it does not run.
        LimitError: it does not answer within a minute.
    """
    env = os.environ if environment is None else environment
    hipcc, found_by = _find_hipcc(str(compiler), env)
    root = _root_of(hipcc)
    versions = _ask_versions(hipcc, env)
    fingerprint = _fingerprint(hipcc, versions, env)
    targets, reason = choose_architectures(architectures, env, root)
    return Toolchain(
        hipcc=hipcc,
        found_by=found_by,
        root=root,
        platform_reason=_platform_reason(env),
        versions=versions,
        dtk=dtk_version(_read(root / ".info" / "rocm_version"), str(root.resolve())),
        architectures=targets,
        architecture_reason=reason,
        fingerprint=fingerprint,
    )


def _find_hipcc(compiler: str, env: Mapping[str, str]) -> tuple[Path, str]:
    if compiler:
        named = shutil.which(compiler, path=env.get("PATH"))
        if named is None:
            raise ToolMissingError(f"there is no compiler {compiler}", next_step=_INSTALL)
        return Path(named).absolute(), "--compiler"
    for path, found_by in _candidates(env):
        if path.is_file() and os.access(path, os.X_OK):
            return path, found_by
    raise ToolMissingError(
        "hipcc was not found on PATH, below ROCM_PATH, HIP_PATH or DTKROOT, nor in /opt",
        next_step=_INSTALL,
    )


def _candidates(env: Mapping[str, str]) -> Iterator[tuple[Path, str]]:
    for name in ("ROCM_HOME", "ROCM_PATH"):
        if env.get(name):
            yield Path(env[name]) / "bin" / "hipcc", name
    on_path = shutil.which("hipcc", path=env.get("PATH", ""))
    if on_path is not None:
        yield Path(on_path), "PATH"
    for name in ("HIP_PATH", "DTKROOT", "DTK_ROOT"):
        if env.get(name):
            yield Path(env[name]) / "bin" / "hipcc", name
            yield Path(env[name]) / "hip" / "bin" / "hipcc", name
    opt = Path("/opt")
    for pattern in ("dtk", "dtk-*", "rocm", "rocm-*"):
        # The newest of several versions first.
        for folder in sorted(opt.glob(pattern), reverse=True):
            yield folder / "bin" / "hipcc", str(folder)
            yield folder / "hip" / "bin" / "hipcc", str(folder)


def _root_of(hipcc: Path) -> Path:
    """Return the tree: both <root>/bin/hipcc and <root>/hip/bin/hipcc exist in the wild."""
    root = hipcc.resolve().parent.parent
    return root.parent if root.name == "hip" else root


def _ask_versions(hipcc: Path, env: Mapping[str, str]) -> Versions:
    store = Store("versions")
    chosen = [env.get(name, "") for name in ("HIP_CLANG_PATH", "HIP_PATH", "ROCM_PATH")]
    key = digest_of_words(str(hipcc), _stamp(hipcc.resolve()), *chosen)
    kept = store.get(key)
    if isinstance(kept, str) and _compilers_unchanged(store.get(key + ".stamp"), kept):
        return parse_versions(kept)
    child = dict(env) | {"HIP_PLATFORM": "amd", "LC_ALL": "C.UTF-8"}
    result = run([str(hipcc), "--version"], env=child, timeout=_VERSION_SECONDS)
    if result.timed_out:
        raise LimitError(
            f"{hipcc} --version did not end within {_VERSION_SECONDS:.0f} seconds",
            next_step="Run it in a terminal; name another compiler with --compiler",
        )
    versions = parse_versions(result.output)
    if result.returncode != 0 or not (versions.hip or versions.clang):
        last = (result.output.strip().splitlines() or ["it printed nothing"])[-1]
        raise ToolMissingError(
            f"{hipcc} --version failed with exit code {result.returncode}: {last}",
            next_step=_INSTALL,
        )
    store.put(key, result.output)
    store.put(key + ".stamp", _clang_stamp(versions))
    return versions


def _compilers_unchanged(stamp: object, output: str) -> bool:
    return stamp == _clang_stamp(parse_versions(output))


def _clang_stamp(versions: Versions) -> str:
    """Return the state of the clang behind hipcc, which an upgrade replaces under its feet."""
    folder = Path(versions.installed_dir)
    major = versions.clang.partition(".")[0]
    names = (f"clang++-{major}", f"clang-{major}", "clang++", "clang", "dcc")
    stamps = [_stamp((folder / name).resolve()) for name in names if (folder / name).exists()]
    return " ".join(stamps) if versions.installed_dir else ""


def _fingerprint(hipcc: Path, versions: Versions, env: Mapping[str, str]) -> str:
    return digest_of_words(
        str(hipcc),
        _stamp(hipcc.resolve()),
        _clang_stamp(versions),
        versions.hip_text,
        versions.clang,
        versions.dcc,
        *(f"{name}={env.get(name, '')}" for name in _SILENT_OPTIONS),
    )


def _stamp(path: Path) -> str:
    try:
        state = path.stat()
    except OSError:
        return f"{path} missing"
    return f"{path} {state.st_size} {state.st_mtime_ns}"


def _platform_reason(env: Mapping[str, str]) -> str:
    wish = env.get("HIP_PLATFORM", "")
    if wish == "amd":
        return "HIP_PLATFORM says so"
    if wish:
        return f"forced, HIP_PLATFORM={wish} would not compile for HIP devices"
    nvcc = shutil.which("nvcc", path=env.get("PATH", ""))
    if nvcc is not None:
        return f"forced, hipcc would choose nvidia because {nvcc} is on PATH"
    return "forced, so that nothing found on PATH can choose another"


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8", errors="replace")
    except OSError:
        return ""
