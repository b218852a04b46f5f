"""The idle baseline: how much of the device is in use before anything of ours runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.verify.parsers.smi import MIB, Card, parse_smi
from fastpt_lab.verify.parsers.smi_processes import DeviceProcesses, parse_processes
from fastpt_lab.verify.question import Verdict, fail, ok, unknown, warn

if TYPE_CHECKING:
    from fastpt_lab.core.check import Evidence
    from fastpt_lab.verify.machine import Answer, Machine

BUSY_PERCENT = 10.0
"""An idle card of 64 GiB holds 2 to 3 MiB (DTK 24.04 to 26.04); a tenth is no idle card."""

FULL_PERCENT = 95.0

_TOOLS = ("hy-smi", "rocm-smi")


def ask_cards(machine: Machine) -> tuple[tuple[Answer, ...], tuple[Card, ...]]:
    """Return what the management tool was asked, and the cards it told of.

    JSON has the bytes; where a release does not know the flag, its plain table is read.
    """
    asked: list[Answer] = []
    for tool in _TOOLS:
        if machine.which(tool) is None:
            continue
        for flags in (("--showmeminfo", "vram", "--showuse", "--json"), ()):
            answer = machine.run(tool, *flags)
            asked.append(answer)
            cards = () if answer.problem else parse_smi(answer.output)
            if cards:
                return tuple(asked), cards
    return tuple(asked), ()


def _others(machine: Machine) -> tuple[Answer | None, DeviceProcesses]:
    for tool in _TOOLS:
        if machine.which(tool) is not None:
            answer = machine.run(tool, "--showpids")
            return answer, parse_processes("" if answer.problem else answer.output)
    return None, DeviceProcesses(known=False)


def _card_words(card: Card) -> str:
    if card.total_bytes and card.used_bytes is not None:
        free = (card.total_bytes - card.used_bytes) // MIB
        memory = f"{free:,} of {card.total_bytes // MIB:,} MiB free"
    elif card.memory is not None:
        memory = f"{card.memory:g} % of the memory used"
    else:
        memory = "memory not told"
    busy = "use not told" if card.busy is None else f"{card.busy:g} % busy"
    return f"card {card.index}: {memory}, {busy}"


def device_memory(machine: Machine) -> Verdict:
    """Answer whether the device is idle."""
    asked, cards = ask_cards(machine)
    answer, others = _others(machine)
    evidence = [a.evidence for a in (*asked, *((answer,) if answer else ()))]
    if cards:
        return _judge(cards, others, evidence)
    if others.processes:
        return warn(f"other processes: {_names(others)}", *_BUSY, evidence)
    problem = "; ".join(a.problem for a in asked if a.problem)
    return unknown(
        problem or ("its output is not known here" if asked else "no hy-smi or rocm-smi"),
        "Put /opt/hyhal/bin on PATH (in a container, mount /opt/hyhal)",
        evidence,
    )


_BUSY = (
    "Others are on the device: timings are not comparable and memory may run out",
    "Choose an idle card with HIP_VISIBLE_DEVICES, or wait",
)


def _names(others: DeviceProcesses) -> str:
    return ", ".join(f"{process.name} ({process.pid})" for process in others.processes)


def _judge(
    cards: tuple[Card, ...], others: DeviceProcesses, evidence: list[Evidence]
) -> Verdict:
    shown = "; ".join(_card_words(card) for card in cards)
    if others.processes:
        shown += f"; other processes: {_names(others)}"
    used = [card.used_share or 0.0 for card in cards]
    if min(used) >= FULL_PERCENT:
        return fail(
            shown,
            "No card has free memory: the first allocation fails",
            "End the other processes (hy-smi --showpids)",
            evidence,
        )
    busy = [card.busy or 0.0 for card in cards]
    if max(used) >= BUSY_PERCENT or max(busy) >= BUSY_PERCENT or others.processes:
        return warn(shown, *_BUSY, evidence)
    if any(card.used_share is None or card.busy is None for card in cards):
        return unknown(
            shown + " (N/A is no zero: the tool may not ask here)",
            "Run hy-smi on the host, or pass the management device into the container",
            evidence,
        )
    return ok(shown, evidence)
