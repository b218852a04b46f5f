"""Compare the versions of DTK, torch, FastPT, Python and glibc with those seen together.

A version that was not found out, and a pair that no table lists, is "unknown": never ok.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fastpt_lab.core.check import Check, CheckStatus, Evidence
from fastpt_lab.core.dtk import dtk_of_wheel

if TYPE_CHECKING:
    from fastpt_lab.core.survey import StackFacts
    from fastpt_lab.survey.tables import StackRow, Tables

_NUMBERS = re.compile(r"\d+")


def version_key(text: str) -> tuple[int, ...]:
    """Return a version as numbers for comparing; what follows `+` does not count."""
    return tuple(int(number) for number in _NUMBERS.findall(text.split("+")[0]))


def same_dtk(first: str, second: str) -> bool:
    """Return whether two DTK versions are one; a missing patch level matches any."""
    left, right = version_key(first), version_key(second)
    shorter = min(len(left), len(right))
    return left[:shorter] == right[:shorter]


def at_least(version: str | None, minimum: str) -> bool | None:
    """Return whether a version reaches a minimum; None if it is not known."""
    if not version:
        return None
    return version_key(version) >= version_key(minimum)


def version_checks(facts: StackFacts, tables: Tables) -> tuple[Check, ...]:
    """Return the comparison of each pair that matters, as checks."""
    return (
        _wheel(facts),
        _pair(facts, tables),
        _hip_build(facts),
        _minimum("fastpt", "FastPT", facts.fastpt, tables.gpufusion.fastpt, tables),
        _minimum("dtk", "DTK", facts.dtk, tables.gpufusion.dtk, tables),
        _minimum("torch", "torch", facts.torch, tables.gpufusion.torch, tables),
        _glibc(facts, tables),
        _python(facts, tables),
    )


def _check(
    name: str,
    status: CheckStatus,
    observed: str,
    expected: str,
    *,
    source: str = "",
    why: str = "",
    next_step: str = "",
) -> Check:
    evidence = (Evidence(command=("table",), returncode=None, output=source),) if source else ()
    return Check(
        id=name,
        layer="framework",
        status=status,
        observed=observed,
        expected=expected,
        evidence=evidence,
        why=why,
        next_step=next_step,
    )


def _wheel(facts: StackFacts) -> Check:
    """The DTK that torch was built for against the DTK that is installed."""
    expected = "torch is built for the DTK that is installed"
    built = dtk_of_wheel(facts.torch or "")
    if not facts.dtk or not built:
        return _check(
            "dtk-of-torch",
            CheckStatus.UNKNOWN,
            f"DTK {facts.dtk or 'not found'}; torch {facts.torch or 'not found'}"
            + ("" if built else ", whose version names no DTK"),
            expected,
            why="a mismatch shows late: undefined symbols at import, or no device",
        )
    observed = f"torch {facts.torch}, DTK {facts.dtk}"
    if same_dtk(built, facts.dtk):
        return _check("dtk-of-torch", CheckStatus.OK, observed, expected)
    return _check(
        "dtk-of-torch",
        CheckStatus.FAIL,
        observed,
        expected,
        why=f"torch was built for DTK {built}",
        next_step=f"Install the torch of DTK {facts.dtk}, or use DTK {built}",
    )


def _pair(facts: StackFacts, tables: Tables) -> Check:
    """DTK and torch against the table of what was seen together."""
    expected = "DTK and torch were seen together"
    if not facts.dtk or not facts.torch:
        return _check(
            "dtk-with-torch",
            CheckStatus.UNKNOWN,
            f"DTK {facts.dtk or 'not found'}; torch {facts.torch or 'not found'}",
            expected,
        )
    observed = f"DTK {facts.dtk}, torch {facts.torch}"
    rows = [row for row in tables.stacks if same_dtk(row.dtk, facts.dtk) and row.torch]
    fits = [row for row in rows if _starts(facts.torch, row.torch)]
    if fits:
        return _check(
            "dtk-with-torch", CheckStatus.OK, observed, expected, source=fits[0].source
        )
    if not rows:
        why = f"no table lists DTK {facts.dtk}"
    else:
        listed = ", ".join(sorted({v for row in rows for v in row.torch}))
        why = f"with DTK {facts.dtk} the tables list torch {listed} only"
    return _check(
        "dtk-with-torch",
        CheckStatus.UNKNOWN,
        observed,
        expected,
        why=why,
        next_step="Add a [[stack]] to fastpt-tables.toml once you know that it works",
    )


def _starts(version: str, prefixes: tuple[str, ...]) -> bool:
    plain = version_key(version)
    return any(plain[: len(version_key(p))] == version_key(p) for p in prefixes)


def _hip_build(facts: StackFacts) -> Check:
    expected = "torch.version.hip is not empty"
    if facts.torch is None:
        return _check("torch-is-hip", CheckStatus.UNKNOWN, "torch was not found", expected)
    if facts.torch_hip:
        return _check("torch-is-hip", CheckStatus.OK, facts.torch_hip, expected)
    return _check(
        "torch-is-hip",
        CheckStatus.FAIL if facts.dtk else CheckStatus.WARN,
        f"torch {facts.torch} is no HIP build",
        expected,
        why="pip replaces a vendor's torch by the one of the public index when a package asks",
        next_step="Install the vendor's wheel with --no-deps and pin it",
    )


def _minimum(name: str, title: str, version: str | None, least: str, tables: Tables) -> Check:
    reached = at_least(version, least)
    status = {True: CheckStatus.OK, False: CheckStatus.FAIL, None: CheckStatus.UNKNOWN}[reached]
    return _check(
        f"gpufusion-{name}",
        status,
        f"{title} {version}" if version else f"{title} was not found",
        f"{title} {least} or newer, for the route without transcoding",
        source=tables.gpufusion.source,
        next_step="" if reached else "Transcode, or install a newer version",
    )


def _glibc(facts: StackFacts, tables: Tables) -> Check:
    names = ", ".join(f"{tag} from glibc {least}" for tag, least in tables.manylinux)
    if not facts.glibc:
        return _check("glibc", CheckStatus.UNKNOWN, "glibc not found out", names)
    fits = [tag for tag, least in tables.manylinux if at_least(facts.glibc, least)]
    return _check(
        "glibc",
        CheckStatus.OK if fits else CheckStatus.FAIL,
        f"glibc {facts.glibc} takes wheels of " + (", ".join(fits) or "no tag listed"),
        names,
        next_step="" if fits else "Use an image with a newer glibc",
    )


def _python(facts: StackFacts, tables: Tables) -> Check:
    rows: list[StackRow] = [
        row
        for row in tables.stacks
        if row.python and facts.dtk and same_dtk(row.dtk, facts.dtk)
    ]
    expected = "the wheel's tag is that of this Python"
    if not facts.python:
        return _check("python", CheckStatus.UNKNOWN, "Python not found out", expected)
    tag = "cp" + "".join(facts.python.split(".")[:2])
    observed = f"Python {facts.python}: wheels named {tag}"
    if not rows:
        return _check(
            "python",
            CheckStatus.UNKNOWN,
            observed,
            expected,
            why="no table lists the Python versions of this DTK",
        )
    fits = any(_starts(facts.python, row.python) for row in rows)
    return _check("python", CheckStatus.OK if fits else CheckStatus.FAIL, observed, expected)
