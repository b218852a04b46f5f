"""A device function ready to run, and the variables of one call of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fastpt_lab.survey.simt_grammar import Node, Type
    from fastpt_lab.survey.simt_values import Cell

Active = tuple[int, ...]
"""The lanes that run, rising."""


class Parameter(NamedTuple):
    """A parameter of a function that can be emulated."""

    type: Type
    name: str


class Routine(NamedTuple):
    """A device function: its parameters, its template constants and its body."""

    name: str
    parameters: tuple[Parameter, ...]
    template: tuple[str | None, ...]
    body: Node
    result: Type


@dataclass(slots=True)
class Variable:
    """A local variable of every lane."""

    base: str
    lanes: list[Cell]


@dataclass(slots=True)
class Frame:
    """The variables of one call, by scope, and what it returned."""

    scopes: list[dict[str, Variable]] = field(default_factory=lambda: [{}])
    returned: set[int] = field(default_factory=set)
    result: list[Cell] = field(default_factory=list)

    def find(self, name: str) -> Variable | None:
        """Return the innermost variable of that name."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return None
