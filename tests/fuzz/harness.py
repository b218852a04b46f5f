"""Run one target on bytes that grow by what the code does with them (atheris), else at random."""

from __future__ import annotations

import atexit
import contextlib
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

HERE = Path(__file__).resolve().parent
LONGEST = 16 * 1024
"""Bytes of one input: what grows with the square of it shows within `SECONDS`."""
SECONDS = 15
"""One input may take; a larger one is reported as a hang."""


def instrumented() -> contextlib.AbstractContextManager[object]:
    """Return what to import the product in, so that its branches are seen."""
    if not Path(sys.argv[0]).name.startswith("fuzz_"):
        return contextlib.nullcontext()
    try:
        import atheris
    except ImportError:
        return contextlib.nullcontext()
    return atheris.instrument_imports(include=["fastpt_lab"])


def scratch(name: str) -> Path:
    """Return a folder in memory, where there is such a place, that goes with this process."""
    memory = "/dev/shm" if Path("/dev/shm").is_dir() else None
    folder = Path(tempfile.mkdtemp(prefix=f"fuzz-{name}-", dir=memory))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def seeds(name: str) -> tuple[Path, ...]:
    """Return the inputs that once failed."""
    return tuple(sorted((HERE / "seeds" / name).glob("*")))


def main(name: str, one: Callable[[bytes], None], starts: Iterable[bytes]) -> None:
    """Fuzz `one` from `starts` and its seeds; words of the command line are libFuzzer's."""
    with tempfile.TemporaryDirectory(prefix=f"fuzz-{name}-") as folder:
        beginnings = [*starts, *(path.read_bytes() for path in seeds(name))]
        for number, data in enumerate(beginnings):
            (Path(folder) / str(number)).write_bytes(data[:LONGEST])
        try:
            import atheris
        except ImportError:
            _at_random(one, beginnings)
            return
        words = [f"-max_len={LONGEST}", f"-timeout={SECONDS}", "-rss_limit_mb=2048"]
        atheris.Setup([sys.argv[0], *words, *sys.argv[1:], folder], one)
        atheris.Fuzz()


def _at_random(one: Callable[[bytes], None], beginnings: list[bytes]) -> None:
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    word = next((w for w in sys.argv if w.startswith("-max_total_time=")), "=600")
    end = time.monotonic() + float(word.partition("=")[2])
    pieces = st.sampled_from([p for data in beginnings for p in data.splitlines(True)] or [b""])
    inputs = st.lists(st.one_of(pieces, st.binary(max_size=64)), max_size=40).map(b"".join)
    relaxed = settings(
        deadline=None, max_examples=1000, suppress_health_check=list(HealthCheck)
    )
    runs = 0
    while time.monotonic() < end:
        relaxed(given(inputs)(one))()
        runs += 1000
    sys.stdout.write(f"Done {runs} runs by hypothesis\n")
