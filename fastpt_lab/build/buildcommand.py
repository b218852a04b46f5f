"""Find the project's own build command, and the environment of its own that it needs."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from fastpt_lab.build.toolchain import Toolchain


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPlan:
    """A real build: what runs, where, in which environment, and why just that.

    Attributes:
        argv: the command.
        cwd: the folder it runs in.
        env_changes: variables set for it alone, or removed where the value is None.
        reason: the file that the command was found by, or that it was given.
        before: commands that run first; the build ends at the first that fails.
    """

    argv: tuple[str, ...]
    cwd: Path
    env_changes: tuple[tuple[str, str | None], ...] = ()
    reason: str = "given"
    before: tuple[tuple[str, ...], ...] = ()

    def environment(self, base: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the whole environment of the build; the caller's own is not changed."""
        child = dict(os.environ if base is None else base)
        for name, value in self.env_changes:
            if value is None:
                child.pop(name, None)
            else:
                child[name] = value
        return child


def plan_build(
    root: Path, toolchain: Toolchain | None = None, command: Sequence[str] = ()
) -> BuildPlan:
    """Return the build of the project at `root`: `command`, or the one that its files tell.

    `setup.py`, `pyproject.toml`, a configured CMake tree, `CMakeLists.txt` and `Makefile` are
    looked for in this order. Nothing is installed by the command that is found.

    Raises:
        UsageError: no build file is there, and no command was given.
    """
    changes = tuple(_changes(toolchain))
    if command:
        return BuildPlan(argv=tuple(command), cwd=root, env_changes=changes)
    if (root / "setup.py").is_file():
        argv: tuple[str, ...] = (sys.executable, "setup.py", "build_ext")
        return BuildPlan(argv=argv, cwd=root, env_changes=changes, reason="setup.py")
    if (root / "pyproject.toml").is_file():
        wheel = (
            "wheel",
            "--no-build-isolation",
            "--no-deps",
            "-v",
            "--wheel-dir",
            "build",
            ".",
        )
        argv = (sys.executable, "-m", "pip", *wheel)
        return BuildPlan(argv=argv, cwd=root, env_changes=changes, reason="pyproject.toml")
    if (root / "CMakeLists.txt").is_file():
        return _cmake(root, changes)
    if (root / "Makefile").is_file() or (root / "makefile").is_file():
        argv = ("make", f"-j{os.cpu_count() or 1}")
        return BuildPlan(argv=argv, cwd=root, env_changes=changes, reason="Makefile")
    raise UsageError(
        f"no setup.py, pyproject.toml, CMakeLists.txt or Makefile in {root}",
        next_step="Give the build command after --",
    )


def _cmake(root: Path, changes: tuple[tuple[str, str | None], ...]) -> BuildPlan:
    configured = sorted(root.glob("build*/CMakeCache.txt"))
    folder = configured[0].parent.name if configured else "build"
    generator = ("-G", "Ninja") if shutil.which("ninja") else ()
    before = () if configured else (("cmake", "-S", ".", "-B", folder, *generator),)
    argv = ("cmake", "--build", folder, "--parallel", str(os.cpu_count() or 1))
    reason = f"{folder}/CMakeCache.txt" if configured else "CMakeLists.txt"
    return BuildPlan(argv=argv, cwd=root, env_changes=changes, reason=reason, before=before)


def _changes(toolchain: Toolchain | None) -> list[tuple[str, str | None]]:
    # Python holds lines back when its output is a pipe.
    changes: list[tuple[str, str | None]] = [("PYTHONUNBUFFERED", "1")]
    if toolchain is not None:
        changes.append(("HIP_PLATFORM", "amd"))
        if not os.environ.get("PYTORCH_ROCM_ARCH"):
            # torch asks the devices, and without one passes an empty --offload-arch=.
            changes.append(("PYTORCH_ROCM_ARCH", ";".join(toolchain.architectures)))
    return changes
