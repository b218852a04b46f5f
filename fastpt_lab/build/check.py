"""Compile single units fast: in parallel, with limits, without writing, and not twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from fastpt_lab.build.unitcheck import UnitChecker, UnitResult
from fastpt_lab.host.executors import compilers
from fastpt_lab.host.process import Cancel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fastpt_lab.build.plan import CheckPlan, Unit

__all__ = ["CheckProgress", "UnitResult", "check_units"]

CheckProgress = Callable[[UnitResult, int, int], None]
"""Told each unit's result in the order of the units, how many are there, and how many in all."""


def check_units(
    units: Sequence[Unit],
    plan: CheckPlan,
    *,
    jobs: int = 0,
    timeout: float = 600.0,
    progress: CheckProgress | None = None,
    cancel: Cancel | None = None,
    reuse: bool = True,
) -> tuple[UnitResult, ...]:
    """Compile each unit without linking and return the results in the order of `units`.

    Args:
        units: what to compile.
        plan: how; from `plan.plan_check`.
        jobs: compilers at once; 0 is one a core.
        timeout: seconds for each run of a compiler.
        progress: called from this thread; when it raises, the compilers are ended.
        cancel: ends all compilers; units without a result are `not-run`.
        reuse: take earlier results and precompiled headers that still hold.
    """
    if not units:
        return ()
    workers = jobs or os.cpu_count() or 1
    stop = Cancel() if cancel is None else cancel
    checker = UnitChecker(plan, timeout=timeout, cancel=stop, reuse=reuse)
    earlier = [checker.earlier(unit) for unit in units]
    left = [unit for unit, result in zip(units, earlier, strict=True) if result is None]
    checker.width = max(1, workers // max(1, len(left)))
    results: list[UnitResult] = []
    with compilers(workers) as pool:
        try:
            # All sets first: units that wait for one another's set would leave cores idle.
            list(pool.map(checker.make_set, checker.wanted_sets(left)))
            running = {unit: pool.submit(checker.compile, unit) for unit in left}
            for unit, known in zip(units, earlier, strict=True):
                results.append(running[unit].result() if known is None else known)
                if progress is not None:
                    progress(results[-1], len(results), len(units))
        except BaseException:
            # A keyboard interrupt must not leave compilers behind.
            stop.set()
            raise
    if left:
        checker.prune()
    return tuple(results)
