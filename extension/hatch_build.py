"""Build the widget's script and the JupyterLab plug-in where they are missing or out of date.

Hatch calls it before packing; `python extension/hatch_build.py` does the same in a checkout. A
source distribution brings both built, so that installing from it needs no Node.js.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
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


def _outdated(root: Path) -> list[Path]:
    """Return the folders whose output is missing or older than a source, in building order."""
    # Outputs of a source distribution count as new: its files have the archive's dates.
    released = (root / "PKG-INFO").is_file()
    review, plugin = root / "extension/review", root / "extension/labextension"
    static = root / "fastpt_lab/widgets/static"
    outputs = {
        review: (static / "review.js", static / "THIRD_PARTY.txt"),
        plugin: (plugin / "dist/package.json",),
    }
    found = []
    for folder, files in outputs.items():
        built = min(file.stat().st_mtime if file.is_file() else 0.0 for file in files)
        # The plug-in shares code with the review.
        if not built or (not released and built < max(_newest(folder), _newest(review))):
            found.append(folder)
    return found


def build(root: Path, *, optional: bool = False) -> None:
    """Run npm in each folder of `extension` that needs it.

    Args:
        root: the project's folder.
        optional: without npm, leave out what cannot be built instead of failing.

    Raises:
        RuntimeError: something has to be built and there is no npm to do it.
    """
    outdated = _outdated(root)
    for folder in outdated:
        npm = shutil.which("npm")
        if npm is None:
            message = f"npm is needed to build {folder}; install Node.js 20 or newer"
            if not optional:
                raise RuntimeError(message)
            sys.stderr.write(f"{message}; without it there are no live views\n")
            return
        subprocess.run([npm, "ci", "--no-progress"], cwd=folder, check=True)
        subprocess.run([npm, "run", "build"], cwd=folder, check=True)
    if outdated:
        # What both bundles contain of other people's work.
        subprocess.run(["node", root / "extension/notice.mjs"], check=True)


class FrontEnd(BuildHookInterface[Any]):
    """Builds before hatch packs; an editable install works without npm, for all but live views."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build what is missing or out of date."""
        build(Path(self.root), optional=version == "editable")


if __name__ == "__main__":
    build(Path(__file__).parents[1], optional=True)
