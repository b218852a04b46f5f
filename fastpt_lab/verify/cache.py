"""The caches that torch builds extensions in: is what lies there still of this stack.

torch rebuilds when sources or the command change. Its own headers and DTK's are `-isystem`
and no dependencies, so a changed torch or DTK does not rebuild (torch 2.13, ninja 1.11): the
doctor compares what `build.ninja` names with what is installed. Nothing is deleted.
"""

from __future__ import annotations

import json
import os
import re
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.host.files import write_atomic

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fastpt_lab.verify.torchinfo import TorchInfo

STAMP = "fastpt-lab-stamp.json"
"""Our own record beside `build.ninja`."""

OLD_LOCK_SECONDS = 600.0
"""A build of one extension seldom takes ten minutes; a killed one leaves its lock for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """The stack that an extension was built with."""

    torch: str
    hip: str = ""
    compiler: str = ""
    compiler_version: str = ""
    architectures: str = ""
    abi: str = ""
    python: str = ""

    def to_json(self) -> str:
        """Return it as text, for the file beside `build.ninja`."""
        return json.dumps({"version": 1, **asdict(self)}, indent=1, sort_keys=True) + "\n"

    def differences(self, other: Stamp) -> tuple[str, ...]:
        """Return one sentence for each thing that differs."""
        mine, theirs = asdict(self), asdict(other)
        return tuple(
            f"{name}: built with {mine[name] or 'none'}, now {theirs[name] or 'none'}"
            for name in mine
            if mine[name] != theirs[name]
        )


def stamp_of(torch: TorchInfo) -> Stamp | None:
    """Return the stack of today as a stamp, None where torch could not be asked."""
    if not torch.imported:
        return None
    return Stamp(
        torch=torch.metadata or torch.version,
        hip=torch.hip,
        abi="" if torch.abi is None else str(torch.abi),
        python=torch.python,
    )


def stamp_builds(
    stamp: Stamp, *, since: float, env: Mapping[str, str], root: Path
) -> tuple[Path, ...]:
    """Leave `stamp` beside every `build.ninja` that a build has just written; return them.

    Args:
        stamp: the stack that it was built with.
        since: when the build began, seconds since the epoch.
        env: the build's environment.
        root: the project.

    Raises:
        WriteError: a build folder cannot be written.
    """
    written = []
    for folder in _build_folders(env, root):
        rules = folder / "build.ninja"
        if rules.is_file() and rules.stat().st_mtime >= since:
            write_atomic(folder / STAMP, stamp.to_json().encode())
            written.append(folder / STAMP)
    return tuple(written)


def _build_folders(env: Mapping[str, str], root: Path | None) -> Iterator[Path]:
    """Yield torch's build folders: those of its cache, and the project's own."""
    parents = cache_roots(env) + ((root / "build",) if root is not None else ())
    for parent in parents:
        try:
            found = sorted(Path(entry.path) for entry in os.scandir(parent) if entry.is_dir())
        except OSError:
            continue
        yield from found


def read_stamp(folder: Path) -> Stamp | None:
    """Return the record in a build folder, None where there is none that means anything."""
    try:
        value = json.loads((folder / STAMP).read_text("utf-8"))
        names = Stamp.__dataclass_fields__
        return Stamp(**{name: str(value.get(name, "")) for name in names})
    except (OSError, ValueError, AttributeError, RecursionError):
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheEntry:
    """One extension's build folder.

    Attributes:
        built: time of the library (seconds since the epoch), None where none was made.
        lock_age: seconds, None without a lock.
        torch: folder of the torch whose headers `build.ninja` names, "" if none.
        compiler: the compiler of device code it names, "" if none.
        architectures: its `--offload-arch` targets.
        stale: why it is older than the stack, one sentence each.
    """

    folder: Path
    built: float | None
    lock_age: float | None
    torch: str
    compiler: str
    architectures: tuple[str, ...]
    stale: tuple[str, ...]


def cache_roots(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Return the folders whose children are build folders.

    With TORCH_EXTENSIONS_DIR set, torch adds no folder for Python and platform: environments
    then share one (torch 2.13, `_get_build_directory`).
    """
    named = env.get("TORCH_EXTENSIONS_DIR")
    if named:
        return (Path(named),)
    base = Path(env.get("XDG_CACHE_HOME") or Path(env.get("HOME", "~")).expanduser() / ".cache")
    base = base / "torch_extensions"
    return tuple(sorted(p for p in base.iterdir() if p.is_dir())) if base.is_dir() else ()


def read_cache(
    env: Mapping[str, str],
    *,
    now: Stamp | None,
    torch_dir: str,
    changed: float | None = None,
    root: Path | None = None,
) -> tuple[CacheEntry, ...]:
    """Return the build folders there are.

    Args:
        env: of the process that would build.
        now: the stack of today; stamps are compared with it.
        torch_dir: folder of the torch that is installed, "" if unknown.
        changed: when torch or DTK was installed, seconds since the epoch.
        root: the project, whose own `build` folder is looked into as well.
    """
    found = [
        _entry(folder, now, torch_dir, changed)
        for folder in _build_folders(env, root)
        if (folder / "build.ninja").is_file() or (folder / "lock").exists()
    ]
    return tuple(found)


def _entry(
    folder: Path, now: Stamp | None, torch_dir: str, changed: float | None
) -> CacheEntry:
    try:
        rules = (folder / "build.ninja").read_text("utf-8", "replace")
    except OSError:
        rules = ""
    torch = re.search(r"-isystem (\S+?/torch)/include(?:\s|$)", rules)
    compiler = re.search(r"^(?:nvcc|hipcc) = (\S+)", rules, re.MULTILINE)
    targets = tuple(dict.fromkeys(re.findall(r"--offload-arch=(gfx[\w:+-]+)", rules)))
    libraries = [path.stat().st_mtime for path in folder.glob("*.so")]
    built = max(libraries, default=None)
    stale = []
    if torch and torch_dir and os.path.realpath(torch[1]) != os.path.realpath(torch_dir):
        stale.append(f"built with the torch in {torch[1]}, imported is {torch_dir}")
    if compiler and not Path(compiler[1]).exists():
        stale.append(f"built with {compiler[1]}, which is not there any more")
    if built is not None and changed is not None and built < changed:
        stale.append("older than the torch or DTK that is installed, whose headers it has")
    stamp = read_stamp(folder)
    if stamp is not None and now is not None:
        stale += stamp.differences(now)
    lock = folder / "lock"
    try:
        age: float | None = max(0.0, time.time() - lock.stat().st_mtime)
    except OSError:
        age = None
    return CacheEntry(
        folder=folder,
        built=built,
        lock_age=age,
        torch=torch[1] if torch else "",
        compiler=compiler[1] if compiler else "",
        architectures=targets,
        stale=tuple(stale),
    )
