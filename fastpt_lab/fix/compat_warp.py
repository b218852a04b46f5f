"""Exchanges between the 32 lanes of a CUDA warp, for wavefronts of 32 and of 64 lanes.

Every function asks that all 32 lanes call it together, which is what a full mask says. A gfx9
wavefront holds two CUDA warps, one in each half, with the threads in the same order.
"""

from __future__ import annotations

from fastpt_lab.fix.compat_wrapper import Wrapper

_SHUFFLE = "PTX ISA, shfl.sync, operands b[4:0] and c; HIP 5.2.3 amd_warp_functions.h"
_FUNCTION = "__device__ __forceinline__"
_TEMPLATE = f"template <typename T>\n{_FUNCTION} "

# HIP 5 shuffles words only, and halves of some types not at all: bits are moved as they are.
_WORDS = Wrapper(
    own="by_words",
    meaning="Moves a value of any trivially copyable type word by word.",
    source="HIP 5.2.3 amd_warp_functions.h, whose shuffles take 4 and 8 byte numbers",
    head="template <typename T, typename F>\n" + _FUNCTION + " T by_words(T value, F move)",
    hip="""\
  static_assert(__is_trivially_copyable(T), "the bits of the value are moved");
  int words[(sizeof(T) + 3) / 4] = {};
  __builtin_memcpy(words, &value, sizeof(T));
  for (int& word : words) word = move(word);
  __builtin_memcpy(&value, words, sizeof(T));
  return value;
""",
)


def _shuffle(
    own: str, parameter: str, meaning: str, move: str, kind: str = "unsigned int"
) -> Wrapper:
    return Wrapper(
        own=own,
        names=(f"__{own}_sync",),
        call=f"{own}(value, {parameter}, width = 32) for __{own}_sync(0xffffffff, …)",
        meaning=f"{meaning} width is 1, 2, 4, 8, 16 or 32.",
        source=_SHUFFLE,
        head=f"{_TEMPLATE}T {own}(T value, {kind} {parameter}, int width = 32)",
        hip=f"  return by_words(value, [=](int word) {{ return {move}; }});\n",
        cuda=f"  return __{own}_sync(0xffffffffu, value, {parameter}, width);\n",
        probe=f"i[0] = c::{own}(i[0], 1) + c::{own}(i[1], 1, 16);",
        needs=("by_words",),
        widths_differ=True,
    )


def _reduce(own: str, meaning: str, step: str) -> Wrapper:
    return Wrapper(
        own=own,
        names=(f"__{own}_sync",),
        call=f"{own}(value) for __{own}_sync(0xffffffff, value)",
        meaning=f"{meaning}, in every lane; T is int or unsigned int.",
        source="CUDA C++ Programming Guide, warp reduce functions (compute capability 8.0)",
        head=f"{_TEMPLATE}T {own}(T value)",
        hip=(
            '  static_assert(sizeof(T) == 4 && T(1) / 2 == 0, "an int or unsigned int");\n'
            "  for (int mask = 16; mask != 0; mask >>= 1) {\n"
            "    const T other = __shfl_xor(value, mask, 32);\n"
            f"    value = {step};\n"
            "  }\n"
            "  return value;\n"
        ),
        cuda=f"  return __{own}_sync(0xffffffffu, value);\n",
        probe=f"i[0] = c::{own}(i[0]); i[1] = (int)c::{own}((unsigned int)i[1]);",
    )


_SEGMENT = "(unsigned int)(__ballot({}) >> (__lane_id() & 32))"

