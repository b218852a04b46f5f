"""Read a 64-bit ELF file without running it: sections, needed libraries, dynamic symbols.

*Source*: System V ABI, ELF-64 object file format; LSB 5 for symbol versions.
"""

from __future__ import annotations

import mmap
import struct
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    Buffer = bytes | mmap.mmap

_DYNAMIC, _DYNSYM, _NOBITS, _VERNEED = 6, 11, 8, 0x6FFFFFFE
_DT_NEEDED, _DT_SONAME, _DT_RPATH, _DT_RUNPATH = 1, 14, 15, 29
_MOST_SECTIONS = 100_000
_LONGEST_NAME = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One section; `link` is the index of its string table."""

    name: str
    kind: int
    offset: int
    size: int
    link: int
    info: int
    entry: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Symbol:
    """One name of the dynamic symbol table."""

    name: str
    defined: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Elf:
    """What an ELF file says of itself.

    Attributes:
        machine: 62 is x86-64, 224 an AMD GPU.
        shared: whether it is a shared library (or a position-independent program).
        runpath, rpath: RPATH wins over LD_LIBRARY_PATH, RUNPATH loses to it.
        versions: `(library, version)` it asks for: `('libamdhip64.so.5', 'hip_4.2')`.
    """

    machine: int
    shared: bool
    sections: tuple[Section, ...]
    soname: str = ""
    needed: tuple[str, ...] = ()
    runpath: tuple[str, ...] = ()
    rpath: tuple[str, ...] = ()
    symbols: tuple[Symbol, ...] = ()
    versions: tuple[tuple[str, str], ...] = ()

    def named(self, name: str) -> tuple[Section, ...]:
        """Return the sections of a name that have bytes in the file."""
        return tuple(s for s in self.sections if s.name == name and s.kind != _NOBITS)


@contextmanager
def mapped(path: Path) -> Iterator[Buffer]:
    """Give the bytes of a file; libraries of a gigabyte are mapped, not read.

    Raises:
        OSError: it cannot be read.
    """
    with path.open("rb") as stream:
        if path.stat().st_size == 0:
            yield b""
            return
        with mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ) as data:
            yield data


def read_elf(data: Buffer) -> Elf | None:
    """Return what an ELF file says, None where the bytes are none, or are cut."""
    try:
        return _read(data)
    except (struct.error, ValueError, IndexError, OverflowError):
        return None


def _read(data: Buffer) -> Elf | None:
    # Class 2 is 64 bits, data 1 little-endian.
    if len(data) < 64 or data[:4] != b"\x7fELF" or data[4] != 2 or data[5] != 1:
        return None
    kind, machine = struct.unpack_from("<HH", data, 16)
    (table,) = struct.unpack_from("<Q", data, 0x28)
    entry, count, names = struct.unpack_from("<HHH", data, 0x3A)
    sections = _sections(data, table, entry, count, names) if table and count else ()
    dynamic = next((s for s in sections if s.kind == _DYNAMIC), None)
    tags = _dynamic(data, sections, dynamic) if dynamic else []

    def strings(*wanted: int) -> tuple[str, ...]:
        return tuple(value for tag, value in tags if tag in wanted)

    return Elf(
        machine=machine,
        shared=kind == 3,
        sections=sections,
        soname=next(iter(strings(_DT_SONAME)), ""),
        needed=strings(_DT_NEEDED),
        runpath=_split(strings(_DT_RUNPATH)),
        rpath=_split(strings(_DT_RPATH)),
        symbols=_symbols(data, sections),
        versions=_versions(data, sections),
    )


def _split(paths: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(part for path in paths for part in path.split(":") if part)


def _text(data: Buffer, offset: int) -> str:
    end = data.find(b"\0", offset, offset + _LONGEST_NAME)
    if not 0 <= offset < len(data) or end < 0:
        raise ValueError("a name runs out of the file")
    return bytes(data[offset:end]).decode("utf-8", "replace")


def _sections(
    data: Buffer, table: int, entry: int, count: int, names: int
) -> tuple[Section, ...]:
    if entry < 64 or count > _MOST_SECTIONS:
        raise ValueError("no section table")
    raw = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * entry) for i in range(count)]
    base = raw[names][4]
    found = []
    for name, kind, _, _, offset, size, link, info, _, each in raw:
        if kind != _NOBITS and offset + size > len(data):
            raise ValueError("a section runs out of the file")
        found.append(
            Section(
                name=_text(data, base + name),
                kind=kind,
                offset=offset,
                size=size,
                link=link,
                info=info,
                entry=each,
            )
        )
    return tuple(found)


def _dynamic(
    data: Buffer, sections: tuple[Section, ...], dynamic: Section
) -> list[tuple[int, str]]:
    strings = sections[dynamic.link].offset
    found = []
    for position in range(dynamic.offset, dynamic.offset + dynamic.size - 15, 16):
        tag, value = struct.unpack_from("<qQ", data, position)
        if tag == 0:
            break
        if tag in (_DT_NEEDED, _DT_SONAME, _DT_RPATH, _DT_RUNPATH):
            found.append((tag, _text(data, strings + value)))
    return found


def _symbols(data: Buffer, sections: tuple[Section, ...]) -> tuple[Symbol, ...]:
    table = next((s for s in sections if s.kind == _DYNSYM), None)
    if table is None or table.entry < 24:
        return ()
    strings = sections[table.link].offset
    found = []
    for position in range(table.offset + table.entry, table.offset + table.size, table.entry):
        name, _, _, section = struct.unpack_from("<IBBH", data, position)
        if name:
            found.append(Symbol(name=_text(data, strings + name), defined=section != 0))
    return tuple(found)


def _versions(data: Buffer, sections: tuple[Section, ...]) -> tuple[tuple[str, str], ...]:
    table = next((s for s in sections if s.kind == _VERNEED), None)
    if table is None:
        return ()
    strings = sections[table.link].offset
    found = []
    position = table.offset
    for _ in range(min(table.info, 10_000)):
        _, count, file, first, following = struct.unpack_from("<HHIII", data, position)
        library = _text(data, strings + file)
        inner = position + first
        for _ in range(count):
            _, _, _, name, step = struct.unpack_from("<IHHII", data, inner)
            found.append((library, _text(data, strings + name)))
            inner += step
            if not step:
                break
        if not following:
            break
        position += following
    return tuple(found)
