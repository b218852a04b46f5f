"""The list of conditions that no recorded failure tells names only conditions that exist."""

from __future__ import annotations

import json

from rules.mutate import KNOWN, modules, names_of


def test_each_listed_condition_exists() -> None:
    listed = json.loads(KNOWN.read_text("utf-8"))
    existing = {
        name for module in (*modules([]), *modules(["kit"])) for name in names_of(module)
    }
    assert set(listed) <= existing
