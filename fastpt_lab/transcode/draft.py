"""What one text needs: the names, includes and lines that change, before anything is written.

Launches (`<<<>>>`) and `std::` functions stay as they are, since hipcc takes both, but for a few
spellings that only nvcc, or only an older torch, takes; comments and literals are never touched.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.skip import DIGIT_SEPARATOR
from fastpt_lab.transcode.gaps import NAMESPACES, VERSION_MACROS, WHOLE_FOLDERS
from fastpt_lab.transcode.names import hip_path
from fastpt_lab.transcode.notes import NoteKind, Remark
from fastpt_lab.transcode.pattern import finder, has_device_code, standard_headers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fastpt_lab.transcode.mapping import Tables

RUNTIME_INCLUDE = '#include "hip/hip_runtime.h"'
_RUNTIME_HEADERS = frozenset({"hip/hip_runtime.h", "hip/hip_runtime_api.h"})
_AFTER_RUNTIME = frozenset({"hip/hip_cooperative_groups.h"})
"""Headers that do not include the runtime's and need it (HIP 5.2.3, `hipBlockDim_x`)."""

_TORCH_FOLDERS = (
    "ATen/cuda", "ATen/native/cuda", "ATen/native/nested/cuda", "ATen/native/quantized/cuda",
    "ATen/native/sparse/cuda", "ATen/native/transformers/cuda", "THC/",
)  # fmt: skip
"""Folders of torch whose headers follow the naming rule (torch 2.13, hipify_python.py)."""

_HIP_MACROS = ("USE_ROCM", "__HIP", "__HCC__")
"""Beginnings of the macros that tell HIP from CUDA (`core.guard.HIP_MACROS`)."""

_NVTX_BEYOND_ROCTX = (
    "nvtxDomain",
    "nvtxEventAttributes",
    "nvtxNameOsThread",
    "nvtxNameCategory",
)
"""What texts name that use more of NVTX than its ranges and marks."""

_API_NAME = re.compile(
    r"cuda[A-Z]\w*|cu[A-Z][a-z]\w*|CU_\w+|CUDA_[RC]_\w+"
    r"|cu(?:blas|dnn|sparse|solver|rand|fft|tensor)[A-Z]\w*"
    r"|CU(?:BLAS|DNN|SPARSE|SOLVER|RAND|FFT|TENSOR)_\w+"
    r"|nv(?:rtc|ml|tx|jpeg|shmem)[A-Z]\w*|NV(?:RTC|ML|TX|SHMEM)_\w+|__nv_\w+"
)
_DEFINES_IT = re.compile(
    r"(?:#[ \t]*define[ \t]+|([\w>])[ \t\r\n]+[*&]*|[\w>][ \t]*[*&]+[ \t]*)\Z"
)
_NO_TYPE = re.compile(
    r"\b(?:return|else|case|throw|new|delete|do|goto|sizeof|and|or|not|co_return)[ \t\r\n]+\Z"
)


_LAUNCH = re.compile(r"<<[ \t]+<|>>[ \t]+>|<<<(?:[^;{}]*,)?[ \t\r\n]*\{")
"""Stands in every text with a launch that clang does not read, and in few others."""

_EMPTY_BRACES = re.compile(r"=\s*\{\s*\}\s*;")
_HALF_MEMBER = re.compile(r"(?<!Idx)(?<!Dim)(?:\.|->)\s*[xy]\b")
_TYPE_CALL = re.compile(r"[.>]\s*type\s*\(\s*\)\s*,")


class Edit(NamedTuple):
    """`text[start:end]` becomes `new`; `name` is the table's entry that says so."""

    start: int
    end: int
    new: str
    name: str


class IncludeSite(NamedTuple):
    """An `#include`: the offsets and text of its path, and what the tables make of it."""

    start: int
    end: int
    path: str
    angled: bool
    mapped: str | None


@dataclass(slots=True)
class Draft:
    """What one text needs, before its includes of the project's own headers are resolved."""

    edits: list[Edit] = field(default_factory=list)
    includes: list[IncludeSite] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)
    unmapped: list[Remark] = field(default_factory=list)
    own_names: set[str] = field(default_factory=set)
    custom_used: set[str] = field(default_factory=set)
    added: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """All that decides what a text becomes.

    Attributes:
        tables: of the installed torch, gaps closed.
        absent: targets that the installed HIP headers do not have, and what to write instead;
            "" where nothing else is known.
        defines: macros that the build passes with a number.
    """

    tables: Tables
    absent: Mapping[str, str] = field(default_factory=dict)
    defines: Mapping[str, int] = field(default_factory=dict)


