"""What must be kept to reproduce a result: nine items, without any secret, and their diff.

The items: operating system and image; DTK; hipcc; torch; `torch.version.hip`; the device's
architecture; Python; key packages; the command and the variables that steer it.
"""

from __future__ import annotations

import json
import platform
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.host.files import write_atomic
from fastpt_lab.verify.agents import ask_rocminfo
from fastpt_lab.verify.device import MODULES, in_container
from fastpt_lab.verify.machine import Machine
from fastpt_lab.verify.redact import REPORTED, Redactor
from fastpt_lab.verify.roots import active_root, find_roots
from fastpt_lab.verify.runtime import ask_hipcc
from fastpt_lab.verify.torchinfo import TorchInfo, ask_torch

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

ITEMS = (
    ("system", "Operating system and image"),
    ("dtk", "DTK or ROCm"),
    ("hipcc", "hipcc"),
    ("torch", "torch"),
    ("torch_hip", "torch.version.hip"),
    ("gfx", "Device"),
    ("python", "Python"),
    ("packages", "Key packages"),
    ("command", "Command"),
    ("variables", "Variables"),
)
"""Field and heading of each, in the order in which they are shown."""

_NOT_FOUND = "not found out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """One record of an environment; all of it is redacted text.

    Attributes:
        time: when it was taken, UTC.
        packages, variables: `(name, value)`.
    """

    time: str
    system: str
    dtk: str
    hipcc: str
    torch: str
    torch_hip: str
    gfx: str
    python: str
    packages: tuple[tuple[str, str], ...] = ()
    command: str = ""
    variables: tuple[tuple[str, str], ...] = ()

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Return every fact by name: `torch`, `packages.numpy`, `variables.ROCM_PATH`."""
        found = []
        for field, _ in ITEMS:
            value = getattr(self, field)
            if isinstance(value, str):
                found.append((field, value))
            else:
                found.extend((f"{field}.{name}", each) for name, each in value)
        return tuple(found)

    def to_json(self) -> str:
        """Return it as one JSON document; what `parse_snapshot` reads."""
        value: dict[str, Any] = {"version": 1, "time": self.time}
        for field, _ in ITEMS:
            item = getattr(self, field)
            value[field] = item if isinstance(item, str) else dict(item)
        return json.dumps(value, indent=2, ensure_ascii=False) + "\n"

    def to_markdown(self) -> str:
        """Return it as a page to attach to a report."""
        rows = [f"# Environment, {self.time}", "", "| item | value |", "| --- | --- |"]
        rows += [
            f"| {heading} | {_cell(getattr(self, field))} |"
            for field, heading in ITEMS
            if isinstance(getattr(self, field), str)
        ]
        for field, heading in ITEMS:
            value = getattr(self, field)
            if not isinstance(value, str):
                rows += ["", f"## {heading}", ""]
                rows += [f"- `{name}` {_cell(each)}" for name, each in value] or ["none"]
        return "\n".join(rows) + "\n"


def _cell(value: str) -> str:
    return value.replace("|", "\\|").replace("\n", " ") or "–"


def snapshot(
    *,
    command: Sequence[str] | str = (),
    env: Mapping[str, str] | None = None,
    root: Path | None = None,
    timeout: float = 20.0,
    system: Path = Path("/"),
    python: str = sys.executable,
) -> Snapshot:
    """Record the environment; what is not there is said, and never guessed.

    Args:
        command: what was run, for the record.
        env: the environment to look at, this process's by default.
        root: the user's project.
        timeout: seconds for each probe; importing torch gets six times as much.
        system: where `/etc`, `/opt` and `/sys` are looked for.
        python: the interpreter whose torch is asked.
    """
    machine = Machine(env=env, root=root, timeout=timeout, system=system, python=python)
    _, torch = ask_torch(machine)
    record = Snapshot(
        time=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        system=_system(machine),
        dtk=_dtk(machine),
        hipcc=_hipcc(machine),
        torch=_torch(torch),
        torch_hip=_torch_hip(torch),
        gfx=_gfx(machine),
        python=torch.python or platform.python_version(),
        packages=torch.packages,
        command=command if isinstance(command, str) else " ".join(command),
        variables=tuple((name, machine.env[name]) for name in REPORTED if name in machine.env),
    )
    return _redacted(record, Redactor.of(machine.env))


