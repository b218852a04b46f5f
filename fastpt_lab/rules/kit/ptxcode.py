"""From an asm statement of PTX to C++ statements."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.scan import code_tokens
from fastpt_lab.rules.kit import warp
from fastpt_lab.rules.kit.constants import identifiers
from fastpt_lab.rules.kit.ptx import CLOCKS, SPECIAL, TYPES, meaning
from fastpt_lab.rules.kit.rewrite import operand

if TYPE_CHECKING:
    from fastpt_lab.rules.kit.asm import Assembly, Instruction

_TYPE = r"(?P<type>[bus](?:8|16|32|64)|f(?:32|64))"
# Addresses of shared and local memory count from its start: in HIP they are no pointers.
_LOAD = re.compile(
    r"(?:ld|ldu)(?P<volatile>\.volatile)?(?:\.global)?(?P<hints>(?:\.(?:nc|ca|cg|cs|lu|cv"
    rf"|L1::\w+|L2::\w+))*)(?P<vector>\.v[248])?\.{_TYPE}"
)
_STORE = re.compile(
    r"st(?P<volatile>\.volatile)?(?:\.global)?(?P<hints>(?:\.(?:wb|cg|cs|wt"
    rf"|L1::\w+|L2::\w+))*)(?P<vector>\.v[248])?\.{_TYPE}"
)
_ADD = re.compile(r"(?:red|atom)(?:\.global)?\.add\.(?P<type>[usf](?:32|64))")
_ADDRESS = re.compile(r"\[\s*(%\w+|\w+)\s*(?:\+\s*(-?\d+))?\s*\]")
_REGISTER = re.compile(r"\.reg")
_CAST = re.compile(r"\b(?:static|reinterpret|const|bit)_cast\s*<[^;{}]*?>\s*(?=\()")
_REAL = {"f": "float", "d": "double"}
_CLASSES = {"f32": "f", "f64": "d"}
_LETTERS = {kind: letter for letter, kind in _REAL.items()}
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
        self.registers: dict[str, tuple[str, str]] = {}
        self.names: dict[int, str] = {}
        self.statements: list[str] = []
        self.doubts: list[str] = []
        self.lanes = False
        self._input, self._register = (
            _unused("in", r"\d+", assembly),
            _unused("r_", r"\w*", assembly),
        )
        if bind:
            self._bind()

    def _bind(self) -> None:
        """Evaluate each input once and before any output is written, as assembly does."""
        for index, given in enumerate(self.assembly.operands):
            if index >= self.assembly.outputs and given.constraint != "n":
                name = self.names[index] = f"{self._input}{index}"
                self.statements.append(f"const auto {name} = {given.expression}")

    def _kind(self, text: str) -> str:
        """Return the letter of an operand's constraint, or the one that a register would have."""
        if text.strip() in self.registers:
            return self.registers[text.strip()][1]
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
            name = f"{self._register}{word.strip().strip('%')}"
            self.registers[word.strip()] = name, _LETTERS.get(kind, "r")
            self.statements.append(f"{kind} {name}")
        return True

    def _move(self, target: str, source: str) -> bool:
        place, value = self._value(target), self._source(source)
        if place is None or value is None:
            return False
        to, of = self._kind(target), self._kind(source)
        if to != of and to in _REAL and of in _REAL:
            return False
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
            return self.registers[text][0]
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
        target = types[0] if instruction.name.startswith("cvt") else types[-1]
        first, *rest = instruction.operands
        return self._fits(first, target) and all(self._fits(text, types[-1]) for text in rest)

    def _fits(self, text: str, kind: str) -> bool:
        wanted = _CLASSES.get(kind)
        return self._kind(text) == wanted if wanted else self._kind(text) not in _REAL

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
        kind = self._cell(match, names, loads=loads)
        pointer = self._pointer(address, kind) if kind is not None else None
        if pointer is None or None in places or len(places) != count:
            return False
        for index, place in enumerate(places):
            cell = f"{pointer}[{index}]" if match["vector"] else f"*{pointer}"
            self.statements.append(f"{place} = {cell}" if loads else f"{cell} = {place}")
        return True

    def _cell(self, match: re.Match[str], names: list[str], *, loads: bool) -> str | None:
        """Return the qualified type that is read or written, None if the operands have several."""
        kind = TYPES[match["type"]]
        letters = {self._kind(name) for name in names}
        # The bits are moved as they are: the type is that of the operand, not of the name.
        if letters & set(_REAL):
            letter = _CLASSES.get(f"f{match['type'][1:]}", "")
            if letters != {letter}:
                return None
            kind = _REAL[letter]
        elif match["type"] in _CLASSES:
            kind = _BITS[_CLASSES[match["type"]]]
        read_only = loads and ".nc" in match["hints"]
        again = self.assembly.ordered and not read_only and (loads or not match["vector"])
        volatile = "volatile " if match["volatile"] or again else ""
        return f"{volatile}const {kind}" if loads else f"{volatile}{kind}"

    def _add(self, match: re.Match[str], instruction: Instruction) -> bool:
        returns = instruction.name.startswith("atom")
        operands = instruction.operands[1:] if returns else instruction.operands
        kind = TYPES[match["type"]]
        moved = (operands[-1], *instruction.operands[: int(returns)])
        if (
            kind == "long long"
            or len(operands) != 2
            or not all(self._fits(text, match["type"]) for text in moved)
        ):
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
    outputs, inputs = (
        assembly.operands[: assembly.outputs],
        assembly.operands[assembly.outputs :],
    )
    writer = _run(assembly, bind=any(_acts(given.expression) for given in inputs))
    if writer is not None and len(writer.statements) > 1:
        writer = _run(assembly, bind=True)
    if writer is None or not all(
        _once(given.expression, writer.statements) for given in outputs
    ):
        return None
    places = [given.expression for given in outputs]
    if len(writer.statements) > 1 and any(_moves(a, b) for a in places for b in places):
        return None
    doubts = tuple(dict.fromkeys(writer.doubts))
    return Written(tuple(writer.statements), doubts, writer.lanes)


