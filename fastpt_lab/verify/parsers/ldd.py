"""Read what `ldd` and `ldd -r` print: which file each library is, what is not found."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fastpt_lab.verify.parsers.plain import lines


@dataclass(frozen=True, slots=True, kw_only=True)
class Library:
    """One needed library; `path` is "" where none was found."""

    name: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongVersion:
    """A library that was found, but has not the symbol version that is asked for."""

    library: str
    version: str
    required_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LddOutput:
    """One listing. The exit code of ldd says none of this: it stays 0 (glibc 2.36).

    `recognised` is false where no line of it was a library: an empty list is no good news.
    """

    libraries: tuple[Library, ...] = ()
    wrong_versions: tuple[WrongVersion, ...] = ()
    undefined: tuple[str, ...] = ()
    recognised: bool = False

    @property
    def missing(self) -> tuple[str, ...]:
        """Names of the libraries that were not found."""
        return tuple(item.name for item in self.libraries if not item.path)


_ARROW = re.compile(r"^\s+(\S+) => (?:(not found)|(/.*?)(?: \(0x[0-9a-f]+\))?)$")
_BARE = re.compile(r"^\s+(/\S*?|linux-(?:vdso|gate)\S*) \(0x[0-9a-f]+\)$")
_VERSION = re.compile(
    r"^\S.*?: (\S+): version [`'\"]([^`'\"]+)['\"] not found(?: \(required by (.+)\))?$"
)
_SYMBOL = re.compile(r"^undefined symbol: (\S+?),?(?:\s+\(|\s+version|$)")
_STATIC = re.compile(r"^\s*(?:statically linked|not a dynamic executable)$")


def parse_ldd(text: str) -> LddOutput:
    """Read a listing; Python's own symbols, undefined in every extension, are left out."""
    libraries, versions, symbols = [], [], []
    recognised = False
    for line in lines(text):
        arrow, bare = _ARROW.match(line), _BARE.match(line)
        version, symbol = _VERSION.match(line), _SYMBOL.match(line)
        if arrow:
            libraries.append(Library(name=arrow.group(1), path=arrow.group(3) or ""))
        elif bare and bare.group(1).startswith("/"):
            libraries.append(Library(name=bare.group(1).rsplit("/", 1)[-1], path=bare.group(1)))
        elif version:
            versions.append(
                WrongVersion(
                    library=version.group(1),
                    version=version.group(2),
                    required_by=version.group(3) or "",
                )
            )
        elif symbol and not symbol.group(1).startswith(("Py", "_Py")):
            symbols.append(symbol.group(1))
        recognised = recognised or bool(arrow or bare or _STATIC.match(line))
    return LddOutput(
        libraries=tuple(libraries),
        wrong_versions=tuple(versions),
        undefined=tuple(symbols),
        recognised=recognised,
    )
