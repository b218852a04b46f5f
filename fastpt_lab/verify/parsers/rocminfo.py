"""Read what `rocminfo` prints: the driver's banner, the agents, the reason of a failure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import lines, plain


@dataclass(frozen=True, slots=True, kw_only=True)
class Agent:
    """One device that HSA sees.

    Attributes:
        name: `gfx906`.
        isa: with features, `gfx928:sramecc+:xnack-`; the name where none is printed.
        device_type: `GPU`, or `HCU` on a DCU; "" where it is not printed.
        wavefront: lanes, None where it is not printed.
        compute_units: None where it is not printed.
        memory_bytes: of the largest global pool, None where none is printed.
        bus: PCI `bus:device.function` from BDFID, "" where it is not printed.
    """

    name: str
    isa: str
    device_type: str = ""
    marketing_name: str = ""
    vendor: str = ""
    wavefront: int | None = None
    compute_units: int | None = None
    memory_bytes: int | None = None
    bus: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why rocminfo could not list the agents.

    Attributes:
        kind: `no-module`, `no-permission`, `not-permitted`, `invalid-argument`, `no-node`,
            `no-resources`, `hsa-failure` or `other`.
        message: the tool's own line.
    """

    kind: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rocminfo:
    """One run of rocminfo.

    Attributes:
        module: the line about the kernel module, "" where there is none.
        module_loaded: what it says; None where it says nothing.
        devices: agents that are no CPU.
        refusal: None where the listing went well.
        complete: whether the listing ends as a whole one does.
    """

    module: str = ""
    module_loaded: bool | None = None
    devices: tuple[Agent, ...] = ()
    refusal: Refusal | None = None
    complete: bool = False


_OPEN = re.compile(r"Unable to open /dev/kfd read-write: (.+)")
_CAUSES = (
    ("Permission denied", "no-permission"),
    ("Operation not permitted", "not-permitted"),
    ("Invalid argument", "invalid-argument"),
    ("No such file or directory", "no-node"),
    ("Cannot allocate memory", "no-resources"),
)
_MODULE = re.compile(r"^.*module.*\bis\b.*\bloaded\b.*$", re.IGNORECASE | re.MULTILINE)
_AGENT = re.compile(r"^Agent \d+$")
_FIELD = re.compile(r"^ {2}(\S[^:]*):\s*(.*)$")
_POOL_SIZE = re.compile(r"^ {6}Size:\s*(\d+)")
_ISA = re.compile(r"^ {6}Name:\s*\S*--(gfx\S+)$")
_NUMBER = re.compile(r"\d+")


def parse_rocminfo(text: str) -> Rocminfo:
    """Read the output of `rocminfo`.

    On a DCU the device type is `HCU`, so agents are told from CPUs by their `gfx` name or by a
    type that is not `CPU`. *Source*: rocminfo of ROCm 5.2 and of DTK 25/26 images.
    """
    body = plain(text)
    module = _MODULE.search(body)
    banner = module.group(0).strip() if module else ""
    loaded = None if not banner else not re.search(r"\bnot\b", banner, re.IGNORECASE)
    agents = tuple(a for a in (_agent(block) for block in _blocks(body)) if a is not None)
    return Rocminfo(
        module=banner,
        module_loaded=loaded,
        devices=agents,
        refusal=_refusal(body, banner, loaded),
        complete="*** Done ***" in body,
    )


def _blocks(body: str) -> list[list[str]]:
    blocks: list[list[str]] = []
    for line in lines(body):
        if _AGENT.match(line):
            blocks.append([])
        elif blocks:
            blocks[-1].append(line)
    return blocks


def _agent(block: list[str]) -> Agent | None:
    fields: dict[str, str] = {}
    for line in block:
        match = _FIELD.match(line)
        if match:
            fields.setdefault(match.group(1).strip(), match.group(2).strip())
    name, kind = fields.get("Name", ""), fields.get("Device Type", "")
    if not name.startswith("gfx"):
        return None
    isa = next((m.group(1) for m in map(_ISA.match, block) if m), name)
    return Agent(
        name=name,
        isa=isa,
        device_type=kind,
        marketing_name=fields.get("Marketing Name", ""),
        vendor=fields.get("Vendor Name", ""),
        wavefront=_number(fields.get("Wavefront Size", "")),
        compute_units=_number(fields.get("Compute Unit", "")),
        memory_bytes=_memory(block),
        bus=_bus(_number(fields.get("BDFID", ""))),
    )


def _memory(block: list[str]) -> int | None:
    """Return the bytes of the largest pool whose segment is GLOBAL; sizes are in KB."""
    best, segment = None, ""
    for line in block:
        if "Segment:" in line:
            segment = line
        size = _POOL_SIZE.match(line)
        if size and "GLOBAL" in segment:
            best = max(best or 0, int(size.group(1)) * 1024)
    return best


def _number(text: str) -> int | None:
    match = _NUMBER.match(text)
    return int(match.group(0)) if match else None


def _bus(bdfid: int | None) -> str:
    if bdfid is None:
        return ""
    return f"{bdfid >> 8:02x}:{bdfid >> 3 & 31:02x}.{bdfid & 7}"


def _refusal(body: str, banner: str, loaded: bool | None) -> Refusal | None:
    opened = _OPEN.search(body)
    if opened:
        kind = next((k for words, k in _CAUSES if words in opened.group(1)), "other")
        return Refusal(kind=kind, message=opened.group(0).strip())
    if loaded is False:
        return Refusal(kind="no-module", message=banner)
    called = re.search(r"Call returned (HSA_STATUS_\w+).*", body)
    if called:
        kind = "no-resources" if "OUT_OF_RESOURCES" in called.group(1) else "hsa-failure"
        return Refusal(kind=kind, message=called.group(0).strip())
    failed = re.search(r"^hsa api call failure.*$", body, re.MULTILINE)
    if failed:
        return Refusal(kind="hsa-failure", message=failed.group(0).strip())
    return None
