"""Read what `hy-smi` and `rocm-smi` print of each card: the table, the text lines, the JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace

from fastpt_lab.verify.parsers.plain import lines, plain

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """One card as the management tool reports it; None where it reports nothing or `N/A`.

    Attributes:
        index: as the tool counts them.
        busy: percent of the compute units in use.
        memory: percent of the memory in use.
        total_bytes, used_bytes: memory of the card.
        temperature: degrees Celsius.
        performance: the clock policy, `auto`, `manual`, `high`.
    """

    index: int
    busy: float | None = None
    memory: float | None = None
    total_bytes: int | None = None
    used_bytes: int | None = None
    temperature: float | None = None
    performance: str = ""
    series: str = ""

    @property
    def used_share(self) -> float | None:
        """Percent of the memory in use, from the bytes where they are known."""
        if self.total_bytes and self.used_bytes is not None:
            return 100.0 * self.used_bytes / self.total_bytes
        return self.memory


_LINE = re.compile(r"^(?:HCU|DCU|GPU|card)\[?(\d+)\]?\s*:\s*([^:]+?)\s*:\s*(.*)$")
_VALUE = re.compile(r"-?\d+(?:\.\d+)?")


def parse_smi(text: str) -> tuple[Card, ...]:
    """Read any of the three forms, by index; none if nothing was recognised.

    Columns are found by their names: `DCU%` or `HCU%`, fans and clocks come and go between
    DTK 23.10 and 26.04, and `N/A` is printed where a container may not ask.
    """
    return _json(text) or _table(text) or _text(text)


def _number(text: str | None) -> float | None:
    match = _VALUE.match(text.strip()) if text else None
    return float(match.group(0)) if match else None


def _json(text: str) -> tuple[Card, ...]:
    body = plain(text)
    start = body.find("{")
    if start < 0:
        return ()
    try:
        # Warnings may stand before and after the document.
        value, _ = json.JSONDecoder().raw_decode(body, start)
    except (ValueError, RecursionError):
        return ()
    cards = []
    for key, facts in value.items() if isinstance(value, dict) else ():
        match = re.fullmatch(r"card(\d{1,4})", key)
        if match and isinstance(facts, dict):
            named = {str(k): str(v) for k, v in facts.items()}
            cards.append(_from_names(Card(index=int(match.group(1))), named))
    return tuple(sorted(cards, key=lambda card: card.index))


def _from_names(card: Card, names: dict[str, str]) -> Card:
    for name, value in names.items():
        card = _with(card, name, value)
    return card


def _with(card: Card, name: str, value: str) -> Card:
    number = _number(value)
    key = name.lower()
    if key in ("hcu use (%)", "dcu use (%)", "gpu use (%)"):
        return replace(card, busy=number)
    if key.startswith("vram total") and number is not None:
        size = int(number * (MIB if "(mib)" in key else 1))
        if "used" in key:
            return replace(card, used_bytes=size)
        return replace(card, total_bytes=size)
    if key in ("hcu memory use (%)", "dcu memory use (%)", "gpu memory use (%)"):
        return replace(card, memory=number)
    if key.startswith("temperature") and card.temperature is None:
        return replace(card, temperature=number)
    if key in ("card series", "device name", "card model"):
        return replace(card, series=value.strip())
    return card


def _table(text: str) -> tuple[Card, ...]:
    header: list[str] = []
    cards = []
    for line in lines(text):
        words = line.split()
        if not words:
            continue
        if words[0] in ("DCU", "HCU", "GPU") and len(words) > 2:
            header = words
        elif header and words[0].isdigit() and len(words) == len(header):
            cards.append(_row(dict(zip(header, words, strict=True)), int(words[0][:6])))
    return tuple(cards)


def _row(row: dict[str, str], index: int) -> Card:
    busy = next((row[name] for name in ("HCU%", "DCU%", "GPU%") if name in row), None)
    return Card(
        index=index,
        busy=_number(busy),
        memory=_number(row.get("VRAM%")),
        temperature=_number(row.get("Temp")),
        performance=row.get("Perf", ""),
    )


def _text(text: str) -> tuple[Card, ...]:
    cards: dict[int, Card] = {}
    for line in lines(text):
        match = _LINE.match(line)
        if match:
            index = int(match.group(1)[:6])
            card = cards.get(index, Card(index=index))
            cards[index] = _with(card, match.group(2), match.group(3))
    return tuple(cards[index] for index in sorted(cards))
