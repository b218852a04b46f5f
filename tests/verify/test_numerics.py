"""Comparison with the float64 reference: what passes, what fails, and what is said of it."""

from __future__ import annotations

import math

import pytest
from needs import need_torch

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.core.errors import UsageError
from fastpt_lab.verify.inputs import TensorSpec, check_inputs, input_problems
from fastpt_lab.verify.numerics import compare, reference_of, run_to_run, tensors_of
from fastpt_lab.verify.timing import measure, spread_of
from fastpt_lab.verify.tolerance import tolerance

torch = pytest.importorskip("torch", reason="needs torch")
OK, FAIL = CheckStatus.OK, CheckStatus.FAIL


@need_torch
@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "float64"])
@pytest.mark.parametrize("length", [64, 1024])
def test_long_sums_pass_and_a_lost_term_does_not(dtype: str, length: int) -> None:
    generator = torch.Generator().manual_seed(length)
    kind = getattr(torch, dtype)
    a = torch.randn(20, length, generator=generator).to(kind)
    b = torch.randn(length, 30, generator=generator).to(kind)
    reference = reference_of(torch.matmul, (a, b))
    good = compare(a @ b, reference, reduction_length=length)
    assert good.status is OK, good
    assert sum(count for _, count in good.histogram) == good.elements == 600
    lost = compare(a[:, :-1] @ b[:-1], reference, reduction_length=length)
    assert lost.status is FAIL
    assert lost.mismatched > 300


@need_torch
def test_float32_sum_of_1024_needs_the_policy() -> None:
    """The elementwise tolerance fails a right result; that is why the length counts."""
    a = torch.randn(50, 16384, generator=torch.Generator().manual_seed(1))
    reference = reference_of(lambda x: x @ x.t(), (a,))
    assert compare(a @ a.t(), reference, rtol=1.3e-6, atol=1e-5).status is FAIL
    assert compare(a @ a.t(), reference, reduction_length=16384).status is OK


@need_torch
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_one_bad_element_is_found(bad: float) -> None:
    reference = torch.linspace(1, 2, 100).double().reshape(10, 10)
    out = reference.float().clone()
    out[3, 7] = bad
    report = compare(out, reference, rtol=10.0, atol=1e9)
    assert (report.status, report.worst, report.mismatched) == (FAIL, (3, 7), 1)
    assert (report.nan, report.inf) == (int(math.isnan(bad)), int(math.isinf(bad)))


@need_torch
def test_nan_where_the_reference_has_it() -> None:
    both = torch.tensor([1.0, math.nan])
    assert compare(both, both.double()).status is FAIL
    assert compare(both, both.double(), equal_nan=True).status is OK
    assert compare(torch.tensor([1.0, 2.0]), both.double(), equal_nan=True).status is FAIL


@need_torch
def test_overflow_of_the_dtype_is_right() -> None:
    reference = torch.tensor([1e6, -1e6, 1.0]).double()
    assert compare(reference.half(), reference).status is OK
    assert compare(torch.tensor([65504.0, -1e6, 1.0]).half(), reference).status is FAIL
    assert compare(torch.tensor([-math.inf, -math.inf, 1.0]).half(), reference).status is FAIL


@need_torch
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "bool"])
def test_integers_are_exact(dtype: str) -> None:
    reference = torch.arange(20).remainder(2).to(getattr(torch, dtype)).reshape(4, 5)
    assert compare(reference, reference).status is OK
    out = reference.clone()
    out[2, 3] = 1 - out[2, 3].long()
    report = compare(out, reference)
    assert (report.status, report.worst, report.mismatched) == (FAIL, (2, 3), 1)


@need_torch
def test_large_integers_do_not_go_through_floats() -> None:
    big = torch.tensor([2**53 + 1])
    assert compare(big, torch.tensor([2**53])).status is FAIL


@need_torch
def test_shape_and_dtype_come_first() -> None:
    one = torch.ones(3)
    assert "shape" in compare(one, torch.ones(4)).reason
    assert "dtype" in compare(one, torch.ones(3), dtype=torch.float16).reason
    assert compare(one.half(), torch.ones(3), dtype="float32").status is FAIL


