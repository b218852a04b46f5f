"""What a test needs: a skip with its reason on a desk, a failure in CI, where all is installed."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest

F = TypeVar("F", bound=Callable[..., object])
CHROMIUM = Path("/usr/bin/chromium")


def _need(present: bool, what: str, mark: str | None = None) -> Callable[[F], F]:
    in_ci = bool(os.environ.get("CI"))

    def decorate(function: F) -> F:
        if mark is not None:
            function = getattr(pytest.mark, mark)(function)
        if not in_ci:
            function = pytest.mark.skipif(not present, reason=f"needs {what}")(function)
        return function

    return decorate


need_hipcc = _need(shutil.which("hipcc") is not None, "hipcc", "hipcc")
need_nvcc = _need(shutil.which("nvcc") is not None, "nvcc", "nvcc")
need_torch = _need(importlib.util.find_spec("torch") is not None, "torch", "torch")
need_dask = _need(importlib.util.find_spec("distributed") is not None, "Dask's distributed")
need_gxx = _need(shutil.which("g++") is not None, "g++")
need_cmake = _need(shutil.which("cmake") is not None, "cmake")
need_ninja = _need(shutil.which("ninja") is not None, "ninja")
need_unifdef = _need(shutil.which("unifdef") is not None, "unifdef")
need_shells = _need(all(map(shutil.which, ("zsh", "fish"))), "zsh and fish")
need_chromium = _need(CHROMIUM.exists(), "Debian's chromium", "browser")
