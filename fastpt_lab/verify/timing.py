"""Measure times apart: the first call is no mean of anything, and load is another thing."""

from __future__ import annotations

import importlib
import statistics
import time
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import UsageError
from fastpt_lab.core.verification import Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.verify.anytype import Torch

LEAST_CALLS = 5
MOST_CALLS = 1000


def spread_of(times: Sequence[float]) -> tuple[float, float]:
    """Return median and interquartile range.

    Raises:
        UsageError: there are fewer than two times.
    """
    if len(times) < 2:
        raise UsageError("one time has no spread", next_step="Measure at least two calls")
    low, _, high = statistics.quantiles(times, n=4, method="inclusive")
    return statistics.median(times), high - low


def measure(
    call: Callable[[], object],
    *,
    name: str,
    device: str = "cpu",
    load: float | None = None,
    warm_up: int = 3,
    seconds: float = 0.2,
) -> Timing:
    """Time the first call, then the steady state for about `seconds`.

    On a device each call is timed by two events on the current stream, so that the host's
    own delay does not count; the host's clock, with the device drained on both sides, is used
    for the first call, whose cost is the host's.
    """
    torch: Any = importlib.import_module("torch")
    on_device = device != "cpu"

    def drain() -> None:
        if on_device:
            torch.cuda.synchronize()

    drain()
    started = time.perf_counter()
    call()
    drain()
    first = time.perf_counter() - started
    for _ in range(warm_up):
        call()
    drain()
    times: list[float] = []
    limit = time.perf_counter() + seconds
    while len(times) < LEAST_CALLS or (time.perf_counter() < limit and len(times) < MOST_CALLS):
        times.append(_on_device(torch, call) if on_device else _on_host(call))
    median, spread = spread_of(times)
    return Timing(
        name=name,
        load=load,
        first=first,
        median=median,
        spread=spread,
        count=len(times),
        clock="device events" if on_device else "host",
    )


def _on_device(torch: Torch, call: Callable[[], object]) -> float:
    start = torch.cuda.Event(enable_timing=True)
    end = torch.cuda.Event(enable_timing=True)
    start.record()
    call()
    end.record()
    end.synchronize()
    # elapsed_time is in milliseconds.
    return float(start.elapsed_time(end)) / 1000.0


def _on_host(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started
