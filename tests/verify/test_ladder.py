"""The ladder, on the CPU: it stops where it must, goes on there, and outlives its child."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from needs import need_torch

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.errors import ConfigError, PathMissingError, UnknownNameError, UsageError
from fastpt_lab.core.verification import LadderResult, Rung
from fastpt_lab.verify.golden import compare_golden, record_golden
from fastpt_lab.verify.golden_file import parse_golden, read_golden, write_golden
from fastpt_lab.verify.ladder import LadderSpec, run_ladder
from fastpt_lab.verify.snapshot import Snapshot

OK, FAIL, SKIP = CheckStatus.OK, CheckStatus.FAIL, CheckStatus.SKIP

GOOD = """
def reference(x, w): return (x @ w).relu()
def op(x, w): return (x @ w).relu()
def inputs(n): return torch.randn(n, 48), torch.randn(48, 70)
reduction = 48
sizes = (64, 65, 100)
real = 130
dtypes = ("float32", "float16")
"""
ENVIRONMENT = Snapshot(time="t", system="s", dtk="d", hipcc="h", torch="1", torch_hip="None",
                       gfx="g", python="3")  # fmt: skip


def climb(text: str, **changes: object) -> LadderResult:
    options: dict[str, object] = {"definition": text, "device": "cpu", "timeout": 120.0}
    return run_ladder(LadderSpec(**{**options, **changes}))  # type: ignore[arg-type]


def by_id(result: LadderResult) -> dict[str, Rung]:
    return {rung.id: rung for rung in result.rungs}


@need_torch
def test_a_good_operator_climbs_to_the_top() -> None:
    told: list[tuple[str, bool]] = []
    spec = LadderSpec(definition=GOOD, device="cpu")
    result = run_ladder(spec, lambda name, _, rung: told.append((name, rung is not None)))
    rungs = by_id(result)
    assert result.status is OK
    assert [rung.id for rung in result.rungs if rung.status is SKIP] == ["second-stream"]
    assert list(rungs)[:5] == ["torch", "one-element", "round-trip", "arange", "definition"]
    assert {"op-64", "op-65", "op-100", "op-real", "dtype-float16", "layout-empty"} <= set(
        rungs
    )
    assert told[:2] == [("torch", False), ("torch", True)], "a line before and after each rung"
    assert "CPU build" in result.build or "CUDA build" in result.build
    assert result.timings[0].first > 0
    assert rungs["repeats"].reports[0].run_to_run == 0.0


@need_torch
@pytest.mark.parametrize(
    ("change", "rung", "word"),
    [
        ("    y = op0(x, w); y[:, 32:64] = 0; return y", "op-64", "32 lanes"),
        ("    y = op0(x, w); y[64:] = 0; return y", "op-65", "all in row 64"),
        ("    y = op0(x, w); y[-1, 3] = float('nan'); return y", "op-64", "1 NaN"),
        ("    if x.dtype == torch.float16: x = x * 1.01\n    return op0(x, w)", "dtype-float16",
         "beyond the tolerance"),
        (("    if not x.is_contiguous(): x = x.as_strided(x.shape, (x.shape[1], 1))\n"
         "    return op0(x, w)"), "layout-strided", "beyond the tolerance"),
        (("    if not len(x): raise RuntimeError('CUDA error: invalid configuration argument')\n"
         "    return op0(x, w)"), "layout-empty", "invalid configuration"),
        (("    if len(x) == 130: raise RuntimeError('HIP error: invalid device function')\n"
         "    return op0(x, w)"), "op-real", "no code for the architecture"),
        ("    raise ValueError('gamma must be (cols,)')", "op-64", "gamma must be"),
    ],
)  # fmt: skip
def test_each_fault_is_caught_at_its_rung(change: str, rung: str, word: str) -> None:
    text = GOOD + "op0 = reference\ndef op(x, w):\n" + change + "\n"
    result = climb(text)
    assert result.resume == rung, [(r.id, r.status, r.detail) for r in result.rungs]
    assert word in by_id(result)[rung].detail
    assert by_id(result)[rung].next_step
    later = result.rungs[[r.id for r in result.rungs].index(rung) + 1 :]
    assert {r.status for r in later} <= {SKIP}
    assert all(f"{rung} failed" in r.detail for r in later)


@need_torch
def test_a_race_is_seen_between_runs() -> None:
    text = GOOD + (
        "state = []\n"
        "def op(x, w):\n    y = reference(x, w)\n    state.append(1)\n"
        "    if len(state) > 8: y[5, 5] += 1\n    return y\n"
    )
    result = climb(text)
    assert result.resume == "repeats"
    assert "differ by up to 1" in by_id(result)["repeats"].detail


@need_torch
@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("import os; os.abort()", "signal 6"),
        ("import os; print('KERNEL VMFault: Invalid address access: 0x2b'); os._exit(134)",
         "outside its buffers"),
        ("import time; time.sleep(60)", "no answer within 12 s"),
    ],
)  # fmt: skip
def test_a_fault_ends_the_child_only(body: str, word: str) -> None:
    text = (
        GOOD
        + f"def op(x, w):\n    if len(x) == 65:\n        {body}\n    return reference(x, w)\n"
    )
    result = climb(text, timeout=12.0 if "sleep" in body else 120.0)
    assert (result.resume, by_id(result)["op-64"].status) == ("op-65", OK)
    assert word in by_id(result)["op-65"].detail


@need_torch
def test_it_goes_on_where_it_stopped() -> None:
    result = climb(GOOD, resume="op-real")
    rungs = by_id(result)
    assert rungs["op-64"].detail == "passed before"
    assert (rungs["definition"].status, rungs["op-real"].status) == (OK, OK)
    with pytest.raises(UnknownNameError, match="Rungs"):
        climb(GOOD, resume="roof")


@need_torch
@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("op = 3\ninputs = [('n',)]", "'op'"),
        ("op = torch.relu", "inputs is None"),
        (GOOD + "\ninputs = [('m', 3)]", "must be shapes"),
        (GOOD + "\nsizes = ()", "sizes"),
        (GOOD + "\nrtol = float('inf')", "nothing could fail"),
        (GOOD + "\ndtypes = ('float99',)", "float99"),
        (GOOD + "\nreal = 0", "real"),
        ("def op(:", "SyntaxError"),
        ("import no_such_extension", "no_such_extension"),
        ("import sys; sys.exit(3)", "SystemExit"),
    ],
)
def test_a_bad_definition_is_its_own_rung(text: str, word: str) -> None:
    result = climb(text)
    assert result.resume == "definition"
    assert word in by_id(result)["definition"].detail


@need_torch
def test_without_a_definition_only_the_minimal_script_runs() -> None:
    result = climb("")
    assert [r.id for r in result.rungs] == ["torch", "one-element", "round-trip", "arange"]
    assert result.status is OK


@need_torch
def test_inputs_may_be_shapes() -> None:
    text = (
        "op = reference = torch.matmul\ninputs = ('n', 32), (32, 5)\nreduction = 32\nreal = 9"
    )
    result = climb(text)
    assert result.status is OK
    assert by_id(result)["op-real"].reports[0].shape == (9, 5)


@need_torch
def test_words_about_a_dtype_are_a_skip_and_about_strides_a_pass() -> None:
    text = GOOD + (
        "def op(x, w):\n"
        "    if x.dtype == torch.float16: raise RuntimeError('expected scalar type Float')\n"
        "    if not x.is_contiguous(): raise RuntimeError('x must be contiguous')\n"
        "    return reference(x, w)\n"
    )
    rungs = by_id(climb(text))
    assert rungs["dtype-float16"].status is SKIP
    assert (rungs["layout-strided"].status, rungs["layout-strided"].detail) == (
        OK,
        "refused at the entry: x must be contiguous",
    )


MODEL = """
class Net(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = torch.nn.Linear(8, width)
    def forward(self, x): return self.inner(x)
def configuration(): return {"width": 16}
def construct(config): return Net(config["width"])
def checkpoint(): return {"inner.weight": torch.ones(16, 8), "inner.bias": torch.zeros(16)}
def op(x): return model.to(x.dtype)(x)
def reference(x): return x @ torch.ones(8, 16, dtype=x.dtype)
def inputs(n): return torch.randn(n, 8)
reduction = 8
dtypes = ("float32",)
"""


@need_torch
def test_a_model_is_loaded_in_five_steps() -> None:
    result = climb(MODEL)
    assert result.status is OK, result
    names = [rung.id for rung in result.rungs if rung.id.startswith("model-")]
    assert names == ["model-configuration", "model-construction", "model-checkpoint",
                     "model-state", "model-move"]  # fmt: skip
    wrong = climb(MODEL.replace("torch.ones(16, 8)", "torch.ones(8, 8)"))
    assert wrong.resume == "model-state"


@need_torch
def test_without_a_device_all_is_a_skip_with_its_reason() -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a device")
    result = climb(GOOD, device="cuda")
    assert result.status is SKIP
    assert {rung.status for rung in result.rungs[1:]} == {SKIP}
    assert "no device" in result.rungs[1].detail
    report = golden_of(GOOD, device="cuda")
    assert report == SKIP


def golden_of(text: str, *, device: str = "cpu") -> CheckStatus:
    """Record on the CPU, run on `device`."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "g.golden"
        record_golden(path, LadderSpec(definition=GOOD, device="cpu"), environment=ENVIRONMENT)
        return compare_golden(path, LadderSpec(definition=text, device=device)).status


def test_unknown_device() -> None:
    with pytest.raises(UsageError, match="no device 'npu'"):
        climb(GOOD, device="npu")


@need_torch
def test_golden_record_and_comparison(tmp_path: Path) -> None:
    path = tmp_path / "op.golden"
    spec = LadderSpec(definition=GOOD, device="cpu")
    recorded = record_golden(path, spec, environment=ENVIRONMENT)
    assert recorded.status is OK
    golden = read_golden(path)
    assert golden.facts["environment"]["gfx"] == "g"
    assert len(golden.facts["cases"]) == 5
    other = Snapshot(
        **{**{f: getattr(ENVIRONMENT, f) for f in ENVIRONMENT.__slots__}, "gfx": "x"}
    )
    same = compare_golden(path, spec, environment=other)
    assert (same.status, len(same.tensors), same.changes) == (OK, 5, ("gfx: g -> x",))
    assert same.policy.startswith("2 x")
    bad = GOOD + "def op(x, w):\n    y = reference(x, w); y[3, 3] += 1; return y\n"
    report = compare_golden(path, LadderSpec(definition=bad, device="cpu"))
    assert report.status is FAIL
    assert len(report.tensors) == 5, "a mismatch does not end the comparison"
    assert {tensor.worst for tensor in report.tensors} == {(3, 3)}
    crash = GOOD + "def op(x, w):\n    import os; os.abort()\n"
    report = compare_golden(path, LadderSpec(definition=crash, device="cpu"))
    assert (report.status, "signal 6" in report.problem) == (FAIL, True)


@need_torch
def test_a_wrong_result_is_not_recorded(tmp_path: Path) -> None:
    bad = GOOD + "def op(x, w):\n    return reference(x, w) + 1\n"
    result = record_golden(tmp_path / "g", LadderSpec(definition=bad, device="cpu"),
                           environment=ENVIRONMENT)  # fmt: skip
    assert result.status is FAIL
    assert not (tmp_path / "g").exists()


@need_torch
def test_golden_file_round_trip_of_every_dtype(tmp_path: Path) -> None:
    import torch

    from fastpt_lab.verify.golden_file import ITEM_BYTES

    tensors = {name: torch.ones(3, 2).to(getattr(torch, name)) for name in ITEM_BYTES}
    tensors["empty"] = torch.empty(0, 5)
    tensors["scalar"] = torch.tensor(2.5)
    tensors["strided"] = torch.arange(12.0).reshape(3, 4).t()
    write_golden(tmp_path / "g", {"a": 1, "中文": "值"}, tensors)
    golden = read_golden(tmp_path / "g")
    assert golden.facts == {"a": 1, "中文": "值"}
    for name, tensor in tensors.items():
        assert torch.equal(golden.tensors[name], tensor), name
        assert golden.tensors[name].dtype == tensor.dtype


@need_torch
def test_a_damaged_golden_file_is_refused(tmp_path: Path) -> None:
    import torch

    path = tmp_path / "g"
    write_golden(path, {"version": 1}, {"x": torch.arange(32.0), "y": torch.ones(3)})
    data = path.read_bytes()
    for cut in range(0, len(data), 7):
        with pytest.raises(ConfigError):
            parse_golden(data[:cut], "g")
    for place in range(0, len(data), 5):
        changed = bytearray(data)
        changed[place] ^= 0x41
        try:
            golden = parse_golden(bytes(changed), "g")
        except ConfigError:
            continue
        # What is still read gives the very same numbers: only blanks and facts may change.
        assert all(torch.equal(t, u) for t, u in zip(golden.tensors.values(),
                   (torch.arange(32.0), torch.ones(3)), strict=True))  # fmt: skip
    with pytest.raises(PathMissingError):
        read_golden(tmp_path / "none")


@pytest.mark.parametrize(
    "entry",
    [
        {"name": "x", "dtype": "float32", "shape": [2**40, 2**40], "offset": 0, "size": 8},
        {"name": "x", "dtype": "float32", "shape": [-1], "offset": 0, "size": -4},
        {"name": "x", "dtype": "object", "shape": [1], "offset": 0, "size": 8},
        {"name": "x", "dtype": "float32", "shape": [2], "offset": 4, "size": 8},
        {"name": "x", "dtype": "float32", "shape": [True], "offset": 0, "size": 4},
        {"dtype": "float32"},
        [],
    ],
)
def test_a_hostile_header_is_refused(entry: object) -> None:
    header = json.dumps({"facts": {}, "tensors": [entry]}).encode()
    data = b"FPTGOLD\x01" + len(header).to_bytes(8, "little") + header + b"\0" * 64
    with pytest.raises(ConfigError):
        parse_golden(data, "g")
