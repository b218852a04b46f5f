"""Spend a bounded amount of emulation on a project, and none twice on the same text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.survey.emulate import Emulation, prove

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fastpt_lab.survey.launches import Block
    from fastpt_lab.survey.unit import Unit

MAX_KERNELS = 16
"""Kernels run in one survey; a kernel takes about 0.03 s."""


class Proofs:
    """Emulated runs of one survey."""

    def __init__(self, limit: int = MAX_KERNELS) -> None:
        self._left = limit
        self._known: dict[tuple[str, str, Block | None], Emulation] = {}

    def of(
        self, unit: Unit, outside: Mapping[str, int]
    ) -> Callable[[str, Block | None], Emulation]:
        """Return the function that runs a kernel of `unit` by name and block."""

        def run(name: str, shape: Block | None) -> Emulation:
            key = (unit.text, name, shape)
            if key not in self._known:
                if self._left <= 0:
                    return Emulation(
                        same=None, text="not emulated: the survey's share is spent; survey the "
                        "file alone"
                    )  # fmt: skip
                self._left -= 1
                self._known[key] = prove(name, unit, outside, shape)
            return self._known[key]

        return run
