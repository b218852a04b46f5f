"""What the user writes to verify an operator: a few lines of Python that name things.

```python
from fused_norm import functional, reference as plain
op = functional.layer_norm                # called with the tensors, on the device
reference = plain.layer_norm              # the same in plain torch, for float64 on the CPU
inputs = ("n", 1024), (1024,), (1024,)    # shapes of normal numbers; n is the size of a rung
reduction = 1024                          # terms of the longest sum behind one element
```

`inputs` may also be a function of `n` that gives back the tensors, on the CPU. Optional:
`sizes`, `real`, `dtypes`, `rtol`, `atol`, `seed`; `stored`, as `{"float16": "float16"}` where an
intermediate result is rounded to half on its way; `accumulate`, where sums are. For a model:
`configuration()`, `construct(config)`, `checkpoint()`, `load(model, state)`, `move(model,
device)`; the model is then there as `model` when `op` is called.
"""

from __future__ import annotations

import importlib
import math
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import UsageError
from fastpt_lab.verify.numerics import dtype_name

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

WAVE = 64
DEFAULT_SIZES = (WAVE, WAVE + 1, 1000)
"""One wave; one more, where the second block is nearly empty; no multiple of 64 or 256."""

DEFAULT_REAL = 4096
DEFAULT_DTYPES = ("float32", "float16", "bfloat16")
MODEL_STEPS = ("configuration", "construct", "checkpoint", "load", "move")

_HELP = "Define op, reference and inputs; `import fastpt_lab.verify.definition` shows how"


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What a definition names, checked.

    Attributes:
        inputs: from a number of rows to tensors on the CPU.
        sizes: the small shapes, in the order of climbing.
        real: the size of the application.
        reduction: terms of the longest sum behind one element.
        accumulate: `(dtype, summed in)`, where that is another type than the policy takes.
        stored: `(dtype, stored in)`, where an intermediate result is rounded on its way.
        namespace: what the text defined; models put themselves in.
    """

    op: Callable[..., Any]
    reference: Callable[..., Any]
    inputs: Callable[[int], Any]
    sizes: tuple[int, ...]
    real: int
    dtypes: tuple[str, ...]
    reduction: int
    accumulate: tuple[tuple[str, str], ...]
    stored: tuple[tuple[str, str], ...]
    rtol: float | None
    atol: float | None
    seed: int
    namespace: dict[str, Any]

    @property
    def has_model(self) -> bool:
        """Whether a model is loaded in its five steps."""
        return "construct" in self.namespace

    def summed_in(self, dtype: str) -> str | None:
        """Return the type that sums are kept in for `dtype`, None for the policy's."""
        return dict(self.accumulate).get(dtype)

    def stored_in(self, dtype: str) -> str | None:
        """Return the type that intermediates of `dtype` are rounded to, None for none."""
        return dict(self.stored).get(dtype)

    def make(self, size: int, dtype: str, device: str) -> tuple[Any, ...]:
        """Make the inputs, always with the same numbers: floating ones in `dtype`.

        Raises:
            UsageError: `inputs` gave back something else than tensors.
        """
        torch = importlib.import_module("torch")
        torch.manual_seed(self.seed)
        made = self.inputs(size)
        values = made if isinstance(made, (tuple, list)) else (made,)
        if not any(isinstance(value, torch.Tensor) for value in values):
            raise UsageError("inputs(n) gave back no tensor", next_step=_HELP)
        kind = getattr(torch, dtype)
        return tuple(
            value.to(kind if value.is_floating_point() else value.dtype).to(device)
            if isinstance(value, torch.Tensor)
            else value
            for value in values
        )


