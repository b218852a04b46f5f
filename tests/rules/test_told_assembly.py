"""Assembly is written in C++ only where that computes the same, whatever its operands are."""

from __future__ import annotations

import pytest
from rule_told import PATH, offers, seen

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.text import Document
from fastpt_lab.rules.kit.asm import Assembly, Instruction, Operand, assembly_at
from fastpt_lab.rules.kit.places import Place

SAFE, UNSAFE = Applicability.SAFE, Applicability.UNSAFE
NEVER = Applicability.DISPLAY_ONLY


def told(statement: str) -> tuple[Applicability, str]:
    """Return the trust in the offer for a statement, and what HIP sees of it then."""
    text = f"__device__ void f() {{\n  §{statement}\n}}\n"
    (action,) = offers("inline-ptx", text, "invalid instruction")
    hip = (
        seen(action, text).partition("\n")[2].rpartition("\n}")[0].strip()
        if action.edit
        else ""
    )
    return action.applicability, hip


COMPUTED = {
    # A literal has the instruction's type, whatever its spelling.
    'asm("and.b32 %0, %1, 0xffffffff;" : "=r"(y) : "r"(x));': "y = (unsigned int)x & 0xffffffffu;",
    'asm("max.s32 %0, %1, 0xffffffff;" : "=r"(y) : "r"(x));': "y = max((int)x, (int)0xffffffff);",
    'asm("max.s32 %0, %1, 2147483647;" : "=r"(y) : "r"(x));': "y = max((int)x, 2147483647);",
    'asm("max.s32 %0, %1, 2147483648;" : "=r"(y) : "r"(x));': "y = max((int)x, (int)2147483648);",
    'asm("max.s32 %0, %1, 0U;" : "=r"(y) : "r"(x));': "y = max((int)x, 0);",
    'asm("min.u32 %0, %1, 010;" : "=r"(y) : "r"(x));': "y = min((unsigned int)x, 010u);",
    'asm("add.s32 %0, %1, -1;" : "=r"(y) : "r"(x));':
        "y = (unsigned int)x + (unsigned int)(-1);",
    'asm("not.b64 %0, 0xffffffff;" : "=l"(y));': "y = ~0xffffffffull;",
    'asm("add.u32 %0, %1, 4294967296;" : "=r"(y) : "r"(x));':
        "y = (unsigned int)x + (unsigned int)4294967296;",
    'asm("mul.wide.s32 %0, %1, 0x80000000;" : "=l"(y) : "r"(x));':
        "y = (long long)(int)x * (int)0x80000000;",
    # What acts is evaluated once, where it stands among the inputs.
    'asm("shl.b32 %0, %1, %2;" : "=r"(y) : "r"(x), "r"(n++));':
        "do { const auto in1 = x; const auto in2 = n++; y = ((unsigned int)in2 > 31 ? 0u :"
        " (unsigned int)in1 << (unsigned int)in2); } while (0);",
    'asm("xor.b32 %0, %1, %1;" : "=r"(y) : "r"(next<int>()));':
        "do { const auto in1 = next<int>(); y = (unsigned int)in1 ^ (unsigned int)in1; }"
        " while (0);",
    'asm("mov.u32 %0, 7;" : "=r"(y) : "r"(next()), "n"(size()));':
        "do { const auto in1 = next(); y = 7; } while (0);",
    'asm("not.b32 %0, %1;" : "=r"(y) : "r"(static_cast<unsigned>(x)));':
        "y = ~(unsigned int)(static_cast<unsigned>(x));",
    'asm("not.b32 %0, %1;" : "=r"(out[n++]) : "r"(x));': "out[n++] = ~(unsigned int)x;",
    # Names of the operands are not hidden by those that are made.
    'asm("add.u32 %0, %1, %2;\\nadd.u32 %0, %0, %2;" : "=r"(y) : "r"(in2), "r"(in1));':
        "do { const auto in_1 = in2; const auto in_2 = in1; y = (unsigned int)in_1 +"
        " (unsigned int)in_2; y = (unsigned int)y + (unsigned int)in_2; } while (0);",
    'asm("{.reg .u32 a; mov.u32 a, %1; add.u32 %0, a, 1;}" : "=r"(y) : "r"(r_a));':
        "do { const auto in1 = r_a; unsigned int r__a; r__a = in1; y = (unsigned int)r__a + 1u; }"
        " while (0);",
    # Registers hold their type.
    'asm("{ .reg .f32 t; mov.f32 t, %1; mov.b32 %0, t; }" : "=r"(y) : "f"(v));':
        "do { const auto in1 = v; float r_t; r_t = in1; y = __builtin_bit_cast(unsigned int, r_t);"
        " } while (0);",
    'asm("{ .reg.f64 t, %%u; mov.b64 t, %1; mov.f64 %0, t; }" : "=d"(y) : "l"(v));':
        "do { const auto in1 = v; double r_t; double r_u; r_t = __builtin_bit_cast(double,"
        " (unsigned long long)in1); y = r_t; } while (0);",
    'asm("{ .reg .b32 t; mov.b32 t, %1; and.b32 %0, t, 1; }" : "=r"(y) : "f"(v));':
        "do { const auto in1 = v; unsigned int r_t; r_t = __builtin_bit_cast(unsigned int, in1);"
        " y = (unsigned int)r_t & 1u; } while (0);",
    # A label goes, and not what it stands before.
    'asm("L1: $L2: not.b32 %0, %1;" : "=r"(y) : "r"(x));': "y = ~(unsigned int)x;",
    'asm("{ not.b32 %0, %1; }" : "=r"(y) : "r"(x));': "y = ~(unsigned int)x;",
    'asm("not.b32 %0, %1; // twice\\n /* once; */" : "=r"(y) : "r"(x));': "y = ~(unsigned int)x;",
    # Moves keep the bits.
    'asm("mov.b32 %0, %1;" : "=r"(y) : "f"(v));': "y = __builtin_bit_cast(unsigned int, v);",
    'asm("mov.b64 %0, %1;" : "=d"(y) : "l"(x));':
        "y = __builtin_bit_cast(double, (unsigned long long)x);",
    'asm("mov.f32 %0, %1;" : "=f"(y) : "f"(x));': "y = x;",
    'asm("mov.b32 %0, 0x3f800000;" : "=f"(y));':
        "y = __builtin_bit_cast(float, (unsigned int)0x3f800000);",
    'asm("mov.u32 %0, 7U;" : "=r"(y));': "y = 7u;",
    # Conversions go between classes.
    'asm("cvt.rn.f32.u32 %0, %1;" : "=f"(y) : "r"(x));': "y = (float)(unsigned int)x;",
    'asm("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));':
        "y = (float)__builtin_bit_cast(_Float16, (unsigned short)x);",
    'asm("popc.b64 %0, %1;" : "=r"(y) : "l"(x));': "y = __popcll((unsigned long long)x);",
    # Loads and stores.
    'asm("ld.f32 %0, [%1];" : "=f"(y) : "l"(p));': "y = *((const float*)(p));",
    'asm("ld.f32 %0, [%1+-4];" : "=r"(y) : "l"(p));':
        "y = *((const unsigned int*)((const char*)(p) + -4));",
    'asm("ld.b64 %0, [%1];" : "=d"(y) : "l"(p));': "y = *((const double*)(p));",
    'asm("ld.f64 %0, [%1];" : "=l"(y) : "l"(p));': "y = *((const unsigned long long*)(p));",
    'asm("ld.global.s8 %0, [%1];" : "=r"(y) : "l"(p));': "y = *((const signed char*)(p));",
    'asm volatile("ld.global.u32 %0, [%1];" : "=r"(y) : "l"(p));':
        "y = *((volatile const unsigned int*)(p));",
    'asm("ld.volatile.global.u32 %0, [%1];" : "=r"(y) : "l"(p));':
        "y = *((volatile const unsigned int*)(p));",
    'asm("ld.global.u32 %0, [%1];" : "=r"(y) : "l"(p) : "memory");':
        "y = *((volatile const unsigned int*)(p));",
    'asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(y) : "l"(p));':
        "y = *((const unsigned int*)(p));",
    'asm("ld.v2.f32 { %0, %1 }, [%2];" : "=f"(y), "=f"(z) : "l"(p));':
        "do { const auto in2 = p; y = ((const float*)(in2))[0]; z = ((const float*)(in2))[1]; }"
        " while (0);",
    'asm("st.global.f32 [%0], %1;" :: "l"(p), "f"(x));': "*((float*)(p)) = x;",
    'asm("st.global.f64 [%0], %1;" :: "l"(p), "l"(x));': "*((unsigned long long*)(p)) = x;",
    'asm("st.f32 [%0], %1;" :: "l"(p), "r"(x));': "*((unsigned int*)(p)) = x;",
    'asm volatile("st.cs.u8 [%0], %1;" :: "l"(p), "r"(x));':
        "*((volatile unsigned char*)(p)) = x;",
    'asm volatile("st.v2.u32 [%0], {%1, %2};" :: "l"(p), "r"(x), "r"(y));':
        "do { const auto in0 = p; const auto in1 = x; const auto in2 = y; ((unsigned int*)(in0))[0]"
        " = in1; ((unsigned int*)(in0))[1] = in2; } while (0);",
    # Sums in memory.
    'asm("red.global.add.u32 [%0], 1;" :: "l"(p));': "atomicAdd(((unsigned int*)(p)), 1);",
    'asm("atom.add.f32 %0, [%1], %2;" : "=f"(y) : "l"(p), "f"(x));':
        "y = atomicAdd(((float*)(p)), x);",
    # Statements.
    'asm volatile("membar.sys;" ::: "memory");': "__threadfence_system();",
    'asm volatile("bar.sync 0;");': "__syncthreads();",
    '__asm__ __volatile__ ("trap;");': "__builtin_trap();",
}  # fmt: skip


