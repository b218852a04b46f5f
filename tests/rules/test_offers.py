"""What every rule says on every recorded failure, and on failures made unlike, is as recorded.

Recorded by `python tests/rules/record_fixtures.py`; read the difference before you commit it.
`python tests/rules/mutate.py` shows that a rule that loses a condition fails here.
"""

from __future__ import annotations

import json

import pytest
from rule_bench import FIXTURES
from rule_offers import offers_of

from fastpt_lab.rules import RULES

RECORDED = json.loads((FIXTURES / "offers.json").read_text("utf-8"))


@pytest.mark.parametrize("name", sorted(RULES))
def test_a_rule_offers_what_is_recorded(name: str) -> None:
    assert offers_of(RULES[name]) == RECORDED[name]


def test_nothing_is_recorded_of_a_rule_that_is_gone() -> None:
    assert sorted(RECORDED) == sorted(RULES)
