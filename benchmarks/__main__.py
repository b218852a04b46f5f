"""Run every benchmark, or those that are named; JSON and a Markdown table go to .artifacts/.

python -m benchmarks [--guard] [transcode check logs survey widget batch]

With --guard it fails when a ratio is beyond its limit in expected.json.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.guard import violations

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
RESULTS = HERE.parent / ".artifacts"
ALL = ("transcode", "check", "logs", "survey", "widget", "batch")


def main() -> int:
    """Run them one after the other, so that none disturbs another; return 1 if one failed."""
    words = sys.argv[1:]
    guard = "--guard" in words
    names = [word for word in words if word != "--guard"] or list(ALL)
    unknown = sorted(set(names) - set(ALL))
    if unknown:
        print(
            f"there is no benchmark {unknown[0]}; there are {', '.join(ALL)}", file=sys.stderr
        )
        return 2
    RESULTS.mkdir(exist_ok=True)
    failed = 0
    for name in names:
        print(f"== {name}", flush=True)
        done = subprocess.run(
            [sys.executable, HERE / f"{name}.py"], stdout=subprocess.PIPE, check=False
        )
        sys.stdout.buffer.write(done.stdout)
        (RESULTS / f"bench_{name}.json").write_bytes(done.stdout)
        failed += done.returncode != 0
    (RESULTS / "bench.md").write_text(table(), "utf-8")
    broken = list(violations(RESULTS, names)) if guard else []
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if failed or broken else 0


def table() -> str:
    """Return every number of every last result as a Markdown table, one row a figure."""
    out = ["# Benchmarks\n\n| benchmark | figure | value |\n| --- | --- | ---: |\n"]
    for name in ALL:
        try:
            result = json.loads((RESULTS / f"bench_{name}.json").read_text("utf-8"))
        except (OSError, ValueError):
            continue
        out += [f"| {name} | {path} | {value:,} |\n" for path, value in figures(result)]
    return "".join(out)


def figures(value: Any, path: str = "") -> Iterator[tuple[str, float]]:  # noqa: ANN401 - JSON
    """Yield every number with its path; a row of a list is named by its size where it has one."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from figures(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            row = inner if isinstance(inner, dict) else {}
            key = next((k for k in ("n", "files") if k in row), None)
            yield from figures(
                inner, f"{path}[{key}={row[key]}]" if key else f"{path}[{number}]"
            )
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, value


if __name__ == "__main__":
    sys.exit(main())
