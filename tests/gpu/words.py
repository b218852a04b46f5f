"""Kernels that compute on words of any bits: their inputs, their rows, and what may differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    import torch

COUNT = 32768
"""Words in a row of inputs: whole blocks of 128 threads."""
SEED = 20

_KERNEL = re.compile(r"__global__ void (\w+)\(.*?^}$", re.DOTALL | re.MULTILINE)
_PUT = re.compile(r'rows\.put\("([^"]+)"')
_ENTRY = re.compile(r'extern "C" int run_(\w+)\(')
_LAUNCHED = r"extern \"C\" int run_{}\(.*?(?:launch\((\w+)|^  (\w+)<<<)"
_OTHER_BRANCH = re.compile(r"^#else$.*?^#endif$", re.DOTALL | re.MULTILINE)


class Line(NamedTuple):
    """What came of one entry: what was compared, how far it agrees, and what is wrong."""

    name: str
    compared: str
    how: str
    wrong: tuple[str, ...]


def entries(source: Path) -> tuple[str, ...]:
    """Return the names of what can be run of a kernel's file."""
    return tuple(_ENTRY.findall(source.read_text(encoding="utf-8")))


def rows(source: Path, entry: str) -> tuple[str, ...]:
    """Return the names of an entry's rows, in the order in which they are written."""
    # Each name stands in both branches where a put is guarded.
    text = _OTHER_BRANCH.sub("", source.read_text(encoding="utf-8"))
    launched = re.search(_LAUNCHED.format(entry), text, re.DOTALL | re.MULTILINE)
    assert launched is not None, f"run_{entry} launches nothing"
    name = launched[1] or launched[2]
    kernel = next(m[0] for m in _KERNEL.finditer(text) if m[1] == name)
    return tuple(_PUT.findall(kernel))


def _edges() -> list[int]:
    """Return words where arithmetic has its corners: as int, half, float and double."""
    small = [*range(41), 63, 64, 127, 128, 255, 256, 0x7FFF, 0x8000, 0xFFFF, 0x10000]
    large = [0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFF1]
    halves = [0x0001, 0x03FF, 0x0400, 0x3C00, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7FFF, 0x8000]
    halves += [0x8001, 0x83FF, 0xBC00, 0xFBFF, 0xFC00, 0xFE00, 0xFFFF]
    # Zero, the smallest, the largest, infinity and NaN; ties for bfloat16; a half's borders.
    floats = [0x0, 0x1, 0x7FFFFF, 0x800000, 0x3F800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000]
    floats += [
        0x7F800001,
        0x7FFFFFFF,
        0x3F808000,
        0x3F818000,
        0x3F807FFF,
        0x477FF000,
        0x33000000,
    ]
    doubles = [0x1, 0xFFFFFFFFFFFFF, 0x10000000000000, 0x3FF0000000000000, 0x7FEFFFFFFFFFFFFF]
    doubles += [0x7FF0000000000000, 0x7FF8000000000000, 0x7FF0000000000001]
    pairs = [high << 16 | low for high in halves for low in halves]
    singles = [*small, *large, *pairs, *floats, *(f | 0x80000000 for f in floats)]
    wide = [*doubles, *(d | 1 << 63 for d in doubles), 1 << 63, (1 << 64) - 1, 1 << 32]
    return [*singles, *(s << 32 for s in singles), *wide]


