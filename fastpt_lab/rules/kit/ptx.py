"""What PTX instructions compute, as C++ for HIP.

Each form is an expression of the source operands `{0}`, `{1}`, …; `T` in a pointer form is the
type of the instruction. Only the meaning that PTX defines is written down; approximations are
marked.

Source: PTX ISA 8.5; HIP 5.2.3 amd_device_functions.h.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.rules.kit.constants import literal

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = {
    "b8": "unsigned char", "u8": "unsigned char", "s8": "signed char",
    "b16": "unsigned short", "u16": "unsigned short", "s16": "short",
    "b32": "unsigned int", "u32": "unsigned int", "s32": "int", "f32": "float",
    "b64": "unsigned long long", "u64": "unsigned long long", "s64": "long long",
    "f64": "double",
}  # fmt: skip

_LANE = "(__lane_id() & 31)"
SPECIAL = {
    "%laneid": _LANE,
    "%lanemask_eq": f"(1u << {_LANE})",
    "%lanemask_lt": f"((1u << {_LANE}) - 1u)",
    "%lanemask_le": f"((2u << {_LANE}) - 1u)",
    "%lanemask_gt": f"(~((2u << {_LANE}) - 1u))",
    "%lanemask_ge": f"(~((1u << {_LANE}) - 1u))",
    "%tid.x": "threadIdx.x", "%tid.y": "threadIdx.y", "%tid.z": "threadIdx.z",
    "%ntid.x": "blockDim.x", "%ntid.y": "blockDim.y", "%ntid.z": "blockDim.z",
    "%ctaid.x": "blockIdx.x", "%ctaid.y": "blockIdx.y", "%ctaid.z": "blockIdx.z",
    "%nctaid.x": "gridDim.x", "%nctaid.y": "gridDim.y", "%nctaid.z": "gridDim.z",
    "%clock": "(unsigned int)clock64()", "%clock64": "(unsigned long long)clock64()",
}  # fmt: skip
"""Special registers; those of lanes count in the caller's half of a 64-lane wavefront."""

CLOCKS = frozenset({"%clock", "%clock64"})


class Meaning(NamedTuple):
    """An expression of the sources, whether it stores nothing, and doubts about it."""

    text: str
    doubts: tuple[str, ...] = ()
    statement: bool = False


_APPROXIMATE = "PTX's instruction is an approximation: the last bits differ"
_CONTRACTED = "the compiler may join a product and a sum, which .rn forbids"
_NAN = "PTX turns NaN to 0 and what no int holds to the nearest: see that none comes"