def read_definition(text: str, *, name: str = "<verify>") -> Definition:
    """Run a definition and return what it names; `torch` is there without an import.

    What the text itself raises goes through to the caller.

    Raises:
        UsageError: something is missing or of the wrong kind.
    """
    namespace: dict[str, Any] = {
        "torch": importlib.import_module("torch"),
        "__name__": "verify",
    }
    exec(compile(text, name, "exec"), namespace)  # noqa: S102 - the user's own code
    namespace["inputs"] = _inputs(namespace.get("inputs"))
    for wanted in ("op", "reference"):
        if not callable(namespace.get(wanted)):
            raise UsageError(f"the definition has no function {wanted!r}", next_step=_HELP)
    return Definition(
        op=namespace["op"],
        reference=namespace["reference"],
        inputs=namespace["inputs"],
        sizes=_sizes(namespace),
        real=_whole(namespace, "real", DEFAULT_REAL, least=1),
        dtypes=_dtypes(namespace),
        reduction=_whole(namespace, "reduction", 1, least=1),
        accumulate=_by_dtype(namespace, "accumulate"),
        stored=_by_dtype(namespace, "stored"),
        rtol=_limit(namespace, "rtol"),
        atol=_limit(namespace, "atol"),
        seed=_whole(namespace, "seed", 0, least=0),
        namespace=namespace,
    )


def _inputs(value: object) -> Callable[[int], Any]:
    """Return the function that makes the inputs, made from shapes where these are given."""
    if callable(value):
        return value
    shapes = value if isinstance(value, (tuple, list)) else ()
    right = shapes and all(
        isinstance(shape, (tuple, list))
        and all(size == "n" or (type(size) is int and size >= 0) for size in shape)
        for shape in shapes
    )
    if not right:
        raise UsageError(
            f"inputs is {value!r}, must be shapes such as ('n', 1024), or a function",
            next_step=_HELP,
        )
    return partial(_normal, tuple(tuple(shape) for shape in shapes))


def _normal(shapes: tuple[tuple[int | str, ...], ...], n: int) -> tuple[Any, ...]:
    torch = importlib.import_module("torch")
    return tuple(
        torch.randn([n if isinstance(size, str) else size for size in shape])
        for shape in shapes
    )


def _whole(names: Mapping[str, Any], name: str, usual: int, *, least: int) -> int:
    value = names.get(name, usual)
    if isinstance(value, bool) or not isinstance(value, int) or value < least:
        raise UsageError(f"{name} is {value!r}, must be a number from {least}", next_step=_HELP)
    return value


def _limit(names: Mapping[str, Any], name: str) -> float | None:
    value = names.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not value >= 0:
        raise UsageError(f"{name} is {value!r}, must be a number from 0", next_step=_HELP)
    if math.isinf(value):
        raise UsageError(f"{name} is infinite: nothing could fail", next_step=_HELP)
    return float(value)


def _sizes(names: Mapping[str, Any]) -> tuple[int, ...]:
    value = names.get("sizes", DEFAULT_SIZES)
    if not isinstance(value, (tuple, list)) or not value:
        raise UsageError(f"sizes is {value!r}, must be some numbers", next_step=_HELP)
    return tuple(_whole({"sizes": each}, "sizes", 0, least=1) for each in value)


def _dtypes(names: Mapping[str, Any]) -> tuple[str, ...]:
    value = names.get("dtypes", DEFAULT_DTYPES)
    found = tuple(_floating(each) for each in ([value] if isinstance(value, str) else value))
    if not found:
        raise UsageError("dtypes is empty", next_step=_HELP)
    return found


def _floating(value: object) -> str:
    torch = importlib.import_module("torch")
    name = dtype_name(value)
    kind = getattr(torch, name, None)
    if not isinstance(kind, torch.dtype) or not kind.is_floating_point:
        raise UsageError(f"{name!r} is no floating dtype of torch", next_step=_HELP)
    return name


def _by_dtype(names: Mapping[str, Any], name: str) -> tuple[tuple[str, str], ...]:
    value = names.get(name, {})
    if not isinstance(value, dict):
        raise UsageError(
            f"{name} is {value!r}, must be like {{'float16': 'float16'}}", next_step=_HELP
        )
    return tuple((_floating(key), _floating(each)) for key, each in value.items())
