"""An operator is left to HIP only where it is HIP's, and no other is meant."""

from __future__ import annotations

import pytest
from rule_told import EVERYTHING, offers, seen

from fastpt_lab.core.action import ActionKind, Applicability

RULE = "ambiguous-operator"
HIP = "/usr/include/hip/amd_detail/amd_hip_vector_types.h: candidate function"
COMPLEX = "/usr/include/hip/amd_detail/amd_hip_complex.h: candidate function"
OWN = "candidate function"


def ambiguous(symbol: str, *types: str) -> str:
    told = " and ".join(f"'{t}'" for t in types)
    return f"use of overloaded operator '{symbol}' is ambiguous (with operand types {told})"


ADD = "__device__ float2 §1operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }\n"
USE = "__device__ float2 f(float2 a, float2 b) { return a §+ b; }\n"
TWICE = ambiguous("+", "float2", "float2")


def test_the_operator_of_the_notes_is_left_out() -> None:
    (action,) = offers(RULE, ADD + USE, TWICE, OWN, HIP)
    assert action.applicability is Applicability.SAFE
    assert "operator" not in seen(action, ADD + USE)


@pytest.mark.parametrize(
    "notes",
    [
        (OWN,),
        ("candidate template ignored", HIP),
        ("in instantiation of function template", HIP),
    ],
    ids=["no candidate of HIP's", "no candidate", "no candidate at all"],
)
def test_both_sides_must_be_candidates(notes: tuple[str, ...]) -> None:
    assert offers(RULE, ADD + USE, TWICE, *notes) == ()


def test_an_operator_on_the_projects_own_types_is_kept() -> None:
    own = "__device__ Pair §1operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }\n"
    assert offers(RULE, own + USE, ambiguous("+", "Pair", "Pair"), OWN, HIP) == ()


def test_a_note_that_points_into_another_operator_names_no_candidate() -> None:
    other = ADD.replace("operator+", "operator-").replace(" + ", " - ")
    assert offers(RULE, other + USE, TWICE, OWN, HIP) == ()


def test_candidates_in_two_files_are_not_changed_together() -> None:
    other = ADD.replace("§1", "§2")
    assert offers(RULE, ADD + USE, TWICE, OWN, OWN, HIP, other=other) == ()


def test_a_sum_is_left_to_hips_complex_numbers_too() -> None:
    # A complex sum is the sum of the components.
    (action,) = offers(RULE, ADD + USE, TWICE, OWN, COMPLEX)
    assert action.applicability is Applicability.SAFE
    assert "operator" not in seen(action, ADD + USE)


def test_all_operators_of_a_file_are_each_counted_once() -> None:
    text = (
        "#define PLUS operator+\n"
        + ADD
        + "__device__ float4 operator-(float4 a) {"
        + " return make_float4(-a.x, -a.y, -a.z, -a.w); }\n"
        + "__device__ float2 g(float2 a, float2 b) { return operator+(a, b); }\n"
        + "__device__ float2 operator-(float2 a, float2 b) {"
        + " return make_float2(a.x - b.x, a.y - b.y); }\n"
        + "__device__ Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }\n"
        + "__device__ float2 operator*(float2 a, float2 b) { return {a.x * b.x, a.y * b.y}; }\n"
        + USE
    )
    _, every = offers(RULE, text, TWICE, OWN, HIP, stack=EVERYTHING)
    assert every.title == "Leave all 3 vector operators of a.cu to HIP"
    hip = seen(every, text)
    assert "operator-" not in hip
    assert "Pair operator+" in hip
    assert "float2 operator*" in hip


def test_only_operators_that_hip_has_are_left_out() -> None:
    text = ADD + "__device__ float2 operator-(float2 a) { return {-a.x, -a.y}; }\n" + USE
    assert len(offers(RULE, text, TWICE, OWN, HIP)) == 1


PRODUCT = (
    "__device__ float2 §1operator*(float2 a, float2 b) { return {a.x * b.x, a.y * b.y}; }\n"
)
TIMES = "__device__ float2 f(float2 a, const float2 b) { return a §* b; }\n"


def test_a_product_is_written_by_components_where_hips_is_complex() -> None:
    message = ambiguous("*", "float2", "const float2")
    (action,) = offers(RULE, PRODUCT + TIMES, message, OWN, COMPLEX)
    assert action.applicability is Applicability.SAFE
    assert "return make_float2(a.x * b.x, a.y * b.y); }(a, b)" in seen(action, PRODUCT + TIMES)


def test_a_product_is_not_safe_to_leave_where_complex_numbers_may_be_read() -> None:
    (action,) = offers(RULE, PRODUCT + TIMES, ambiguous("*", "float2", "float2"), OWN, HIP)
    assert action.applicability is Applicability.UNSAFE


ADVICE = {
    "an operand of a class": ((PRODUCT, TIMES), ambiguous("*", "float2", "Angle"), (OWN,)),
    "one operand": ((PRODUCT, TIMES), ambiguous("*", "float2"), (OWN,)),
    "another kind": ((PRODUCT, TIMES), ambiguous("*", "double2", "double2"), (OWN,)),
    "two definitions": (
        (PRODUCT, PRODUCT.replace("§1", "§2"), TIMES),
        ambiguous("*", "float2", "float2"),
        (OWN, OWN),
    ),
    "an assignment": (
        (
            "__device__ void §1operator*=(float2& a, float2 b) { a.x *= b.x; a.y *= b.y; }\n",
            "__device__ void f(float2& a, float2 b) { a §*= b; }\n",
        ),
        ambiguous("*=", "float2", "float2"),
        (OWN,),
    ),
    "a macro": (
        (PRODUCT, "#define MUL(a, b) a §* b\n"),
        ambiguous("*", "float2", "float2"),
        (OWN,),
    ),
    "a definition that is not read": (
        (PRODUCT.replace("{a.x * b.x, a.y * b.y}", "product(a, b)"), TIMES),
        ambiguous("*", "float2", "float2"),
        (OWN,),
    ),
}


@pytest.mark.parametrize(("texts", "message", "notes"), ADVICE.values(), ids=ADVICE)
def test_there_is_only_advice(
    texts: tuple[str, ...], message: str, notes: tuple[str, ...]
) -> None:
    (action,) = offers(RULE, "".join(texts), message, *notes, COMPLEX)
    assert action.kind is ActionKind.ADVICE