@pytest.mark.parametrize(("statement", "wanted"), COMPUTED.items())
def test_assembly_in_cpp(statement: str, wanted: str) -> None:
    assert told(statement) == (SAFE, wanted)


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ('asm("mov.u32 %0, %%clock;" : "=r"(y));', "y = (unsigned int)clock64();"),
        ('asm("add.f32 %0, %1, %1;" : "=f"(y) : "f"(x));', "y = x + x;"),
        ('asm("cvt.rzi.s32.f32 %0, %1;" : "=r"(y) : "f"(x));', "y = __float2int_rz(x);"),
        ('asm("lg2.approx.f32 %0, %1;" : "=f"(y) : "f"(x));', "y = log2f(x);"),
    ],
)
def test_assembly_that_is_only_near(statement: str, wanted: str) -> None:
    assert told(statement) == (UNSAFE, wanted)


LEFT_ALONE = [
    # An instruction, or an operand, that is not known.
    'asm("add.u32 %0, %1;" : "=r"(y) : "r"(x));',
    'asm("add.u32 %0, %1, %2;" : "=r"(y) : "r"(x));',
    'asm("add.u32 %2, %1, %1;" : "=r"(y) : "r"(x));',
    'asm("add.u32 %0, %1, u;" : "=r"(y) : "r"(x));',
    'asm("add.u32 u, %1, %1;" : "=r"(y) : "r"(x));',
    'asm("nanosleep.u32 20;");',
    'asm("ret;");',
    'asm("@p add.u32 %0, %0, 1;" : "+r"(y));',
    'asm("add.u32 %0, %1, %1; brkpt;" : "=r"(y) : "r"(x));',
    'asm("membar.gl %0;" :: "r"(x));',
    'asm("add.u32 %0, membar.gl, 1;" : "=r"(y));',
    'asm volatile("bar.sync 1;");',
    'asm volatile("bar.sync %0;" :: "r"(x));',
    'asm volatile("" ::: "memory");',
    'asm("add.u32 %[y], %[y], 1;" : [y] "+r"(y));',
    # Registers that are many, predicates, or unknown.
    'asm("{ .reg .b32 %%r<4>; mov.u32 %0, 1; }" : "=r"(y));',
    'asm("{ .reg .pred p; mov.u32 %0, 1; }" : "=r"(y));',
    'asm("{ .reg; mov.u32 %0, 1; }" : "=r"(y));',
    # A move of several parts, to or from what is not known, or between sizes.
    'asm("mov.b64 {%0, %1}, %2;" : "=r"(y), "=r"(z) : "l"(x));',
    'asm("mov.b64 %0, {%1, %2};" : "=l"(y) : "r"(z), "r"(x));',
    'asm("mov.u32 %0, table;" : "=r"(y));',
    'asm("mov.u32 table, %0;" :: "r"(y));',
    'asm("mov.u32 %0, %%smid;" : "=r"(y));',
    'asm("mov.u32 %0, %1, %1;" : "=r"(y) : "r"(x));',
    'asm("mov.b64 %0, %1;" : "=d"(y) : "f"(x));',
    # The operand has another class than the instruction: its bits would be converted.
    'asm("add.f32 %0, %1, %1;" : "=r"(y) : "f"(x));',
    'asm("add.f32 %0, %1, %1;" : "=f"(y) : "r"(x));',
    'asm("add.f32 %0, %1, %2;" : "=f"(y) : "f"(x), "r"(z));',
    'asm("add.f64 %0, %1, %1;" : "=d"(y) : "f"(x));',
    'asm("add.u32 %0, %1, %1;" : "=f"(y) : "r"(x));',
    'asm("add.u32 %0, %1, %1;" : "=r"(y) : "f"(x));',
    'asm("cvt.rn.f32.u32 %0, %1;" : "=r"(y) : "r"(x));',
    'asm("cvt.rn.f32.u32 %0, %1;" : "=f"(y) : "f"(x));',
    'asm("cvt.rn.f16.f32 %0, %1;" : "=f"(y) : "f"(x));',
    'asm("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "r"(x));',
    'asm("{ .reg .b32 t; add.f32 t, %1, %1; mov.b32 %0, t; }" : "=f"(y) : "f"(x));',
    # An address that is no pointer in HIP, or is not read.
    'asm("ld.u32 %0, [%1];" : "=r"(y) : "r"(p));',
    'asm("ld.shared.u32 %0, [%1];" : "=r"(y) : "l"(p));',
    'asm("ld.local.u32 %0, [%1];" : "=r"(y) : "l"(p));',
    'asm("st.shared.u32 [%0], 1;" :: "l"(p));',
    'asm("st.local.u32 [%0], 1;" :: "l"(p));',
    'asm("ld.u32 %0, [table];" : "=r"(y));',
    'asm("ld.u32 %0, [%1+%2];" : "=r"(y) : "l"(p), "l"(x));',
    'asm("ld.u32 %0, %1;" : "=r"(y) : "l"(p));',
    'asm("ld.u32 %0, [%2];" : "=r"(y) : "l"(p));',
    'asm("{ .reg .u64 t; mov.u64 t, %1; ld.u32 %0, [t]; }" : "=r"(y) : "l"(p));',
    # Loads and stores of other shapes.
    'asm("ld.u32 %0, [%1], 4;" : "=r"(y) : "l"(p));',
    'asm("ld.v2.u32 %0, [%1];" : "=r"(y) : "l"(p));',
    'asm("ld.v4.u32 {%0, %1}, [%2];" : "=r"(y), "=r"(z) : "l"(p));',
    'asm("ld.v2.u32 {%0, _}, [%1];" : "=r"(y) : "l"(p));',
    'asm("ld.v2.u32 {%0, %1}, [%2];" : "=f"(y), "=r"(z) : "l"(p));',
    'asm("st.v2.f32 [%0], {%1, 0};" :: "l"(p), "f"(x));',
    'asm("ld.u32 %0, [%1];" : "=d"(y) : "l"(p));',
    'asm("ld.f16 %0, [%1];" : "=h"(y) : "l"(p));',
    'asm("ld.u8 %0, [%1];" : "=f"(y) : "l"(p));',
    # Sums of other shapes.
    'asm("red.global.add.s64 [%0], %1;" :: "l"(p), "l"(x));',
    'asm("red.add.f32 [%0], %1;" :: "l"(p), "r"(x));',
    'asm("red.add.u32 [%0], %1;" :: "l"(p), "f"(x));',
    'asm("atom.add.f32 %0, [%1], %2;" : "=r"(y) : "l"(p), "f"(x));',
    'asm("red.add.u32 [%0], u;" :: "l"(p));',
    'asm("red.add.u32 [%0], 1;" :: "r"(p));',
    'asm("red.add.u32 [%0];" :: "l"(p));',
    'asm("atom.add.u32 u, [%0], 1;" :: "l"(p));',
    'asm("atom.add.u32 %0, [%1];" : "=r"(y) : "l"(p));',
    'asm("red.shared.add.u32 [%0], 1;" :: "l"(p));',
    # An output that acts is evaluated once.
    'asm("add.u32 %0, %0, 1;" : "+r"(out[n++]));',
    'asm("mov.u32 %1, 1;" : "=r"(out[n++]), "=r"(y));',
    # Constraints of other machines.
    'asm("mov.u32 %0, 1;" : "=m"(y));',
    'asm("add.u32 %0, %1, 1;" : "=r"(y) : "0"(x));',
]  # fmt: skip


