"""Readable names of mangled symbols, where binutils' c++filt is installed."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.core.diagnostic import Diagnostic, Related
from fastpt_lab.core.errors import FastptError
from fastpt_lab.host.process import run

if TYPE_CHECKING:
    from collections.abc import Sequence

_MANGLED = re.compile(r"\b_Z[A-Za-z0-9_.$]+")
_TIMEOUT = 10.0
_MAX_NAMES = 200


def with_readable_names(diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics with a note for each mangled name in a message.

    The message keeps the tool's words; without c++filt nothing is added.
    """
    names = list(
        dict.fromkeys(name for one in diagnostics for name in _MANGLED.findall(one.message))
    )
    readable = _demangle(names[:_MAX_NAMES]) if names else {}
    if not readable:
        return list(diagnostics)
    return [_noted(one, readable) for one in diagnostics]


def _noted(found: Diagnostic, readable: dict[str, str]) -> Diagnostic:
    notes = tuple(
        Related(message=f"{name} is {readable[name]}")
        for name in dict.fromkeys(_MANGLED.findall(found.message))
        if name in readable
    )
    return replace(found, related=(*found.related, *notes)) if notes else found


def _demangle(names: Sequence[str]) -> dict[str, str]:
    if shutil.which("c++filt") is None:
        return {}
    try:
        result = run(["c++filt", *names], timeout=_TIMEOUT)
    except FastptError:
        return {}
    lines = result.output.splitlines()
    if len(lines) != len(names):
        return {}
    return {name: line for name, line in zip(names, lines, strict=True) if line != name}
