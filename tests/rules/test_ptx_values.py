"""The C++ forms of PTX give the numbers that the PTX manual defines, on a CPU."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest
from needs import need_gxx

from fastpt_lab.rules import device_intrinsic
from fastpt_lab.rules.kit.ptx import lut, meaning

ALL = 0xFFFFFFFF


@pytest.mark.parametrize("table", range(256))
def test_lop3(table: int) -> None:
    a, b, c = 0xF0, 0xCC, 0xAA
    names = {"a": a, "b": b, "c": c}
    text = lut(table, ("a", "b", "c")).replace("0u", "0")
    assert eval(text, {"__builtins__": {}}, names) & 0xFF == table


def bfe_unsigned(a: int, p: int, n: int) -> int:
    return sum((a >> (p + i) & 1) << i for i in range(min(n, 32)) if p + i <= 31)


def bfe_signed(a: int, p: int, n: int) -> int:
    sign = 0 if n == 0 else a >> min(p + n - 1, 31) & 1
    bits = [a >> (p + i) & 1 if i < n and p + i <= 31 else sign for i in range(32)]
    return sum(bit << i for i, bit in enumerate(bits))


def bfi(a: int, b: int, p: int, n: int) -> int:
    for i in range(n):
        if p + i <= 31:
            b = b & ~(1 << (p + i)) | (a >> i & 1) << (p + i)
    return b


def dot(a: int, b: int, c: int) -> int:
    def signed(word: int, i: int) -> int:
        return ((word >> 8 * i & 255) ^ 128) - 128

    return (c + sum(signed(a, i) * signed(b, i) for i in range(4))) & ALL


@need_gxx
def test_bit_fields_and_dot_products(tmp_path: Path) -> None:
    rows = random.Random(7)
    lines, wanted = [], []
    forms = {"bfe.u32": bfe_unsigned, "bfe.s32": bfe_signed}
    for _ in range(400):
        a, b = rows.getrandbits(32), rows.getrandbits(32)
        p, n = rows.choice([0, 1, 5, 31, 32, 40, 255]), rows.choice([0, 1, 8, 31, 32, 33, 255])
        for name, reference in forms.items():
            found = meaning(name, (f"{a}u", str(p), str(n)))
            assert found is not None
            lines.append(f"(unsigned int){found.text}")
            wanted.append(reference(a, p, n))
        inserted = meaning("bfi.b32", (f"{a}u", f"{b}u", str(p), str(n)))
        assert inserted is not None
        lines.append(inserted.text)
        wanted.append(bfi(a, b, p, n))
        arguments = {"a0": f"(int){a}u", "a1": f"(int){b}u", "a2": f"(int){p}"}
        lines.append(f"(unsigned int){device_intrinsic._DP4A.format(**arguments)}")
        wanted.append(dot(a, b, p))
    source = tmp_path / "forms.cpp"
    body = "\n".join(f'  std::printf("%u\\n", {line});' for line in lines)
    source.write_text(f"#include <cstdio>\nint main() {{\n{body}\n}}\n")
    binary = tmp_path / "forms"
    subprocess.run(["g++", "-std=c++17", "-w", str(source), "-o", str(binary)], check=True)
    printed = subprocess.run([str(binary)], check=True, capture_output=True, text=True).stdout
    assert [int(line) for line in printed.split()] == wanted


UNKNOWN = {
    "a selector that repeats signs": ("prmt.b32", ("a", "b", "0x9876")),
    "a selector that is not constant": ("prmt.b32", ("a", "b", "s")),
    "a barrier of some threads": ("bar.sync", ("1", "64")),
    "matrix instructions": ("mma.sync.aligned.m16n8k16", ("a", "b", "c")),
    "a carry": ("addc.u32", ("a", "b")),
    "a table that is not constant": ("lop3.b32", ("a", "b", "c", "t")),
    "a table of too few words": ("lop3.b32", ("a", "b", "0x80")),
    "a selector without words": ("prmt.b32", ("a", "0x5410")),
    "another one of two words and a number": ("shf.l.b32", ("a", "b", "0x5410")),
    "another one of three words and a number": ("dp4a.b32", ("a", "b", "c", "0x80")),
    "a sum of three": ("add.u32", ("a", "b", "c")),
    "a sum of one": ("add.u32", ("a",)),
    "a fence of block 0": ("membar.gl", ("0",)),
    "another word of one zero": ("bar.arrive", ("0",)),
}


@pytest.mark.parametrize(("name", "sources"), UNKNOWN.values(), ids=UNKNOWN)
def test_what_has_no_form(name: str, sources: tuple[str, ...]) -> None:
    assert meaning(name, sources) is None


def test_operands_have_the_type_of_the_instruction() -> None:
    for name, wanted in {
        "shr.u32": "({1} > 31 ? 0u : (unsigned int)x >> {1})",
        "shr.s32": "((int)x >> ({1} > 31 ? 31 : {1}))",
        "mul.wide.u32": "(unsigned long long)(unsigned int)x * {1}",
        "cvt.rn.f32.u32": "(float)(unsigned int)x",
    }.items():
        sources = ("x", "3") if "{1}" in wanted else ("x",)
        found = meaning(name, sources)
        assert found is not None
        assert found.text == wanted.replace("{1}", "3u")
