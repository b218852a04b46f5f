"""Device functions of one lane that HIP does not have, or not in every version."""

from __future__ import annotations

from fastpt_lab.fix.compat_wrapper import Wrapper

_FUNCTION = "__device__ __forceinline__"
_TEMPLATE = f"template <typename T>\n{_FUNCTION} "
_HALF = "CUDA math API, half comparison functions"

_LOADS = {
    "ldg": "through the read-only cache",
    "ldca": "cached at all levels",
    "ldcg": "cached in L2",
    "ldcs": "to be read once",
    "ldlu": "for the last time",
}
_STORES = {
    "stcg": "cached in L2",
    "stwb": "at all levels",
    "stcs": "to be read once",
    "stwt": "through to memory",
}


def _extreme(name: str, zero: str, order: str) -> Wrapper:
    return Wrapper(
        own=f"h{name}",
        names=(f"__h{name}",),
        call=f"h{name}(a, b) for __h{name}(a, b) of __half",
        meaning=(
            "Of two halves; of a NaN and a number the number, of two NaNs the NaN 0x7fff,\n"
            "// and -0 counts as less than +0."
        ),
        source=_HALF,
        head=f"{_FUNCTION} __half h{name}(__half a, __half b)",
        hip=f"""\
  const unsigned short x = __half_as_ushort(a), y = __half_as_ushort(b);
  const bool no_a = (x & 0x7fff) > 0x7c00, no_b = (y & 0x7fff) > 0x7c00;
  if (no_a || no_b) return no_a ? (no_b ? __ushort_as_half(0x7fff) : b) : a;
  if (((x | y) & 0x7fff) == 0) return __ushort_as_half((unsigned short)(x {zero} y));
  return __half2float(a) {order} __half2float(b) ? a : b;
""",
        cuda=f"  return __h{name}(a, b);\n",
        probe=(
            f"i[0] = (int)__half2float(c::h{name}(__float2half((float)i[0]),"
            " __float2half((float)i[1])));"
        ),
        half=True,
    )


def _pair(name: str) -> Wrapper:
    return Wrapper(
        own=f"h{name}2",
        names=(f"__h{name}2",),
        call=f"h{name}2(a, b) for __h{name}2(a, b) of __half2",
        meaning=f"h{name} of both halves.",
        source=_HALF,
        head=f"{_FUNCTION} __half2 h{name}2(__half2 a, __half2 b)",
        hip=(
            f"  return __halves2half2(h{name}(__low2half(a), __low2half(b)),\n"
            f"                        h{name}(__high2half(a), __high2half(b)));\n"
        ),
        cuda=f"  return __h{name}2(a, b);\n",
        probe=(
            f"i[0] = (int)__low2float(c::h{name}2(__float2half2_rn((float)i[0]),"
            " __float2half2_rn((float)i[1])));"
        ),
        needs=(f"h{name}",),
        half=True,
    )


MATH: tuple[Wrapper, ...] = (
    _extreme("max", "&", ">"),
    _extreme("min", "|", "<"),
    _pair("max"),
    _pair("min"),
    Wrapper(
        own="dp4a",
        names=("__dp4a",),
        call="dp4a(a, b, c) for __dp4a(a, b, c)",
        meaning="c and the products of the four bytes of a and b; T is int or unsigned int.",
        source="CUDA C++ Programming Guide, __dp4a; CUDA 13 sm_61_intrinsics.hpp",
        head=f"{_TEMPLATE}T dp4a(T a, T b, T c)",
        hip="""\
  static_assert(sizeof(T) == 4 && T(1) / 2 == 0, "an int or unsigned int");
  unsigned int sum = (unsigned int)c;
  for (int shift = 0; shift < 32; shift += 8) {
    const T x = (T)((unsigned int)a << shift) >> 24, y = (T)((unsigned int)b << shift) >> 24;
    sum += (unsigned int)(x * y);
  }
  return (T)sum;
""",
        cuda="  return __dp4a(a, b, c);\n",
        probe="i[0] = c::dp4a(i[0], i[1], i[2]) + (int)c::dp4a(1u, 2u, 3u);",
    ),
    Wrapper(
        own="nanosleep",
        names=("__nanosleep",),
        call="nanosleep(ns) for __nanosleep(ns)",
        meaning="Sleeps for about so long, or not at all: the time is a hint.",
        source="CUDA C++ Programming Guide, __nanosleep; LLVM AMDGPU s_sleep",
        head=f"{_FUNCTION} void nanosleep(unsigned int ns)",
        hip="  (void)ns;\n  __builtin_amdgcn_s_sleep(1);\n",
        cuda="  __nanosleep(ns);\n",
        probe="c::nanosleep(100u);",
    ),
    Wrapper(
        own="trap",
        names=("__trap",),
        call="trap() for __trap()",
        meaning="Ends the kernel with an error.",
        source="CUDA C++ Programming Guide, __trap; LLVM AMDGPU trap handler",
        head=f"{_FUNCTION} void trap()",
        hip="  __builtin_trap();\n",
        cuda="  __trap();\n",
        probe="if (i[0] == 12345) c::trap();",
    ),
    *(
        Wrapper(
            own=name,
            names=(f"__{name}",),
            call=f"{name}(pointer) for __{name}(pointer)",
            meaning=f"The value at the pointer, read {how}: only a hint, which HIP leaves out.",
            source="CUDA C++ Programming Guide, load functions using cache hints",
            head=f"{_TEMPLATE}T {name}(const T* pointer)",
            hip="  return *pointer;\n",
            cuda=f"  return __{name}(pointer);\n",
            probe=f"i[0] = c::{name}((const int*)i + 1);",
        )
        for name, how in _LOADS.items()
    ),
    *(
        Wrapper(
            own=name,
            names=(f"__{name}",),
            call=f"{name}(pointer, value) for __{name}(pointer, value)",
            meaning=f"Writes the value, {how}: only a hint, which HIP leaves out.",
            source="CUDA C++ Programming Guide, store functions using cache hints",
            head=f"{_TEMPLATE}void {name}(T* pointer, T value)",
            hip="  *pointer = value;\n",
            cuda=f"  __{name}(pointer, value);\n",
            probe=f"c::{name}(i, 1);",
        )
        for name, how in _STORES.items()
    ),
)
