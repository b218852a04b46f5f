"""Put the lab's engine in place of torch's hipify, in this process and its children only.

The folder of this file stands first in PYTHONPATH of a build (see dropin.py). Nothing of the lab
is imported until torch's hipify is; the sitecustomize that this one hides is run as before.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_TARGET = "torch.utils.hipify.hipify_python"


class _PatchingLoader(Loader):
    """Executes the module as its own loader does, then replaces one function in it."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        lab = os.environ["FASTPT_LAB_PATH"]
        if lab not in sys.path:
            # Last, so that the build's own packages are found as before.
            sys.path.append(lab)
        from fastpt_lab.transcode.dropin import replacement

        module.__dict__["hipify"] = replacement(module)


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != _TARGET:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _PatchingLoader(spec.loader)
        return spec


def _run_hidden() -> None:
    """Run the sitecustomize that would have been found without this one."""
    here = Path(__file__).resolve().parent
    others = [place for place in sys.path if Path(place or ".").resolve() != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


if "FASTPT_LAB_PATH" in os.environ:
    sys.meta_path.insert(0, _Finder())
_run_hidden()
