r"""The one expression that finds everything in a source that may need a change.

It steps over comments and literals, so nothing inside them is found. Each alternative begins
with a literal character (`core/skip.py`). An empty named group at the end of an alternative
says which one matched; comments and literals have none.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from fastpt_lab.core.skip import CONTINUATION, NOT_INSIDE, SKIP, SKIP_BUT_NUMBERS
from fastpt_lab.transcode.custom import alternatives
from fastpt_lab.transcode.gaps import STANDARD_HEADERS

if TYPE_CHECKING:
    from collections.abc import Iterable

_BLANK = rf"(?:[ \t\f\v]|/\*(?s:.*?)\*/|{CONTINUATION})*"
_HEADER_NAME = r'(?:"(?P<quoted{0}>[^"\r\n]+)"|<(?P<angled{0}>[^>\r\n]+)>)'
_INCLUDE = "|".join(
    rf"{hash_}{_BLANK}include(?:_next)?{_BLANK}" + _HEADER_NAME.format(number)
    for number, hash_ in enumerate((r"\#", "%:"))
)

COMMON_PREFIXES = ("cu", "CU", "nv", "NV")
"""How nearly all names of the tables begin; others are looked for one by one."""

HIDDEN_INTRINSICS = tuple(
    f"__{name}"
    for name in (
        "shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync", "syncwarp",
        "ballot_sync", "any_sync", "all_sync", "activemask", "match_any_sync",
        "match_all_sync", "reduce_add_sync", "reduce_min_sync", "reduce_max_sync",
        "reduce_and_sync", "reduce_or_sync", "reduce_xor_sync", "nanosleep", "dp4a", "dp2a_lo",
        "dp2a_hi", "grid_constant__", "cvta_generic_to_shared", "trap", "ldcg", "ldca", "ldcs",
        "ldlu", "ldcv", "stwb", "stcg", "stcs", "stwt",
    )
)  # fmt: skip
"""CUDA's device functions that HIP spells the same where it has them at all."""


@lru_cache(maxsize=256)
def finder(
    special: tuple[str, ...], custom: frozenset[str], *, numbers: bool = True
) -> re.Pattern[str]:
    """Return the expression for a text.

    Its groups: `custom_…`, `name_…`, `word…`; `quoted0`, `angled0`, … hold the path of an
    `#include`. A `word…` is any identifier that begins as CUDA's names do, known or not.

    Args:
        special: the names with another beginning that occur in the text (`special_names`);
            each costs time, and few texts have any.
        custom: the project's own names.
        numbers: step over numbers, as a text with a `DIGIT_SEPARATOR` needs.
    """
    parts = [SKIP if numbers else SKIP_BUT_NUMBERS, _INCLUDE]
    if custom:
        parts.insert(0, alternatives(custom, "custom"))
    if special:
        parts.append(alternatives(special, "name"))
    parts += [
        rf"{prefix[0]}{NOT_INSIDE}{prefix[1]}[\w$]*(?P<word{number}>)"
        for number, prefix in enumerate(COMMON_PREFIXES)
    ]
    hidden = "|".join(name[2:] for name in HIDDEN_INTRINSICS)
    parts.append(rf"_{NOT_INSIDE}_(?:nv_[\w$]*|(?:CUDACC__|{hidden})(?![\w$]))(?P<word8>)")
    return re.compile("|".join(parts))


def special_names(names: Iterable[str]) -> tuple[str, ...]:
    """Return those of `names` that the common prefixes do not cover."""
    covered = (*COMMON_PREFIXES, "__nv_", "__CUDACC__")
    return tuple(sorted(name for name in names if not name.startswith(covered)))


def signs_of(names: Iterable[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return `names` grouped by what they begin with, each group under the text it shares.

    Looking for a few beginnings costs a third of looking for every name in every text.
    """
    groups: list[tuple[str, tuple[str, ...]]] = []
    for name in sorted(names):
        begun, members = groups[-1] if groups else ("", ())
        if begun and name.startswith(begun[:_SHARED]):
            groups[-1] = (begun[:_SHARED], (*members, name))
        else:
            groups.append((name, (name,)))
    return tuple(groups)


_SHARED = 6
"""Characters of a beginning that is rare enough to stand for its names."""

_DEVICE_SIGNS = ("__global__", "__shared__", "__syncthreads", "<<<", "hipLaunchKernelGGL")


@lru_cache(maxsize=1)
def _device() -> re.Pattern[str]:
    return re.compile(
        rf"{SKIP}|_{NOT_INSIDE}_(?:(?:global|shared)__(?![\w$])|syncthreads\w*\()(?P<device0>)"
        r"|<<<(?P<device1>)"
        rf"|h{NOT_INSIDE}ipLaunchKernelGGL(?P<device2>)"
    )


def has_device_code(text: str) -> bool:
    """Whether a kernel, a launch, shared memory or a barrier stands in the code of `text`."""
    return any(sign in text for sign in _DEVICE_SIGNS) and any(
        match.lastgroup and match.lastgroup.startswith("device")
        for match in _device().finditer(text)
    )


@lru_cache(maxsize=1)
def _standard() -> re.Pattern[str]:
    parts = [alternatives(names, f"standard_{header}") for header, names in STANDARD_HEADERS]
    return re.compile("|".join((SKIP, *parts)))


_STANDARD_SIGNS = tuple(name for _, names in STANDARD_HEADERS for name in names)


def standard_headers(text: str) -> tuple[str, ...]:
    """Return the standard headers whose names the code of `text` uses without including them."""
    if not any(sign in text for sign in _STANDARD_SIGNS):
        return ()
    used = {
        match.lastgroup.split("_")[1]
        for match in _standard().finditer(text)
        if match.lastgroup and match.lastgroup.startswith("standard")
    }
    spelled = {"climits": "limits.h", "cfloat": "float.h"}
    return tuple(
        header
        for header in sorted(used)
        if not re.search(rf"include\s*<(?:{header}|{spelled.get(header, header)})>", text)
    )