def _system(machine: Machine) -> str:
    release = machine.read("/etc/os-release") or ""
    name = next(
        (line.split("=", 1)[1].strip('"') for line in release.splitlines()
         if line.startswith("PRETTY_NAME=")),
        _NOT_FOUND,
    )  # fmt: skip
    driver = ""
    for module in MODULES:
        version = machine.read(f"/sys/module/{module}/version")
        if version:
            driver = f", driver {module} {version.strip()}"
            break
    image = ", in a container" if in_container(machine) else ""
    glibc = " ".join(platform.libc_ver()).strip()
    return f"{name}, Linux {platform.release()}, {glibc or 'libc unknown'}{image}{driver}"


def _dtk(machine: Machine) -> str:
    roots = find_roots(machine)
    active = active_root(machine)
    shown = [
        f"{root.path} {root.kind.upper()} {root.version or 'of unknown version'}"
        + (" (active)" if root.path == active else "")
        for root in roots
    ]
    return "; ".join(shown) or "none found"


def _hipcc(machine: Machine) -> str:
    path = machine.which("hipcc")
    if path is None:
        return "none on PATH"
    answer, version = ask_hipcc(machine)
    if not version.hip:
        return f"{path}: {answer.problem or _NOT_FOUND}"
    dcc = f", dcc {version.dcc}" if version.dcc else ""
    return f"{path}: HIP {version.hip}, {version.compiler} {version.compiler_version}{dcc}"


def _torch(torch: TorchInfo) -> str:
    if not torch.imported:
        return torch.error or "none installed"
    pip = f" (pip: {torch.metadata})" if torch.metadata not in ("", torch.version) else ""
    return f"{torch.version}{pip}, git {torch.git[:12]}, C++ ABI {torch.abi}"


def _torch_hip(torch: TorchInfo) -> str:
    if torch.build == "hip":
        return torch.hip
    if torch.build == "cuda":
        return f"None (a CUDA {torch.cuda} build)"
    return "None (a CPU build)" if torch.imported else _NOT_FOUND


def _gfx(machine: Machine) -> str:
    answer, info = ask_rocminfo(machine)
    if info.devices:
        return ", ".join(f"{a.isa} {a.marketing_name}".strip() for a in info.devices)
    if info.refusal:
        return f"none: {info.refusal.message}"
    return f"none: {answer.problem or 'rocminfo lists no device'}"


def parse_snapshot(text: str) -> Snapshot:
    """Read a record that `to_json` wrote, maybe on another machine.

    Raises:
        ConfigError: it is none.
    """
    try:
        value = json.loads(text)
        if value["version"] != 1:
            raise ConfigError(
                f"the snapshot has version {value['version']}", next_step="Take a new one"
            )
        return Snapshot(
            time=str(value["time"]),
            **{
                field: str(value[field])
                for field, _ in ITEMS
                if field not in ("packages", "variables")
            },
            packages=tuple((str(k), str(v)) for k, v in value["packages"].items()),
            variables=tuple((str(k), str(v)) for k, v in value["variables"].items()),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ConfigError(
            f"this is no snapshot: {error!r}", next_step="Take one with snapshot --output FILE"
        ) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One fact that differs; None where the record has not the fact."""

    name: str
    before: str | None
    after: str | None


def diff_snapshots(before: Snapshot, after: Snapshot) -> tuple[Change, ...]:
    """Return what differs, in the order of the items; the time always does and is left out."""
    old, new = dict(before.facts()), dict(after.facts())
    return tuple(
        Change(name=name, before=old.get(name), after=new.get(name))
        for name in dict.fromkeys((*old, *new))
        if old.get(name) != new.get(name)
    )


def save_snapshot(record: Snapshot, path: Path, env: Mapping[str, str] | None = None) -> None:
    """Write a record as Markdown (`.md`) or JSON, redacted once more.

    Raises:
        WriteError: the file cannot be written.
    """
    again = _redacted(record, Redactor.of(Machine(env=env).env))
    text = again.to_markdown() if path.suffix == ".md" else again.to_json()
    write_atomic(path, text.encode())


def _redacted(record: Snapshot, clean: Redactor) -> Snapshot:
    return Snapshot(
        time=record.time,
        system=clean.text(record.system),
        dtk=clean.text(record.dtk),
        hipcc=clean.text(record.hipcc),
        torch=clean.text(record.torch),
        torch_hip=clean.text(record.torch_hip),
        gfx=clean.text(record.gfx),
        python=clean.text(record.python),
        packages=tuple((name, clean.text(value)) for name, value in record.packages),
        command=clean.text(record.command),
        variables=tuple((name, clean.value(name, value)) for name, value in record.variables),
    )
