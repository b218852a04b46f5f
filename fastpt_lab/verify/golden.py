"""Record what an operator gives on one machine, and compare it on another."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.verification import GoldenReport
from fastpt_lab.verify.golden_file import read_golden
from fastpt_lab.verify.ladder import LadderSpec, run_ladder
from fastpt_lab.verify.snapshot import diff_snapshots, parse_snapshot, snapshot

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.core.verification import LadderResult
    from fastpt_lab.verify.ladder import OnStep
    from fastpt_lab.verify.snapshot import Snapshot


def record_golden(
    path: Path,
    spec: LadderSpec,
    *,
    environment: Snapshot | None = None,
    on_step: OnStep | None = None,
) -> LadderResult:
    """Run the operator of `spec` on its device and write inputs, outputs and environment.

    A result that is wrong against the float64 reference is not recorded: the climb fails
    there, and the file is not written.

    Args:
        path: the file to write.
        spec: as for the ladder.
        environment: taken now by default.
        on_step: as for the ladder.
    """
    taken = environment or snapshot(env=spec.env, root=spec.root, python=spec.python)
    wanted = replace(
        spec, job="record", golden=path.absolute(), environment=taken.to_json(), resume=""
    )
    return run_ladder(wanted, on_step)


def compare_golden(
    path: Path,
    spec: LadderSpec,
    *,
    environment: Snapshot | None = None,
    on_step: OnStep | None = None,
) -> GoldenReport:
    """Run the recorded inputs through the operator of `spec`, and compare the outputs.

    Args:
        path: a file of `record_golden`, maybe of another machine.
        spec: the operator to run, on `cuda` or `cpu`.
        environment: of this machine, to name what differs; not looked at by default.
        on_step: as for the ladder.

    Raises:
        PathMissingError: there is no such file.
        ConfigError: it is no golden record.
    """
    facts = read_golden(path).facts
    wanted = replace(spec, job="compare", golden=path.absolute(), environment="", resume="")
    result = run_ladder(wanted, on_step)
    tensors = tuple(report for rung in result.rungs for report in rung.reports)
    fallen = [
        rung
        for rung in result.rungs
        if rung.status in (CheckStatus.FAIL, CheckStatus.UNKNOWN) and not rung.reports
    ]
    problem = f"{fallen[0].title}: {fallen[0].detail}" if fallen else ""
    skipped = next((r.detail for r in result.rungs if r.status is CheckStatus.SKIP), "")
    changes: tuple[str, ...] = ()
    if environment is not None and facts.get("environment"):
        before = parse_snapshot(json.dumps(facts["environment"]))
        changes = tuple(
            f"{change.name}: {change.before or 'none'} -> {change.after or 'none'}"
            for change in diff_snapshots(before, environment)
        )
    return GoldenReport(
        source=f"{facts.get('build', 'unknown build')}, {facts.get('device', 'unknown device')}",
        target=f"{result.build}, {result.device or 'no device'}",
        tensors=tensors,
        policy=tensors[0].policy if tensors else "",
        problem=problem,
        skipped="" if tensors or problem else skipped or "nothing was compared",
        changes=changes,
    )
