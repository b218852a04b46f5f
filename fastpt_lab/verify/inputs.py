"""Check tensors where they enter: dtype, shape, contiguity, device, with names in the message."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import UsageError
from fastpt_lab.verify.numerics import dtype_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class TensorSpec:
    """What a tensor must be.

    Attributes:
        shape: numbers, names that must agree between tensors (`"rows"`), or None for any size.
        dtypes: names of those allowed, `("float16", "float32")`; none allows all.
        device: `cuda` or `cpu`; "" allows both.
    """

    shape: tuple[int | str | None, ...] | None = None
    dtypes: tuple[str, ...] = ()
    contiguous: bool = True
    device: str = ""


def input_problems(
    tensors: Mapping[str, Any], specs: Mapping[str, TensorSpec]
) -> tuple[str, ...]:
    """Return one sentence for each thing that is not as it must be.

    A size that is named in several specs must be the same in all of them.
    """
    sizes: dict[str, tuple[str, int]] = {}
    found: list[str] = []
    for name, spec in specs.items():
        if name not in tensors:
            found.append(f"{name} is missing")
            continue
        tensor = tensors[name]
        dtype = dtype_name(tensor.dtype)
        if spec.dtypes and dtype not in spec.dtypes:
            found.append(f"{name} is {dtype}, must be {' or '.join(spec.dtypes)}")
        if spec.device and tensor.device.type != spec.device:
            found.append(f"{name} is on {tensor.device}, must be on {spec.device}")
        if spec.contiguous and not tensor.is_contiguous():
            found.append(f"{name} is not contiguous: strides {tuple(tensor.stride())}")
        if spec.shape is not None:
            found.extend(_shape(name, tuple(tensor.shape), spec.shape, sizes))
    return tuple(found)


def _shape(
    name: str,
    shape: tuple[int, ...],
    wanted: Sequence[int | str | None],
    sizes: dict[str, tuple[str, int]],
) -> list[str]:
    if len(shape) != len(wanted):
        return [f"{name} has {len(shape)} dimensions, must have {len(wanted)}"]
    found = []
    for place, (size, want) in enumerate(zip(shape, wanted, strict=True)):
        if isinstance(want, int) and size != want:
            found.append(f"{name} has size {size} in dimension {place}, must be {want}")
        elif isinstance(want, str):
            other, known = sizes.setdefault(want, (name, size))
            if known != size:
                found.append(f"{name} has {want} {size}, {other} has {known}")
    return found


def check_inputs(tensors: Mapping[str, Any], specs: Mapping[str, TensorSpec]) -> None:
    """Refuse tensors that an operator is not made for, before the device sees them.

    Raises:
        UsageError: with all that is wrong.
    """
    problems = input_problems(tensors, specs)
    if problems:
        raise UsageError("; ".join(problems), next_step="Convert or copy them before the call")
