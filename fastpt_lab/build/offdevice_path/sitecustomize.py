"""Let torch's build compile for HIP with a torch that was not built for it; it cannot link.

The folder of this file stands in PYTHONPATH of one build (see offdevice.py). When that build
imports `torch.utils.cpp_extension`, torch calls itself a HIP build and its include folders are
the hipified copy. Any other sitecustomize is run as before.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

_TARGET = "torch.utils.cpp_extension"


class _PatchingLoader(Loader):
    """Executes the module with the version changed, then wraps its list of include folders."""

    def __init__(self, loader: Loader, wanted: dict[str, Any]) -> None:
        self._loader = loader
        self._wanted = wanted

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """Make the module as its own loader does."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the module as a part of a HIP build of torch."""
        version = importlib.import_module("torch.version")
        version.__dict__["hip"] = self._wanted["hip"]
        version.__dict__["cuda"] = None
        # torch 2.13 asks whether it was compiled for a device before it looks for ROCm.
        with mock.patch("torch.cuda._is_compiled", return_value=True, create=True):
            self._loader.exec_module(module)
        installed = module.__dict__["include_paths"]
        own = self._wanted["torch_include"]

        def include_paths(*arguments: object, **options: object) -> list[str]:
            """Return torch's folders with the copy in place of its own, stand-ins last."""
            others = [f for f in installed(*arguments, **options) if not f.startswith(own)]
            return [*self._wanted["before"], *others, *self._wanted["after"]]

        module.__dict__["include_paths"] = include_paths


class FastptOffDeviceFinder(MetaPathFinder):
    """Finds torch's build module as it is, and puts the patching loader around its own."""

    def __init__(self, wanted: dict[str, Any]) -> None:
        self._wanted = wanted

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the module's own specification, with its loader wrapped."""
        if name != _TARGET:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = _PatchingLoader(spec.loader, self._wanted)
        return spec


def _run_hidden() -> None:
    """Run the sitecustomize that would have been found without this one."""
    here = Path(__file__).resolve().parent
    others = [place for place in sys.path if Path(place or ".").resolve() != here]
    spec = PathFinder.find_spec("sitecustomize", others)
    if spec is not None and spec.loader is not None:
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


# A hidden sitecustomize of the same kind runs what it hides in turn: this one, again.
_RUNNING = any(type(finder).__name__ == "FastptOffDeviceFinder" for finder in sys.meta_path)
if "FASTPT_OFF_DEVICE" in os.environ and not _RUNNING:
    sys.meta_path.insert(0, FastptOffDeviceFinder(json.loads(os.environ["FASTPT_OFF_DEVICE"])))
    _run_hidden()
