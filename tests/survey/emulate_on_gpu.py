"""Run the labelled kernels on an NVIDIA GPU and compare with the emulation of 32 lanes.

    python tests/survey/emulate_on_gpu.py        needs nvcc and a GPU; prints JSON; 1: they differ

Every kernel that the emulation reads is compiled as it stands and run on the same numbers.
Elements that the emulation calls unknown are not compared.
"""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from survey_reading import snippets, unit_of

from fastpt_lab.survey.emulate import (
    BLOCK,
    CUDA_LANES,
    CUDA_PASSES,
    Program,
    input_numbers,
    read_program,
    run_block,
)
from fastpt_lab.survey.launches import bounds, launches
from fastpt_lab.survey.simt_grammar import NotEmulatedError
from fastpt_lab.survey.simt_values import Array
from fastpt_lab.survey.unit import Unit, constants, functions, read_unit

TYPES = {
    "i32": "int",
    "u32": "unsigned",
    "f": "float",
    "any": "float",
    "u64": "unsigned long long",
}
RUNS = ((101, False), (1024, True))


def kernels(unit: Unit) -> dict[str, tuple[int, int, int]]:
    """Return the kernels of a snippet with the block that each is run with."""
    known = constants(unit)
    seen = launches(unit, known)
    found = {}
    for function in functions(unit):
        if "__global__" in function.qualifiers:
            limit = bounds(unit.words[function.head : function.opening], known)
            shape = next((each.block for each in seen.get(function.name, ())), limit)
            found[function.name] = shape or BLOCK
    return found


def harness(
    program: Program, name: str, shape: tuple[int, int, int], size: int, halves: bool
) -> str:
    """Return a main program that runs one kernel and prints the memory it was given."""
    lines: list[str] = []
    arguments: list[str] = []
    shown: list[str] = []
    for index, parameter in enumerate(program.routines[name].parameters):
        kind = TYPES[parameter.type.base]
        if not parameter.type.pointer:
            arguments.append("2" if parameter.type.base in {"f", "any"} else str(size))
            continue
        values = input_numbers(parameter.type.base, index, halves)
        words = ", ".join(f"({kind}){value!r}" for value in values)
        lines += [
            f"  static {kind} h{index}[] = {{{words}}}; {kind}* d{index};",
            f"  cudaMalloc(&d{index}, sizeof h{index});",
            f"  cudaMemcpy(d{index}, h{index}, sizeof h{index}, cudaMemcpyHostToDevice);",
        ]
        arguments.append(f"d{index}")
        shown += [
            f"  cudaMemcpy(h{index}, d{index}, sizeof h{index}, cudaMemcpyDeviceToHost);",
            f'  for (auto v : h{index}) printf("%.9g ", (double)v); printf("\\n");',
        ]
    call = f"  {name}<<<1, dim3({shape[0]}, {shape[1]}, {shape[2]})>>>({', '.join(arguments)});"
    check = '  if (cudaDeviceSynchronize() != cudaSuccess) { printf("failed\\n"); return 1; }'
    return "\n".join(["int main() {", *lines, call, check, *shown, "}"])


def compare(title: str, code: str, folder: Path) -> list[dict[str, object]]:
    """Return one record for each kernel and run: `same`, `differs` with the place, or `skipped`."""
    unit = unit_of(code)
    twin = read_unit(unit.path, unit.document, CUDA_PASSES)
    program = read_program(twin, {})
    records: list[dict[str, object]] = []
    for name, shape in kernels(twin).items():
        for size, halves in RUNS:
            record: dict[str, object] = {"snippet": title, "kernel": name, "n": size}
            records.append(record)
            try:
                arrays = run_block(program, name, CUDA_LANES, shape, size, halves)
            except NotEmulatedError as error:
                record["skipped"] = f"it uses {error}"
                continue
            main = harness(program, name, shape, size, halves)
            output = execute(code + "\n#include <cstdio>\n" + main, folder)
            if output is None:
                record["skipped"] = "nvcc does not take it"
                continue
            record.update(verdict(arrays, output) if output else {"differs": "it failed"})
    return records


def compare_alone(pair: tuple[str, str]) -> list[dict[str, object]]:
    """Compare one snippet in a folder of its own."""
    with tempfile.TemporaryDirectory() as name:
        return compare(*pair, Path(name))


def execute(source: str, folder: Path) -> list[list[float]] | None:
    """Compile and run a program; return the numbers it printed, a list a line."""
    path, program = folder / "a.cu", folder / "a.out"
    path.write_text(source, "utf-8")
    built = subprocess.run(
        ["nvcc", "-std=c++17", "-arch=native", "-w", str(path), "-o", str(program)],
        capture_output=True,
        check=False,
    )
    if built.returncode:
        return None
    done = subprocess.run(
        [str(program)], capture_output=True, text=True, timeout=60, check=False
    )
    if done.returncode:
        return []
    return [[float(word) for word in line.split()] for line in done.stdout.splitlines()]


def verdict(arrays: list[Array], output: list[list[float]]) -> dict[str, object]:
    """Return whether the GPU's numbers are the emulation's."""
    compared = 0
    for array, values in zip(arrays, output, strict=False):
        for index, (ours, theirs) in enumerate(zip(array.data, values, strict=False)):
            if ours is None or (isinstance(ours, float) and math.isnan(ours)):
                continue
            compared += 1
            if not math.isclose(ours, theirs, rel_tol=1e-5, abs_tol=1e-5):
                place = f"{array.name}[{index}]: emulated {ours:g}, on the GPU {theirs:g}"
                return {"differs": place, "compared": compared}
    return {"same": True, "compared": compared}


def main() -> int:
    """Compare both sets and print the records."""
    chosen = [
        pair
        for file in ("wave_wrong.cu", "wave_harmless.cu")
        for pair in snippets(file)
        # What an atomic returns depends on the order of the warps, which nobody promises.
        if not re.search(r"cooperative_groups|torch|= atomic", pair[1])
    ]
    with ThreadPoolExecutor(8) as pool:
        records = [record for found in pool.map(compare_alone, chosen) for record in found]
    differ = [record for record in records if "differs" in record]
    same = sum("same" in record for record in records)
    found = {"same": same, "differ": differ, "records": records}
    sys.stdout.write(json.dumps(found, ensure_ascii=False) + "\n")
    return 1 if differ or not same else 0


if __name__ == "__main__":
    sys.exit(main())
