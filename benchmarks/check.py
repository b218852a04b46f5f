"""Time a check against the bare hipcc commands of the same units in the same run, as JSON.

Run: python benchmarks/check.py [--units N]. The shipped example is transcoded into a temporary
folder. `cpu` is what all children used, which a busy machine changes less than `wall`; the lab
and the bare command run one compiler at a time.

- `single`: one unit, nothing known of it, against its own command.
- `project`: all units together, nothing known of them, against the sum of their commands.
- `edited`: one unit after a small edit, as after each fix, against its own command.
- `unchanged`: all units once more; wall seconds of a whole new process.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fastpt_lab.build.check import check_units
from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.headers import hipified_include
from fastpt_lab.build.plan import Unit, plan_check
from fastpt_lab.build.toolchain import find_toolchain
from fastpt_lab.build.torchfiles import find_torch
from fastpt_lab.host.config import cache_dir
from fastpt_lab.host.project import Project
from fastpt_lab.transcode.run import transcode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

EXAMPLE = Path(__file__).parents[1] / "notebooks" / "examples" / "fused_norm"

_AGAIN = """
import sys
from pathlib import Path
from fastpt_lab.build.check import check_units
from fastpt_lab.build.compileoptions import CompileOptions
from fastpt_lab.build.plan import Unit, plan_check
from fastpt_lab.build.toolchain import find_toolchain
root, *names = map(Path, sys.argv[1:])
units = [Unit(original=name, generated=name) for name in names]
plan = plan_check(units, root, find_toolchain(), CompileOptions())
assert all(result.cached for result in check_units(units, plan))
"""


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(work: Callable[[], object]) -> dict[str, float]:
    """Return the wall and processor seconds of `work`."""
    wall, cpu = time.monotonic(), _children_cpu()
    work()
    used = {"wall": time.monotonic() - wall, "cpu": _children_cpu() - cpu}
    return {name: round(seconds, 2) for name, seconds in used.items()}


def compared(lab: dict[str, float], bare: dict[str, float]) -> dict[str, Any]:
    """Return both figures and their ratios."""
    ratios = {f"ratio_{key}": round(lab[key] / bare[key], 3) for key in ("wall", "cpu")}
    return {"lab": lab, "bare": bare, **ratios}


class Bench:
    """The example in a temporary folder, with a cache that knows only torch's headers."""

    def __init__(self, folder: Path, count: int) -> None:
        torch = find_torch()
        if torch is None:
            sys.exit("torch is not installed")
        hipified_include(torch)
        shared = cache_dir() / "headers"
        self.cache = folder / "cache"
        self.cache.mkdir()
        (self.cache / "headers").symlink_to(shared)
        os.environ["FASTPT_CACHE_DIR"] = str(self.cache)
        self.root = folder / "example"
        shutil.copytree(EXAMPLE, self.root, ignore=shutil.ignore_patterns("build", ".fastpt"))
        result = transcode(Project(self.root))
        files = [f for f in result.files if f.original.suffix == ".cu" and f.generated]
        self.units = [Unit(original=f.original, generated=f.generated) for f in files][:count]
        self.toolchain = find_toolchain()

    def check(self, units: Sequence[Unit], *, forget: bool = False) -> None:
        """Check units with one compiler at a time."""
        if forget:
            for name in ("checks", "precompiled"):
                shutil.rmtree(self.cache / name, ignore_errors=True)
        plan = plan_check(units, self.root, self.toolchain, CompileOptions())
        check_units(units, plan, jobs=1)

    def bare(self, units: Sequence[Unit]) -> None:
        """Run each unit's command as a person would, without the lab."""
        plan = plan_check(units, self.root, self.toolchain, CompileOptions())
        for unit in units:
            environment = self.toolchain.environment()
            command = plan.command(unit)
            # The units have errors: that the command fails is expected.
            subprocess.run(
                command, cwd=self.root, env=environment, capture_output=True, check=False
            )

    def again(self) -> None:
        """Check all units in a new process; all results must still hold."""
        names = [str(unit.generated) for unit in self.units]
        subprocess.run([sys.executable, "-c", _AGAIN, str(self.root), *names], check=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=3)
    count = parser.parse_args().units
    with tempfile.TemporaryDirectory(prefix="fastpt-bench-") as folder:
        bench = Bench(Path(folder), count)
        first = bench.units[:1]
        # What is probed once is no part of a unit's cost.
        plan_check(bench.units, bench.root, bench.toolchain, CompileOptions())
        report: dict[str, Any] = {"units": [unit.original.name for unit in bench.units]}
        bare = measure(lambda: bench.bare(first))
        report["single"] = compared(measure(lambda: bench.check(first, forget=True)), bare)
        everything = measure(lambda: bench.bare(bench.units))
        whole = measure(lambda: bench.check(bench.units, forget=True))
        report["project"] = compared(whole, everything)
        path = first[0].generated
        path.write_bytes(path.read_bytes() + b"// edited\n")
        report["edited"] = compared(measure(lambda: bench.check(first)), bare)
        report["unchanged"] = measure(bench.again)
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
