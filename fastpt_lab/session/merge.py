"""One numbered list of diagnostics from those of several units."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.text import Location


class Merged(NamedTuple):
    """Diagnostics in reading order, and for each id the unit that said it first."""

    diagnostics: tuple[Diagnostic, ...]
    units: dict[str, Path]


_Key = tuple["Location | None", str]


def merge(units: Sequence[tuple[Path, Sequence[Diagnostic]]]) -> Merged:
    """Return the diagnostics of all units, errors first, in the units' order.

    What two units say of one place of a shared header is said once, with its followers.

    Args:
        units: each unit's generated file and its own located diagnostics.
    """
    kept: list[tuple[Path, Diagnostic]] = []
    seen: dict[_Key, tuple[Path, str]] = {}
    aliases: dict[tuple[Path, str], tuple[Path, str]] = {}
    for unit, diagnostics in units:
        for found in diagnostics:
            key = (found.location or found.generated, found.message)
            first = seen.setdefault(key, (unit, found.id))
            aliases[unit, found.id] = first
            if first == (unit, found.id):
                kept.append((unit, found))
    # Sorting is stable: the order inside each severity is the build's own.
    kept.sort(key=lambda pair: pair[1].severity)
    ids = {(unit, found.id): f"d{n}" for n, (unit, found) in enumerate(kept, start=1)}
    out = []
    for unit, found in kept:
        cause = None
        if found.caused_by is not None:
            cause = ids.get(aliases.get((unit, found.caused_by), (unit, found.caused_by)))
        out.append(replace(found, id=ids[unit, found.id], caused_by=cause))
    return Merged(tuple(out), {new.id: unit for new, (unit, _) in zip(out, kept, strict=True)})
