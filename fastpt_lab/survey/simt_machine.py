"""Run a parsed device function on one block whose waves have a given number of lanes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from fastpt_lab.survey.simt_expressions import Expressions
from fastpt_lab.survey.simt_frame import Active, Frame, Routine, Variable
from fastpt_lab.survey.simt_grammar import Node, NotEmulatedError, Type
from fastpt_lab.survey.simt_values import Array, Cell, Pointer, Vector, convert, store

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

_MAX_DEPTH = 8
_DYNAMIC_SHARED = 4096


@dataclass(slots=True)
class _Loop:
    broken: set[int] = field(default_factory=set)
    continued: set[int] = field(default_factory=set)


class Machine(Expressions):
    """One block of `shape` threads in waves of `wave` lanes; all lanes run in lockstep."""

    def __init__(
        self,
        *,
        wave: int,
        shape: tuple[int, int, int],
        routines: Mapping[str, Routine],
        constants: Mapping[str, int],
    ) -> None:
        super().__init__(wave=wave, shape=shape, routines=routines, constants=constants)
        self.shared: dict[int, Array] = {}
        self._loops: list[_Loop] = []
        self._statements: dict[str, Callable[[Node, Active], Active]] = {
            "block": self._block, "do": self._do, "var": self._var, "if": self._if,
            "loop": self._loop, "return": self._return, "break": self._break,
            "continue": self._continue,
        }  # fmt: skip

    def call(
        self,
        routine: Routine,
        arguments: Sequence[Vector],
        active: Active,
        aliases: Sequence[Variable | None] = (),
    ) -> Vector:
        """Run a function in the lanes `active` and return its value.

        `aliases` are the caller's variables that the parameters may refer to.
        """
        if len(self._frames) >= _MAX_DEPTH:
            raise NotEmulatedError(f"the depth of calls of {routine.name}")
        if len(arguments) != len(routine.parameters):
            raise NotEmulatedError(f"the arguments of {routine.name}")
        frame = Frame(result=[None] * self.size)
        for index, parameter in enumerate(routine.parameters):
            value = arguments[index]
            alias = aliases[index] if index < len(aliases) else None
            if parameter.type.reference and alias is not None:
                frame.scopes[0][parameter.name] = alias
                continue
            base = "any" if parameter.type.pointer else parameter.type.base
            lanes = [convert(cell, base) for cell in value.lanes]
            frame.scopes[0][parameter.name] = Variable(
                value.base if base == "any" else base, lanes
            )
        self._frames.append(frame)
        loops, self._loops = self._loops, []
        self._run(routine.body, active)
        self._loops = loops
        self._frames.pop()
        base = routine.result.base
        return Vector(base, [convert(cell, base) for cell in frame.result])

    def _run(self, node: Node, active: Active) -> Active:
        self._count(active)
        return self._statements[node.kind](node, active) if active else active

    def _block(self, node: Node, active: Active) -> Active:
        declares = all(cast("Node", part).kind == "var" for part in node.parts)
        if not declares:
            self._frame.scopes.append({})
        for part in node.parts:
            active = self._run(cast("Node", part), active)
        if not declares:
            self._frame.scopes.pop()
        return active

    def _do(self, node: Node, active: Active) -> Active:
        self._value(node.parts[0], active)
        return active

    def _var(self, node: Node, active: Active) -> Active:
        kind, name, dims, initial, shared = cast(
            "tuple[Type, str, tuple[Node | None, ...], Node | None, bool]", node.parts
        )
        scope = self._frame.scopes[-1]
        if dims:
            lanes = self._array(node, kind, name, dims, shared)
            scope[name] = Variable("any", lanes)
            if initial is not None:
                self._fill(lanes, initial, active)
            return active
        if shared:
            raise NotEmulatedError(f"the shared scalar {name}")
        if kind.reference and initial is not None and initial.kind != "name":
            raise NotEmulatedError(f"the reference {name}")
        base = "any" if kind.pointer else kind.base
        lanes = [None] * self.size
        variable = Variable(base, lanes)
        if initial is not None:
            value = self._value(initial, active)
            variable.base = value.base if base == "any" else base
            for lane in active:
                lanes[lane] = convert(value.lanes[lane], base)
        scope[name] = variable
        return active

    def _array(
        self, node: Node, kind: Type, name: str, dims: tuple[Node | None, ...], shared: bool
    ) -> list[Cell]:
        extents: list[int] = []
        for dim in dims:
            size = _DYNAMIC_SHARED if dim is None else self._value(dim, (0,)).lanes[0]
            if not isinstance(size, int) or not 0 < size <= _DYNAMIC_SHARED:
                raise NotEmulatedError(f"the extent of {name}")
            extents.append(size)
        total, rest = math.prod(extents), tuple(extents[1:])
        if shared:
            if id(node) not in self.shared:
                self.shared[id(node)] = Array(name, kind.base, [None] * total)
            return [Pointer(self.shared[id(node)], 0, rest)] * self.size
        return [
            Pointer(Array(name, kind.base, [None] * total), 0, rest) for _ in range(self.size)
        ]

    def _fill(self, lanes: list[Cell], initial: Node, active: Active) -> None:
        if initial.kind != "braces":
            raise NotEmulatedError("this initialiser")
        for lane in active:
            place = lanes[lane]
            assert isinstance(place, Pointer)
            for index in range(len(place.array.data)):
                place.array.data[index] = 0
        for index, item in enumerate(initial.parts):
            value = self._value(item, active)
            for lane in active:
                place = lanes[lane]
                assert isinstance(place, Pointer)
                store(Pointer(place.array, index), value.lanes[lane])

    def _if(self, node: Node, active: Active) -> Active:
        yes, no = self._split(node.parts[0], active)
        left = self._run(cast("Node", node.parts[1]), yes)
        right = self._run(cast("Node", node.parts[2]), no)
        return tuple(sorted((*left, *right)))

    def _loop(self, node: Node, active: Active) -> Active:
        test, body, step, first = node.parts
        loop = _Loop()
        self._loops.append(loop)
        running = active
        ask = bool(first)
        while running:
            if ask:
                running, _ = self._split(test, running)
                if not running:
                    break
            ask = True
            loop.continued.clear()
            left = self._run(cast("Node", body), running)
            running = tuple(sorted({*left, *loop.continued}))
            self._run(cast("Node", step), running)
            self._count((0,))
        self._loops.pop()
        return tuple(lane for lane in active if lane not in self._frame.returned)

    def _return(self, node: Node, active: Active) -> Active:
        if node.parts[0] is not None:
            value = self._value(node.parts[0], active)
            for lane in active:
                self._frame.result[lane] = value.lanes[lane]
        self._frame.returned.update(active)
        return ()

    def _break(self, node: Node, active: Active) -> Active:
        if not self._loops:
            raise NotEmulatedError("a break here")
        self._loops[-1].broken.update(active)
        return ()

    def _continue(self, node: Node, active: Active) -> Active:
        if not self._loops:
            raise NotEmulatedError("a continue here")
        self._loops[-1].continued.update(active)
        return ()