def inputs() -> torch.Tensor:
    """Return three rows of words, always the same: half at random, half mostly corners."""
    import torch

    generator = torch.Generator().manual_seed(SEED)
    low, high = -(2**63), 2**63 - 1
    given = torch.randint(low, high, (3, COUNT), generator=generator)
    signed = [edge - 2**64 if edge >= 2**63 else edge for edge in _edges()]
    corners = torch.tensor(signed, dtype=torch.int64)
    chosen = corners[torch.randint(len(corners), (3, COUNT), generator=generator)]
    corner = torch.rand((3, COUNT), generator=generator) < 0.75
    corner[:, : COUNT // 2] = False
    return torch.where(corner, chosen, given)


def _same(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    return got == want


def _halves(
    infinity: int, *, zeros: bool
) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Compare 16-bit numbers whose bits above `infinity` are NaN, all four of a word."""

    def same(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
        import torch

        agree = torch.ones_like(got, dtype=torch.bool)
        for shift in (0, 16, 32, 48):
            a, b = got >> shift & 0xFFFF, want >> shift & 0xFFFF
            no_number = (a & 0x7FFF > infinity) & (b & 0x7FFF > infinity)
            nothing = (a | b) & 0x7FFF == 0
            agree &= (a == b) | no_number | (nothing if zeros else nothing & (a == b))
        return agree

    return same


def _single_nan(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    a, b = got & 0x7FFFFFFF, want & 0x7FFFFFFF
    return (got == want) | ((a > 0x7F800000) & (b > 0x7F800000) & (got >> 32 == want >> 32))


def _double_nan(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
    positive, infinity = (1 << 63) - 1, 0x7FF0000000000000
    return (got == want) | ((got & positive > infinity) & (want & positive > infinity))


def _near(
    tolerance: float, least: float
) -> Callable[[torch.Tensor, torch.Tensor], torch.Tensor]:
    """Compare floats: `tolerance` is of the wanted value, or of `least` if that is more."""

    def same(got: torch.Tensor, want: torch.Tensor) -> torch.Tensor:
        import torch

        a, b = (w.to(torch.int32).view(torch.float32).double() for w in (_low(got), _low(want)))
        return (a - b).abs() <= tolerance * b.abs().clamp(min=least)

    return same


def _low(words: torch.Tensor) -> torch.Tensor:
    """Return the lower halves of words as signed numbers of 32 bits."""
    low = words & 0xFFFFFFFF
    return low - (low >> 31 << 32)


class How(NamedTuple):
    """How words of some rows are compared, in words and as a function."""

    what: str
    same: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]


BITS = How("the same bits", _same)
_ALLOWED: tuple[tuple[str, How], ...] = (
    # half-intrinsic says so: through float the sign of a zero and the bits of a NaN may differ.
    (r"h(?:max|min)2?", How("NaN is NaN, zero is zero", _halves(0x7C00, zeros=True))),
    # The sum is the same; which NaN it gives is up to the instruction.
    (r"atomicAdd (?:upper )?half", How("NaN is NaN", _halves(0x7C00, zeros=False))),
    # Of two operands that are no numbers, which one's bits a double's result has is not fixed.
    (r"(?:fma|add|sub|mul)\.(?:rn\.)?f64", How("NaN is NaN", _double_nan)),
    # bf16-header says so: the bits of a NaN may differ after rounding.
    (r"float2bfloat16", How("NaN is NaN", _halves(0x7F80, zeros=False))),
    (r"bfloat162float", How("NaN is NaN", _single_nan)),
    # PTX ISA: the largest error is given of the result, for lg2, sin and cos absolutely.
    (r"(?:ex2|rcp|rsqrt|sqrt)\.approx", How("within 2^-20 of the value", _near(2**-20, 0.0))),
    (r"(?:lg2|sin|cos)\.approx", How("within 2^-20", _near(2**-20, 1.0))),
    (r"tanh\.approx", How("within 2^-10 of the value", _near(2**-10, 0.0))),
)


def how(row: str) -> How:
    """Return how a row is compared: by its bits, where no rule says what may differ."""
    return next((found for pattern, found in _ALLOWED if re.match(pattern, row)), BITS)


def compared(name: str, labels: Sequence[str], results: dict[str, torch.Tensor]) -> Line:
    """Compare the rows of the HIP branch with those of CUDA's, and look for what was planted."""
    wrong = []
    ways: dict[str, int] = {}
    for index, label in enumerate(labels):
        way = how(label)
        ways[way.what] = ways.get(way.what, 0) + 1
        want = results["cuda"][index]
        for variant in ("hip", "wave64"):
            agree = way.same(results[variant][index], want)
            if not agree.all():
                at = int((~agree).nonzero()[0])
                got = results[variant][index, at]
                wrong.append(
                    f"{label}, {variant}: {int((~agree).sum())} of {len(want)} differ, first "
                    f"{at}: {_hex(got)} for {_hex(want[at])}"
                )
        if way.same(results["planted"][index], want).all():
            wrong.append(f"{label}: planted error not found")
    shown = "; ".join(f"{count} {what}" for what, count in ways.items())
    return Line(name, f"{len(labels)} rows of {COUNT} words", shown, tuple(wrong))


def _hex(word: torch.Tensor) -> str:
    return f"{int(word) & (1 << 64) - 1:#018x}"


def table(stack: str, lines: Iterable[Line]) -> str:
    """Return the results as a page."""
    lines = list(lines)
    bad = sum(bool(line.wrong) for line in lines)
    shown = [
        f"| {line.name} | {line.compared} | {line.how} | {'FAIL' if line.wrong else 'ok'} |"
        for line in lines
    ]
    details = [f"- {line.name}: {text}" for line in lines for text in line.wrong]
    head = (
        "# Both branches on a GPU\n\n"
        f"{stack}. Written by `compare.py`: the HIP branch in wavefronts of 32 and of 64 lanes\n"
        "against the CUDA branch; an error planted in every row or kernel was looked for too.\n\n"
        f"{len(lines) - bad} of {len(lines)} hold.\n\n"
        "| kernel | compared | HIP branch against CUDA branch | |\n| --- | --- | --- | --- |\n"
    )
    tail = "\n\n" + "\n".join(details) if details else ""
    return head + "\n".join(shown) + tail + "\n"