@need_torch
def test_empty_scalar_and_complex() -> None:
    assert compare(torch.empty(0, 3), torch.empty(0, 3)).status is OK
    assert compare(torch.tensor(1.0), torch.tensor(1.5).double()).worst == ()
    z = torch.randn(5, dtype=torch.complex64, generator=torch.Generator().manual_seed(0))
    assert compare(z, z.to(torch.complex128)).status is OK
    assert compare(z + 1e-3, z.to(torch.complex128)).status is FAIL


@need_torch
def test_patterns_name_the_usual_causes() -> None:
    reference = torch.ones(4, 200).double()
    lanes = reference.float().clone()
    lanes[:, 32:64] = 0
    lanes[:, 96:128] = 0
    assert "32 lanes" in compare(lanes, reference).pattern
    tail = reference.float().clone()
    tail[:, 192:] = 0
    assert "tail beyond 192" in compare(tail, reference).pattern
    row = reference.float().clone()
    row[2] = 0
    assert compare(row, reference).pattern == "all in row 2"


@need_torch
def test_run_to_run() -> None:
    a = torch.tensor([1.0, math.nan])
    assert run_to_run([a, a.clone()]) == 0.0
    assert run_to_run([a, torch.tensor([1.25, math.nan])]) == 0.25
    assert math.isnan(run_to_run([a, torch.tensor([math.nan, math.nan])]))
    assert run_to_run([torch.tensor([1]), torch.tensor([2])]) == 1.0


@need_torch
def test_what_an_operator_gives_back() -> None:
    one = torch.ones(1)
    assert len(tensors_of((one, None, one))) == 2
    assert len(tensors_of({"a": one})) == 1
    with pytest.raises(UsageError, match="no tensor"):
        tensors_of(3)


def test_the_policy_is_printed() -> None:
    plain = tolerance("float16")
    assert (plain.rtol, plain.atol) == (1e-3, 1e-5)
    long = tolerance("float16", reduction_length=1024, scale=2.0)
    assert long.atol == pytest.approx(1e-5 + 4 * 2.0**-23 * 32 * 2)
    assert "sqrt(1024)" in long.policy
    own = tolerance("float16", reduction_length=1024, scale=2.0, accumulate="float16")
    assert own.atol > 1000 * long.atol
    stored = tolerance("float16", reduction_length=1024, scale=2.0, stored="float16")
    assert stored.atol == pytest.approx(long.atol + 4 * 2.0**-10 * 2)
    assert tolerance("int64").policy == "int64: exact"
    assert tolerance("float32", runs=2).rtol == 2 * tolerance("float32").rtol


@need_torch
def test_inputs_are_checked_with_their_names() -> None:
    specs = {
        "x": TensorSpec(shape=("rows", "cols"), dtypes=("float16", "float32"), device="cpu"),
        "gamma": TensorSpec(shape=("cols",)),
    }
    x, gamma = torch.zeros(3, 4), torch.zeros(4)
    assert input_problems({"x": x, "gamma": gamma}, specs) == ()
    assert input_problems({"x": x}, specs) == ("gamma is missing",)
    (problem,) = input_problems({"x": x, "gamma": torch.zeros(5)}, specs)
    assert problem == "gamma has cols 5, x has 4"
    (problem,) = input_problems({"x": torch.zeros(4, 3).t(), "gamma": gamma}, specs)
    assert "not contiguous: strides (1, 3)" in problem
    (problem,) = input_problems({"x": x.double(), "gamma": gamma}, specs)
    assert problem == "x is float64, must be float16 or float32"
    (problem,) = input_problems({"x": torch.zeros(4), "gamma": gamma}, specs)
    assert "1 dimensions, must have 2" in problem
    on_device = {"x": TensorSpec(shape=(2, None), device="cuda")}
    with pytest.raises(UsageError, match="size 3 in dimension 0") as caught:
        check_inputs({"x": x}, on_device)
    assert "must be on cuda" in caught.value.message


def test_spread() -> None:
    assert spread_of([1.0, 2.0, 3.0, 4.0, 5.0]) == (3.0, 2.0)
    with pytest.raises(UsageError):
        spread_of([1.0])


@need_torch
def test_times_are_measured_apart() -> None:
    calls: list[int] = []
    timing = measure(lambda: calls.append(1), name="op", load=0.5, seconds=0.0, warm_up=2)
    assert (timing.count, timing.load, timing.clock) == (5, 0.5, "host")
    assert len(calls) == 1 + 2 + 5
    assert timing.first > 0
