"""What the tests of the build room share: a cache of their own, and compilers that misbehave."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

MakeTool = Callable[[str, str], Path]


@pytest.fixture
def fresh_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache; tests without it share the one that holds the hipified headers."""
    cache = tmp_path / "cache"
    monkeypatch.setenv("FASTPT_CACHE_DIR", str(cache))
    return cache


@pytest.fixture
def make_tool(tmp_path: Path) -> MakeTool:
    """Write an executable shell script below the temporary folder."""

    def make(name: str, body: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{body}\n", "utf-8")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def plain_environment() -> dict[str, str]:
    """The environment without anything that decides about HIP."""
    words = ("HIP", "ROCM", "ROC", "DTK", "PYTORCH")
    return {k: v for k, v in os.environ.items() if not k.startswith(words)}
