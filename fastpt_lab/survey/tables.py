"""Read the tables of features, routes and versions, the user's own ones on top.

`fastpt-tables.toml` in the project's root, or `tables.toml` in the user's configuration folder,
may hold `[[feature]]`, `[[stack]]`, `[[adapted]]`, `[[node]]` and `[[route]]`. An entry with the
`id` of an existing one replaces it; the project's file comes last and wins.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from fnmatch import fnmatch
from importlib import resources
from pathlib import Path
from typing import Any

import platformdirs

from fastpt_lab.core.errors import ConfigError
from fastpt_lab.core.survey import Effort, Fit, Route

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PROJECT_TABLE = "fastpt-tables.toml"

_TEXTS = frozenset({"id", "title", "kind", "reason", "remedy", "source"})
_LISTS = frozenset({"include", "words", "prefixes", "links", "packages"})
_KEYS = {
    "feature": _TEXTS | _LISTS | {"effort", "gpufusion"},
    "stack": frozenset({"dtk", "torch", "fastpt", "python", "glibc", "das", "source"}),
    "adapted": frozenset({"project", "where", "note"}),
    "node": frozenset({"id", "question", "fact", "yes", "no", "unknown"}),
    "route": frozenset({"id", "title", "invasiveness", "deployment", "cmake"}),
    "glibc": frozenset({"tag", "minimum", "source"}),
}
_MANDATORY = {
    "feature": ("id", "title", "effort", "gpufusion", "reason"),
    "stack": ("dtk",),
    "adapted": ("project", "where"),
    "node": ("id", "question", "fact", "yes", "no", "unknown"),
    "route": ("id", "title", "invasiveness", "deployment", "cmake"),
    "glibc": ("tag", "minimum"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class FeatureRule:
    """How a feature is found and what it means (survey/tables/features.toml)."""

    id: str
    title: str
    kind: str
    effort: Effort
    gpufusion: Fit
    reason: str
    remedy: str = ""
    source: str = ""
    include: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapted:
    """A project that somebody adapted: globs of its name, and where the result is."""

    project: str
    where: str
    note: str = ""

    def matches(self, names: tuple[str, ...]) -> bool:
        """Return whether one of a project's names is meant, `-`, `_` and case aside."""
        return any(fnmatch(_normal(name), _normal(self.project)) for name in names)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A question of the tree; an answer leads to a node, or with `=` to a route."""

    id: str
    question: str
    fact: str
    yes: str
    no: str
    unknown: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteText:
    """What is said about a route."""

    id: Route
    title: str
    invasiveness: str
    deployment: str
    cmake: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StackRow:
    """Versions that were seen together, as prefixes; empty says nothing."""

    dtk: str
    torch: tuple[str, ...] = ()
    fastpt: tuple[str, ...] = ()
    python: tuple[str, ...] = ()
    glibc: str = ""
    das: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Minimum:
    """What the route without transcoding needs at least."""

    fastpt: str
    dtk: str
    torch: str
    standard: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Tables:
    """All tables, merged."""

    features: tuple[FeatureRule, ...]
    nodes: tuple[Node, ...]
    routes: tuple[RouteText, ...]
    stacks: tuple[StackRow, ...]
    adapted: tuple[Adapted, ...]
    gpufusion: Minimum
    manylinux: tuple[tuple[str, str], ...]


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def user_tables(root: Path) -> tuple[Path, ...]:
    """Return the user's table files that exist, the one that wins last."""
    folder = Path(platformdirs.user_config_dir("fastpt-lab"))
    places = (folder / "tables.toml", root / PROJECT_TABLE)
    return tuple(path for path in places if path.is_file())


def load_tables(root: Path) -> Tables:
    """Return the built-in tables with those of the user on top.

    Raises:
        ConfigError: a table file is not TOML, or an entry means nothing.
    """
    folder = resources.files("fastpt_lab.survey") / "tables"
    merged: dict[str, list[dict[str, Any]]] = {name: [] for name in _KEYS}
    minimum: dict[str, Any] = {}
    for name in ("features.toml", "route.toml", "versions.toml"):
        data = tomllib.loads((folder / name).read_text("utf-8"))
        minimum.update(data.pop("gpufusion", {}))
        _merge(merged, data, name)
    for path in user_tables(root):
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise ConfigError(f"{path}: {error}", next_step="Correct the file") from error
        minimum.update(data.pop("gpufusion", {}))
        _merge(merged, data, str(path))
    return _tables(merged, minimum)


def _merge(merged: dict[str, list[dict[str, Any]]], data: dict[str, Any], where: str) -> None:
    for kind, entries in data.items():
        if kind not in _KEYS or not isinstance(entries, list):
            raise ConfigError(
                f"{where}: there is no table [[{kind}]]",
                next_step="Known tables: " + ", ".join(sorted(_KEYS)),
            )
        for entry in entries:
            unknown = set(entry) - _KEYS[kind]
            missing = [key for key in _MANDATORY[kind] if key not in entry]
            if unknown or missing:
                problem = f"no key {min(unknown)!r}" if unknown else f"needs {missing[0]!r}"
                raise ConfigError(
                    f"{where}: [[{kind}]] {problem}",
                    next_step="Known keys: " + ", ".join(sorted(_KEYS[kind])),
                )
            _put(merged[kind], {**entry, "_where": where})


def _put(entries: list[dict[str, Any]], entry: dict[str, Any]) -> None:
    """Add an entry, in the place of the one with the same id where there is one."""
    for index, old in enumerate(entries):
        if "id" in entry and old["id"] == entry["id"]:
            entries[index] = entry
            return
    entries.append(entry)


def _tables(merged: dict[str, list[dict[str, Any]]], minimum: dict[str, Any]) -> Tables:
    try:
        return Tables(
            features=tuple(_feature(entry) for entry in merged["feature"]),
            nodes=tuple(Node(**_plain(entry)) for entry in merged["node"]),
            routes=tuple(
                RouteText(**{**_plain(entry), "id": Route(entry["id"])})
                for entry in merged["route"]
            ),
            stacks=tuple(StackRow(**_plain(entry)) for entry in merged["stack"]),
            adapted=tuple(Adapted(**_plain(entry)) for entry in merged["adapted"]),
            gpufusion=Minimum(**minimum),
            manylinux=tuple((e["tag"], e["minimum"]) for e in merged["glibc"]),
        )
    except (TypeError, ValueError) as error:
        raise ConfigError(f"a table entry is wrong: {error}", next_step="Correct it") from error


def _plain(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in entry.items()
        if key != "_where"
    }


def _feature(entry: dict[str, Any]) -> FeatureRule:
    values = _plain(entry)
    try:
        values["effort"] = Effort(values["effort"])
        values["gpufusion"] = Fit(values["gpufusion"])
    except ValueError as error:
        raise ConfigError(
            f"{entry['_where']}: [[feature]] {entry['id']}: {error}",
            next_step="effort: automatic, review, no-equivalent; "
            "gpufusion: works, change, blocked, unknown",
        ) from error
    values.setdefault("kind", "library")
    return FeatureRule(**values)
