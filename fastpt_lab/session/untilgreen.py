"""Until green: with the own engine first, then with the others, until all of them agree."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import UnknownNameError
from fastpt_lab.core.report import EngineCheck
from fastpt_lab.session.green import GreenLoop
from fastpt_lab.session.options import OWN_ENGINE
from fastpt_lab.session.othergreen import OtherGreen

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fastpt_lab.host.process import Cancel
    from fastpt_lab.session.green import GreenStep
    from fastpt_lab.session.trials import Trials
    from fastpt_lab.session.workbench import Checked, Workbench

_ROUNDS = 3
"""An edit for one engine may be one too many for another; that they agree is not for ever."""


def known_engines(names: Sequence[str]) -> tuple[str, ...]:
    """Return the engines to ask, the own one first.

    Raises:
        UnknownNameError: there is none of a name, or not the own one among them.
    """
    found = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    for name in found:
        if name not in (OWN_ENGINE, "torch", "fastpt"):
            raise UnknownNameError(
                f"there is no engine {name!r}", next_step="Use lab, torch or fastpt"
            )
    if OWN_ENGINE not in found:
        raise UnknownNameError(
            "the lab engine proposes and tries, the others only check",
            next_step="Name it too: --engines lab,torch",
        )
    return found


@dataclass(kw_only=True)
class UntilGreen:
    """One run: `steps` and `outcomes` tell afterwards what was done and how it ended."""

    workbench: Workbench
    cancel: Cancel
    unsafe: bool
    rules: Sequence[str]
    engines: Sequence[str]
    on_step: Callable[[GreenStep], None]
    steps: list[GreenStep] = field(default_factory=list)
    outcomes: tuple[EngineCheck, ...] = ()

    def run(self, check: Callable[[], Checked]) -> Checked:
        """Repeat check, trial and write; return the last check."""
        others = [name for name in self.engines if name != OWN_ENGINE]
        own = GreenLoop(
            self.workbench, self.cancel, unsafe=self.unsafe, rules=self.rules, on_step=self._say
        )
        checked = check()
        with self.workbench.trials() as trials:
            for _ in range(_ROUNDS):
                checked = own.run(checked, check, trials)
                if not checked.report.green:
                    self.outcomes = tuple(_not_asked(name) for name in others)
                    break
                written = self._written
                self.outcomes = tuple(self._other(name, checked, trials) for name in others)
                if self._written == written:
                    break
                checked = check()
        return checked

    @property
    def _written(self) -> int:
        return sum(step.applied is not None for step in self.steps)

    def _other(self, name: str, checked: Checked, trials: Trials) -> EngineCheck:
        with self.workbench.activity("check") as progress:
            progress(0, 0, f"the {name} engine's outputs")
            other = OtherGreen(
                self.workbench,
                name,
                self.cancel,
                unsafe=self.unsafe,
                rules=self.rules,
                on_step=self._say,
            )
            return other.run(checked.by_original, trials)

    def _say(self, step: GreenStep) -> None:
        self.steps.append(step)
        self.on_step(step)


def _not_asked(name: str) -> EngineCheck:
    why = "it is asked once everything compiles with the lab engine"
    return EngineCheck(engine=name, status="not-run", why=why)
