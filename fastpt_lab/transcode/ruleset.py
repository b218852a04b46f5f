"""What names become here: torch's tables, checked against the installed HIP."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from fastpt_lab.host.config import cache_dir
from fastpt_lab.transcode.draft import Rules
from fastpt_lab.transcode.headerindex import load_absent
from fastpt_lab.transcode.installed import find_include_root
from fastpt_lab.transcode.mapping import load_tables
from fastpt_lab.transcode.pattern import HIDDEN_INTRINSICS

if TYPE_CHECKING:
    from collections.abc import Iterable


def load_rules(defines: Iterable[str] = ()) -> Rules:
    """Return what names become here.

    Args:
        defines: macros that the build passes, `NAME` or `NAME=VALUE`.

    Raises:
        ToolMissingError: torch is not installed.
    """
    cache = cache_dir()
    tables = load_tables(cache)
    absent: dict[str, str] = {}
    root = find_include_root()
    if root is not None:
        absent = load_absent(root, cache, tables, HIDDEN_INTRINSICS)
    return Rules(tables=tables, absent=absent, defines=_numbers(defines))


def _numbers(defines: Iterable[str]) -> dict[str, int]:
    """Return the macros with a number among `NAME` (which is 1) and `NAME=VALUE`."""
    found = {}
    for define in defines:
        name, has_value, value = define.partition("=")
        with contextlib.suppress(ValueError):
            found[name] = int(value.rstrip("uUlL"), 0) if has_value else 1
    return found
