"""Compare the last results with the floors and ceilings of ratios in expected.json.

Ratios of two figures of one run say the same on a fast machine and on a slow one; a time does not.
A figure that is not there fails too: a benchmark that was renamed must not guard nothing.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

EXPECTED = Path(__file__).with_name("expected.json")
_STEP = re.compile(r"([^.\[\]]+)(?:\[(\w+)=([^\]]+)\])?\.?")


def figure(result: Any, path: str) -> float:  # noqa: ANN401 - a JSON document
    """Return the number at `name.name[key=value].name` of a result.

    Raises:
        LookupError: there is none.
    """
    here = result
    for name, key, value in _STEP.findall(path):
        if not isinstance(here, dict) or name not in here:
            raise LookupError(f"no {name}")
        here = here[name]
        if key:
            rows = [row for row in here if str(row.get(key)) == value]
            if len(rows) != 1:
                raise LookupError(f"{len(rows)} rows with {key}={value}")
            here = rows[0]
    if isinstance(here, (int, float)) and not isinstance(here, bool):
        return here
    raise LookupError("it is no number")


def violations(results: Path, names: Iterable[str]) -> Iterator[str]:
    """Yield what each named benchmark's last result breaks, in words."""
    expected = json.loads(EXPECTED.read_text("utf-8"))
    for name in names:
        limits = expected.get(name, {})
        if not limits:
            continue
        try:
            result = json.loads((results / f"bench_{name}.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            yield f"{name}: there is no result: {error}"
            continue
        for path, limit in limits.items():
            try:
                found = figure(result, path)
            except LookupError as error:
                yield f"{name}: {path}: {error}"
                continue
            if found < limit.get("min", found):
                yield f"{name}: {path} is {found:g}, below {limit['min']:g}: {limit['why']}"
            if found > limit.get("max", found):
                yield f"{name}: {path} is {found:g}, above {limit['max']:g}: {limit['why']}"