def draft(
    text: str,
    rules: Rules,
    *,
    suffix: str,
    custom: Mapping[str, str] | None = None,
    brings_nvtx: bool = False,
) -> Draft:
    """Find what `text` needs.

    Args:
        text: the original.
        rules: what the names become.
        suffix: of the original's file; `.cu` is compiled by hipcc alone.
        custom: the project's own names that hold in this file.
        brings_nvtx: whether the project has NVTX's headers itself.
    """
    tables, own = rules.tables, custom or {}
    found = Draft()
    separated = DIGIT_SEPARATOR.search(text) is not None
    pattern = finder(tables.special_in(text), frozenset(own), numbers=separated)
    words, edits = tables.words, found.edits
    for match in pattern.finditer(text):
        group = match.lastgroup
        if group is None or group == "delimiter":
            continue
        shape = group[0]
        if shape == "w":
            word = match[0]
            new = words.get(word)
            if new is not None:
                edits.append(Edit(match.start(), match.end(), new, word))
            else:
                _unknown_word(text, match, rules, found)
        elif shape == "n":
            new = tables.words.get(match[0]) or tables.qualified[match[0]]
            found.edits.append(_edit(match, new, match[0]))
        elif shape == "c":
            found.edits.append(_edit(match, own[match[0]], match[0]))
            found.custom_used.add(match[0])
        else:
            _include(text, match, group, tables, found, own)
    if _LAUNCH.search(text):
        from fastpt_lab.core.launch import launch_changes

        edits += [Edit(*change, "<<<>>>") for change in launch_changes(text)]
        edits.sort()
    if "half2" in text and _EMPTY_BRACES.search(text):
        from fastpt_lab.transcode.braces import untyped_braces

        edits += [Edit(at, at, kind, "{}") for at, kind in untyped_braces(text)]
        edits.sort()
    if "half2" in text and _HALF_MEMBER.search(text):
        from fastpt_lab.core.half2 import half_uses

        edits += [Edit(*edit, "half2") for use in half_uses(text) for edit in use.edits]
        edits.sort()
    if tables.scalar_dispatch and _TYPE_CALL.search(text) and "AT_DISPATCH_" in text:
        from fastpt_lab.core.dispatch import dispatched_types

        edits += [Edit(*at, "scalar_type()", "type()") for at in dispatched_types(text)]
        edits.sort()
    if any(macro in text for macro in _HIP_MACROS):
        # Most texts have no such branch, and its scanner takes longer to load than to run.
        from fastpt_lab.transcode.keep import keep_branches

        keep_branches(text, found, device=suffix in {".cu", ".cuh"})
    _find_absent(rules, found)
    if any(macro in text for macro in VERSION_MACROS):
        from fastpt_lab.transcode.versions import version_remarks

        found.remarks += version_remarks(text, rules.defines)
    found.added = _added_lines(text, found, suffix)
    if not brings_nvtx and any(sign in text for sign in _NVTX_BEYOND_ROCTX):
        from fastpt_lab.transcode.nvtx import stand_in

        stand_in(text, found)
    return found


def _edit(match: re.Match[str], new: str, name: str) -> Edit:
    return Edit(match.start(), match.end(), new, name)


def _unknown_word(text: str, match: re.Match[str], rules: Rules, found: Draft) -> None:
    """Handle a name that begins as CUDA's do and is in no table."""
    word, start, end = match[0], match.start(), match.end()
    if word in NAMESPACES:
        if _names_namespace(text, word, start, end, rules.tables):
            found.edits.append(Edit(start, end, NAMESPACES[word], word))
    elif word.startswith("__") and not word.startswith("__nv_"):
        older = rules.absent.get(word)
        if older:
            found.edits.append(Edit(start, end, older, word))
        elif older is not None:
            message = f"{word} is not in the headers of the installed HIP"
            found.remarks.append(Remark(NoteKind.MISSING_HERE, message, start, end))
    elif _API_NAME.fullmatch(word):
        before = text[max(0, start - 80) : start]
        if _DEFINES_IT.search(before) and not _NO_TYPE.search(before):
            found.own_names.add(word)
        else:
            message = f"{word} has no HIP name in any table"
            found.unmapped.append(Remark(NoteKind.UNMAPPED, message, start, end))


