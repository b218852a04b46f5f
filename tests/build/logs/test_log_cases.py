"""Every recorded log names its first error, with the right words, place and code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from fastpt_lab.build.locate import first_error, locate
from fastpt_lab.build.logs import parse
from fastpt_lab.core.diagnostic import CODES, Diagnostic

FIXTURES = Path(__file__).parents[2] / "fixtures"
CASES = sorted(path.parent for path in (FIXTURES / "cases").glob("*/meta.json"))
SHAPES = sorted((FIXTURES / "cases" / "_logshapes").glob("*.json"))
LOGS = sorted((FIXTURES / "logs").glob("*.json"))
CASE_CODES: dict[str, str] = json.loads(
    (FIXTURES / "logs" / "case_codes" / "codes.json").read_text("utf-8")
)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def report(data: bytes) -> tuple[Diagnostic, ...]:
    """Locate without any file: what the log alone tells."""
    root = Path("/src/ext")
    return locate(
        parse(data), origin=lambda _: None, document=lambda _: None, root=root, cwd=root
    )


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_case_names_its_first_error(case: Path) -> None:
    meta: dict[str, Any] = json.loads((case / "meta.json").read_text("utf-8"))
    found = first_error(report((case / "stderr.txt").read_bytes()))
    if meta["first_error_line"] is None:
        assert found is None
        return
    assert found is not None
    # The linker's lines carry its name in front of the place.
    assert found.raw.split("\n")[0].endswith(COLOUR.sub("", meta["first_error_line"]))
    assert found.code == CASE_CODES[case.name]
    assert found.id == "d1"
    assert found.caused_by is None


def test_every_case_has_a_code() -> None:
    assert set(CASE_CODES) == {case.name for case in CASES} - {"50-warp32-silent"}
    assert set(CASE_CODES.values()) <= CODES


@pytest.mark.parametrize("expected", [*SHAPES, *LOGS], ids=lambda path: path.stem)
def test_shape_names_its_first_error(expected: Path) -> None:
    wanted: dict[str, Any] = json.loads(expected.read_text("utf-8"))
    first = wanted["first_error"]
    diagnostics = report(expected.with_suffix(".txt").read_bytes())
    found = first_error(diagnostics)
    assert found is not None
    assert found.message == first["message"]
    assert found.code == first.get("code", "undeclared-identifier")
    if first["file"] is None:
        assert found.generated is None
    else:
        assert found.generated is not None
        assert found.generated.path == Path(first["file"])
        assert found.generated.range.start.line + 1 == first["line"]
        if first["col"] is not None:
            assert found.generated.range.start.character + 1 == first["col"]
    if "errors" in wanted:
        assert sum(one.is_error for one in diagnostics) == wanted["errors"]
        assert sum(one.caused_by is not None for one in diagnostics) == wanted["followers"]


@pytest.mark.parametrize(
    "log", [*(case / "stderr.txt" for case in CASES)], ids=lambda p: p.parent.name
)
def test_ids_are_in_reading_order_and_causes_exist(log: Path) -> None:
    diagnostics = report(log.read_bytes())
    assert [one.id for one in diagnostics] == [f"d{n}" for n in range(1, len(diagnostics) + 1)]
    roots = {one.id for one in diagnostics if one.caused_by is None}
    assert {one.caused_by for one in diagnostics} <= roots | {None}
