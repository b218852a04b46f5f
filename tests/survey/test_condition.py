"""Conditions: the evaluator against the real preprocessor, and against what is not known."""

from __future__ import annotations

import re
import subprocess

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from needs import need_gxx

from fastpt_lab.survey.condition import Macros, evaluate, names_in, number

KNOWN = Macros(
    {"ONE": "1", "SEVEN": "(3 + 4)", "VERSION": "11080", "CHAIN": "SEVEN", "EMPTY": ""},
    re.compile("ABSENT|GONE"),
)


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("1", 1),
        ("0x1F == 31 && 017 == 15 && 0b101 == 5", 1),
        ("VERSION >= 11000", 1),
        ("ABSENT >= 9000", 0),
        ("defined(ONE) && !defined ABSENT", 1),
        ("CHAIN * 2 - 4 == 10", 1),
        ("ONE ? 5 : UNKNOWN", 5),
        ("UNKNOWN || ONE", 1),
        ("UNKNOWN && ABSENT", 0),
        ("UNKNOWN", None),
        ("defined(UNKNOWN)", None),
        ("UNKNOWN || ABSENT", None),
        ("UNKNOWN ? 3 : 3", 3),
        ("FUNCTION(1, 2) > 0", None),
        ("FUNCTION(1, 2) > 0 || ONE", 1),
        ("1 / ABSENT", None),
        ("-7 / 2 == -3 && -7 % 2 == -1", 1),
        ("1 +", None),
        ("", None),
        ("EMPTY", None),
        ("11080ULL > 1'000", 1),
        ("not ABSENT and ONE", 1),
    ],
)
def test_value(condition: str, value: int | None) -> None:
    assert evaluate(condition, KNOWN) == value


def test_hidden_names_are_not_known_whatever_the_table_says() -> None:
    macros = Macros({"A": "1"}, re.compile("B"), frozenset({"A", "B"}))
    assert macros.defined("A") is None
    assert macros.defined("B") is None
    assert macros.shown("A") == "not known"


def test_a_macro_that_names_itself_ends() -> None:
    assert evaluate("LOOP", Macros({"LOOP": "LOOP + 1"})) is None


def test_names_are_those_asked_for() -> None:
    assert names_in("defined(A) && B > 3 || !defined C && A") == ("A", "B", "C")


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0), ("42u", 42), ("0xfful", 255), ("09", None)]
)
def test_number(text: str, value: int | None) -> None:
    assert number(text) == value


_ATOMS = st.sampled_from(
    [
        "0",
        "1",
        "2",
        "7",
        "31",
        "ONE",
        "SEVEN",
        "VERSION",
        "ABSENT",
        "defined(ONE)",
        "defined(GONE)",
    ]
)
_BINARY = st.sampled_from(
    ["||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*"]
)
CONDITIONS = st.recursive(
    _ATOMS,
    lambda inner: st.one_of(
        st.tuples(inner, _BINARY, inner).map(" ".join),
        inner.map("({})".format),
        inner.map("!({})".format),
        st.tuples(inner, inner, inner).map(lambda t: f"({t[0]} ? {t[1]} : {t[2]})"),
    ),
    max_leaves=8,
)


@need_gxx
@settings(max_examples=4, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(CONDITIONS, min_size=40, max_size=80))
def test_the_preprocessor_agrees(conditions: list[str]) -> None:
    lines = [f"#define {name} {value}" for name, value in KNOWN.values.items()]
    for number_, condition in enumerate(conditions):
        lines += [f"#if {condition}", f"YES{number_}", "#else", f"NO{number_}", "#endif"]
    done = subprocess.run(
        ["g++", "-E", "-P", "-w", "-x", "c++", "-"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
    )
    said = set(done.stdout.split())
    for number_, condition in enumerate(conditions):
        value = evaluate(condition, KNOWN)
        assert value is not None, condition
        assert f"{'YES' if value else 'NO'}{number_}" in said, condition
