"""Find what assumes waves of 32 lanes: no compiler reports it, and the numbers are wrong.

A finding is certain when the text alone shows it or an emulated run proves it; everything else
is a maybe. Nothing is rewritten.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from fastpt_lab.core.diagnostic import Diagnostic, Severity
from fastpt_lab.core.scan import Kind, code_tokens
from fastpt_lab.core.survey import Lint
from fastpt_lab.core.text import Location
from fastpt_lab.survey.emulate import Emulation, prove
from fastpt_lab.survey.lanes import LAYOUT_WAVE, Lanes
from fastpt_lab.survey.launches import Block, Launch, bounds, launches
from fastpt_lab.survey.simt_intrinsics import is_warp_intrinsic
from fastpt_lab.survey.unit import Function, Unit, Word, constants, functions, macro_bodies
from fastpt_lab.survey.wave_body import Body, Finding, wave_calls
from fastpt_lab.survey.wave_rules import findings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

Emulate: TypeAlias = "Callable[[str, Block | None], Emulation]"
_HINT = re.compile(
    r"__shfl|__ballot|__any|__all|__activemask|__match_a|__reduce_|__lane_id|warpSize"
)
_WARP_NAME = re.compile(
    r"(?i)k?(?:\w*_)?(?:(?:warp|wave|wavefront)_?(?:size|width|threads)|lanes_?per_?warp"
    r"|threads_?per_?warp|num_?lanes|warp)"
)
_LANES = 32
_NOT_RESULTS = frozenset({"mask-literal", "constant-warp-size", "warp-size-constant"})
"""Findings that are not about the numbers a run gives."""


@dataclass(slots=True)
class _Part:
    """A function or macro body with its findings."""

    name: str
    words: tuple[Word, ...]
    kernel: bool
    calls: frozenset[str]
    body: Body
    limit: Block | None = None
    found: list[Finding] = field(default_factory=list)
    evidence: list[str] = field(default_factory=list)


def wavefront_lints(
    unit: Unit,
    outside: Mapping[str, int],
    *,
    emulate: Emulate | None = None,
) -> tuple[Lint, ...]:
    """Return the 32-lane assumptions of one file.

    Args:
        unit: the file as HIP sees it.
        outside: constants of other files of the project.
        emulate: runs a kernel by name and block both ways; None leaves that out.
    """
    if not _HINT.search(unit.text):
        return ()
    known = {**outside, **constants(unit)}
    seen = launches(unit, known)
    parts = _parts(unit, known, seen)
    for part in parts:
        part.found = list(findings(part.body))
    if emulate is not None:
        _emulated(parts, seen, emulate)
    lints = [
        _lint(unit, part, finding) for part in parts for finding in part.found
    ] + _size_constants(unit, known)
    lints.sort(
        key=lambda lint: lint.diagnostic.location.range if lint.diagnostic.location else ()
    )
    return tuple(lints)


def prover(unit: Unit, outside: Mapping[str, int]) -> Callable[..., Emulation]:
    """Return the `emulate` of `wavefront_lints` for one file."""

    def run(name: str, shape: tuple[int, int, int] | None) -> Emulation:
        return prove(name, unit, outside, shape)

    return run


def _parts(
    unit: Unit, known: Mapping[str, int], seen: Mapping[str, Sequence[Launch]]
) -> list[_Part]:
    parts: list[_Part] = []
    for function in functions(unit):
        if function.qualifiers & {"__global__", "__device__"}:
            words = unit.words[function.opening : function.closing + 1]
            parts.append(_part(unit, function, words, known))
    for name, (call, _, directive) in macro_bodies(unit).items():
        tokens = code_tokens(unit.text, directive.argument_start, directive.argument_end)
        words = tuple(Word(unit.text[t.start : t.end], t.start, t.end, t.kind) for t in tokens)
        if call and any(is_warp_intrinsic(word.text) for word in words):
            parts.append(_Part(name, words, False, _called(words), _body(words, known)))
    _surround(parts, seen)
    return parts


def _part(
    unit: Unit, function: Function, words: tuple[Word, ...], known: Mapping[str, int]
) -> _Part:
    head = [
        w.text
        for w in unit.words[function.head : function.opening]
        if not w.text.startswith("__") and w.text not in {"static", "inline", "const"}
    ]
    result = " ".join(head[: head.index(function.name)]) if function.name in head else ""
    body = replace(_body(words, known), result=result)
    kernel = "__global__" in function.qualifiers
    limit = bounds(unit.words[function.head : function.opening], known)
    return _Part(function.name, words, kernel, _called(words), body, limit)


def _body(words: tuple[Word, ...], known: Mapping[str, int]) -> Body:
    lanes = Lanes(words, known)
    return Body(lanes, wave_calls(lanes))


def _called(words: tuple[Word, ...]) -> frozenset[str]:
    return frozenset(w.text for w in words if w.kind is Kind.IDENTIFIER)


def _surround(parts: list[_Part], seen: Mapping[str, Sequence[Launch]]) -> None:
    """Tell each part what its callers, its callees and the launches say."""
    exchanging = _closure(
        parts, {p.name for p in parts if any(is_warp_intrinsic(w.text) for w in p.words)}
    )
    by_wave = {p.name for p in parts if p.body.lanes.has(LAYOUT_WAVE)}
    for part in parts:
        shapes = [launch.block for launch in seen.get(part.name, ())]
        if part.limit is not None and part.limit[0] <= _LANES:
            shapes = [part.limit]
        callers = {p.name for p in parts if part.name in p.calls}
        part.body = replace(
            part.body,
            exchanges=part.name in exchanging,
            wave_layout=bool(({part.name} | callers) & by_wave),
            layout_32=any(b is not None and b[0] == _LANES and b[1] > 1 for b in shapes),
            one_warp=bool(shapes)
            and all(b is not None and b[0] * b[1] * b[2] <= _LANES for b in shapes),
        )


def _closure(parts: list[_Part], names: set[str]) -> set[str]:
    """Return `names` and all parts that call one of them, however far."""
    while True:
        more = {p.name for p in parts if p.calls & names} | names
        if more == names:
            return names
        names = more


def _emulated(
    parts: list[_Part],
    seen: Mapping[str, Sequence[Launch]],
    emulate: Emulate,
) -> None:
    """Run every kernel that exchanges values, and let the outcome speak on its findings."""
    for kernel in parts:
        if not kernel.kernel or not kernel.body.exchanges:
            continue
        shape = next((launch.block for launch in seen.get(kernel.name, ())), kernel.limit)
        outcome = emulate(kernel.name, shape)
        reached = [p for p in parts if p is kernel or p.name in _reach(parts, kernel)]
        if outcome.same is None:
            kernel.evidence.append(outcome.text)
            continue
        for part in reached:
            part.evidence.append(outcome.text)
        if outcome.same:
            _demote(reached)
        else:
            _promote(kernel, reached, outcome)


def _reach(parts: list[_Part], start: _Part) -> set[str]:
    names = {p.name for p in parts}
    found: set[str] = set()
    todo = [start]
    while todo:
        for name in (todo.pop().calls & names) - found:
            found.add(name)
            todo += (p for p in parts if p.name == name)
    return found


def _demote(reached: list[_Part]) -> None:
    for part in reached:
        part.found = [
            f if f.check in _NOT_RESULTS or not f.certain else replace(f, certain=False)
            for f in part.found
        ]


def _promote(kernel: _Part, reached: list[_Part], outcome: Emulation) -> None:
    every = [f for part in reached for f in part.found if f.check not in _NOT_RESULTS]
    if any(f.certain for f in every):
        return
    # A kernel that asks for warpSize may lay its results out by it and still be right.
    by_wave = any(word.text == "warpSize" for part in reached for word in part.words)
    if by_wave and not outcome.undefined:
        return
    if every:
        for part in reached:
            part.found = [
                f if f.check in _NOT_RESULTS else replace(f, certain=True) for f in part.found
            ]
        return
    message = f"{kernel.name} depends on the number of lanes in a wave ({outcome.text})"
    kernel.found.append(Finding("wave-dependent", True, 0, 1, message))


def _lint(unit: Unit, part: _Part, finding: Finding) -> Lint:
    start = part.words[finding.start].start
    end = part.words[min(finding.end, len(part.words)) - 1].end
    return _make(
        unit,
        finding.check,
        finding.certain,
        (start, end),
        finding.message,
        () if finding.check in _NOT_RESULTS else tuple(dict.fromkeys(part.evidence)),
        finding.suggestion,
    )


def _make(
    unit: Unit,
    check: str,
    certain: bool,
    span: tuple[int, int],
    message: str,
    evidence: tuple[str, ...] = (),
    suggestion: str = "",
) -> Lint:
    place = Location(unit.path, unit.document.range_of(*span))
    return Lint(
        check=check,
        certain=certain,
        diagnostic=Diagnostic(
            severity=Severity.WARNING if certain else Severity.INFORMATION,
            message=message,
            source="wavefront",
            location=place,
        ),
        evidence=evidence,
        suggestion=suggestion,
    )


def _size_constants(unit: Unit, known: Mapping[str, int]) -> list[Lint]:
    """Return the definitions of a warp size that HIP's branch leaves at 32."""
    found: list[Lint] = []
    for name, (call, _, directive) in macro_bodies(unit).items():
        if not call and known.get(name) == _LANES and _WARP_NAME.fullmatch(name):
            span = (directive.start, directive.argument_end)
            found.append(_constant(unit, name, span))
    for match in re.finditer(r"(?:constexpr|const)\s[^;={}()]*?(\w+)\s*(?:=|\{)", unit.text):
        name = match[1]
        dead = unit.live.dead(match.start())
        if not dead and known.get(name) == _LANES and _WARP_NAME.fullmatch(name):
            found.append(_constant(unit, name, match.span(1)))
    return found


def _constant(unit: Unit, name: str, span: tuple[int, int]) -> Lint:
    return _make(
        unit,
        "warp-size-constant",
        False,
        span,
        f"{name} is 32 under HIP too; a wave has 64 lanes",
        suggestion="64 where USE_ROCM is defined",
    )
