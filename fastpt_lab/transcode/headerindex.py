"""Which names the installed HIP headers know: an index of identifiers, built once and cached.

A name that a table promises may not exist in the HIP or DTK that is installed. The index tells
before any compile. It says nothing of a library of which no header is installed.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import WriteError
from fastpt_lab.core.text import digest_of
from fastpt_lab.host.files import write_atomic
from fastpt_lab.transcode.gaps import OLDER_HEADERS, OLDER_WORDS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from fastpt_lab.transcode.mapping import Tables

_FORMAT = 3
_IDENTIFIER = re.compile(rb"\b[A-Za-z_]\w{2,}\b")
_HEADER_SUFFIXES = (".h", ".hpp", ".cuh", ".inl")
_MAX_HEADER_BYTES = 8 * 1024 * 1024

FAMILIES = {
    "hipblasLt": "hipblaslt", "HIPBLASLT": "hipblaslt", "hipblas": "hipblas",
    "HIPBLAS": "hipblas", "hipsparse": "hipsparse", "HIPSPARSE": "hipsparse",
    "hipsolver": "hipsolver", "HIPSOLVER": "hipsolver", "hiprand": "hiprand",
    "HIPRAND": "hiprand", "hipfft": "hipfft", "HIPFFT": "hipfft", "hipcub": "hipcub",
    "hiprtc": "hip", "HIPRTC": "hip", "rocblas": "rocblas", "rocsparse": "rocsparse",
    "rocsolver": "rocsolver", "rocrand": "rocrand", "miopen": "miopen", "MIOPEN": "miopen",
    "roctx": "roctracer", "rsmi": "rocm_smi", "RSMI": "rocm_smi", "hip": "hip", "HIP": "hip",
    "__hip": "hip", "make_hip": "hip",
}  # fmt: skip
"""Prefixes of names and the include folder of the library that owns them; the longest wins."""

_PREFIXES = tuple(sorted(FAMILIES, key=len, reverse=True))


@dataclass(frozen=True, slots=True)
class HeaderIndex:
    """The identifiers and headers of one HIP installation.

    Attributes:
        root: the include folder that holds `hip/`.
        names: every identifier in its headers.
        headers: paths as they are included: `hip/hip_runtime.h`.
        folders: the libraries that have headers here.
        key: changes with the installation.
    """

    root: Path
    names: frozenset[str]
    headers: frozenset[str]
    folders: frozenset[str]
    key: str

    def lacks(self, name: str) -> bool:
        """Whether the library of `name` is installed and does not have it."""
        for prefix in _PREFIXES:
            if name.startswith(prefix):
                return FAMILIES[prefix] in self.folders and name not in self.names
        return False

    def lacks_header(self, path: str) -> bool:
        """Whether the library of header `path` is installed and does not have it."""
        folder = path.partition("/")[0]
        return folder in self.folders and path not in self.headers


def index_key(root: Path) -> str:
    """Return what changes when another HIP is installed in the include folder `root`.

    The times of the libraries' own folders and the version header: a package manager replaces
    files, which renews their folder.
    """
    places = [root / folder for folder in _folders(root)]
    places += [root / "hip" / "amd_detail", root / "hip" / "hip_version.h"]
    infos = [(str(place), place.stat().st_mtime_ns) for place in places if place.exists()]
    return digest_of(json.dumps([_FORMAT, infos]).encode())


def load_index(root: Path, cache: Path | None) -> HeaderIndex:
    """Return the index of the include folder `root`, from `cache` where it is up to date."""
    key = index_key(root)
    stored = (
        cache / f"hip-headers-{digest_of(str(root).encode())[7:19]}.json" if cache else None
    )
    known = _read_cached(stored, key) if stored else None
    if known is None:
        found: set[bytes] = set()
        headers = []
        for path in (file for folder in _folders(root) for file in _headers(root / folder)):
            found.update(_IDENTIFIER.findall(_read(path)))
            headers.append(path.relative_to(root).as_posix())
        names = sorted(name.decode("ascii") for name in found if name.isascii())
        known = (names, headers)
        if stored:
            value = {"key": key, "names": " ".join(names), "headers": "\n".join(headers)}
            _write_cached(stored, value)
    return HeaderIndex(
        root, frozenset(known[0]), frozenset(known[1]), frozenset(_folders(root)), key
    )


def load_absent(
    root: Path,
    cache: Path,
    tables: Tables,
    same: Collection[str],
) -> dict[str, str]:
    """Return the names and headers that the HIP in `root` has not, each with its stand-in or "".

    Args:
        root: the include folder.
        cache: where the answer for these tables and this HIP is kept.
        tables: whose targets are looked up.
        same: names that HIP spells as CUDA does, where it has them.
    """
    key = [index_key(root), tables.digest, sorted(same)]
    stored = cache / f"absent-{digest_of(str(root).encode())[7:19]}.json"
    try:
        known = json.loads(stored.read_bytes())
        if known["key"] == key:
            return dict(known["absent"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    index = load_index(root, cache)
    absent = absent_names(index, tables.targets, same)
    absent |= absent_headers(index, frozenset(tables.headers.values()))
    _write_cached(stored, {"key": key, "absent": absent})
    return absent


def absent_names(
    index: HeaderIndex, targets: frozenset[str], same: Collection[str] = ()
) -> dict[str, str]:
    """Return the names that are not installed, each with what stands in for it, or "".

    Args:
        index: of the installed HIP.
        targets: HIP names of the tables.
        same: names that HIP spells as CUDA does, where it has them.
    """
    absent = {name: "" for name in targets if index.lacks(name)}
    absent |= {name: "" for name in same if name not in index.names}
    for name, older in OLDER_WORDS.items():
        if name in absent and (older in index.names or older.startswith("__builtin_")):
            absent[name] = older
    return absent


def absent_headers(index: HeaderIndex, targets: frozenset[str]) -> dict[str, str]:
    """Return the headers of the tables that are not installed, each with what stands in or ""."""
    absent = {path: "" for path in targets if index.lacks_header(path)}
    for path, older in OLDER_HEADERS.items():
        if path in absent and older in index.headers:
            absent[path] = older
    return absent


def _folders(root: Path) -> list[str]:
    known = {*FAMILIES.values(), "rccl", "thrust", "rocprim", "hipblas-common"}
    return sorted(name for name in known if (root / name).is_dir())


def _headers(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            path = Path(place, name)
            if name.endswith(_HEADER_SUFFIXES) and path.is_file():
                yield path


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(_MAX_HEADER_BYTES)
    except OSError:
        return b""


def _read_cached(path: Path, key: str) -> tuple[list[str], list[str]] | None:
    try:
        stored = json.loads(path.read_bytes())
        if stored["key"] != key:
            return None
        return stored["names"].split(), stored["headers"].split("\n")
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _write_cached(path: Path, value: object) -> None:
    try:
        write_atomic(path, json.dumps(value).encode())
    except WriteError:
        # A cache that cannot be kept is only slow.
        return
