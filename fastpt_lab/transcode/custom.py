"""`custom_hipify_mappings.json`: a project's own names, tried before all tables.

The file is compatible with ROCm's hipify_torch: `{"custom_map": {"from": "to"}}`, looked for in
the working directory. It is also found beside the sources and at the project's root; an entry
may be `{"to": "…", "scope": ["csrc/*"], "comment": "…"}`; and a name matches whole words only.

*Source*: ROCm/hipify_torch, hipify_torch/hipify_python.py (file name, schema, precedence).
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.text import digest_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

FILE_NAME = "custom_hipify_mappings.json"
MISSPELT = ("custom_hipify_mapping.json", "custom_hipify_map.json", "custom_mappings.json")
"""The first stands in hipify_torch's README and is read by nobody."""


@dataclass(frozen=True, slots=True)
class CustomEntry:
    """One name of the project. `scope` are globs of paths from the root; none means all."""

    source: str
    target: str
    scope: tuple[str, ...] = ()
    comment: str = ""

    def covers(self, relative: str) -> bool:
        """Whether the entry holds in the file at `relative`."""
        return not self.scope or any(fnmatchcase(relative, glob) for glob in self.scope)


@dataclass(frozen=True, slots=True)
class CustomMapping:
    """The entries of all files found, the nearest first, and what is wrong with them."""

    entries: tuple[CustomEntry, ...] = ()
    files: tuple[Path, ...] = ()
    remarks: tuple[str, ...] = ()
    digest: str = ""

    def for_file(self, relative: str) -> dict[str, str]:
        """Return the names that hold in the file at `relative`; the first entry wins."""
        found: dict[str, str] = {}
        for entry in self.entries:
            if entry.covers(relative):
                found.setdefault(entry.source, entry.target)
        return found

    def unused(self, used: Iterable[str]) -> tuple[str, ...]:
        """Return a remark for each entry that changed nothing in the files that were read."""
        seen = set(used)
        return tuple(
            f"the custom mapping {entry.source!r} matched nothing"
            for entry in self.entries
            if entry.source not in seen
        )


def load_custom(folders: Iterable[Path], named: Path | None = None) -> CustomMapping:
    """Return the custom mappings of `named` and of the files in `folders`, in that order.

    Raises:
        ConfigError: a file is not JSON, or not of the schema.
    """
    entries: list[CustomEntry] = []
    files: list[Path] = []
    remarks: list[str] = []
    places = [named] if named else []
    folders = tuple(dict.fromkeys(folders))
    for folder in folders:
        names = _mapping_files(folder)
        found = [folder / name for name in names if name == FILE_NAME]
        places += [path for path in found if _stays(path, folders)]
        remarks += [
            f"{path} is a link that leads out of the project, and is not read"
            for path in found
            if not _stays(path, folders)
        ]
        remarks += [
            f"{folder / name} is not read; the name is {FILE_NAME}"
            for name in names
            if name != FILE_NAME
        ]
    digests: list[str] = []
    for path in places:
        try:
            data = path.read_bytes()
        except FileNotFoundError as error:
            if path is named:
                raise ConfigError(
                    f"there is no {path}", next_step="Check --mappings"
                ) from error
            continue
        if path in files:
            continue
        files.append(path)
        digests.append(digest_of(data))
        entries += _parse(data, path)
    remarks += _shadowed(entries)
    key = digest_of("\n".join(digests).encode()) if digests else ""
    return CustomMapping(tuple(entries), tuple(files), tuple(remarks), key)


def _mapping_files(folder: Path) -> list[str]:
    """Return the names in `folder` that are the mapping's, or are meant to be."""
    try:
        return [name for name in os.listdir(folder) if name in (FILE_NAME, *MISSPELT)]  # noqa: PTH208 - hot
    except OSError:
        return []


def _stays(path: Path, folders: Iterable[Path]) -> bool:
    if not path.is_symlink():
        return True
    real = path.resolve()
    return any(real.is_relative_to(folder.resolve()) for folder in folders)


def _parse(data: bytes, path: Path) -> list[CustomEntry]:
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not JSON: {error}", next_step="Correct it") from error
    custom = content.get("custom_map") if isinstance(content, dict) else None
    if not isinstance(custom, dict):
        raise ConfigError(
            f'{path} has no table "custom_map"',
            next_step='Write {"custom_map": {"name": "hipName"}}',
        )
    return [_entry(source, value, path) for source, value in custom.items()]


def _entry(source: str, value: object, path: Path) -> CustomEntry:
    if not source:
        raise ConfigError(
            f"{path}: an empty name would match everywhere", next_step="Remove it"
        )
    if isinstance(value, str):
        return CustomEntry(source, value)
    if isinstance(value, dict) and isinstance(value.get("to"), str):
        scope = value.get("scope", [])
        globs = [scope] if isinstance(scope, str) else scope
        if isinstance(globs, list) and all(isinstance(glob, str) for glob in globs):
            return CustomEntry(source, value["to"], tuple(globs), str(value.get("comment", "")))
    raise ConfigError(
        f"{path}: {source!r} must map to a name",
        next_step='Write "name": "hipName", or {"to": "hipName", "scope": ["csrc/*"]}',
    )


def _shadowed(entries: list[CustomEntry]) -> list[str]:
    seen: dict[str, str] = {}
    remarks = []
    for entry in entries:
        if entry.source in seen and not entry.scope and seen[entry.source] != entry.target:
            remarks.append(
                f"the custom mapping {entry.source!r} to {entry.target!r} is shadowed by "
                f"{seen[entry.source]!r}"
            )
        if not entry.scope:
            seen.setdefault(entry.source, entry.target)
    return remarks


def alternatives(names: Iterable[str], group: str) -> str:
    """Return a pattern of whole names, longest first; each sets a group `group` and a number.

    Each alternative begins with a literal character, which lets `re` skip ahead to it.
    """
    parts = []
    for number, name in enumerate(sorted(names, key=lambda n: (-len(n), n))):
        head, tail = re.escape(name[0]), re.escape(name[1:])
        before = r"(?<![\w$].)" if re.match(r"[\w$]", name) else ""
        after = r"(?![\w$])" if re.search(r"[\w$]\Z", name) else ""
        parts.append(f"{head}{before}{tail}{after}(?P<{group}_{number}>)")
    return "|".join(parts)
