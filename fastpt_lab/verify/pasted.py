"""Judge what another machine printed: the doctor's own checks on a pasted output.

The machine with the device often has no notebook. Its rocminfo, hy-smi, hipcc, hipconfig, ldd,
collect_env, fastpt or traceback, pasted here, is read by the same code as on the spot.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Check, Evidence
from fastpt_lab.verify.application import application_question
from fastpt_lab.verify.device import DEVICE
from fastpt_lab.verify.framework import build_words
from fastpt_lab.verify.layers import without_secrets
from fastpt_lab.verify.machine import Answer, Machine
from fastpt_lab.verify.matching import wheel_mismatches
from fastpt_lab.verify.parsers.collect_env import parse_collect_env
from fastpt_lab.verify.parsers.fastpt import parse_fastpt
from fastpt_lab.verify.parsers.messages import parse_message
from fastpt_lab.verify.parsers.plain import plain
from fastpt_lab.verify.question import Question, Verdict, fail, ok, unknown
from fastpt_lab.verify.redact import Redactor
from fastpt_lab.verify.runtime import RUNTIME
from fastpt_lab.verify.torchinfo import TorchInfo

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_KNOWN = (
    ("collect_env", r"^Collecting environment information|^PyTorch version:"),
    ("fastpt", r"^current_dtk_version:|USE FASTPT CUDA is set"),
    ("hipconfig", r"^== hipconfig|^HIP_PLATFORM\s*:"),
    ("hipcc", r"^HIP version\s*:"),
    ("rocminfo", r"module (?:version \S+ )?is (?:NOT )?loaded|^HSA Agents|/dev/kfd read-write"),
    ("hy-smi", (r"System Management Interface|KFD process information|No KFD PIDs"
               r"|^\s*\{\s*\"card\d|^(?:HCU|DCU|GPU)(?:\[\d+\]|\s+Temp)")),
    ("ldd", (r"^\s+\S+ => |^\s+linux-vdso|^(?!\w*Error)\S+: \S+: version `[^']+' not found \(required by"
            r"|^undefined symbol: \S+\s+\(")),
)  # fmt: skip
_CHECKS = {
    "rocminfo": ("device-agents", "device-arch"),
    "hy-smi": ("device-memory",),
    "hipcc": ("hipcc", "hip-platform"),
    "hipconfig": ("hip-platform",),
    "ldd": ("extension-linkage", "extension-runtime"),
}


class _Recorded(Machine):
    """A machine of which one output is known, and nothing else."""

    def __init__(self, tool: str, output: str) -> None:
        super().__init__(env={}, root=Path("/nonexistent"), system=Path("/nonexistent"))
        self._tool = tool
        self._output = output

    def run(self, *argv: str, timeout: float | None = None, cwd: Path | None = None) -> Answer:
        """Return the pasted output for its tool; the rest was not pasted."""
        if argv[0] == self._tool:
            return Answer(evidence=Evidence(command=argv, returncode=None, output=self._output))
        evidence = Evidence(command=argv, returncode=None, output="")
        return Answer(evidence=evidence, problem=f"the output of {argv[0]} was not pasted")

    def which(self, name: str) -> Path | None:
        """Return a name for the tool whose output is there."""
        return Path(name) if name == self._tool else None

    def real(self, path: Path) -> str:
        """Return a path as it was printed: links of this machine are not those of that one."""
        return str(path)


def recognise(text: str) -> str:
    """Return whose output it is: a tool's name, `message`, or "" if it is not known."""
    body = plain(text)
    for tool, pattern in _KNOWN:
        if re.search(pattern, body, re.MULTILINE):
            return tool
    return "message" if parse_message(body) else ""


def explain_output(text: str, *, env: Mapping[str, str] | None = None) -> tuple[Check, ...]:
    """Return what the doctor says of a pasted output; none if nothing in it is known.

    Args:
        text: whole or cut, with colours or without.
        env: whose secrets are taken out, this process's by default.
    """
    tool = recognise(text)
    own: dict[str, Callable[[str], tuple[str, str, Verdict]]] = {
        "collect_env": _collected,
        "fastpt": _fastpt,
        "message": _message,
    }
    if tool in own:
        layer, name, verdict = own[tool](text)
        question = Question(id=name, layer=layer, title=name, answer=lambda _: verdict)
        found = [question.ask(Machine(env={}))]
    else:
        machine = _Recorded(tool, text)
        questions = {q.id: q for q in (*DEVICE, *RUNTIME)}
        found = [
            (questions.get(name) or application_question(name, "the library")).ask(machine)
            for name in _CHECKS.get(tool, ())
        ]
    redactor = Redactor.of(Machine(env=env).env)
    return tuple(without_secrets(check, redactor) for check in found)


def _evidence(tool: str, text: str) -> list[Evidence]:
    return [Evidence(command=(tool,), returncode=None, output=text)]


def _collected(text: str) -> tuple[str, str, Verdict]:
    found = parse_collect_env(text)
    evidence = _evidence("collect_env", text)
    torch = TorchInfo(
        version=found.torch,
        hip=found.hip,
        cuda=found.cuda,
        metadata=dict(found.packages).get("torch", ""),
        packages=found.packages,
    )
    if not found.build:
        verdict = unknown(
            f"torch {found.torch or 'of no version'}: its build is not told",
            "Paste the whole output of python -m torch.utils.collect_env",
            evidence,
        )
        return "framework", "torch-hip", verdict
    shown = f"torch {found.torch} is {build_words(torch)}"
    mismatched = wheel_mismatches(torch, "")
    if found.build != "hip":
        note = (
            "; the CUDA version it prints is that of nvcc on PATH" if found.runtime_cuda else ""
        )
        verdict = fail(
            shown + note,
            "It cannot run on a DCU",
            "Install the HIP wheel made for this DTK, with pip install --no-deps",
            evidence,
        )
    elif mismatched:
        verdict = fail(
            f"{shown}; {'; '.join(mismatched)}",
            "Wheels of different releases",
            "Take all wheels from one release",
            evidence,
        )
    elif not found.available:
        verdict = fail(
            f"{shown}, and sees no device",
            "The runtime counts no device",
            "Paste the output of rocminfo",
            evidence,
        )
    else:
        verdict = ok(f"{shown}; devices: {found.devices or 'not told'}", evidence)
    return "framework", "torch-hip", verdict


def _fastpt(text: str) -> tuple[str, str, Verdict]:
    found = parse_fastpt(text)
    evidence = _evidence("fastpt", text)
    if found.required_dtk and found.matches is False:
        verdict = fail(
            f"DTK {found.dtk} is active, this FastPT wants {found.required_dtk}",
            "What is built may not load, or fails at the first kernel",
            f"Install DTK {found.required_dtk}, or the FastPT made for {found.dtk}",
            evidence,
        )
    elif found.matches is False:
        verdict = fail(
            f"DTK {found.dtk or 'not told'}: torch does not match",
            "FastPT was made for another torch",
            "Install the torch that it names",
            evidence,
        )
    elif found.matches:
        active = "; GPUFusion's variables are set" if found.cuda_active else ""
        verdict = ok(f"DTK {found.dtk} and torch match{active}", evidence)
    else:
        verdict = unknown(
            f"DTK {found.dtk or 'not told'}; whether torch matches is not told",
            "Source fastpt again and paste all it prints",
            evidence,
        )
    return "framework", "version-match", verdict


def _message(text: str) -> tuple[str, str, Verdict]:
    found = parse_message(text)
    # It was recognised by this very function.
    assert found is not None
    verdict = fail(found.message, found.cause, found.next_step, _evidence("message", text))
    return "application", found.kind, verdict