@pytest.mark.parametrize("statement", LEFT_ALONE)
def test_assembly_that_is_left_to_a_person(statement: str) -> None:
    assert told(statement) == (NEVER, "")


def parsed(code: str) -> Assembly | None:
    document = Document(code)
    return assembly_at(document, Place(PATH, document, 0, 3))


def test_an_assembly_statement_taken_apart() -> None:
    code = (
        'asm volatile ("@!%p add.u32 %0, {%1, a}, [b, c];" /* ; */ R"x(\nbar.sync\t0;)x"\n'
        ' : [o] "=r" (a[N::x]), "+f"(f(b, (c ? d : e)))\n'
        ' : "l"(p), "n"(g<1, 2>({3, 4}))\n : "cc", "memory"); rest'
    )
    found = parsed(code)
    assert found is not None
    assert code[found.start : found.end].endswith('"memory")')
    assert found.instructions == (
        Instruction("@!%p", "add.u32", ("%0", "{%1, a}", "[b, c]")),
        Instruction("", "bar.sync", ("0",)),
    )
    assert found.operands == (
        Operand("=r", "a[N::x]"),
        Operand("+f", "f(b, (c ? d : e))"),
        Operand("l", "p"),
        Operand("n", "g<1, 2>({3, 4})"),
    )
    assert found.outputs == 2
    assert found.ordered


