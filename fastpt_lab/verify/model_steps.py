"""Load a model in five steps, so that a fault names the one it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import UsageError
from fastpt_lab.verify.step import Outcome, Step

if TYPE_CHECKING:
    from fastpt_lab.verify.definition import Definition


def model_steps(definition: Definition, device: str) -> tuple[Step, ...]:
    """Return configuration, construction, checkpoint, state and move, each a step.

    `construct` is the definition's; what it leaves out is the usual thing: no configuration,
    no checkpoint, `load_state_dict`, `to`. The model is then `model` in the definition.
    """
    parts: dict[str, Any] = {}
    names = definition.namespace

    def configuration() -> Outcome:
        parts["config"] = names["configuration"]() if "configuration" in names else None
        return Outcome(detail=type(parts["config"]).__name__)

    def construct() -> Outcome:
        with_config = "configuration" in names
        model = names["construct"](parts["config"]) if with_config else names["construct"]()
        if not hasattr(model, "state_dict"):
            raise UsageError(
                f"construct gave back {type(model).__name__}, no module",
                next_step="Return a torch.nn.Module",
            )
        parts["model"] = names["model"] = model
        count = sum(p.numel() for p in model.parameters())
        return Outcome(detail=f"{type(model).__name__}, {count:,} parameters, no weights yet")

    def checkpoint() -> Outcome:
        if "checkpoint" not in names:
            return Outcome(detail="no checkpoint: the weights stay as constructed")
        parts["state"] = names["checkpoint"]()
        return Outcome(detail=f"{len(parts['state']):,} entries")

    def load() -> Outcome:
        if "state" not in parts:
            return Outcome(detail="nothing to load")
        model, state = parts["model"], parts["state"]
        result = (
            names["load"](model, state) if "load" in names else model.load_state_dict(state)
        )
        return Outcome(detail=str(result) if result is not None else "loaded")

    def move() -> Outcome:
        model = parts["model"]
        moved = names["move"](model, device) if "move" in names else model.to(device)
        names["model"] = moved if moved is not None else model
        where = sorted({str(p.device) for p in names["model"].parameters()})
        return Outcome(detail=f"on {', '.join(where) or 'no device: no parameters'}")

    return (
        Step("model-configuration", "read the configuration", configuration, needed=True),
        Step("model-construction", "construct the model", construct, needed=True),
        Step("model-checkpoint", "read the checkpoint", checkpoint, needed=True),
        Step("model-state", "load the state", load, needed=True),
        Step("model-move", "move it to the device", move, needed=True),
    )