def _run(assembly: Assembly, *, bind: bool) -> _Writer | None:
    writer = _Writer(assembly, bind=bind)
    return writer if all(writer.write(i) for i in assembly.instructions) else None


def _acts(expression: str) -> bool:
    """Whether it matters how often an operand is evaluated, which is once in assembly."""
    return warp.has_effects(_CAST.sub("", expression))


def _once(expression: str, statements: list[str]) -> bool:
    return not _acts(expression) or "".join(statements).count(expression) == 1


def _moves(written_to: str, place: str) -> bool:
    """Whether writing to one output may change which place an output is.

    Assembly settles the places of its outputs before it runs, statements one after another do
    not: no output may be a part or an index of another.
    """
    part, whole = (
        tuple(text[t.start : t.end] for t in code_tokens(text)) for text in (written_to, place)
    )
    if part != whole and any(whole[i : i + len(part)] == part for i in range(len(whole))):
        return True
    outside, inside = _by_brackets(whole)
    counted = whole if {"+", "-"} & set(outside) else inside
    return not {w for w in _by_brackets(part)[0] if w.isidentifier()}.isdisjoint(counted)


def _by_brackets(words: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the words outside of square brackets, names of members left out, and inside."""
    outside: list[str] = []
    inside: list[str] = []
    depth, before = 0, ""
    for word in words:
        depth -= word == "]"
        if before not in (".", "->"):
            (inside if depth else outside).append(word)
        depth += word == "["
        before = word
    return tuple(outside), tuple(inside)


def _unused(prefix: str, rest: str, assembly: Assembly) -> str:
    """Return a beginning of names, which go on with `rest`, that no operand mentions."""
    words = identifiers(" ".join(o.expression for o in assembly.operands))
    while any(re.fullmatch(prefix + rest, word) for word in words):
        prefix += "_"
    return prefix
