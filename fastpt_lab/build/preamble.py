"""The includes that a unit begins with: what a precompiled header may hold without any effect."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from fastpt_lab.core.errors import FastptError
from fastpt_lab.core.scan import Kind, directives, tokens
from fastpt_lab.host.files import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

_INCLUDE = re.compile(r'([<"])([^>"\n]+)[>"]')
_HEAVY = re.compile(
    r"torch/(?:extension|all|torch|python|script|library|types|custom_class)\.h|ATen/ATen\.h"
)
"""Headers that bring in thousands of others (torch 2.13: torch/extension.h reads 2900)."""

_DEEPEST = 8
_NOT_CODE = (Kind.SPACE, Kind.NEWLINE, Kind.COMMENT)


class _Line(NamedTuple):
    """A directive of the leading run: its name and its argument."""

    name: str
    argument: str


def leading_includes(unit: Path, root: Path, include_dirs: Sequence[Path]) -> tuple[str, ...]:
    """Return the includes of torch and the SDK with which a unit begins, up to the last big one.

    Only what comes before all code and all macros counts, project headers looked into: a header
    set made of it and read first changes nothing, not even what a forgotten include breaks.
    Empty if there is no big one among them.
    """
    found: list[str] = []
    for include in _external(unit, root.resolve(), include_dirs, 0):
        if include is None:
            break
        if include not in found:
            found.append(include)
    while found and _HEAVY.search(found[-1]) is None:
        found.pop()
    return tuple(found)


def _external(
    path: Path, root: Path, include_dirs: Sequence[Path], depth: int
) -> Iterator[str | None]:
    """Yield the leading external includes of a file, then None where something else follows."""
    try:
        text = read_source(path).document.text
    except FastptError:
        yield None
        return
    for line in _leading_directives(text):
        if line is None:
            yield None
            return
        match = _INCLUDE.match(line.argument) if line.name == "include" else None
        if match is None:
            continue
        project = _in_project(match, path, root, include_dirs)
        if project is None:
            yield f"#include {match[0]}"
        elif depth < _DEEPEST:
            yield from _external(project, root, include_dirs, depth + 1)
        else:
            yield None


def _leading_directives(text: str) -> Iterator[_Line | None]:
    """Yield the directives before all code; None as the last where another one or code follows.

    `#pragma once` and an include guard are passed over, a macro ends the run: it may change
    what the headers after it mean.
    """
    end = 0
    guard: str | None = None
    for directive in directives(text):
        if any(token.kind not in _NOT_CODE for token in tokens(text, end, directive.start)):
            yield None
            return
        end = directive.end
        argument = text[directive.argument_start : directive.argument_end]
        if directive.name == "ifndef" and guard is None:
            guard = argument
        elif directive.name == "define" and argument == guard:
            guard = ""
        elif directive.name == "include" and guard in (None, ""):
            yield _Line(directive.name, argument)
        elif not (directive.name == "pragma" and argument == "once"):
            yield None
            return
    if any(token.kind not in _NOT_CODE for token in tokens(text, end)):
        yield None


def _in_project(
    match: re.Match[str], path: Path, root: Path, include_dirs: Sequence[Path]
) -> Path | None:
    beside = [path.parent] if match[1] == '"' else []
    for folder in (*beside, *include_dirs):
        found = (folder / match[2]).resolve()
        if found.is_file():
            return found if found.is_relative_to(root) else None
    return None
