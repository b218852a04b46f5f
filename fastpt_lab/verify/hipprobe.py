"""Compile a small HIP program for the device, and run it where there is one."""

from __future__ import annotations

import re
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.verify.agents import architectures
from fastpt_lab.verify.fatbin import covers, read_fatbin
from fastpt_lab.verify.parsers.messages import parse_message
from fastpt_lab.verify.question import Verdict, fail, ok, unknown

if TYPE_CHECKING:
    from fastpt_lab.core.check import Evidence
    from fastpt_lab.verify.machine import Answer, Machine

PROGRAM = r"""
#include <hip/hip_runtime.h>
#include <cstdio>

// Each lane adds its index: 130 is two waves of 64 and a rest.
__global__ void add_index(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] += i;
}

#define TRY(call)                                                      \
  do {                                                                 \
    hipError_t status = (call);                                        \
    if (status != hipSuccess) {                                        \
      std::printf("%s: HIP error: %s (%d)\n", #call,                   \
                  hipGetErrorString(status), (int)status);             \
      return 3;                                                        \
    }                                                                  \
  } while (0)

int main() {
  int count = 0;
  TRY(hipGetDeviceCount(&count));
  std::printf("devices %d\n", count);
  constexpr int n = 130;
  int host[n];
  for (int i = 0; i < n; ++i) host[i] = 1000;
  int* device = nullptr;
  TRY(hipMalloc((void**)&device, sizeof host));
  TRY(hipMemcpy(device, host, sizeof host, hipMemcpyHostToDevice));
  hipLaunchKernelGGL(add_index, dim3(3), dim3(64), 0, 0, device, n);
  TRY(hipGetLastError());
  TRY(hipDeviceSynchronize());
  TRY(hipMemcpy(host, device, sizeof host, hipMemcpyDeviceToHost));
  TRY(hipFree(device));
  for (int i = 0; i < n; ++i)
    if (host[i] != 1000 + i) {
      std::printf("wrong: element %d is %d, not %d\n", i, host[i], 1000 + i);
      return 4;
    }
  std::printf("right: %d elements\n", n);
  return 0;
}
"""

OFF_DEVICE_TARGET = "gfx906"
"""Compiled for where no device is listed; hipcc of every DTK and ROCm since 3.0 has it."""

_COMPILE_FACTOR = 6.0


def hip_probe(machine: Machine) -> Verdict:
    """Answer whether a program compiles for the device and gives the right numbers on it."""
    with tempfile.TemporaryDirectory(prefix="fastpt-probe-") as name:
        return _probe(machine, Path(name))


def _probe(machine: Machine, folder: Path) -> Verdict:
    listed = architectures(machine)
    target = (listed[0] if listed else OFF_DEVICE_TARGET).split(":")[0]
    source, program = folder / "probe.hip", folder / "probe"
    source.write_text(PROGRAM, "utf-8")
    compiled = machine.run(
        "hipcc", f"--offload-arch={target}", str(source), "-o", str(program),
        timeout=machine.timeout * _COMPILE_FACTOR,
    )  # fmt: skip
    evidence = [_named(compiled, folder).evidence]
    if compiled.problem or compiled.evidence.returncode or not program.is_file():
        first = re.search(r"^.*\berror:.*$", compiled.output, re.MULTILINE)
        shown = compiled.problem or (first.group(0).strip() if first else "hipcc failed")
        return fail(
            f"does not compile for {target}: {shown.replace(str(folder) + '/', '')}",
            "Nothing of yours can compile before this does",
            "Read the whole output below; check hipcc, hip-platform and dtk-roots",
            evidence,
        )
    code = read_fatbin(program)
    if code is None or not covers(code, target):
        return fail(
            f"compiled for {target}, but the program holds {code.kind if code else 'no'} code",
            "hipcc did not compile for the device: another platform, or flags from outside",
            "Check hip-platform, and HIPCC_COMPILE_FLAGS_APPEND",
            evidence,
        )
    if not listed:
        return unknown(
            f"compiles for {target}; not run: no device is listed",
            "Run doctor where the device is",
            evidence,
        )
    ran = machine.run(str(program))
    return _judge_run(ran, target, [*evidence, _named(ran, folder).evidence])


def _judge_run(ran: Answer, target: str, evidence: list[Evidence]) -> Verdict:
    if ran.evidence.returncode == 0 and re.search(
        r"^right: 130 elements$", ran.output, re.MULTILINE
    ):
        return ok(f"compiles and runs on {target}: 130 elements right", evidence)
    found = parse_message(ran.output)
    lines = ran.output.strip().splitlines()
    return fail(
        f"compiles for {target}, then: {ran.problem or (lines[-1] if lines else 'no output')}",
        found.cause if found else "The runtime does not run code that its own compiler made",
        found.next_step if found else "Compare driver and DTK; look at dmesg for kfd",
        evidence,
    )


def _named(answer: Answer, folder: Path) -> Answer:
    """Return an answer without the temporary folder's name, which means nothing later."""
    shown = replace(
        answer.evidence,
        command=tuple(word.replace(str(folder) + "/", "") for word in answer.evidence.command),
        output=answer.output.replace(str(folder) + "/", ""),
    )
    return replace(answer, evidence=shown)
