"""Run every benchmark, or those that are named; bench.json and bench.md go to .artifacts/.

python -m benchmarks [--guard] [transcode check logs survey widget batch]

Both hold the last result of every benchmark. What could not be measured, because a peer or a tool
is missing or a benchmark failed, is named in them with the reason under `missing`. With --guard it
fails when a ratio is beyond its limit in expected.json.
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
            [sys.executable, HERE / f"{name}.py"], capture_output=True, check=False
        )
        sys.stderr.buffer.write(done.stderr)
        sys.stdout.buffer.write(done.stdout)
        result = done.stdout or json.dumps({"missing": reason(done)}).encode()
        (RESULTS / f"bench_{name}.json").write_bytes(result)
        failed += done.returncode != 0
    every = results(RESULTS)
    (RESULTS / "bench.json").write_text(json.dumps(every, indent=1) + "\n", "utf-8")
    (RESULTS / "bench.md").write_text(table(every), "utf-8")
    broken = list(violations(RESULTS, names)) if guard else []
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if failed or broken else 0


def reason(done: subprocess.CompletedProcess[bytes]) -> str:
    """Return in one line why a benchmark printed nothing."""
    lines = done.stderr.decode("utf-8", "replace").split("\n")
    last = next(
        (line.strip() for line in reversed(lines) if line.strip()), "it printed nothing"
    )
    return f"exit code {done.returncode}: {last}"


def results(folder: Path) -> dict[str, Any]:
    """Return the last result of every benchmark."""
    found = {}
    for name in ALL:
        path = folder / f"bench_{name}.json"
        try:
            found[name] = json.loads(path.read_text("utf-8"))
        except FileNotFoundError:
            found[name] = {"missing": "it was not run"}
        except ValueError as error:
            found[name] = {"missing": f"its result is no JSON: {error}"}
    return found


def table(every: dict[str, Any]) -> str:
    """Return every number as a Markdown table, one row a figure, and a row for what is missing."""
    out = ["# Benchmarks\n\n| benchmark | figure | value |\n| --- | --- | ---: |\n"]
    for name, result in every.items():
        out += [f"| {name} | {path} | {value:,} |\n" for path, value in figures(result)]
        for path, why in missing(result):
            out.append(
                f"| {name} | {path} | not measured: {why.replace('|', chr(92) + '|')} |\n"
            )
    return "".join(out)


def missing(value: Any, path: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - JSON
    """Yield the path and reason of each part that was not measured; "all" for a whole result."""
    if isinstance(value, dict):
        if isinstance(value.get("missing"), str):
            yield path or "all", value["missing"]
        for name, inner in value.items():
            if inner is None:
                yield f"{path}.{name}" if path else name, "what it needs is not here"
            yield from missing(inner, f"{path}.{name}" if path else name)


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
