"""From an asm statement of PTX to C++ statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.rules.kit.ptx import CLOCKS, SPECIAL, TYPES, meaning
from fastpt_lab.rules.kit.rewrite import operand

if TYPE_CHECKING:
    from fastpt_lab.rules.kit.asm import Assembly, Instruction

_LOAD = re.compile(
    r"(?:ld|ldu)(?P<volatile>\.volatile)?(?:\.(?:global|shared|local))?(?P<hints>(?:\.(?:nc|ca|cg"
    r"|cs|lu|cv|L1::\w+|L2::\w+))*)(?P<vector>\.v[248])?\.(?P<type>[busf](?:8|16|32|64))"
)
_STORE = re.compile(
    r"st(?P<volatile>\.volatile)?(?:\.(?:global|local))?(?P<hints>(?:\.(?:wb|cg|cs|wt"
    r"|L1::\w+|L2::\w+))*)(?P<vector>\.v[248])?\.(?P<type>[busf](?:8|16|32|64))"
)
_ADD = re.compile(r"(?:red|atom)(?:\.global)?\.add\.(?P<type>[usf](?:32|64))")
_ADDRESS = re.compile(r"\[\s*(%\w+|\w+)\s*(?:\+\s*(-?\d+))?\s*\]")
_REGISTER = re.compile(r"\.reg")
_REAL = {"f": "float", "d": "double"}
_BITS = {"f": "unsigned int", "d": "unsigned long long"}
_KNOWN = frozenset("rlhfdn")


class Written(NamedTuple):
    """C++ statements without semicolons, doubts, and whether lanes are counted."""

    statements: tuple[str, ...]
    doubts: tuple[str, ...]
    lanes: bool


class _Writer:
    """Writes the instructions of one statement, keeping its local registers."""

    def __init__(self, assembly: Assembly, *, bind: bool) -> None:
        self.assembly = assembly
        self.registers: dict[str, str] = {}
        self.names: dict[int, str] = {}
        self.statements: list[str] = []
        self.doubts: list[str] = []
        self.lanes = False
        if bind:
            self._bind()

    def _bind(self) -> None:
        """Evaluate each input once and before any output is written, as assembly does."""
        for index, given in enumerate(self.assembly.operands):
            if index >= self.assembly.outputs and given.constraint != "n":
                self.names[index] = f"in{index}"
                self.statements.append(f"const auto in{index} = {given.expression}")

    def _kind(self, text: str) -> str:
        """Return the letter of an operand's constraint, "r" for registers and numbers."""
        numbered = re.fullmatch(r"%(\d+)", text.strip())
        if numbered is None or int(numbered[1]) >= len(self.assembly.operands):
            return "r"
        return self.assembly.operands[int(numbered[1])].constraint.strip("=+&")

    def write(self, instruction: Instruction) -> bool:
        """Add the C++ of one instruction; return whether it is known."""
        if instruction.guard:
            return False
        if _REGISTER.match(instruction.name):
            return self._declare(instruction)
        if instruction.name.startswith("mov.") and len(instruction.operands) == 2:
            return self._move(*instruction.operands)
        memory = _LOAD.fullmatch(instruction.name) or _STORE.fullmatch(instruction.name)
        if memory is not None:
            return self._memory(memory, instruction, loads=instruction.name.startswith("ld"))
        added = _ADD.fullmatch(instruction.name)
        if added is not None:
            return self._add(added, instruction)
        return self._compute(instruction)

    def _declare(self, instruction: Instruction) -> bool:
        kind = TYPES.get(instruction.name.removeprefix(".reg").strip("."), "")
        words = list(instruction.operands)
        if not kind and words:
            first, _, rest = words[0].strip().partition(" ")
            kind, words[0] = TYPES.get(first.strip("."), ""), rest
        if not kind or any("<" in w for w in words):
            return False
        for word in words:
            name = word.strip().strip("%")
            self.registers[word.strip()] = f"r_{name}"
            self.statements.append(f"{kind} r_{name}")
        return True

    def _move(self, target: str, source: str) -> bool:
        place, value = self._value(target), self._source(source)
        if place is None or value is None:
            return False
        to, of = self._kind(target), self._kind(source)
        if to in _REAL and of not in _REAL:
            value = f"__builtin_bit_cast({_REAL[to]}, ({_BITS[to]}){value})"
        elif of in _REAL and to not in _REAL:
            value = f"__builtin_bit_cast({_BITS[of]}, {value})"
        self.statements.append(f"{place} = {value}")
        return True

    def _source(self, text: str) -> str | None:
        special = text.strip().replace("%%", "%")
        if special in SPECIAL:
            self.lanes |= "lane" in special
            if special in CLOCKS:
                self.doubts.append("the two clocks tick at different rates")
            return SPECIAL[special]
        value = self._value(text)
        return operand(value) if value is not None else None

    def _value(self, text: str) -> str | None:
        text = text.strip()
        if text in self.registers:
            return self.registers[text]
        numbered = re.fullmatch(r"%(\d+)", text)
        if numbered and int(numbered[1]) < len(self.assembly.operands):
            index = int(numbered[1])
            return self.names.get(index, self.assembly.operands[index].expression)
        if re.fullmatch(r"-?(?:0[xX][0-9a-fA-F]+|\d+)U?", text):
            return text.replace("U", "u")
        return None

    def _compute(self, instruction: Instruction) -> bool:
        known = meaning(instruction.name, instruction.operands)
        if known is not None and known.statement:
            self.statements.append(known.text)
            return True
        if not instruction.operands:
            return False
        target = self._value(instruction.operands[0])
        if not self._classes_fit(instruction):
            return False
        sources = [self._source(text) for text in instruction.operands[1:]]
        if target is None or any(source is None for source in sources):
            return False
        computed = meaning(instruction.name, [s for s in sources if s is not None])
        if computed is None or computed.statement:
            return False
        self.statements.append(f"{target} = {computed.text}")
        self.doubts += computed.doubts
        return True

    def _classes_fit(self, instruction: Instruction) -> bool:
        """Whether operands have the classes of the instruction: a float is no word of bits."""
        types = [part for part in instruction.name.split(".") if part in TYPES or part == "f16"]
        if not types:
            return False
        real = {"f32": "f", "f64": "d"}
        source = real.get(types[-1])
        target = real.get(types[0]) if instruction.name.startswith("cvt") else source
        kinds = [self._kind(text) for text in instruction.operands]
        fits = (kinds[0] == target) if target else kinds[0] not in _REAL
        return fits and all((k == source) if source else k not in _REAL for k in kinds[1:])

    def _pointer(self, text: str, kind: str) -> str | None:
        """Return a typed pointer for `[%1]` or `[%1 + 8]`, if the operand is 64-bit."""
        match = _ADDRESS.fullmatch(text.strip())
        numbered = re.fullmatch(r"%(\d+)", match[1]) if match else None
        if match is None or numbered is None:
            return None
        value = self._value(match[1])
        # A 32-bit address is one of shared memory, which HIP does not hand out as a number.
        if self._kind(match[1]) != "l" or value is None:
            return None
        base = f"((const char*)({value}) + {match[2]})" if match[2] else f"({value})"
        return f"(({kind}*){base})"

    def _memory(self, match: re.Match[str], instruction: Instruction, *, loads: bool) -> bool:
        if len(instruction.operands) != 2:
            return False
        value, address = instruction.operands if loads else instruction.operands[::-1]
        names = value.strip("{} ").split(",") if match["vector"] else [value]
        places = [self._value(name) for name in names]
        count = int(match["vector"][2:]) if match["vector"] else 1
        pointer = self._pointer(address, self._cell(match, names, loads=loads))
        if pointer is None or None in places or len(places) != count:
            return False
        for index, place in enumerate(places):
            cell = f"{pointer}[{index}]" if match["vector"] else f"*{pointer}"
            self.statements.append(f"{place} = {cell}" if loads else f"{cell} = {place}")
        return True

    def _cell(self, match: re.Match[str], names: list[str], *, loads: bool) -> str:
        """Return the qualified type that is read or written."""
        kind = TYPES[match["type"]]
        letters = {self._kind(name) for name in names}
        # The bits are moved as they are: the type is that of the operand, not of the name.
        if letters & set(_REAL):
            kind = _REAL[letters.pop()]
        elif match["type"].startswith("f"):
            kind = _BITS["f" if match["type"] == "f32" else "d"]
        read_only = loads and ".nc" in match["hints"]
        again = self.assembly.ordered and not read_only and (loads or not match["vector"])
        volatile = "volatile " if match["volatile"] or again else ""
        return f"{volatile}const {kind}" if loads else f"{volatile}{kind}"

    def _add(self, match: re.Match[str], instruction: Instruction) -> bool:
        returns = instruction.name.startswith("atom")
        operands = instruction.operands[1:] if returns else instruction.operands
        kind = TYPES[match["type"]]
        if kind == "long long" or len(operands) != 2:
            return False
        pointer, value = self._pointer(operands[0], kind), self._value(operands[1])
        target = self._value(instruction.operands[0]) if returns else ""
        if pointer is None or value is None or target is None:
            return False
        call = f"atomicAdd({pointer}, {value})"
        self.statements.append(f"{target} = {call}" if returns else call)
        return True


def written(assembly: Assembly) -> Written | None:
    """Return the C++ of an asm statement, None if an instruction of it is not known."""
    letters = {o.constraint.strip("=+&") for o in assembly.operands}
    if not assembly.instructions or not letters <= _KNOWN:
        return None
    writer = _run(assembly, bind=False)
    if writer is not None and len(writer.statements) > 1:
        writer = _run(assembly, bind=True)
    if writer is None:
        return None
    doubts = tuple(dict.fromkeys(writer.doubts))
    return Written(tuple(writer.statements), doubts, writer.lanes)


def _run(assembly: Assembly, *, bind: bool) -> _Writer | None:
    writer = _Writer(assembly, bind=bind)
    return writer if all(writer.write(i) for i in assembly.instructions) else None
