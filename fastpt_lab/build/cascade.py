"""Root causes: which errors only follow from another, and which are the same one again.

The order of the build decides: the first real error is the cause, a follower names it in
`caused_by`. A repeat (another architecture, another pass, another unit that includes the same
header) is one diagnostic.
"""

from __future__ import annotations

import bisect
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fastpt_lab.build.logs import is_wrapper
from fastpt_lab.build.logs.gcc import INCLUDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from fastpt_lab.core.diagnostic import Diagnostic

_SYNTAX = re.compile(
    r"^(?:expected |extraneous |too (?:few|many) arguments|no matching |no viable |cannot (?:convert|initialize)"
    r"|invalid operands|assigning to|unexpected |missing |variable .* has initializer|需要|实参太"
    r"|给予函数的|提供给函数|expected-)"
)
_NAME = re.compile(r"['‘\"](?P<name>[A-Za-z_]\w*)['’\"]")
_SUGGESTED = re.compile(r"did you mean '(?P<name>[^']+)'\?")
_UNDECLARED = re.compile(
    r"undeclared identifier|not declared in this scope|is undefined|尚未声明|未声明"
)
_SYMBOL = re.compile(r"[`'‘“](?P<name>[^'’”]+)['’”]|symbol: (?P<bare>\S+)")
_STRAY_WORD = re.compile(r"^no such file or directory: '[\w-]+=")
_OBJECT = re.compile(
    r"(?:cannot find|no such file or directory:|找不到) ?'?[^-'][^' ]*\.(?:o|obj|a|so)\b"
    r"|^\S+\.(?:o|obj|a|so)[:：] ?(?:No such file|没有那个文件)"
)
_LOOK_BACK = 64

HEADER = "the compiler points here"
"""The message of the related place that keeps the line of a header that is not the user's."""


