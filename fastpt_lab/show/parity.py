"""How another transcoder's output differs, by kind and by place: text, HTML and JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastpt_lab.core.parity import REASONS, Difference
from fastpt_lab.show.html import page, table, text, told
from fastpt_lab.show.json import relative
from fastpt_lab.show.language import said, say
from fastpt_lab.show.text import PLAIN, printable, seconds
from fastpt_lab.show.totals import counted

if TYPE_CHECKING:
    from fastpt_lab.core.parity import EngineParity, FileParity, Place
    from fastpt_lab.show.text import Style

_SHOWN = 20
"""Places that are listed without `--verbose`; all of those that were not intended are."""


def parity_text(found: EngineParity, style: Style = PLAIN, *, verbose: bool = False) -> str:
    """Return the kinds with their counts and reasons, then places."""
    out = [_summary(found)]
    counts = found.counts()
    for kind, number in counts.items():
        name = (
            style.error(f"{kind.value:18}")
            if kind is Difference.UNKNOWN
            else f"{kind.value:18}"
        )
        out.append(f"{number:7,}  {name} {say(REASONS[kind])}")
    for file in found.files:
        if file.remark:
            out.append(
                f"  {relative(file.original, found.root)}: {printable(say(file.remark))}"
            )
    places = [(file, place) for file in found.files for place in file.places]
    wanted = [pair for pair in places if pair[1].kind is Difference.UNKNOWN or verbose]
    for file, place in wanted if verbose else wanted[:_SHOWN]:
        out += ["", *_place_lines(found, file, place)]
    return "\n".join(out)


def _summary(found: EngineParity) -> str:
    equal = sum(not file.places and not file.remark for file in found.files)
    return said(
        "{} with lab and {}: {} equal, {} differ ({} and {})",
        counted(len(found.files), "file"),
        found.engine,
        f"{equal:,}",
        counted(sum(found.counts().values()), "line"),
        seconds(found.own_seconds),
        seconds(found.seconds),
    )


def _place_lines(found: EngineParity, file: FileParity, place: Place) -> list[str]:
    where = f"{relative(file.original, found.root)}:{place.line + 1}"
    sides = (("original", place.original), ("lab", place.ours), (found.engine, place.theirs))
    return [
        f"{where}: {place.kind.value}",
        *(f"  {name:8} | {printable(line.rstrip())}" for name, line in sides if line),
    ]


def parity_html(found: EngineParity) -> str:
    """Return the table of kinds, and the places in one that opens on demand."""
    kinds = [
        (text(kind.value), f"{number:,}", told(REASONS[kind]))
        for kind, number in found.counts().items()
    ]
    places = [
        (
            text(f"{relative(file.original, found.root)}:{place.line + 1}"),
            text(place.kind.value),
            f"<code>{text(place.ours.rstrip())}</code>",
            f"<code>{text(place.theirs.rstrip())}</code>",
        )
        for file in found.files
        for place in file.places
    ]
    listed = table("Places", ("Place", "Kind", "lab", text(found.engine)), places)
    more = (
        f"<details><summary>{said('{} lines', f'{len(places):,}')}</summary>{listed}</details>"
        if places
        else ""
    )
    body = table("Differences", ("Kind", "Lines", "Why"), kinds) if kinds else ""
    return page(f"<p>{text(_summary(found))}</p>{body}{more}", label="Engines compared")


def parity_json(found: EngineParity) -> dict[str, Any]:
    """Return the document of docs/contract.md, without its head."""
    return {
        "engine": found.engine,
        "seconds": {"lab": found.own_seconds, found.engine: found.seconds},
        "counts": {kind.value: number for kind, number in found.counts().items()},
        "files": [
            {
                "original": relative(file.original, found.root),
                "remark": file.remark,
                "differences": [
                    {
                        "kind": place.kind.value,
                        "line": place.line,
                        "original": place.original,
                        "lab": place.ours,
                        found.engine: place.theirs,
                    }
                    for place in file.places
                ],
            }
            for file in found.files
        ],
    }
