"""The tables of the installed torch, read as data, with this project's additions.

torch is not imported: its mapping module is plain data that is executed by itself, from its
file, and the result is cached by path, time and size. Whatever torch is installed decides: the
tables before torch 2.11 carry the `Masquerading` names, later ones leave the classes alone.
"""

from __future__ import annotations

import importlib
import json
import os
import re
import sys
import warnings
from dataclasses import dataclass, field
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.text import digest_of
from fastpt_lab.transcode import gaps
from fastpt_lab.transcode.gaps import GAPS, NAMESPACES
from fastpt_lab.transcode.installed import find_hipify
from fastpt_lab.transcode.pattern import signs_of, special_names

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_FORMAT = 6
_HEADER = re.compile(r"[\w./-]+\.(?:h|hpp|cuh|inl)$")
_QUOTED_INCLUDE = re.compile(r'include ([<"])(.+)')


@dataclass(frozen=True)
class Tables:
    """What a CUDA name becomes, in the shapes in which the engine looks it up.

    Attributes:
        words: identifiers in code.
        qualified: names with `::`, tried before words.
        headers: whole paths in `#include`.
        angle_headers: the same, only between `<` and `>`.
        header_folders: leading folders of paths in `#include`.
        version: of torch's hipify, "" before it had one.
        scalar_dispatch: whether this torch's AT_DISPATCH macros take a scalar type alone, no
            longer a tensor's `type()` (`core.dispatch`).
        digest: of all of the above.
        source: the file they were read from.
    """

    words: Mapping[str, str]
    qualified: Mapping[str, str]
    headers: Mapping[str, str]
    angle_headers: Mapping[str, str]
    header_folders: Mapping[str, str]
    version: str
    source: str
    digest: str = field(compare=False, default="")
    scalar_dispatch: bool = False

    @cached_property
    def targets(self) -> frozenset[str]:
        """The plain identifiers that something is mapped to."""
        return frozenset(
            word
            for target in self.words.values()
            for word in re.findall(r"\w+", target)
            if not word[0].isdigit()
        )

    @cached_property
    def special(self) -> tuple[str, ...]:
        """The names in code that do not begin as CUDA's do, `cub::` aside."""
        qualified = [
            name for name in self.qualified if name.partition("::")[0] not in NAMESPACES
        ]
        return special_names((*self.words, *qualified))

    @cached_property
    def _signs(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return signs_of(self.special)

    def special_in(self, text: str) -> tuple[str, ...]:
        """Return those of `special` that stand in `text`; most texts have none."""
        found: list[str] = []
        for sign, names in self._signs:
            if sign in text:
                found += [name for name in names if name in text]
        return tuple(found)


def load_tables(cache: Path | None, hipify: Path | None = None) -> Tables:
    """Return the tables of torch with the gaps closed.

    Args:
        cache: folder for the parsed tables; None parses them again.
        hipify: the folder of torch's hipify, by default that of the installed torch.

    Raises:
        ToolMissingError: torch is not installed.
        ConfigError: its mapping module is not what any known torch has.
    """
    folder = hipify or find_hipify()
    source = folder / "cuda_to_hip_mappings.py"
    info = source.stat()
    own = os.stat(gaps.__file__)  # noqa: PTH116 - pathlib would add nothing
    key = [_FORMAT, str(source), info.st_mtime_ns, info.st_size, own.st_mtime_ns, own.st_size]
    stored = cache / f"tables-{digest_of(str(source).encode())[7:19]}.json" if cache else None
    raw = _read_cached(stored, key) if stored else None
    if raw is None:
        raw = _with_gaps(_whole(folder))
        if stored:
            _write_cached(stored, {"key": key, "tables": raw})
    return Tables(**raw, source=str(source))


def _whole(folder: Path) -> dict[str, Any]:
    sorted_out = _sorted_out(_read_module(folder), _version(folder))
    return {**sorted_out, "scalar_dispatch": _scalar_dispatch(folder)}


def _scalar_dispatch(hipify: Path) -> bool:
    """Whether the headers beside `hipify` are there and take no `type()` of a tensor."""
    header = hipify.parent.parent / "include/ATen/Dispatch.h"
    try:
        text = header.read_text("utf-8", errors="replace")
    except OSError:
        return False
    return "DeprecatedTypeProperties" not in text


def _read_cached(path: Path, key: list[object]) -> dict[str, Any] | None:
    try:
        stored = json.loads(path.read_bytes())
        return stored["tables"] if stored["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _write_cached(path: Path, value: object) -> None:
    from fastpt_lab.core.errors import WriteError
    from fastpt_lab.host.files import write_atomic

    try:
        write_atomic(path, json.dumps(value).encode())
    except WriteError:
        # A cache that cannot be kept is only slow.
        return


def _version(folder: Path) -> str:
    try:
        text = (folder / "version.py").read_text("utf-8")
    except OSError:
        return ""
    found = re.search(r"__version__\s*=\s*['\"]([^'\"]+)", text)
    return found[1] if found else ""


def _read_module(folder: Path) -> dict[str, str]:
    """Execute the mapping module of `folder` alone and return its flat table.

    Version 1 has a tuple for each name: the HIP name and numbers that say which users it is
    meant for. Those only for Caffe2 are left out there, and the "special" ones never win over
    another entry (torch 2.4, hipify_python.py).
    """
    package = "_fastpt_hipify_tables"
    module = ModuleType(package)
    module.__path__ = [str(folder)]
    sys.modules[package] = module
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tables = importlib.import_module(package + ".cuda_to_hip_mappings")
            constants: Any = _constants(package)
        mappings = tables.CUDA_TO_HIP_MAPPINGS
    except (ImportError, AttributeError, SyntaxError) as error:
        raise ConfigError(
            f"{folder} is not a hipify whose tables can be read: {error}",
            next_step="Reinstall torch",
        ) from error
    finally:
        for name in [n for n in sys.modules if n == package or n.startswith(package + ".")]:
            del sys.modules[name]
    return _flat(mappings, constants)


def _constants(package: str) -> object:
    try:
        return importlib.import_module(package + ".constants")
    except ImportError:
        return None


def _flat(mappings: list[Mapping[str, Any]], constants: object) -> dict[str, str]:
    caffe2 = getattr(constants, "API_CAFFE2", None)
    special = getattr(constants, "API_SPECIAL", None)
    flat: dict[str, str] = {}
    for mapping in mappings:
        for name, value in mapping.items():
            if isinstance(value, str):
                flat[name] = value
            elif caffe2 not in value[1:] and (special not in value[1:] or name not in flat):
                flat[name] = value[0]
    return flat


def _sorted_out(flat: Mapping[str, str], version: str) -> dict[str, Any]:
    """Sort torch's one table by where a name can stand."""
    names = ("words", "qualified", "headers", "angle_headers", "header_folders")
    shapes: dict[str, dict[str, str]] = {name: {} for name in names}
    for name, target in flat.items():
        quoted = _QUOTED_INCLUDE.fullmatch(name)
        if quoted:
            new = _QUOTED_INCLUDE.fullmatch(target)
            shapes["headers"][quoted[2]] = new[2] if new else target
        elif name.startswith("<"):
            shapes["angle_headers"][name.strip("<>")] = target.strip("<>")
        elif _HEADER.fullmatch(name):
            shapes["headers"][name] = target
        elif re.fullmatch(r"\w+", name):
            # A target with a slash is a file of Caffe2, which left torch in 2.3.
            if "/" not in target:
                shapes["words"][name] = target.strip()
        elif re.fullmatch(r"\w+(?:::\w+)+", name):
            shapes["qualified"][name] = target
        elif re.fullmatch(r"\w+(?:/\w+)+", name):
            shapes["header_folders"][name] = target
        # What is left stands only in strings and comments (CUDA_LAUNCH_BLOCKING=1), ends in a
        # blank and never matches, names a namespace (see gaps.py), or repairs torch's own
        # paths (hip/hip/).
    return {**shapes, "version": version}


def _with_gaps(raw: dict[str, Any]) -> dict[str, Any]:
    for gap in GAPS:
        raw[gap.shape].setdefault(gap.cuda, gap.hip)
        if gap.wins:
            raw[gap.shape][gap.cuda] = gap.hip
    digest = digest_of(json.dumps([_FORMAT, raw, NAMESPACES], sort_keys=True).encode())
    return {**raw, "digest": digest}
