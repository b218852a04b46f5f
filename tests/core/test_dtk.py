"""Every spelling of a DTK's version that was seen, and what is none."""

from __future__ import annotations

import pytest

from fastpt_lab.core.dtk import dtk_of_wheel, parse_dtk


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("25042", "25.04.2"),
        ("25044", "25.04.4"),
        ("25.04.4", "25.04.4"),
        ("25.04.4\n", "25.04.4"),
        ("2604", "26.04"),
        ("26.04", "26.04"),
        ("24043", "24.04.3"),
        ("dtk-25.04.2", "25.04.2"),
        ("DTK-26.04", "26.04"),
        ("dtk2310", "23.10"),
        ("5.7.1", ""),
        ("", ""),
        ("99999", ""),
        ("250442", ""),
        ("twelve", ""),
    ],
)
def test_one_dtk_two_spellings(text: str, version: str) -> None:
    assert parse_dtk(text) == version


@pytest.mark.parametrize(
    ("wheel", "dtk"),
    [
        ("2.5.1+das.opt1.dtk25042", "25.04.2"),
        ("2.1.0+das1.0+git00661e0.abi0.dtk2404", "24.04"),
        ("1.13.1+git7d2dd01.abi0.dtk2310", "23.10"),
        ("2.9.0+das.opt1.dtk2604.2605281139.gd0fc8c", "26.04"),
        ("0.0.33+das.opt1.dtk2604.torch251", "26.04"),
        ("2.13.0+cpu", ""),
        ("2.9.0", ""),
    ],
)
def test_the_dtk_that_a_wheel_names(wheel: str, dtk: str) -> None:
    assert dtk_of_wheel(wheel) == dtk
