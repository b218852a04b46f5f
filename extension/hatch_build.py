"""Build the widget's script and the JupyterLab plug-in, once, before they are packed.

A source distribution brings both built, so that installing from it needs no Node.js. In a
checkout they are built anew when a source is newer than what was built.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_SKIPPED = frozenset({"node_modules", "lib", "dist", ".tests"})


def _newest(folder: Path) -> float:
    """Return when the newest source below `folder` was changed."""
    newest = 0.0
    for path in folder.iterdir():
        if path.name in _SKIPPED:
            continue
        newest = max(newest, _newest(path) if path.is_dir() else path.stat().st_mtime)
    return newest


class FrontEnd(BuildHookInterface[Any]):
    """Runs npm in `extension/review` and `extension/labextension` where it is needed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Build what is missing or out of date.

        Raises:
            RuntimeError: something is missing and there is no npm to build it with.
        """
        root = Path(self.root)
        # Outputs of a source distribution count as new: its files have the archive's dates.
        released = (root / "PKG-INFO").is_file()
        for folder, output in (
            (root / "extension/review", root / "fastpt_lab/widgets/static/review.js"),
            (root / "extension/labextension", root / "extension/labextension/dist/package.json"),
        ):
            sources = max(_newest(folder), _newest(root / "extension/review"))
            built = output.stat().st_mtime if output.is_file() else 0.0
            if built and (released or built >= sources):
                continue
            self._build(folder, optional=version == "editable")

    def _build(self, folder: Path, *, optional: bool) -> None:
        npm = shutil.which("npm")
        if npm is None:
            message = f"npm is needed to build {folder}; install Node.js 20 or newer"
            if not optional:
                raise RuntimeError(message)
            self.app.display_warning(f"{message}; without it there are no live views")
            return
        subprocess.run([npm, "ci", "--no-progress"], cwd=folder, check=True)
        subprocess.run([npm, "run", "build"], cwd=folder, check=True)