# An operand of the instruction's own type: `{u0}` unsigned, `{s0}` signed, both of its width.
_TABLE: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (r"add\.[usb](?:32|64)", "{u0} + {u1}", ()),
    (r"sub\.[usb](?:32|64)", "{u0} - {u1}", ()),
    (r"mul\.lo\.[usb](?:32|64)", "{u0} * {u1}", ()),
    (r"mad\.lo\.[usb](?:32|64)", "{u0} * {u1} + {u2}", ()),
    (r"add(?:\.rn)?\.f(?:32|64)", "{0} + {1}", (_CONTRACTED,)),
    (r"sub(?:\.rn)?\.f(?:32|64)", "{0} - {1}", (_CONTRACTED,)),
    (r"mul(?:\.rn)?\.f(?:32|64)", "{0} * {1}", (_CONTRACTED,)),
    (r"fma\.rn\.f32", "fmaf({0}, {1}, {2})", ()),
    (r"fma\.rn\.f64", "fma({0}, {1}, {2})", ()),
    (r"mul\.hi\.u32", "__umulhi({u0}, {u1})", ()),
    (r"mul\.hi\.s32", "__mulhi({s0}, {s1})", ()),
    (r"mul\.wide\.u32", "(unsigned long long){u0} * {u1}", ()),
    (r"mul\.wide\.s32", "(long long){s0} * {s1}", ()),
    (r"and\.b(?:32|64)", "{u0} & {u1}", ()),
    (r"or\.b(?:32|64)", "{u0} | {u1}", ()),
    (r"xor\.b(?:32|64)", "{u0} ^ {u1}", ()),
    (r"not\.b(?:32|64)", "~{u0}", ()),
    (r"min\.u32", "min({u0}, {u1})", ()),
    (r"max\.u32", "max({u0}, {u1})", ()),
    (r"min\.s32", "min({s0}, {s1})", ()),
    (r"max\.s32", "max({s0}, {s1})", ()),
    (r"shl\.b32", "({u1} > 31 ? 0u : {u0} << {u1})", ()),
    (r"shr\.[ub]32", "({u1} > 31 ? 0u : {u0} >> {u1})", ()),
    (r"shr\.s32", "({s0} >> ({u1} > 31 ? 31 : {u1}))", ()),
    (r"popc\.b32", "__popc({u0})", ()),
    (r"popc\.b64", "__popcll({u0})", ()),
    (r"clz\.b32", "__clz({s0})", ()),
    (r"brev\.b32", "__brev({u0})", ()),
    (r"ex2\.approx(?:\.ftz)?\.f32", "exp2f({0})", (_APPROXIMATE,)),
    (r"lg2\.approx(?:\.ftz)?\.f32", "log2f({0})", (_APPROXIMATE,)),
    (r"rcp\.approx(?:\.ftz)?\.f32", "1.0f / {0}", (_APPROXIMATE,)),
    (r"rsqrt\.approx(?:\.ftz)?\.f32", "rsqrtf({0})", (_APPROXIMATE,)),
    (r"sqrt\.approx(?:\.ftz)?\.f32", "sqrtf({0})", (_APPROXIMATE,)),
    (r"sin\.approx(?:\.ftz)?\.f32", "__sinf({0})", (_APPROXIMATE,)),
    (r"cos\.approx(?:\.ftz)?\.f32", "__cosf({0})", (_APPROXIMATE,)),
    (r"tanh\.approx\.f32", "tanhf({0})", (_APPROXIMATE,)),
    (r"cvt\.rni\.s32\.f32", "__float2int_rn({0})", (_NAN,)),
    (r"cvt\.rzi\.s32\.f32", "__float2int_rz({0})", (_NAN,)),
    (r"cvt\.rn\.f32\.u32", "(float){u0}", ()),
    (r"cvt\.rn\.f32\.s32", "(float){s0}", ()),
    # The compiler's own type: a file of PTX need not include the header of halves.
    (r"cvt\.f32\.f16", "(float)__builtin_bit_cast(_Float16, (unsigned short){0})", ()),
    (r"cvt\.rn\.f16\.f32", "__builtin_bit_cast(unsigned short, (_Float16){0})", ()),
)
_STATEMENTS: tuple[tuple[str, str], ...] = (
    (r"membar\.cta|fence\.(?:acq_rel|sc)\.cta", "__threadfence_block()"),
    (r"membar\.gl|fence\.(?:acq_rel|sc)\.gpu", "__threadfence()"),
    (r"membar\.sys|fence\.(?:acq_rel|sc)\.sys", "__threadfence_system()"),
    (r"trap", "__builtin_trap()"),
)
_BFE_U = (
    "[](unsigned int a, unsigned int p, unsigned int n) {{ p &= 255; n &= 255;"
    " return p > 31 || n == 0 ? 0u : a >> p & (n > 31 ? ~0u : (1u << n) - 1u); }}"
    "({0}, {1}, {2})"
)
_BFE_S = (
    "[](int a, unsigned int p, unsigned int n) {{ p &= 255; n &= 255; if (n == 0) return 0;"
    " if (p > 31) return a >> 31; if (n > 32 - p) n = 32 - p;"
    " return (int)((unsigned int)a << (32 - p - n)) >> (32 - n); }}({0}, {1}, {2})"
)
_BFI = (
    "[](unsigned int a, unsigned int b, unsigned int p, unsigned int n) {{ p &= 255; n &= 255;"
    " if (p > 31 || n == 0) return b; unsigned int m = (n > 31 ? ~0u : (1u << n) - 1u) << p;"
    " return (b & ~m) | (a << p & m); }}({0}, {1}, {2}, {3})"
)


