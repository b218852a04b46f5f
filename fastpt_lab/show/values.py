"""Plain values as JSON: fields by name, enumerations by value, paths as text."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any


def value_json(value: Any) -> Any:  # noqa: ANN401 - any value of core/
    """Return `value` as JSON holds it; non-finite numbers become text, as JSON has none.

    Raises:
        TypeError: it holds something that is no plain value.
    """
    if isinstance(value, Enum):
        return value.value
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else repr(value)
    if isinstance(value, Path):
        return value.as_posix()
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: value_json(getattr(value, f.name)) for f in fields(value)}
    if isinstance(value, dict):
        return {str(key): value_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, frozenset, set)):
        return [value_json(item) for item in value]
    raise TypeError(f"{type(value).__name__} is no plain value")
