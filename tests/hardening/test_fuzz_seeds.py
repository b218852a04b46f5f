"""What once made a fuzz target fail is read again, and so are the inputs that it starts from."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FUZZ = Path(__file__).parents[1] / "fuzz"
TARGETS = sorted(path.stem.removeprefix("fuzz_") for path in FUZZ.glob("fuzz_*.py"))
SEEDS = sorted((FUZZ / "seeds").glob("*/*"))


def load(name: str) -> ModuleType:
    """Import a target as its own script does, without instrumenting anything."""
    sys.path.insert(0, str(FUZZ))
    try:
        spec = importlib.util.spec_from_file_location(f"fuzz_{name}", FUZZ / f"fuzz_{name}.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FUZZ))
    return module


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_takes_what_it_starts_from(name: str) -> None:
    target = load(name)
    starts = target.starts()
    assert len(starts) >= 4
    for data in (b"", b"\0", b"\xff\xfe", *starts[:12]):
        target.one(data)


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_failed_once(seed: Path) -> None:
    load(seed.parent.name).one(seed.read_bytes())


def test_every_seed_has_its_target() -> None:
    assert {seed.parent.name for seed in SEEDS} <= set(TARGETS)
    assert len(TARGETS) == 7
