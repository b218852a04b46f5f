"""What an operator on vectors computes is believed only where its body shows it."""

from __future__ import annotations

import pytest
from rule_told import PATH

from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.functions import function_around
from fastpt_lab.rules.kit.operators import Meaning, meaning_of


def meaning(text: str) -> Meaning:
    function = function_around(PATH, Document(text), text.index("operator"))
    assert function is not None
    return meaning_of(function)


ELEMENTWISE = [
    "float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }",
    "float2 operator+(const float2& a, const float2 &b) { return {b.x + a.x, a.y + b.y}; }",
    "float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }",
    "float3 operator*(float3 a, float s) { return float3{a.x * s, (a.y * s), s * a.z}; }",
    "float2 operator/(float s, float2 a) { return make_float2(s / a.x, s / a.y); }",
    "uint2 operator*(uint2 a, unsigned int s) { return make_uint2(a.x * s, a.y * s); }",
    (
        "longlong2 operator*(longlong2 a, const long long s) {"
        " return make_longlong2(a.x * s, a.y * s); }"
    ),
    "void operator+=(float2& a, float2 b) { a.x += b.x; a.y += b.y; }",
    "float2& operator+=(float2& a, float2 b) { a.y += b.y; a.x = a.x + b.x; return a; }",
    "void operator*=(float2& a, float s) { a = make_float2(a.x * s, a.y * s); }",
    (
        "float2 operator-(float2 a, float2 b) {"
        " float2 r; r.x = a.x - b.x; r.y = a.y - b.y; return r; }"
    ),
    "bool operator==(int2 a, int2 b) { return a.x == b.x && a.y == b.y; }",
    "bool operator!=(int2 a, int2 b) { return (a.x != b.x) || (a.y != b.y); }",
]

OTHER = [
    "float operator*(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }",
    (
        "float2 operator*(float2 a, float2 b) {"
        " return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }"
    ),
    "float3 operator/(float3 a, float3 b) { return cross(a.y / b.z, a.x, b.x); }",
]

UNKNOWN = [
    "float2 operator+(float2 a, float2 b) { a = make_float2(a.x + b.x, a.y + b.y); return a; }",
    "float2 add(float2 operator_, float2 b) { return make_float2(operator_.x + b.x, 0); }",
    "float2 operator+(float2 a, float2 b);",
    "float2 operator()(float2 a, float2 b, float2 c) { return make_float2(a.x, b.x); }",
    "float2 operator+(float2, float2 b) { return b; }",
    "Pair operator+(Pair a, Pair b) { return {a.x + b.x, a.y + b.y}; }",
    # Another type than HIP's operator gives, or another conversion on the way.
    "float4 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }",
    "int2 operator+(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }",
    "float2 operator+(float2 a, int2 b) { return {a.x + b.x, a.y + b.y}; }",
    "int2 operator*(int2 a, float s) { return make_int2(a.x * s, a.y * s); }",
    "float2 operator*(float2 a, double s) { return make_float2(a.x * s, a.y * s); }",
    "uint2 operator*(uint2 a, int s) { return make_uint2(a.x * s, a.y * s); }",
    # The scalar may be a component of what is assigned.
    "void operator*=(float2& a, const float& s) { a.x *= s; a.y *= s; }",
    # Nothing is assigned.
    "void operator+=(float2 a, float2 b) { a.x += b.x; a.y += b.y; }",
    "float2 operator+=(float2& a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }",
    "void operator+=(float2& a, float2 b) { }",
    "void operator+=(float2& a, float2 b) { a.x += b.x; a.y += b.y; a.x += 1; }",
    "void operator+=(float2& a, float2 b) { a.x += b.x; a.y += b.x; }",
    "void operator+=(float2& a, float2 b) { a.x += b.x; a.x += b.x; }",
    "float2 operator-(float2 a, float2 b) { return make_float2(b.x - a.x, a.y - b.y); }",
    "float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x); }",
    "float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.x); }",
    "float2 operator+(float2 a, float2 b) { }",
    "float2 operator+(float2 a, float2 b) { return sum(a, b); }",
    (
        "float2 operator+(float2 a, float2 b) {"
        " float2 r; r.x = a.x + b.x; r.y = a.y + b.y; return a; }"
    ),
    "float2 operator+(float2 a, float2 b) { float2 r; r.x = a.x + b.x; r.y = a.y; return r; }",
    (
        "float2 operator+(float2 a, float2 b) {"
        " float2 r; r.x = a.x + b.x; r.y = a.y + b.y; r.x = 0; return r; }"
    ),
    (
        "float2 operator+(float2 a, float2 b) {"
        " r = a; r.x = a.x + b.x; r.y = a.y + b.y; return r; }"
    ),
    "bool operator==(int2 a, int2 b) { return a.x == b.x || a.y == b.y; }",
    "bool operator!=(int2 a, int2 b) { return a.x != b.x && a.y != b.y; }",
    "bool operator==(int2 a, int2 b) { if (a.x) return false; }",
    "int operator==(int2 a, int2 b) { return a.x == b.x; }",
    "bool operator<(float2 a, float2 b) { return a.x < b.x && a.y < b.y; }",
]


@pytest.mark.parametrize("text", ELEMENTWISE)
def test_component_by_component(text: str) -> None:
    assert meaning(text) is Meaning.ELEMENTWISE


@pytest.mark.parametrize("text", OTHER)
def test_another_operation(text: str) -> None:
    assert meaning(text) is Meaning.OTHER


@pytest.mark.parametrize("text", UNKNOWN)
def test_not_shown(text: str) -> None:
    assert meaning(text) is Meaning.UNKNOWN
