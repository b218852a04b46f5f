"""Read `--showpids` of hy-smi and rocm-smi: who else is on the device."""

from __future__ import annotations

from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import lines


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceProcess:
    """One process that holds the device; the number is the host's, not the container's.

    `memory_bytes` is None where the tool prints `UNKNOWN`.
    """

    pid: int
    name: str
    memory_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceProcesses:
    """Who is on the device; `known` is false where the output has no such list."""

    known: bool
    processes: tuple[DeviceProcess, ...] = ()


def parse_processes(text: str) -> DeviceProcesses:
    """Read the table of `KFD process information`, or the line that there is none."""
    known = "No KFD PIDs currently running" in text
    found = []
    in_table = False
    for line in lines(text):
        if line.lstrip().startswith("PID") and "PROCESS NAME" in line:
            in_table = known = True
            continue
        if line.startswith("==="):
            in_table = False
        cells = [cell.strip() for cell in line.split("\t")]
        if in_table and len(cells) >= 4 and cells[0].isdigit():
            size = int(cells[3]) if cells[3].isdigit() else None
            found.append(
                DeviceProcess(pid=int(cells[0][:12]), name=cells[1], memory_bytes=size)
            )
    return DeviceProcesses(known=known, processes=tuple(found))
