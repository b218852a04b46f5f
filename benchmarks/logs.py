"""Read a long synthetic Ninja log, and say how fast and in how much memory, as JSON.

The log is made while it is read, so that its bytes are not in the figure: verbose commands,
progress lines, warnings with snippets, and near the end one failed unit.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import time
from typing import TYPE_CHECKING

from fastpt_lab.build.locate import first_error
from fastpt_lab.build.logs import Collector, LogParser

if TYPE_CHECKING:
    from collections.abc import Iterator

_COMMAND = (
    "[{n}/4000] hipcc -DTORCH_EXTENSION_NAME=ext -DUSE_ROCM=1 -D__HIP_PLATFORM_AMD__=1 "
    "-isystem /opt/venv/lib/python3.11/site-packages/torch/include -isystem "
    "/opt/venv/lib/python3.11/site-packages/torch/include/torch/csrc/api/include "
    "-fPIC -Werror=return-type -std=c++17 --offload-arch=gfx906 --offload-arch=gfx928 "
    "-c /src/ext/csrc/kernel_{n}.hip -o /src/ext/build/temp/csrc/kernel_{n}.o\n"
)
_WARNING = (
    "/src/ext/csrc/kernel_{n}.hip:42:3: warning: ignoring return value of function declared "
    "with 'nodiscard' attribute [-Wunused-result]\n"
    "  hipMemcpyAsync(out + offset, in, count * sizeof(float), hipMemcpyDeviceToDevice, s);\n"
    "  ^~~~~~~~~~~~~~ ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~\n"
    "1 warning generated when compiling for gfx906.\n"
)
_PROGRESS = "[{n}/4000] Building HIP object csrc/CMakeFiles/ext.dir/kernel_{n}.hip.o\n"
_FAILURE = (
    "FAILED: csrc/bad.o\n"
    "csrc/bad.hip:5:41: error: use of undeclared identifier '__shfl_xor_sync'\n"
    "  v += __shfl_xor_sync(0xffffffff, v, 1);\n"
    "       ^\n"
    "1 error generated when compiling for gfx906.\n"
)


def log(megabytes: int) -> Iterator[bytes]:
    """Yield about `megabytes` of a log in pieces of 64 KiB, as a pipe gives them."""
    block: list[str] = []
    for n in range(2000):
        block += (_COMMAND.format(n=n), _PROGRESS.format(n=n))
        if n % 8 == 0:
            block.append(_WARNING.format(n=n))
    data = "".join(block).encode()
    size = 64 * 1024
    total = megabytes * 1_000_000
    sent = 0
    while sent < total:
        if sent <= total * 9 // 10 < sent + len(data):
            yield _FAILURE.encode()
        for start in range(0, len(data), size):
            yield data[start : start + size]
        sent += len(data)


def main() -> int:
    """Measure, print JSON, and return 1 if a limit is missed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--megabytes", type=int, default=200)
    options.add_argument("--min-speed", type=float, default=20.0, help="MB/s")
    options.add_argument("--max-memory", type=float, default=150.0, help="MB")
    chosen = options.parse_args()
    parser, collector = LogParser(), Collector()
    size = 0
    seconds = busy = 0.0
    for chunk in log(chosen.megabytes):
        size += len(chunk)
        start, start_busy = time.perf_counter(), time.process_time()
        collector.add(parser.feed(chunk))
        seconds += time.perf_counter() - start
        busy += time.process_time() - start_busy
    collector.add(parser.close())
    found = first_error(collector.result())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    # Other work on the machine is not the parser's: the limit is for its own processor time.
    speed = size / 1e6 / busy
    json.dump(
        {
            "benchmark": "logs",
            "megabytes": round(size / 1e6, 1),
            "seconds": round(seconds, 2),
            "cpu_seconds": round(busy, 2),
            "megabytes_per_cpu_second": round(speed, 1),
            "peak_memory_megabytes": round(memory, 1),
            "first_error": found.message if found else None,
        },
        sys.stdout,
        indent=1,
    )
    sys.stdout.write("\n")
    good = speed >= chosen.min_speed and memory < chosen.max_memory and found is not None
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