def _names_namespace(text: str, word: str, start: int, end: int, tables: Tables) -> bool:
    """Whether the word at `start` is the vendor's namespace, not one of the project's.

    Names that torch lists are mapped wherever they stand. Others are not after `other::`, nor
    in a file that opens a namespace of this name itself.
    """
    following = re.compile(r"\s*::\s*(\w+)").match(text, end)
    if following and f"{word}::{following[1]}" in tables.qualified:
        return True
    before = text[max(0, start - 80) : start]
    if re.search(r"\w\s*::\s*\Z", before) or _opens_namespace(text, word):
        return False
    if following:
        return True
    return bool(
        re.search(r"(?:using\s+namespace\s+(?:::)?|namespace\s+\w+\s*=\s*(?:::)?)\Z", before)
    )


@lru_cache(maxsize=4)
def _opens_namespace(text: str, word: str) -> bool:
    return bool(re.search(rf"\bnamespace\s+(?:\w+\s*::\s*)*{word}\s*(?:\{{|=)", text))


def _include(
    text: str,
    match: re.Match[str],
    group: str,
    tables: Tables,
    found: Draft,
    custom: Mapping[str, str],
) -> None:
    start, end = match.span(group)
    path, angled = match[group], group.startswith("angled")
    newline = text.rfind("\n", 0, match.start())
    line = text[max(newline, text.rfind("\r", newline + 1, match.start())) + 1 : match.start()]
    if line.strip() and not line.rstrip().endswith("*/"):
        return
    mapped = custom.get(path)
    if mapped is None:
        mapped = map_header(path, tables, angled=angled)
    else:
        found.custom_used.add(path)
    found.includes.append(IncludeSite(start, end, path, angled, mapped))


def map_header(path: str, tables: Tables, *, angled: bool) -> str | None:
    """Return what a header outside the project becomes, None if the tables do not know it."""
    known = tables.headers.get(path)
    if known is None and angled:
        known = tables.angle_headers.get(path)
    if known is not None:
        return known
    for folder, whole in WHOLE_FOLDERS.items():
        if path.startswith(folder + "/"):
            return whole
    for folder, new in tables.header_folders.items():
        if path.startswith(folder + "/"):
            return new + path[len(folder) :]
    if path.startswith(_TORCH_FOLDERS) or (
        path.startswith("THC") and not path.startswith("THCP")
    ):
        return hip_path(path)
    return None


def _find_absent(rules: Rules, found: Draft) -> None:
    """Use the older name where only that is installed; remark where there is none."""
    if not rules.absent:
        return
    for index, edit in enumerate(found.edits):
        older = rules.absent.get(edit.new)
        if older:
            found.edits[index] = edit._replace(new=older)
        elif older is not None:
            message = f"{edit.name} becomes {edit.new}, which the installed HIP does not have"
            found.remarks.append(Remark(NoteKind.MISSING_HERE, message, edit.start, edit.end))
    for index, site in enumerate(found.includes):
        older = rules.absent.get(site.mapped or site.path)
        if older:
            found.includes[index] = site._replace(mapped=older)
        elif older is not None and site.mapped:
            message = f"{site.path} becomes {site.mapped}, which is not installed with HIP here"
            found.remarks.append(Remark(NoteKind.MISSING_HERE, message, site.start, site.end))


def _added_lines(text: str, found: Draft, suffix: str) -> list[str]:
    """Return the includes to add in front: what nvcc includes by itself, where it is needed."""
    lines = [RUNTIME_INCLUDE] if _wants_runtime(text, found, suffix) else []
    if lines or found.edits or any(site.mapped for site in found.includes):
        lines += [f"#include <{header}>" for header in standard_headers(text)]
    return lines


def _wants_runtime(text: str, found: Draft, suffix: str) -> bool:
    """Whether the HIP runtime header must be added.

    nvcc includes CUDA's by itself in every `.cu`; hipcc includes nothing. Elsewhere it is
    added where torch adds it: to files with kernels, launches, shared memory or barriers.
    """
    names = [site.mapped or site.path for site in found.includes]
    first = next((n for n in names if n in _RUNTIME_HEADERS or n in _AFTER_RUNTIME), None)
    if first in _RUNTIME_HEADERS:
        return False
    if first is not None:
        return True
    if suffix == ".cu" and (found.edits or re.search("__(?:device|host)__", text)):
        return True
    return has_device_code(text)