def meaning(name: str, sources: Sequence[str]) -> Meaning | None:
    """Return what an instruction with these source operands computes, None if not known."""
    for pattern, statement in _STATEMENTS:
        if re.fullmatch(pattern, name) and not sources:
            return Meaning(statement, statement=True)
    if name in ("bar.sync", "barrier.sync") and list(sources) == ["0"]:
        return Meaning("__syncthreads()", statement=True)
    for pattern, form, doubts in _TABLE:
        if re.fullmatch(pattern, name):
            return _filled(form, sources, name.endswith("64"), doubts)
    return _bits(name, sources)


def _filled(
    form: str, sources: Sequence[str], wide: bool, doubts: tuple[str, ...]
) -> Meaning | None:
    needed = 1 + max((int(n) for n in re.findall(r"\{[us]?(\d)\}", form)), default=-1)
    if len(sources) != needed:
        return None
    typed = {
        f"{letter}{index}": _typed(source, f"{letter}{64 if wide else 32}")
        for index, source in enumerate(sources)
        for letter in "us"
    }
    return Meaning(form.format(*sources, **typed), doubts)


_SUFFIXES = {"u32": ("u", 32), "s32": ("", 31), "u64": ("ull", 64), "s64": ("ll", 63)}


def _typed(source: str, kind: str) -> str:
    """Return a source operand as a value of a type: a literal by its suffix, others by a cast."""
    suffix, bits = _SUFFIXES[kind]
    value = literal(source)
    if value is not None and value < 1 << bits:
        return source.rstrip("uU") + suffix
    return f"({TYPES[kind]}){source}"


def _bits(name: str, sources: Sequence[str]) -> Meaning | None:
    forms = {"bfe.u32": _BFE_U, "bfe.s32": _BFE_S, "bfi.b32": _BFI}
    if name in forms:
        return _filled(forms[name], sources, False, ())
    if name == "lop3.b32" and len(sources) == 4:
        table = _number(sources[3])
        return Meaning(lut(table, sources[:3])) if table is not None else None
    if name == "prmt.b32" and len(sources) == 3:
        selector = _number(sources[2])
        # Bit 3 of a selector repeats the sign; __byte_perm has no such thing.
        if selector is not None and not selector & 0x8888:
            return Meaning(f"__byte_perm({sources[0]}, {sources[1]}, {sources[2]})")
    return None


def _number(text: str) -> int | None:
    try:
        return int(text.strip("()").rstrip("uU"), 0)
    except ValueError:
        return None


_LUTS = {
    0x80: "{0} & {1} & {2}", 0xFE: "{0} | {1} | {2}", 0x96: "{0} ^ {1} ^ {2}",
    0xEA: "({0} & {1}) | {2}", 0xF8: "{0} | ({1} & {2})", 0xE0: "{0} & ({1} | {2})",
    0xA8: "({0} | {1}) & {2}", 0x6A: "({0} & {1}) ^ {2}", 0x78: "{0} ^ ({1} & {2})",
    0xCA: "({0} & {1}) | (~{0} & {2})", 0xE8: "({0} & {1}) | ({0} & {2}) | ({1} & {2})",
    0xC0: "{0} & {1}", 0xFC: "{0} | {1}", 0x3C: "{0} ^ {1}",
}  # fmt: skip


def lut(table: int, sources: Sequence[str]) -> str:
    """Return the function of three words whose truth table `lop3` gives, 0xF0 being the first.

    Bit `4a + 2b + c` of the table is the result for the bits a, b and c.
    """
    table &= 0xFF
    if table in _LUTS:
        return _LUTS[table].format(*sources)
    if table in (0, 0xFF):
        return "0u" if table == 0 else "~0u"
    terms = []
    for row in range(8):
        if table >> row & 1:
            signs = [row >> 2 & 1, row >> 1 & 1, row & 1]
            factors = (s if on else f"~{s}" for s, on in zip(sources, signs, strict=True))
            terms.append(f"({' & '.join(factors)})")
    return " | ".join(terms)
