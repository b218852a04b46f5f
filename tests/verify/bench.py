"""A made-up machine: a folder as its root, small scripts as its tools."""

from __future__ import annotations

import stat
import sys
from dataclasses import dataclass, field
from pathlib import Path

from fastpt_lab.core.check import Check
from fastpt_lab.verify.layers import doctor

SAMPLES = Path(__file__).parents[1] / "fixtures" / "env"


def sample(name: str) -> str:
    """The output itself: the first line of the file says where it comes from."""
    return (SAMPLES / f"{name}.txt").read_text("utf-8").split("\n", 1)[1]


@dataclass
class Bench:
    """Build it up, then ask the doctor."""

    folder: Path
    env: dict[str, str] = field(default_factory=dict)
    python: str = sys.executable
    _texts: int = 0

    def __post_init__(self) -> None:
        self.system = self.folder / "system"
        self.tools = self.folder / "tools"
        self.project = self.folder / "project"
        for path in (self.system, self.tools, self.project):
            path.mkdir()
        self.env.setdefault("PATH", f"{self.tools}")
        self.env.setdefault("HOME", str(self.folder / "home"))

    def write(self, name: str, text: str = "") -> Path:
        """Put a file into the machine's root."""
        path = self.system / name.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        return path

    def tool(
        self, name: str, output: str, code: int = 0, *, folder: Path | None = None
    ) -> Path:
        """Put a program on PATH that prints a text and ends with a code."""
        self._texts += 1
        text = self.folder / f"{name}-{self._texts}.txt"
        text.write_text(output, "utf-8")
        return self.script(name, f"cat '{text}'\nexit {code}\n", folder=folder)

    def script(self, name: str, body: str, *, folder: Path | None = None) -> Path:
        """Put a shell script on PATH; only builtins, /bin and /usr/bin are there for it."""
        where = folder or self.tools
        where.mkdir(parents=True, exist_ok=True)
        path = where / name
        path.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{body}", "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        return path

    def device(self, *, rocminfo: str = "rocminfo_ok_gfx936_dcu") -> None:
        """Make the device layer a good one."""
        for node in ("/dev/kfd", "/dev/mkfd", "/dev/dri/renderD128"):
            self.write(node)
        self.write("/sys/module/hycu/version", "6.3.30-V1.4.1a\n")
        self.tool("rocminfo", sample(rocminfo))
        idle = sample("hysmi_json").replace("60278", "2").replace("81.7", "0.0")
        idle = idle.replace('"HCU memory use (%)": "92"', '"HCU memory use (%)": "0"')
        none = "KFD process information:\nNo KFD PIDs currently running\n"
        (self.folder / "idle.json").write_text(idle, "utf-8")
        (self.folder / "none.txt").write_text(none, "utf-8")
        self.script(
            "hy-smi",
            f'case "$*" in *showpids*) cat {self.folder}/none.txt;; '
            f"*) cat {self.folder}/idle.json;; esac\n",
        )

    def dtk(self, version: str = "25.04.2") -> Path:
        """Put a DTK into /opt with its env.sh, and the link /opt/dtk to it."""
        root = self.system / "opt" / f"dtk-{version}"
        self.write(f"/opt/dtk-{version}/.info/rocm_version", f"{version}\n")
        self.write(f"/opt/dtk-{version}/env.sh", "")
        for part in ("lib", "hip/lib", "bin"):
            (root / part).mkdir(parents=True, exist_ok=True)
        link = self.system / "opt" / "dtk"
        if not link.exists():
            link.symlink_to(root)
        return root

    def runtime(self, *, hipcc: str = "hipcc_version_dtk2504", platform: str = "amd") -> None:
        """Make the runtime layer a good one; hipcc makes no program here."""
        root = self.dtk()
        text = self.folder / "hipcc-version.txt"
        text.write_text(sample(hipcc), "utf-8")
        self.script(
            "hipcc",
            f"if [ \"$1\" = --version ]; then cat '{text}'; exit 0; fi\n"
            "echo 'probe.hip:3:10: error: no' >&2; exit 1\n",
            folder=root / "bin",
        )
        config = sample("hipconfig_full_debian").replace(": amd", f": {platform}")
        self.tool("hipconfig", config, folder=root / "bin")
        self.env["PATH"] = f"{self.tools}:{root / 'bin'}"
        self.env["ROCM_PATH"] = "/opt/dtk"
        self.env["LD_LIBRARY_PATH"] = "/opt/dtk/lib:/opt/dtk/hip/lib"

    def torch(self, records: str, code: int = 0) -> None:
        """Use an interpreter whose children report these records."""
        self.python = str(self.tool("fake-python", records, code))

    def doctor(self, layer: str | None = None, only: str | None = None) -> dict[str, Check]:
        """Ask, by id."""
        checks = doctor(
            layer=layer,
            only=only,
            env=self.env,
            root=self.project,
            timeout=20.0,
            system=self.system,
            python=self.python,
        )
        return {check.id: check for check in checks}