WARP: tuple[Wrapper, ...] = (
    _WORDS,
    _shuffle(
        "shfl",
        "lane",
        "The value of the lane, counted within the segment and modulo width.",
        "__shfl(word, lane & (width - 1), width)",
        "int",
    ),
    _shuffle(
        "shfl_up",
        "delta",
        "The value of the lane delta below, of this lane where the segment has none.",
        "__shfl_up(word, delta & 31, width)",
    ),
    _shuffle(
        "shfl_down",
        "delta",
        "The value of the lane delta above, of this lane where the segment has none.",
        "__shfl_down(word, delta & 31, width)",
    ),
    _shuffle(
        "shfl_xor",
        "mask",
        "The value of the lane whose number is this one's xor mask, of this lane where that is"
        "\n// beyond the segment.",
        "__shfl_xor(word, mask & 31, width)",
        "int",
    ),
    Wrapper(
        own="ballot",
        names=("__ballot_sync",),
        call="ballot(predicate) for __ballot_sync(0xffffffff, predicate)",
        meaning="A bit for each of the 32 lanes whose predicate is not 0.",
        source="CUDA C++ Programming Guide, warp vote functions; HIP's __ballot has 64 bits",
        head=f"{_FUNCTION} unsigned int ballot(int predicate)",
        hip=f"  return {_SEGMENT.format('predicate')};\n",
        cuda="  return __ballot_sync(0xffffffffu, predicate);\n",
        probe="i[0] = (int)c::ballot(i[0]);",
        widths_differ=True,
    ),
    Wrapper(
        own="any",
        names=("__any_sync",),
        call="any(predicate) for __any_sync(0xffffffff, predicate)",
        meaning="Whether the predicate of one of the 32 lanes is not 0.",
        source="CUDA C++ Programming Guide, warp vote functions",
        head=f"{_FUNCTION} int any(int predicate)",
        hip=f"  return {_SEGMENT.format('predicate')} != 0;\n",
        cuda="  return __any_sync(0xffffffffu, predicate);\n",
        probe="i[0] = c::any(i[0]);",
        widths_differ=True,
    ),
    Wrapper(
        own="all",
        names=("__all_sync",),
        call="all(predicate) for __all_sync(0xffffffff, predicate)",
        meaning="Whether the predicate of none of the 32 lanes is 0.",
        source="CUDA C++ Programming Guide, warp vote functions",
        head=f"{_FUNCTION} int all(int predicate)",
        hip=f"  return {_SEGMENT.format('!predicate')} == 0;\n",
        cuda="  return __all_sync(0xffffffffu, predicate);\n",
        probe="i[0] = c::all(i[0]);",
        widths_differ=True,
    ),
    Wrapper(
        own="activemask",
        names=("__activemask",),
        call="activemask() for __activemask()",
        meaning=(
            "The lanes of the CUDA warp that are active here. After a branch that is up to each\n"
            "// compiler, in CUDA too: it does not bring lanes together."
        ),
        source="CUDA C++ Programming Guide, __activemask; HIP's has 64 bits",
        head=f"{_FUNCTION} unsigned int activemask()",
        hip=f"  return {_SEGMENT.format('1')};\n",
        cuda="  return __activemask();\n",
        probe="i[0] = (int)c::activemask();",
        widths_differ=True,
    ),
    Wrapper(
        own="syncwarp",
        names=("__syncwarp",),
        call="syncwarp() for __syncwarp()",
        meaning="Holds the 32 lanes together; what each wrote before is seen by the others after.",
        source="LLVM AMDGPU usage, memory model and llvm.amdgcn.wave.barrier",
        head=f"{_FUNCTION} void syncwarp()",
        hip="""\
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
""",
        cuda="  __syncwarp();\n",
        probe="c::syncwarp();",
    ),
    Wrapper(
        own="match_any",
        names=("__match_any_sync",),
        call="match_any(value) for __match_any_sync(0xffffffff, value)",
        meaning="A bit for each of the 32 lanes whose value has the same bits.",
        source="PTX ISA, match.sync, which compares 32 or 64 bits",
        head=f"{_TEMPLATE}unsigned int match_any(T value)",
        hip="""\
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "a number of 4 or 8 bytes");
  int words[sizeof(T) / 4];
  __builtin_memcpy(words, &value, sizeof(T));
  unsigned int found = 0;
  for (int lane = 0; lane < 32; ++lane) {
    bool same = true;
    for (int word : words) same = (__shfl(word, lane, 32) == word) && same;
    found |= (unsigned int)same << lane;
  }
  return found;
""",
        cuda="  return __match_any_sync(0xffffffffu, value);\n",
        probe="i[0] = (int)c::match_any(i[0]); i[1] = (int)c::match_any((double)i[1]);",
        widths_differ=True,
    ),
    # A signed sum may overflow, which CUDA's instruction lets wrap.
    _reduce(
        "reduce_add",
        "The sum over the 32 lanes",
        "(T)((unsigned int)value + (unsigned int)other)",
    ),
    _reduce("reduce_min", "The least of the 32 lanes", "other < value ? other : value"),
    _reduce("reduce_max", "The greatest of the 32 lanes", "value < other ? other : value"),
    _reduce("reduce_and", "The bits that all 32 lanes have", "value & other"),
    _reduce("reduce_or", "The bits that any of the 32 lanes has", "value | other"),
    _reduce("reduce_xor", "The exclusive or over the 32 lanes", "value ^ other"),
    Wrapper(
        own="lane_id",
        names=("laneid",),
        call="lane_id() for inline assembly that reads %laneid",
        meaning="This lane's number in the CUDA warp, 0 to 31.",
        source="PTX ISA, %laneid; HIP's __lane_id counts to 63 in a 64-lane wavefront",
        head=f"{_FUNCTION} unsigned int lane_id()",
        hip="  return (unsigned int)__lane_id() & 31;\n",
        cuda="""\
  unsigned int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  return lane;
""",
        probe="i[0] = (int)c::lane_id();",
        in_assembly=True,
    ),
    *(
        Wrapper(
            own=f"lanemask_{side}",
            names=(f"lanemask_{side}",),
            call=f"lanemask_{side}() for inline assembly that reads %lanemask_{side}",
            meaning=f"A bit for each lane of the CUDA warp whose number is {words} this one's.",
            source=f"PTX ISA, %lanemask_{side}",
            head=f"{_FUNCTION} unsigned int lanemask_{side}()",
            hip=f"  const unsigned int own = 1u << (__lane_id() & 31);\n  return {value};\n",
            cuda=f"""\
  unsigned int mask;
  asm("mov.u32 %0, %%lanemask_{side};" : "=r"(mask));
  return mask;
""",
            probe=f"i[0] = (int)c::lanemask_{side}();",
            in_assembly=True,
        )
        for side, words, value in (
            ("eq", "equal to", "own"),
            ("lt", "less than", "own - 1"),
            ("le", "at most", "own | (own - 1)"),
            ("gt", "greater than", "~(own | (own - 1))"),
            ("ge", "at least", "~(own - 1)"),
        )
    ),
)