@pytest.mark.parametrize(
    ("code", "ordered"),
    [
        ('asm("x;" : "=r"(a));', False),
        ('asm("x;" : "=r"(a) : "r"(b) : "cc");', False),
        ('asm("x;" : "=r"(a) :: "memory");', True),
        ('asm("x;" ::: "cc", "memory");', True),
        ('asm volatile("x;" ::);', True),
        ('asm volatile("x;");', True),
        # The operand is no clobber.
        ('asm("x;" :: "r"(f("memory")));', False),
    ],
)
def test_what_keeps_its_place(code: str, ordered: bool) -> None:
    found = parsed(code)
    assert found is not None
    assert found.ordered is ordered


@pytest.mark.parametrize(
    "code",
    [
        "asm",
        'asm("x;"',
        'asm("x;" MORE : "=r"(a));',
        "asm(TEXT);",
        'asm(L"x;");',
        'asm("x;" : "=r" a);',
        'asm("x;" : "=r"(a) : r(b));',
        'asm("x;" : OUT);',
        'asm("x;" :: IN);',
        'basm("x;");',
    ],
)
def test_a_statement_that_is_not_read(code: str) -> None:
    assert parsed(code) is None


def test_lines_and_semicolons_end_instructions() -> None:
    found = parsed(r'asm("{\n\tL: x a, b;  y c\n z; } // w;\n/* v; */ { u {d, e}, f; }");')
    assert found is not None
    assert [(i.name, i.operands) for i in found.instructions] == [
        ("x", ("a", "b")),
        ("y", ("c",)),
        ("z", ()),
        ("u", ("{d, e}", "f")),
    ]


MOVES = "{ mov.u32 %0, %2; mov.u32 %1, %3; }"


@pytest.mark.parametrize(
    ("outputs", "trusted"),
    [
        ('"=r"(i), "=r"(a[i])', False),
        ('"=r"(a[i]), "=r"(i)', False),
        ('"=r"(i), "=r"(*(p + i))', False),
        ('"=r"(v), "=r"(v.x)', False),
        ('"=r"(i), "=r"(j)', True),
        ('"=r"(a[0]), "=r"(a[1])', True),
        ('"=r"(v.x), "=r"(v.y)', True),
        ('"=r"(s.i), "=r"(a[i])', True),
    ],
)
def test_the_places_of_outputs_are_settled_before_the_first_is_written(
    outputs: str, trusted: bool
) -> None:
    said, _ = told(f'asm("{MOVES}" : {outputs} : "r"(x), "r"(y));')
    assert (said is not NEVER) is trusted
