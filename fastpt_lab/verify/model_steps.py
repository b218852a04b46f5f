"""Load a model in five steps, so that a fault names the one it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import UsageError
from fastpt_lab.verify.step import Outcome, Step

if TYPE_CHECKING:
    from fastpt_lab.verify.definition import Definition


class _Loading:
    """A model on its way from its configuration to the device."""

    def __init__(self, names: dict[str, Any], device: str) -> None:
        self._names = names
        self._device = device
        self._config: Any = None
        self._model: Any = None
        self._state: Any = None

    def configuration(self) -> Outcome:
        """Read it, where there is one."""
        if "configuration" not in self._names:
            return Outcome(detail="no configuration")
        self._config = self._names["configuration"]()
        return Outcome(detail=type(self._config).__name__)

    def construct(self) -> Outcome:
        """Make the module, without weights."""
        given = [self._config] if "configuration" in self._names else []
        model = self._names["construct"](*given)
        if not hasattr(model, "state_dict"):
            raise UsageError(
                f"construct gave back {type(model).__name__}, no module",
                next_step="Return a torch.nn.Module",
            )
        self._model = self._names["model"] = model
        count = sum(parameter.numel() for parameter in model.parameters())
        return Outcome(detail=f"{type(model).__name__}, {count:,} parameters, no weights yet")

    def checkpoint(self) -> Outcome:
        """Read the weights into memory."""
        if "checkpoint" not in self._names:
            return Outcome(detail="no checkpoint: the weights stay as constructed")
        self._state = self._names["checkpoint"]()
        return Outcome(detail=f"{len(self._state):,} entries")

    def load(self) -> Outcome:
        """Put the weights into the module."""
        if self._state is None:
            return Outcome(detail="nothing to load")
        if "load" in self._names:
            result = self._names["load"](self._model, self._state)
        else:
            result = self._model.load_state_dict(self._state)
        return Outcome(detail="loaded" if result is None else str(result))

    def move(self) -> Outcome:
        """Move the module to the device."""
        if "move" in self._names:
            moved = self._names["move"](self._model, self._device)
        else:
            moved = self._model.to(self._device)
        model = self._model if moved is None else moved
        self._names["model"] = model
        where = sorted({str(parameter.device) for parameter in model.parameters()})
        return Outcome(detail=f"on {', '.join(where) or 'no device: no parameters'}")


def model_steps(definition: Definition, device: str) -> tuple[Step, ...]:
    """Return configuration, construction, checkpoint, state and move, each a step.

    `construct` is the definition's; what it leaves out is the usual thing: no configuration,
    no checkpoint, `load_state_dict`, `to`. The model is then `model` in the definition.
    """
    loading = _Loading(definition.namespace, device)
    return (
        Step(
            "model-configuration", "read the configuration", loading.configuration, needed=True
        ),
        Step("model-construction", "construct the model", loading.construct, needed=True),
        Step("model-checkpoint", "read the checkpoint", loading.checkpoint, needed=True),
        Step("model-state", "load the state", loading.load, needed=True),
        Step("model-move", "move it to the device", loading.move, needed=True),
    )
