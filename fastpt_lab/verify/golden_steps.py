"""The rungs of a golden record: run the operator and keep it, or run it and compare."""

from __future__ import annotations

import importlib
from functools import partial
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.errors import ConfigError
from fastpt_lab.verify.golden_file import Golden, read_golden, write_golden
from fastpt_lab.verify.numerics import compare, dtype_name
from fastpt_lab.verify.operator_steps import Operator, judged, refusal_of_dtype, rows
from fastpt_lab.verify.step import Outcome, Step

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.verify.anytype import Value
    from fastpt_lab.verify.definition import Definition

RUNS = 2
"""A record and a run are two results, each with an error of its own."""


def cases_of(definition: Definition) -> tuple[tuple[int, str], ...]:
    """Return the sizes and dtypes that are recorded: all sizes in the first, one in others."""
    first, *others = definition.dtypes
    sizes = dict.fromkeys((*definition.sizes, definition.real))
    last = definition.sizes[-1]
    return (*((size, first) for size in sizes), *((last, dtype) for dtype in others))


class _Recording:
    """What was run so far, until it is written."""

    def __init__(self, definition: Definition, device: str) -> None:
        self._op = Operator(definition, device)
        self._tensors: dict[str, Any] = {}
        self._cases: list[dict[str, Any]] = []

    def run(self, size: int, dtype: str) -> Outcome:
        """Run one case; a wrong result must not become the yardstick of another machine."""
        made = self._op.definition.make(size, dtype, self._op.device)
        try:
            out = self._op.call(made)
        except (RuntimeError, TypeError, ValueError) as error:
            return refusal_of_dtype(error)
        outcome = judged(self._op.reports(made, out))
        if outcome.status is CheckStatus.OK:
            name = f"{size}/{dtype}"
            given = [
                _store(self._tensors, f"{name}/input{i}", value) for i, value in enumerate(made)
            ]
            for i, value in enumerate(out):
                self._tensors[f"{name}/output{i}"] = value.detach().cpu()
            self._cases.append(
                {"size": size, "dtype": dtype, "inputs": given, "outputs": len(out)}
            )
        return outcome

    def write(self, facts: dict[str, Any], path: Path) -> Outcome:
        """Write all cases into one file.

        Raises:
            ConfigError: there is no case.
        """
        if not self._cases:
            raise ConfigError("there is nothing to record", next_step="See the rungs below")
        definition = self._op.definition
        told = {
            **facts,
            "version": 1,
            "op": self._op.name,
            "reduction": definition.reduction,
            "accumulate": dict(definition.accumulate),
            "stored": dict(definition.stored),
            "cases": self._cases,
        }
        write_golden(path, told, self._tensors)
        return Outcome(detail=f"{len(self._cases)} cases, {path.stat().st_size:,} bytes")


def record_steps(
    definition: Definition, device: str, facts: dict[str, Any], path: Path
) -> tuple[Step, ...]:
    """Return the steps that run each case, and the one that writes the file."""
    recording = _Recording(definition, device)
    steps = [
        Step(
            f"record-{size}-{dtype}",
            f"run {rows(size)} in {dtype}",
            partial(recording.run, size, dtype),
        )
        for size, dtype in cases_of(definition)
    ]
    write = partial(recording.write, facts, path)
    return (*steps, Step("write", f"write {path.name}", write))


def _store(tensors: dict[str, Any], name: str, value: Value) -> dict[str, Any]:
    torch: Any = importlib.import_module("torch")
    if isinstance(value, torch.Tensor):
        tensors[name] = value.detach().cpu()
        return {"tensor": name}
    if value is None or isinstance(value, (bool, int, float, str)):
        return {"value": value}
    raise ConfigError(
        f"an input is {type(value).__name__}",
        next_step="Record tensors, numbers and words only",
    )


def compare_steps(definition: Definition, device: str, path: Path) -> tuple[Step, ...]:
    """Return the steps that run each recorded case again; a mismatch does not end the climb.

    Raises:
        ConfigError: the file is no golden record.
    """
    golden = read_golden(path)
    op = Operator(definition, device)
    steps = []
    for case in _cases(golden):
        size, dtype = case["size"], case["dtype"]
        steps.append(
            Step(
                f"compare-{size}-{dtype}",
                f"{rows(size)} in {dtype} against the record",
                partial(_compare, op, golden, case),
                stops=False,
            )
        )
    return tuple(steps)


def _cases(golden: Golden) -> list[dict[str, Any]]:
    """Return the cases of a record, each part checked.

    Raises:
        ConfigError: a case names what is not there.
    """
    facts = golden.facts
    if facts.get("version") != 1 or not isinstance(facts.get("cases"), list):
        raise ConfigError("the record names no cases", next_step="Record it again")
    for case in facts["cases"]:
        try:
            name = f"{case['size']}/{case['dtype']}"
            wanted = [one["tensor"] for one in case["inputs"] if "value" not in one]
            wanted += [f"{name}/output{i}" for i in range(case["outputs"])]
        except (KeyError, TypeError) as error:
            raise ConfigError("a case is incomplete", next_step="Record it again") from error
        missing = [key for key in wanted if key not in golden.tensors]
        if missing:
            raise ConfigError(f"{missing[0]} is missing", next_step="Record it again")
    return list(facts["cases"])


def _compare(op: Operator, golden: Golden, case: dict[str, Any]) -> Outcome:
    name = f"{case['size']}/{case['dtype']}"
    inputs = tuple(
        one["value"] if "value" in one else golden.tensors[one["tensor"]].to(op.device)
        for one in case["inputs"]
    )
    try:
        out = op.call(inputs)
    except (RuntimeError, TypeError, ValueError) as error:
        return refusal_of_dtype(error)
    if len(out) != case["outputs"]:
        detail = f"{len(out)} tensors, {case['outputs']} recorded"
        return Outcome(detail=detail, status=CheckStatus.FAIL, next_step="Use the same op")
    definition = op.definition
    reports = tuple(
        compare(
            one,
            golden.tensors[f"{name}/output{number}"],
            name=f"{op.name} {name}/output{number}",
            dtype=golden.tensors[f"{name}/output{number}"].dtype,
            reduction_length=definition.reduction,
            accumulate=definition.summed_in(dtype_name(one.dtype)),
            stored=definition.stored_in(dtype_name(one.dtype)),
            rtol=definition.rtol,
            atol=definition.atol,
            runs=RUNS,
        )
        for number, one in enumerate(out)
    )
    return judged(reports)
