"""The rungs below the operator: torch, one element, a copy, an addition, the extension."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.check import CheckStatus
from fastpt_lab.verify.step import Outcome, Step

if TYPE_CHECKING:
    from fastpt_lab.verify.anytype import Torch

_WRONG = "Nothing above can be right: settle this with the doctor first"


def drain(device: str) -> None:
    """Wait for the device; on the CPU there is nothing to wait for."""
    if device != "cpu":
        torch: Any = importlib.import_module("torch")
        if torch.cuda.is_initialized():
            torch.cuda.synchronize()


def device_name(torch: Torch, device: str) -> str:
    """Return the name of the device, with its architecture where torch tells it."""
    if device == "cpu":
        return "CPU"
    if not torch.cuda.is_available():
        return ""
    properties = torch.cuda.get_device_properties(0)
    # A CUDA build fills gcnArchName with the device's name (torch 2.11).
    arch = getattr(properties, "gcnArchName", "")
    return f"{properties.name} {arch}" if arch.startswith("gfx") else str(properties.name)


def first_steps(device: str, extension: str) -> tuple[Step, ...]:
    """Return the steps, the import of torch first; `extension` is a module's name or ""."""
    steps = [
        Step("torch", "import torch", _import_torch, needed=True),
        Step("one-element", "make one element", lambda: _one(device)),
        Step("round-trip", "copy there and back", lambda: _round_trip(device)),
        Step("arange", "compute on the device", lambda: _arange(device)),
    ]
    if extension:
        title = f"import {extension}"
        steps.append(Step("extension", title, lambda: _extension(extension), needed=True))
    return tuple(steps)


def _judged(right: bool, good: str, bad: str) -> Outcome:
    if right:
        return Outcome(detail=good)
    return Outcome(detail=bad, status=CheckStatus.FAIL, next_step=_WRONG)


def _import_torch() -> Outcome:
    return Outcome(detail=str(importlib.import_module("torch").__version__))


def _one(device: str) -> Outcome:
    torch: Any = importlib.import_module("torch")
    one = torch.ones(1, device=device)
    value = float(one.cpu()[0])
    return _judged(value == 1.0, f"1.0 on {one.device}", f"1.0 came back as {value}")


def _round_trip(device: str) -> Outcome:
    torch: Any = importlib.import_module("torch")
    there = torch.arange(4097, dtype=torch.int64)
    same = torch.equal(there.to(device).cpu(), there)
    return _judged(same, "4,097 integers unchanged", "4,097 integers came back changed")


def _arange(device: str) -> Outcome:
    torch: Any = importlib.import_module("torch")
    out = (torch.arange(130, device=device) * 2).cpu()
    right = torch.equal(out, torch.arange(130) * 2)
    return _judged(right, "2 * arange(130) is right", "2 * arange(130) is wrong")


def _extension(name: str) -> Outcome:
    module = importlib.import_module(name)
    return Outcome(detail=str(getattr(module, "__file__", None) or "built in"))
