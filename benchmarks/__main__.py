"""Run every benchmark, or those that are named, and keep each one's JSON in .artifacts/.

python -m benchmarks [transcode check logs survey widget]
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE.parent / ".artifacts"
ALL = ("transcode", "check", "logs", "survey", "widget")


def main() -> int:
    """Run them one after the other, so that none disturbs another; return 1 if one failed."""
    names = sys.argv[1:] or ALL
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
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
