"""Prove on the CPU whether a kernel gives the same result in waves of 32 and of 64 lanes.

The text that a CUDA compiler sees runs with 32 lanes, the text that HIP sees with 64, on the
same small block and the same numbers. A difference is a proof; sameness holds for these inputs.
A kernel that cannot be read completely is said to be so.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from fastpt_lab.core.scan import Kind
from fastpt_lab.survey.branches import Passes
from fastpt_lab.survey.condition import Macros
from fastpt_lab.survey.macros import Macro, expand, macros_of
from fastpt_lab.survey.simt_frame import Parameter, Routine
from fastpt_lab.survey.simt_grammar import NotEmulatedError, Type
from fastpt_lab.survey.simt_machine import Machine
from fastpt_lab.survey.simt_syntax import Parser
from fastpt_lab.survey.simt_values import Array, Cell, Pointer, Vector, convert, fitted
from fastpt_lab.survey.unit import Function, Unit, Word, constants, functions, read_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

CUDA_LANES = 32
HIP_LANES = 64
BLOCK = (128, 1, 1)
_BUFFER = 4096
_RUNS = ((101, False), (1024, True))
"""Value of the whole-number parameters, and whether every other 32 elements are negative."""
_MAX_BLOCK = 512
_TOLERANCE = 1e-6
_NOT_GIVEN = "rests on a value that no lane gave with 64"
_OUTSIDE = "with 64 lanes it writes outside its array"
_WORD = (1 << 64) - 1

_NVCC = {"__CUDACC__": "1", "__NVCC__": "1", "CUDA_VERSION": "12000", "CUDART_VERSION": "12000"}
_NOT_CUDA = re.compile(r"USE_ROCM|USE_HIP|__HIP\w*|__AMDGCN\w*|__gfx\w+__|_MSC_VER|_WIN32")
CUDA_PASSES = Passes(
    host=Macros(_NVCC, _NOT_CUDA),
    device=Macros({**_NVCC, "__CUDA_ARCH__": "800"}, _NOT_CUDA),
    plain=Macros({}, _NOT_CUDA),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Emulation:
    """What an emulated run showed.

    Attributes:
        same: whether both lane counts agree; None if it could not be run.
        undefined: whether the difference is a value that no lane gave, or a write outside of
            an array: wrong whatever the layout of the results.
        text: one sentence: the numbers that differ, or what could not be read.
    """

    same: bool | None
    text: str
    undefined: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """The device functions of one view of a file, ready to run."""

    routines: Mapping[str, Routine]
    constants: Mapping[str, int]
    unread: Mapping[str, str]


def read_program(unit: Unit, outside: Mapping[str, int]) -> Program:
    """Parse every device function of `unit`; those that cannot be read are named with why.

    `outside` are constants of other files of the project.
    """
    routines: dict[str, Routine] = {}
    unread: dict[str, str] = {}
    device = [f for f in functions(unit) if f.qualifiers & {"__global__", "__device__"}]
    templates = frozenset(f.name for f in device)
    known = constants(unit)
    macros = {name: m for name, m in macros_of(unit).items() if name not in known}
    for function in device:
        try:
            routines[function.name] = _routine(unit, function, templates, macros)
        except (NotEmulatedError, RecursionError) as error:
            unread[function.name] = str(error) or "its depth"
    return Program(routines, {**outside, **known}, unread)


def prove(
    name: str, unit: Unit, outside: Mapping[str, int], shape: tuple[int, int, int] | None = None
) -> Emulation:
    """Run the kernel `name` both ways and compare everything that it wrote.

    Args:
        name: of a `__global__` function of `unit`.
        unit: the file as HIP sees it.
        outside: constants of other files of the project.
        shape: threads of the block; by default 128.
    """
    twin = read_unit(unit.path, unit.document, CUDA_PASSES)
    cuda, hip = read_program(twin, outside), read_program(unit, outside)
    block = shape or BLOCK
    if math.prod(block) > _MAX_BLOCK:
        block = BLOCK
    written = False
    for size, halves in _RUNS:
        try:
            narrow = run_block(cuda, name, CUDA_LANES, block, size, halves)
            wide = run_block(hip, name, HIP_LANES, block, size, halves)
        except (NotEmulatedError, OverflowError, RecursionError) as error:
            return Emulation(same=None, text=f"not emulated: it uses {error}")
        difference = _difference(narrow, wide)
        if difference:
            threads = "×".join(str(n) for n in block if n > 1) or "1"
            return Emulation(
                same=False,
                text=f"emulated with {threads} threads: {difference}",
                undefined=difference.startswith(_OUTSIDE) or difference.endswith(_NOT_GIVEN),
            )
        written = written or any(array.written for array in narrow)
    if not written:
        return Emulation(same=None, text="not emulated: it writes no memory that it was given")
    return Emulation(same=True, text="emulated: the same result in waves of 32 and of 64 lanes")


def run_block(
    program: Program,
    name: str,
    wave: int,
    shape: tuple[int, int, int],
    size: int,
    halves: bool,
) -> list[Array]:
    """Return the memory after one block has run: that of each pointer parameter, then shared.

    Args:
        program: of one view of the file.
        name: of the kernel.
        wave: lanes of a wave.
        shape: threads of the block.
        size: value of the whole-number parameters.
        halves: whether every other 32 elements of the input are negative.

    Raises:
        NotEmulatedError: the kernel could not be read, or does too much.
    """
    routine = program.routines.get(name)
    if routine is None:
        raise NotEmulatedError(program.unread.get(name, f"a kernel {name} that is not here"))
    if any(constant is not None for constant in routine.template):
        raise NotEmulatedError("a constant of its template")
    machine = Machine(
        wave=wave, shape=shape, routines=program.routines, constants=program.constants
    )
    arrays: list[Array] = []
    arguments: list[Vector] = []
    for index, parameter in enumerate(routine.parameters):
        kind = parameter.type
        if kind.pointer > 1:
            raise NotEmulatedError("a pointer to pointers")
        if kind.pointer:
            array = Array(
                parameter.name, kind.base, list(input_numbers(kind.base, index, halves))
            )
            arrays.append(array)
            arguments.append(Vector("any", [Pointer(array, 0)] * machine.size))
        else:
            value = _scalar(kind.base, size)
            arguments.append(Vector(kind.base, [value] * machine.size))
    machine.call(routine, arguments, tuple(range(machine.size)))
    for array in machine.shared.values():
        array.written = False
    return [*arrays, *machine.shared.values()]


@lru_cache(maxsize=64)
def input_numbers(base: str, index: int, halves: bool) -> tuple[float, ...]:
    """Return a buffer of small whole numbers: exact in every type.

    With `halves` the sign changes after 32 of them, so that what mixes two warps shows.
    """
    values = [_noise(k * 8 + index) % 23 - 9 for k in range(_BUFFER)]
    if halves:
        values = [-abs(v) - 1 if k // 32 % 2 else abs(v) for k, v in enumerate(values)]
    return tuple(fitted(value, base) for value in values)


def _noise(seed: int) -> int:
    """Return a number that looks random and is the same in every run (splitmix64)."""
    mixed = (seed + 1) * 0x9E3779B97F4A7C15 & _WORD
    mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EB & _WORD
    return mixed >> 31


def _scalar(base: str, size: int) -> Cell:
    return convert({"bool": 1, "f": 2.0, "any": 2}.get(base, size), base)


def _difference(narrow: list[Array], wide: list[Array]) -> str:
    """Return where two runs differ: global memory by value, shared memory by faults."""
    for first, second in zip(narrow, wide, strict=False):
        if second.faults and not first.faults:
            return f"{_OUTSIDE}: {second.faults[0]}"
        if len(first.data) != _BUFFER:
            continue
        for index, (left, right) in enumerate(zip(first.data, second.data, strict=False)):
            if left is None:
                continue
            if right is None:
                return f"{first.name}[{index}] is {left:g} with 32 lanes and {_NOT_GIVEN}"
            close = math.isclose(left, right, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE)
            if not close and not (math.isnan(left) and math.isnan(right)):
                return f"{first.name}[{index}] is {left:g} with 32 lanes, {right:g} with 64"
    return ""


def _routine(
    unit: Unit, function: Function, templates: frozenset[str], macros: Mapping[str, Macro]
) -> Routine:
    words = unit.words[function.head : function.opening]
    opening = next(
        i
        for i, w in enumerate(words[:-1])
        if w.text == function.name and words[i + 1].text == "("
    )
    types, constants_ = _template(tuple(w.text for w in words[:opening]))
    parameters = _parameters(unit, function, opening + 1, types, templates)
    text = expand(unit.words[function.opening : function.closing + 1], macros)
    body = Parser(text, types, templates).block()
    start = max((i + 1 for i, w in enumerate(words[:opening]) if w.text == ">"), default=0)
    result = Type("any")
    kept = [w for w in words[start:opening] if not w.text.startswith("__")]
    if kept:
        result = Parser(tuple(kept), types, templates).type()
    return Routine(function.name, parameters, constants_, body, result)


def _template(words: tuple[str, ...]) -> tuple[frozenset[str], tuple[str | None, ...]]:
    """Return the type parameters, and for each parameter the name if it is a constant."""
    if "template" not in words:
        return frozenset(), ()
    start = words.index("template") + 2
    types: set[str] = set()
    order: list[str | None] = []
    item: list[str] = []
    for word in (*words[start:], ","):
        if word in {",", ">"}:
            names = [w for w in item if w.isidentifier()]
            if names and names[0] in {"typename", "class"}:
                types.update(names[1:2])
                order.append(None)
            elif len(names) > 1:
                order.append(names[1] if "=" not in item else names[item.index("=") - 1])
            item = []
            if word == ">":
                break
        else:
            item.append(word)
    return frozenset(types), tuple(order)


def _parameters(
    unit: Unit,
    function: Function,
    opening: int,
    types: frozenset[str],
    templates: frozenset[str],
) -> tuple[Parameter, ...]:
    words = unit.words[function.head : function.opening]
    depth = 0
    item: list[Word] = []
    items: list[list[Word]] = []
    for word in words[opening:]:
        depth += (word.text in "([{<") - (word.text in ")]}>")
        if word.text == "<":
            raise NotEmulatedError("a parameter of a template's type")
        if depth == 0:
            break
        if word.text == "," and depth == 1:
            items.append(item)
            item = []
        elif not (word.text == "(" and depth == 1 and not item and not items):
            item.append(word)
    if item:
        items.append(item)
    found: list[Parameter] = []
    for each in items:
        parser = Parser(
            tuple(w for w in each if w.text != "__grid_constant__"), types, templates
        )
        names = [w for w in each if w.kind is Kind.IDENTIFIER]
        if len(names) == 1 and names[0].text == "void":
            continue
        cut = tuple(each[: each.index(names[-1])]) if names else ()
        if any(w.text in {"=", "["} for w in each) or len(names) < 2:
            raise NotEmulatedError("such a parameter")
        parser = Parser(cut, types, templates)
        found.append(Parameter(parser.type(), names[-1].text))
    return tuple(found)
