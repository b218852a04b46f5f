"""Find the gfx targets inside a library or object: bundles, wrappers, compressed forms, rdc.

hipcc puts one bundle per translation unit into `.hip_fatbin`, one behind the other at pages of
4096 bytes, and a wrapper of 24 bytes for each into `.hipFatBinSegment`; both survive `strip`.
*Source*: LLVM's clang-offload-bundler (headers of versions 1 to 3), and files made by hipcc
5.2.3.
"""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fastpt_lab.verify.elf import Elf, mapped, read_elf

if TYPE_CHECKING:
    from pathlib import Path

    from fastpt_lab.verify.elf import Buffer

_BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
_COMPRESSED = b"CCOB"
_WRAPPER_BYTES = 24
_MOST_ENTRIES = 1000
_MOST_INFLATED = 1 << 30
_AMDGPU = 224


@dataclass(frozen=True, slots=True, kw_only=True)
class Fatbin:
    """What device code a file holds.

    Attributes:
        targets: with features, `gfx928:sramecc+:xnack-`, each once, sorted.
        units: translation units with device code.
        relocatable: whether it was compiled with -fgpu-rdc and is not linked yet.
        nvidia: whether there is code of nvcc.
        unread: compressed bundles whose targets are not known here: `zstd`, a cut one.
    """

    targets: tuple[str, ...] = ()
    units: int = 0
    relocatable: bool = False
    nvidia: bool = False
    unread: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        """`hip`, `nvidia`, `both`, or `host` where there is no device code at all."""
        hip = bool(self.targets or self.unread or self.units)
        if hip and self.nvidia:
            return "both"
        return "hip" if hip else "nvidia" if self.nvidia else "host"


def read_fatbin(path: Path) -> Fatbin | None:
    """Return the device code in a library, object, bundle or code object; None if it is none.

    Raises:
        OSError: it cannot be read.
    """
    with mapped(path) as data:
        return fatbin_of(data)


def fatbin_of(data: Buffer) -> Fatbin | None:
    """Return the device code in these bytes, None where they are no file of such a kind."""
    if data[: len(_BUNDLE)] == _BUNDLE or data[:4] == _COMPRESSED:
        targets, units, unread = _scan(bytes(data))
        return Fatbin(targets=targets, units=units, unread=unread)
    elf = read_elf(data)
    if elf is None:
        return None
    if elf.machine == _AMDGPU:
        return Fatbin(targets=_code_object(data, elf), units=1)
    return _in_host_file(data, elf)