def without_repeats(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return each message at each place once, with all its targets."""
    index: dict[object, int] = {}
    result: list[Diagnostic] = []
    for found in diagnostics:
        key = (found.severity, found.source, found.message, found.generated)
        if key not in index:
            index[key] = len(result)
            result.append(found)
            continue
        first = result[index[key]]
        targets = (first.target or "").split(",")
        if found.target and found.target not in targets:
            joined = ",".join(filter(None, (*targets, found.target)))
            result[index[key]] = replace(first, target=joined)
    return result


def causes(diagnostics: Sequence[Diagnostic]) -> list[int | None]:
    """Return for each diagnostic the index of the error that it only follows from, or None."""
    units = _units(diagnostics)
    parents: list[int | None] = [None] * len(diagnostics)
    real = [
        index
        for index, found in enumerate(diagnostics)
        if found.is_error and not is_wrapper(found.message)
    ]
    for position, index in enumerate(real):
        for before in reversed(real[max(position - _LOOK_BACK, 0) : position]):
            if _follows(diagnostics[index], diagnostics[before], units[index] == units[before]):
                parents[index] = _root(parents, before)
                break
    _wrap(diagnostics, real, parents)
    return parents


def _root(parents: Sequence[int | None], index: int) -> int:
    while (parent := parents[index]) is not None:
        index = parent
    return index


def _wrap(
    diagnostics: Sequence[Diagnostic], real: Sequence[int], parents: list[int | None]
) -> None:
    """Give each wrapper its cause: the error before it; for Ninja's `FAILED:` the one after."""
    first_wrapper: int | None = None
    for index, found in enumerate(diagnostics):
        if not found.is_error or not is_wrapper(found.message):
            continue
        at = bisect.bisect_left(real, index)
        before = real[at - 1] if at else None
        after = real[at] if at < len(real) else None
        cause = after if found.message.startswith("FAILED: ") else before
        if cause is None:
            cause = before if before is not None else after
        if cause is not None:
            parents[index] = _root(parents, cause)
        elif first_wrapper is None:
            first_wrapper = index
        else:
            parents[index] = first_wrapper


def _units(diagnostics: Sequence[Diagnostic]) -> list[Path | None]:
    """Return the translation unit of each diagnostic: the file its include stack starts from.

    clang prints the stack only where it changes, and gcc leaves out the part that it printed
    before, so a file belongs to the unit in which it was seen last.
    """
    known: dict[Path, Path] = {}
    units: list[Path | None] = []
    for found in diagnostics:
        here = found.generated.path if found.generated else None
        stack = [
            r.generated.path for r in found.related if r.message == INCLUDED and r.generated
        ]
        if here is None:
            units.append(None)
            continue
        # gcc begins with the innermost include, clang with the outermost.
        outermost = here if not stack else stack[-1] if found.source == "gcc" else stack[0]
        unit = known.get(outermost, outermost)
        if stack:
            known.update(dict.fromkeys((*stack, here), unit))
        units.append(unit)
    return units


def _follows(error: Diagnostic, cause: Diagnostic, same_unit: bool) -> bool:
    if error.code == cause.code == "undefined-reference":
        one, other = _SYMBOL.search(error.message), _SYMBOL.search(cause.message)
        return one is not None and other is not None and one.groups() == other.groups()
    if error.generated is None or cause.generated is None:
        return _follows_without_place(error, cause)
    if _in_one_header_call(error, cause):
        return True
    if not same_unit:
        return False
    if cause.code == "cxx-standard":
        # Behind a failed `#error` guard everything is noise; else the same flag answers both.
        return (
            "#error" in cause.message
            or error.code == "cxx-standard"
            or (_same_line(error, cause) and bool(_SYNTAX.match(error.message)))
        )
    if cause.code != "undeclared-identifier":
        return False
    if _same_line(error, cause) and (
        _SYNTAX.match(error.message) or _about_suggestion(error, cause)
    ):
        return True
    return bool(_UNDECLARED.search(error.message)) and _declared_by(error, cause)


def _about_suggestion(error: Diagnostic, cause: Diagnostic) -> bool:
    """Return whether clang goes on with the name that it only suggested, and stumbles again."""
    suggested = _SUGGESTED.search(cause.message)
    return suggested is not None and f"'{suggested['name']}'" in error.message


def _in_one_header_call(error: Diagnostic, cause: Diagnostic) -> bool:
    """Return whether two errors of a header that is not the user's come from one place of theirs.

    One call with a wrong type fails in every template that it reaches.
    """
    return (
        error.location is not None
        and error.location == cause.location
        and all(any(r.message == HEADER for r in one.related) for one in (error, cause))
        and error.code == cause.code
    )


def _same_line(one: Diagnostic, other: Diagnostic) -> bool:
    return (
        one.generated is not None
        and other.generated is not None
        and one.generated.path == other.generated.path
        and one.generated.range.start.line == other.generated.range.start.line
    )


def _declared_by(error: Diagnostic, cause: Diagnostic) -> bool:
    """Return whether the source line of `cause` would have declared what `error` misses."""
    name = _NAME.search(error.message)
    missing = _NAME.search(cause.message)
    lines = cause.raw.split("\n")
    if name is None or missing is None or len(lines) < 2 or name["name"] == missing["name"]:
        return False
    if "type" not in cause.message and "类型" not in cause.message:
        return False
    source = next((line for line in lines[1:4] if missing["name"] in line), "")
    declared = re.compile(
        rf"[A-Za-z_]\w*(?:<[^<>;]*>)?[\s*&]+{re.escape(name['name'])}\s*(?:[,)=;\[{{(]|$)"
    )
    return declared.search(source) is not None


def _follows_without_place(error: Diagnostic, cause: Diagnostic) -> bool:
    if cause.code == "unsupported-flag" and _STRAY_WORD.match(error.message):
        return True
    return cause.generated is not None and bool(_OBJECT.search(error.message))
