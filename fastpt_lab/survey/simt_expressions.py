"""Values of a device function's expressions, lane by lane."""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, cast

from fastpt_lab.survey.simt_grammar import Node, NotEmulatedError, Type
from fastpt_lab.survey.simt_intrinsics import plain_call, wave_call
from fastpt_lab.survey.simt_values import (
    COMPARISONS,
    Cell,
    Pointer,
    Vector,
    combined,
    common,
    convert,
    element,
    load,
    promoted,
    store,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from fastpt_lab.survey.simt_frame import Active, Frame, Routine, Variable

_MAX_LANE_STEPS = 600_000
_UNARY: dict[str, Callable[[int | float], int | float]] = {
    "-": lambda value: -value,
    "+": lambda value: value,
    "~": lambda value: ~int(value),
    "!": lambda value: not value,
}

_ATOMICS: dict[str, Callable[[float, float], float]] = {
    "atomicAdd": operator.add,
    "atomicSub": operator.sub,
    "atomicOr": lambda old, new: int(old) | int(new),
    "atomicAnd": lambda old, new: int(old) & int(new),
    "atomicMax": max,
    "atomicMin": min,
}


class Expressions:
    """The expressions of one block; `Machine` adds the statements."""

    def __init__(
        self,
        *,
        wave: int,
        shape: tuple[int, int, int],
        routines: Mapping[str, Routine],
        constants: Mapping[str, int],
    ) -> None:
        self.wave = wave
        self.size = math.prod(shape)
        self._shape = shape
        self._routines = routines
        self._constants = constants
        self._frames: list[Frame] = []
        self._steps = 0
        self._expressions: dict[str, Callable[[Node, Active], Vector]] = {
            "const": self._const, "name": self._name, "member": self._member,
            "index": self._index, "unary": self._unary, "binary": self._binary,
            "choose": self._choose, "assign": self._assign, "post": self._post,
            "cast": self._cast, "call": self._call, "comma": self._comma,
        }  # fmt: skip

    def call(
        self,
        routine: Routine,
        arguments: Sequence[Vector],
        active: Active,
        aliases: Sequence[Variable | None] = (),
    ) -> Vector:
        """Run a function in the lanes `active` and return its value."""
        raise NotImplementedError

    @property
    def _frame(self) -> Frame:
        return self._frames[-1]

    def _count(self, active: Active) -> None:
        self._steps += len(active)
        if self._steps > _MAX_LANE_STEPS:
            raise NotEmulatedError("so many steps")

    def _value(self, node: object, active: Active) -> Vector:
        self._count(active)
        node = cast("Node", node)
        if node.kind not in self._expressions:
            raise NotEmulatedError(f"a {node.kind} here")
        return self._expressions[node.kind](node, active)

    def _split(self, test: object, active: Active) -> tuple[Active, Active]:
        lanes = self._value(test, active).lanes
        yes = tuple(lane for lane in active if lanes[lane])
        chosen = set(yes)
        return yes, tuple(lane for lane in active if lane not in chosen)

    def _const(self, node: Node, active: Active) -> Vector:
        base, value = cast("tuple[str, int | float]", node.parts)
        return Vector(base, [value] * self.size)

    def _name(self, node: Node, active: Active) -> Vector:
        name = cast("str", node.parts[0])
        variable = self._frame.find(name)
        if variable is not None:
            return Vector(variable.base, list(variable.lanes))
        if name in self._constants:
            return Vector("i32", [self._constants[name]] * self.size)
        if name == "warpSize":
            return Vector("i32", [self.wave] * self.size)
        limits = {"FLT_MAX": 3.4e38, "INFINITY": math.inf, "INT_MAX": (1 << 31) - 1}
        if name in limits:
            return Vector("i32" if name == "INT_MAX" else "f", [limits[name]] * self.size)
        raise NotEmulatedError(f"the name {name}")

    def _member(self, node: Node, active: Active) -> Vector:
        base, name = cast("tuple[Node, str]", node.parts)
        owner = base.parts[0] if base.kind == "name" else ""
        if owner not in {"threadIdx", "blockIdx", "blockDim", "gridDim"} or name not in "xyz":
            raise NotEmulatedError(f"the member {name}")
        axis = "xyz".index(name)
        x, y, _ = self._shape
        if owner == "threadIdx":
            lanes = [(t % x, t // x % y, t // (x * y))[axis] for t in range(self.size)]
            return Vector("u32", list(lanes))
        value = {"blockIdx": 0, "gridDim": 1}.get(str(owner), self._shape[axis])
        return Vector("u32", [value] * self.size)

    def _index(self, node: Node, active: Active) -> Vector:
        places = self._places(node, active)
        lanes: list[Cell] = [None] * self.size
        base = "any"
        for lane in active:
            place = places[lane]
            if place is not None:
                lanes[lane] = load(place)
                base = "any" if place.dims else place.array.base
        return Vector(base, lanes)

    def _places(self, node: Node, active: Active) -> list[Pointer | None]:
        """Return the element that an lvalue in memory names, lane by lane."""
        found: list[Pointer | None] = [None] * self.size
        if node.kind == "unary" and node.parts[0] == "*":
            base, index = self._value(node.parts[1], active).lanes, [0] * self.size
        elif node.kind == "index":
            base = self._value(node.parts[0], active).lanes
            index = cast("list[int]", self._value(node.parts[1], active).lanes)
        else:
            raise NotEmulatedError("this assignment")
        for lane in active:
            found[lane] = element(base[lane], index[lane])
        return found

    def _unary(self, node: Node, active: Active) -> Vector:
        operation = node.parts[0]
        if operation == "*":
            return self._index(node, active)
        if operation == "&":
            target = cast("Node", node.parts[1])
            return Vector("any", list(self._places(target, active)))
        value = self._value(node.parts[1], active)
        base = "bool" if operation == "!" else promoted(value.base)
        lanes: list[Cell] = [None] * self.size
        for lane in active:
            cell = value.lanes[lane]
            if isinstance(cell, (int, float)):
                lanes[lane] = convert(_UNARY[str(operation)](cell), base)
        return Vector(base, lanes)

    def _binary(self, node: Node, active: Active) -> Vector:
        operation = cast("str", node.parts[0])
        if operation in {"&&", "||"}:
            return self._shortcut(node, active)
        left = self._value(node.parts[1], active)
        right = self._value(node.parts[2], active)
        return self._combine(operation, left, right, active)

    def _combine(self, operation: str, left: Vector, right: Vector, active: Active) -> Vector:
        base = common(left.base, right.base)
        if operation in COMPARISONS:
            base = "bool"
        elif operation in {"<<", ">>"}:
            base = promoted(left.base)
        return Vector(base, combined(operation, left, right, active, base))

    def _shortcut(self, node: Node, active: Active) -> Vector:
        yes, no = self._split(node.parts[1], active)
        both = node.parts[0] == "&&"
        lanes: list[Cell] = [None] * self.size
        for lane in no if both else yes:
            lanes[lane] = int(not both)
        rest = yes if both else no
        if rest:
            right = self._value(node.parts[2], rest).lanes
            for lane in rest:
                lanes[lane] = convert(right[lane], "bool")
        return Vector("bool", lanes)

    def _choose(self, node: Node, active: Active) -> Vector:
        yes, no = self._split(node.parts[0], active)
        lanes: list[Cell] = [None] * self.size
        bases: list[str] = []
        for part, side in ((node.parts[1], yes), (node.parts[2], no)):
            if side:
                value = self._value(part, side)
                bases.append(value.base)
                for lane in side:
                    lanes[lane] = value.lanes[lane]
        base = bases[0] if len(bases) == 1 else common(*bases) if bases else "any"
        return Vector(base, [convert(cell, base) for cell in lanes])

    def _assign(self, node: Node, active: Active) -> Vector:
        operation, target, source = cast("tuple[str, Node, Node]", node.parts)
        value = self._value(source, active)
        if operation:
            value = self._combine(operation, self._value(target, active), value, active)
        self._put(target, value, active)
        return value

    def _put(self, target: Node, value: Vector, active: Active) -> None:
        if target.kind == "name":
            variable = self._frame.find(str(target.parts[0]))
            if variable is None:
                raise NotEmulatedError(f"the name {target.parts[0]}")
            for lane in active:
                variable.lanes[lane] = convert(value.lanes[lane], variable.base)
            return
        places = self._places(target, active)
        for lane in active:
            place = places[lane]
            if place is not None:
                store(place, value.lanes[lane])

    def _post(self, node: Node, active: Active) -> Vector:
        before = self._value(node.parts[1], active)
        one = Vector("i32", [1] * self.size)
        after = self._combine(str(node.parts[0]), before, one, active)
        self._put(cast("Node", node.parts[1]), after, active)
        return before

    def _cast(self, node: Node, active: Active) -> Vector:
        kind = cast("Type", node.parts[0])
        value = self._value(node.parts[1], active)
        if kind.pointer:
            return value
        base = value.base if kind.base == "any" else kind.base
        return Vector(base, [convert(cell, base) for cell in value.lanes])

    def _comma(self, node: Node, active: Active) -> Vector:
        self._value(node.parts[0], active)
        return self._value(node.parts[1], active)

    def _call(self, node: Node, active: Active) -> Vector:
        name, template, arguments = cast(
            "tuple[str, tuple[Node | None, ...], tuple[Node, ...]]", node.parts
        )
        if name.startswith("atomic"):
            return self._atomic(name, arguments, active)
        values = [self._value(argument, active) for argument in arguments]
        if name in self._routines:
            aliases = [
                self._frame.find(str(a.parts[0])) if a.kind == "name" else None
                for a in arguments
            ]
            return self._own_call(self._routines[name], template, values, aliases, active)
        if name == "__lane_id":
            return Vector("u32", [lane % self.wave for lane in range(self.size)])
        result = wave_call(name, values, active, self.wave)
        if result is None:
            result = plain_call(name, values, active)
        if result is None:
            raise NotEmulatedError(f"the function {name}")
        lanes = list(result.lanes) + [None] * (self.size - len(result.lanes))
        return Vector(result.base, lanes)

    def _own_call(
        self,
        routine: Routine,
        template: tuple[Node | None, ...],
        values: Sequence[Vector],
        aliases: Sequence[Variable | None],
        active: Active,
    ) -> Vector:
        bound = dict(self._constants)
        for name, given in zip(routine.template, template, strict=False):
            if name is not None and given is not None:
                size = self._value(given, active[:1]).lanes[active[0]]
                if isinstance(size, int):
                    bound[name] = size
        outer, self._constants = self._constants, bound
        try:
            return self.call(routine, values, active, aliases)
        finally:
            self._constants = outer

    def _atomic(self, name: str, arguments: Sequence[Node], active: Active) -> Vector:
        if name not in _ATOMICS or len(arguments) != 2:
            raise NotEmulatedError(f"the function {name}")
        places = self._value(arguments[0], active).lanes
        values = self._value(arguments[1], active).lanes
        before: list[Cell] = [None] * self.size
        base = "any"
        for lane in active:
            place, value = places[lane], values[lane]
            if not isinstance(place, Pointer):
                continue
            base = place.array.base
            old = before[lane] = load(place)
            if isinstance(old, Pointer) or isinstance(value, Pointer):
                raise NotEmulatedError("an atomic of pointers")
            store(place, None if old is None or value is None else _ATOMICS[name](old, value))
        return Vector(base, before)