def _in_host_file(data: Buffer, elf: Elf) -> Fatbin:
    targets: set[str] = set()
    unread: list[str] = []
    units = 0
    for section in (*elf.named(".hip_fatbin"), *elf.named(".hipFatBin")):
        found, count, hidden = _scan(
            bytes(data[section.offset : section.offset + section.size])
        )
        targets.update(found)
        unread.extend(hidden)
        units += count
    wrappers = sum(s.size // _WRAPPER_BYTES for s in elf.named(".hipFatBinSegment"))
    relocatable = [s.name for s in elf.sections if s.name.startswith(_BUNDLE.decode())]
    targets.update(t for t in (_target(name) for name in relocatable) if t)
    return Fatbin(
        targets=tuple(sorted(targets)),
        units=max(units, wrappers, 1 if relocatable else 0),
        relocatable=bool(relocatable),
        nvidia=bool(elf.named(".nv_fatbin") or elf.named("__nv_relfatbin")),
        unread=tuple(unread),
    )


def _target(entry_id: str) -> str:
    """Return `gfx906:xnack-` of `hipv4-amdgcn-amd-amdhsa--gfx906:xnack-`, "" for the host's."""
    match = re.search(r"(gfx[0-9a-f]{3,5}(?::[a-z]+[+-])*)$", entry_id)
    return match.group(1) if match else ""


def _code_object(data: Buffer, elf: Elf) -> tuple[str, ...]:
    """Return the target that a code object's note names."""
    found: set[str] = set()
    for section in elf.sections:
        if section.name.startswith(".note"):
            note = bytes(data[section.offset : section.offset + section.size])
            found.update(
                match.group(1).decode()
                for match in re.finditer(rb"amdhsa--(gfx[0-9a-f]{3,5}(?::[a-z]+[+-])*)", note)
            )
    return tuple(sorted(found))


def _scan(region: bytes) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
    """Return targets, bundles and what could not be read of a region of bundles."""
    targets: set[str] = set()
    unread: list[str] = []
    units = position = 0
    while True:
        plain = region.find(_BUNDLE, position)
        packed = region.find(_COMPRESSED, position)
        if plain < 0 and packed < 0:
            return tuple(sorted(targets)), units, tuple(unread)
        if packed < 0 or 0 <= plain < packed:
            found, end = _entries(region, plain)
            targets.update(found)
            # A bundle without an entry is a chance run of the magic inside data.
            units += 1 if end > plain else 0
            position = max(end, plain + len(_BUNDLE))
        else:
            inner, end, problem = _inflate(region, packed)
            if inner:
                found, _ = _entries(inner, 0)
                targets.update(found)
            if problem:
                unread.append(problem)
            units += 1 if end > packed else 0
            position = max(end, packed + len(_COMPRESSED))


def _entries(region: bytes, base: int) -> tuple[set[str], int]:
    """Return the targets of the bundle at `base` and its end; `base` itself if it is none."""
    if region[base : base + len(_BUNDLE)] != _BUNDLE:
        return set(), base
    try:
        (count,) = struct.unpack_from("<Q", region, base + len(_BUNDLE))
        if not 0 < count <= _MOST_ENTRIES:
            return set(), base
        targets: set[str] = set()
        position = base + len(_BUNDLE) + 8
        end = position
        for _ in range(count):
            offset, size, length = struct.unpack_from("<QQQ", region, position)
            position += 24
            if length > 4096 or position + length > len(region):
                return set(), base
            name = region[position : position + length].decode("ascii", "replace")
            position += length
            end = max(end, position, min(base + offset + size, len(region)))
            # An entry of no size or beyond the end is no code that can be loaded.
            if size and base + offset + size <= len(region) and _target(name):
                targets.add(_target(name))
    except struct.error:
        return set(), base
    return targets, end


def _inflate(region: bytes, base: int) -> tuple[bytes, int, str]:
    """Return a compressed bundle's content, its end, and what kept it from being read."""
    try:
        version, method = struct.unpack_from("<HH", region, base + 4)
        if version not in (1, 2, 3) or method not in (0, 1):
            return b"", base, ""
        total = None
        if version == 1:
            (size,) = struct.unpack_from("<I", region, base + 8)
        elif version == 2:
            total, size = struct.unpack_from("<II", region, base + 8)
        else:
            total, size = struct.unpack_from("<QQ", region, base + 8)
    except struct.error:
        return b"", base, ""
    header = {1: 20, 2: 24, 3: 32}[version]
    end = base + total if total else len(region)
    if size > _MOST_INFLATED or end > len(region) or end < base + header:
        return b"", base, "a compressed bundle that is cut"
    if method == 1:
        return b"", end if total else base + header, "a bundle compressed with zstd"
    packer = zlib.decompressobj()
    try:
        content = packer.decompress(region[base + header : end], size + 1)
    except zlib.error:
        return b"", base, "a compressed bundle that is damaged"
    if not content.startswith(_BUNDLE):
        return b"", end if total else base + header, "a compressed bundle of another kind"
    consumed = end if total else end - len(packer.unused_data)
    return content, consumed, ""


def matches(image: str, device: str) -> bool:
    """Return whether code for `image` runs on `device`: one processor, no feature against it.

    A feature that the image does not name fits any device; one that the device does not name
    counts as off (LLVM, target ID).
    """
    processor, *features = image.split(":")
    other, *theirs = device.split(":")
    if processor != other:
        return False
    if not theirs:
        # A bare name says nothing about features, so it contradicts none.
        return True
    have = {feature[:-1]: feature[-1] for feature in theirs}
    return all(have.get(feature[:-1], "-") == feature[-1] for feature in features)


def covers(fatbin: Fatbin, device: str) -> bool | None:
    """Return whether a file has code for a device; None where some of it could not be read."""
    if any(matches(target, device) for target in fatbin.targets):
        return True
    return None if fatbin.unread else False
