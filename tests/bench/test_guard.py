"""The guard notices what it is there for, and every limit names a figure that is measured."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT)]

from benchmarks import guard
from benchmarks.__main__ import ALL, figures, results, table
from benchmarks.growth import Curve, draw, exponent

RESULT = {"rows": [{"n": 1, "x": 2.0}, {"n": 10, "x": 3}], "ratio": {"cpu": 1.5}, "name": "a"}


@pytest.mark.parametrize(
    ("path", "found"), [("ratio.cpu", 1.5), ("rows[n=1].x", 2.0), ("rows[n=10].x", 3)]
)
def test_a_figure_is_found_by_its_path(path: str, found: float) -> None:
    assert guard.figure(RESULT, path) == found


@pytest.mark.parametrize("path", ["ratio.gpu", "rows[n=2].x", "name", "ratio", "rows.x"])
def test_a_figure_that_is_not_there_is_no_number(path: str) -> None:
    with pytest.raises(LookupError):
        guard.figure(RESULT, path)


def test_limits_are_kept_from_below_and_above(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = tmp_path / "expected.json"
    monkeypatch.setattr(guard, "EXPECTED", limits)
    (tmp_path / "bench_one.json").write_text(json.dumps(RESULT))

    def broken(path: str, **limit: float) -> list[str]:
        limits.write_text(json.dumps({"one": {path: {**limit, "why": "because"}}}))
        return list(guard.violations(tmp_path, ["one"]))

    assert broken("ratio.cpu", min=1.5, max=1.5) == []
    assert broken("ratio.cpu", min=1.6) == ["one: ratio.cpu is 1.5, below 1.6: because"]
    assert broken("ratio.cpu", max=1.4) == ["one: ratio.cpu is 1.5, above 1.4: because"]
    assert broken("ratio.gpu", max=1.4) == ["one: ratio.gpu: no gpu"]
    (tmp_path / "bench_one.json").write_text("")
    (line,) = broken("ratio.cpu", max=9)
    assert line.startswith("one: there is no result")


def test_every_limit_has_a_reason_and_a_benchmark() -> None:
    expected = json.loads(guard.EXPECTED.read_text("utf-8"))
    assert set(expected) <= set(ALL)
    for limits in expected.values():
        for limit in limits.values():
            assert limit["why"]
            assert {"min", "max"} & set(limit)


def test_every_number_is_named_in_the_table() -> None:
    assert dict(figures(RESULT)) == {
        "rows[n=1].n": 1,
        "rows[n=1].x": 2.0,
        "rows[n=10].n": 10,
        "rows[n=10].x": 3,
        "ratio.cpu": 1.5,
    }


def test_the_table_is_whole_and_says_what_is_missing(tmp_path: Path) -> None:
    batch = {
        "exponent": {"survey": 0.8},
        "cluster": {"missing": "no a|b is installed"},
        "peer": None,
    }
    (tmp_path / "bench_batch.json").write_text(json.dumps(batch))
    (tmp_path / "bench_check.json").write_text(
        '{"missing": "exit code 1: torch is not installed"}'
    )
    (tmp_path / "bench_logs.json").write_text("cut o")
    every = results(tmp_path)
    assert list(every) == list(ALL)
    rows = table(every).splitlines()[4:]
    assert "| batch | exponent.survey | 0.8 |" in rows
    assert "| batch | cluster | not measured: no a\\|b is installed |" in rows
    assert "| batch | peer | not measured: what it needs is not here |" in rows
    assert "| check | all | not measured: exit code 1: torch is not installed |" in rows
    assert any(
        row.startswith("| logs | all | not measured: its result is no JSON") for row in rows
    )
    assert "| widget | all | not measured: it was not run |" in rows


@pytest.mark.parametrize("power", [0.5, 1.0, 2.0])
def test_the_exponent_is_that_of_the_growth(power: float) -> None:
    curve = Curve("c", tuple((n, 0.3 * n**power) for n in (10.0, 30.0, 100.0, 1000.0)))
    assert exponent(curve) == pytest.approx(power)


def test_the_plot_is_a_picture_with_every_point() -> None:
    curves = [
        Curve("a <b>", ((10.0, 0.5), (100.0, 5.0))),
        Curve("c", ((10.0, 0.4), (100.0, 4.9))),
    ]
    root = ElementTree.fromstring(draw(curves))
    names = [element.tag.rpartition("}")[2] for element in root]
    assert names.count("circle") == 4
    assert names.count("polyline") == 2
    words = [element.text for element in root.iter() if element.text]
    assert "a <b>: n^1.00" in words
