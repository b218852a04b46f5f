"""The framework layer: is torch the HIP build that was made for this DTK and this device."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.verify.agents import architectures
from fastpt_lab.verify.fatbin import matches
from fastpt_lab.verify.linkage import doubles_of, roots_of
from fastpt_lab.verify.matching import version_match
from fastpt_lab.verify.parsers.messages import parse_message
from fastpt_lab.verify.parsers.versions import parse_wheel
from fastpt_lab.verify.question import Question, Verdict, fail, ok, skip, unknown
from fastpt_lab.verify.roots import find_roots
from fastpt_lab.verify.torchinfo import TorchInfo, ask_torch

if TYPE_CHECKING:
    from fastpt_lab.verify.machine import Machine

_NOT_IMPORTED = "torch was not imported"
_FIRST = "Settle torch-import first"


def _import(machine: Machine) -> Verdict:
    answer, torch = ask_torch(machine)
    if torch.imported:
        metadata = f" (pip: {torch.metadata})" if torch.metadata != torch.version else ""
        return ok(
            f"torch {torch.version}{metadata} from {torch.folder}, in {torch.seconds:.1f} s",
            [answer.evidence],
        )
    if not torch.origin and answer.records:
        return fail(
            f"{machine.python} has no torch",
            "The extension is built and loaded by torch",
            "Install the torch wheel made for this DTK, with pip install --no-deps",
            [answer.evidence],
        )
    if not answer.records:
        return unknown(
            answer.problem or f"{machine.python} did not answer",
            "Check that it is a Python that runs", [answer.evidence],
        )  # fmt: skip
    found = parse_message(torch.error)
    return fail(
        f"import torch fails: {torch.error}",
        found.cause if found else "The wheel and this system do not fit each other",
        found.next_step if found else "Compare DTK, Python and torch with the wheel's name",
        [answer.evidence],
    )


def build_words(torch: TorchInfo) -> str:
    """Say which build it is, in words that cannot be misread."""
    if torch.build == "hip":
        return f"a HIP build: torch.version.hip is {torch.hip}"
    if torch.build == "cuda":
        return f"a CUDA build for NVIDIA: torch.version.cuda is {torch.cuda}, .hip is None"
    return "a CPU build: torch.version.hip and torch.version.cuda are None"


def _hip_build(machine: Machine) -> Verdict:
    answer, torch = ask_torch(machine)
    evidence = [answer.evidence]
    if not torch.imported:
        return unknown(_NOT_IMPORTED, _FIRST, evidence)
    shown = f"torch {torch.version} is {build_words(torch)}"
    if torch.build == "hip":
        return ok(shown, evidence)
    stack = find_roots(machine)
    if stack or architectures(machine):
        there = stack[0].path if stack else "a HIP device"
        why = (
            f"{there} is here, so this torch took the HIP one's place: an install of another "
            "package without --no-deps pulls the wheel from PyPI"
        )
    else:
        why = "It cannot run on a DCU; HIP code can be checked here, not run"
    return fail(
        shown, why, "Install the HIP wheel made for this DTK, with pip install --no-deps",
        evidence,
    )  # fmt: skip


def _abi(machine: Machine) -> Verdict:
    answer, torch = ask_torch(machine)
    evidence = [answer.evidence]
    if not torch.imported or torch.abi is None:
        return unknown(_NOT_IMPORTED, _FIRST, evidence)
    told = parse_wheel(torch.metadata).abi
    if told is not None and told != torch.abi:
        return fail(
            f"the wheel's name says abi{told}, torch says {torch.abi}",
            "The files are not those of the wheel that pip knows",
            "Reinstall torch with pip install --no-deps --force-reinstall",
            evidence,
        )
    return ok(f"_GLIBCXX_USE_CXX11_ABI={torch.abi}", evidence)


def _arch(machine: Machine) -> Verdict:
    answer, torch = ask_torch(machine)
    evidence = [answer.evidence]
    if not torch.imported:
        return unknown(_NOT_IMPORTED, _FIRST, evidence)
    devices = architectures(machine)
    built = ", ".join(torch.architectures) or "nothing"
    if not devices:
        return unknown(f"built for {built}; no device is listed", "Run doctor on the device",
                       evidence)  # fmt: skip
    if not torch.architectures:
        return unknown("torch does not tell what it was built for",
                       "See which kernels run: torch-tensor", evidence)  # fmt: skip
    bare = [d for d in devices if not any(matches(t, d) for t in torch.architectures)]
    if bare:
        return fail(
            f"built for {built}; the device is {', '.join(bare)}",
            "Its kernels do not run there: `no kernel image is available`",
            "Install the wheel made for this card",
            evidence,
        )
    return ok(f"built for {built}; the device is {', '.join(devices)}", evidence)


def _libraries(machine: Machine) -> Verdict:
    answer, torch = ask_torch(machine)
    evidence = [answer.evidence]
    if not torch.imported:
        return unknown(_NOT_IMPORTED, _FIRST, evidence)
    if not torch.libraries:
        return unknown("/proc/self/maps could not be read", "Run doctor on Linux", evidence)
    roots, doubles = roots_of(torch.libraries), doubles_of(torch.libraries)
    if doubles or len(roots) > 1:
        return fail(
            "; ".join(doubles) or "libraries of " + " and ".join(roots),
            "After import torch, two releases are in one process",
            "Open a new shell and source one env.sh only; see library-path",
            evidence,
        )
    return ok(
        f"{len(torch.libraries)} libraries after import, "
        + (f"HIP's from {roots[0]}" if roots else "none of a DTK or ROCm tree"),
        evidence,
    )


def _tensor(machine: Machine) -> Verdict:
    _, torch = ask_torch(machine)
    if not torch.imported:
        return unknown(_NOT_IMPORTED, _FIRST)
    if torch.build == "cpu":
        return skip("no device build of torch", "A CPU build has nothing to run there")
    answer = machine.child("child", "tensor", timeout=machine.timeout * 3)
    steps = {record.get("step"): record for record in answer.records}
    evidence = [answer.evidence]
    computed, count = steps.get("computed"), steps.get("count")
    if computed and computed.get("right") is True and answer.evidence.returncode == 0:
        name = steps.get("device", {}).get("name", "")
        return ok(f"made, copied and computed 130 elements on {name}: right", evidence)
    if count and not count.get("available"):
        return fail(
            f"torch.cuda.device_count() is {count.get('devices')}",
            "torch sees no device, whatever rocminfo lists",
            "Check visible-devices and device-access, then the driver's version",
            evidence,
        )
    error = str(steps.get("failed", {}).get("error") or answer.problem)
    if computed:
        error = error or "2 * arange(130) came back wrong"
    found = parse_message(error + "\n" + answer.output)
    last = list(steps)[-1] if steps else "start"
    return fail(
        f"stopped after {last}: {error or 'the process ended'}",
        found.cause if found else "The first tensor already fails: nothing above can work",
        found.next_step if found else "Compare DTK, driver and torch; look at dmesg",
        evidence,
    )


FRAMEWORK: tuple[Question, ...] = (
    Question(id="torch-import", layer="framework", title="torch can be imported",
             answer=_import, gate=True),
    Question(id="torch-hip", layer="framework", title="torch is a HIP build",
             answer=_hip_build, gate=True),
    Question(id="version-match", layer="framework", title="DTK, hipcc, torch and FastPT match",
             answer=version_match),
    Question(id="torch-abi", layer="framework", title="torch's C++ ABI is the one of its wheel",
             answer=_abi),
    Question(id="torch-arch", layer="framework", title="torch was built for this device",
             answer=_arch),
    Question(id="torch-libraries", layer="framework", title="torch loads libraries of one tree",
             answer=_libraries),
    Question(id="torch-tensor", layer="framework", title="the first tensor comes back right",
             answer=_tensor),
)  # fmt: skip
"""From the import to the first tensor."""
