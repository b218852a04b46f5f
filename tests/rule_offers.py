"""What every rule offers on every recorded failure, and on the same failures made unlike.

A rule that loses a condition says something on one of them that it should not, or keeps silent
where it spoke: `offers_of` gives its answers in lines that can be recorded and compared.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import sha256

from rule_bench import FIXTURES, FLAGS, Originals, all_cases, read

from fastpt_lab.build.locate import locate
from fastpt_lab.build.logs import parse
from fastpt_lab.core.action import CodeAction
from fastpt_lab.core.diagnostic import Diagnostic
from fastpt_lab.core.stack import Stack
from fastpt_lab.core.text import Location, Position, Range
from fastpt_lab.rules import RULES, Rule, action_of
from fastpt_lab.rules.kit.calls import call_of
from fastpt_lab.rules.kit.places import Place

LOGS = FIXTURES.parent
SOURCES = frozenset({".cu", ".cuh", ".cpp", ".c", ".h"})


@dataclass(frozen=True)
class Told:
    """A `Stack` that gives one answer to every question."""

    answer: bool | None
    flags: tuple[str, ...] = FLAGS
    architectures: tuple[str, ...] = ("gfx906",)
    hip_version: tuple[int, int] = (5, 2)
    types: tuple[str, ...] = field(default=())

    def has(self, name: str) -> bool | None:
        return self.answer

    declares = has_header = compiles = has

    def parameters(self, function: str) -> tuple[tuple[str, ...], ...]:
        return ()

    def enumerators(self, type_name: str) -> tuple[str, ...]:
        return ()


BUILD_FOR_CUDA = (
    "-std=c++11",
    "-gencode",
    "arch=compute_80,code=sm_80",
    "-D__HIP_NO_HALF_OPERATORS__=1",
    "-DUSE_CUDA",
)


@dataclass(frozen=True)
class Input:
    """Diagnostics of one kind, and what a rule may ask about them."""

    name: str
    diagnostics: tuple[Diagnostic, ...]
    workspace: Originals
    stack: Stack


@lru_cache(maxsize=1)
def inputs() -> tuple[Input, ...]:
    """Every input, always in the same order."""
    return (*_recorded(), *_logs())


def _recorded() -> Iterator[Input]:
    for case in all_cases():
        found, workspace = case.diagnostics(), case.workspace()
        yield Input(case.id, found, workspace, case.stack())
        for name, answer in (("has all", True), ("has none", False), ("is mute", None)):
            yield Input(f"{case.id}, a stack that {name}", found, workspace, Told(answer))
        place = Location(FIXTURES / "not_there.cu", Range(Position(0, 0), Position(0, 0)))
        start = Location(case.originals[0], Range(Position(0, 0), Position(0, 0)))
        unlike = {
            "nowhere": _moved(found, None),
            "only in the notes": tuple(replace(d, location=None) for d in found),
            "elsewhere": _moved(found, place),
            "at the top": _moved(found, start),
            "without notes": tuple(replace(d, related=()) for d in found),
            "of another kind": tuple(replace(d, message="cannot do this") for d in found),
            "of another name": tuple(
                replace(d, message=re.sub(r"'\w+'", "'unheard_of'", d.message)) for d in found
            ),
        }
        for name, diagnostics in unlike.items():
            yield Input(f"{case.id}, {name}", diagnostics, workspace, Told(False))
        for name, changed in _rewritten(found, workspace):
            yield Input(f"{case.id}, {name}", found, changed, Told(False))


def _rewritten(
    diagnostics: tuple[Diagnostic, ...], workspace: Originals
) -> Iterator[tuple[str, Originals]]:
    """Yield the originals with the first call that a diagnostic is about made unlike."""
    place = next((d.location for d in diagnostics if d.location), None)
    document = workspace.document(place.path) if place else None
    if place is None or document is None:
        return
    offset = document.offset(place.range.start)
    text = document.text
    cut = replace(document, text=text[: offset + 1])
    yield "cut off", Originals({**workspace.documents, place.path: cut})
    word = re.compile(r"\w+").match(text, offset)
    call = call_of(Place(place.path, document, offset, word.end())) if word else None
    if call is None:
        return
    inside = text[call.open + 1 : call.close]
    first = call.arguments[0][0] if call.arguments else call.close
    second = call.arguments[0][1] if call.arguments else call.close
    for name, made in {
        "called with nothing": text[: call.open + 1] + text[call.close :],
        "called with one": f"{text[: call.open + 1]}1{text[call.close :]}",
        "called with more": f"{text[: call.open + 1]}{inside}, 1, 2{text[call.close :]}",
        "called with effects": f"{text[:first]}next(1){text[second:]}",
        "not called": f"{text[: call.open]} {text[call.close + 1 :]}",
    }.items():
        yield name, Originals({**workspace.documents, place.path: replace(document, text=made)})


def _moved(
    diagnostics: tuple[Diagnostic, ...], place: Location | None
) -> tuple[Diagnostic, ...]:
    return tuple(
        replace(d, location=place, related=tuple(replace(r, location=place) for r in d.related))
        for d in diagnostics
    )


def _logs() -> Iterator[Input]:
    paths = [
        *LOGS.glob("cases/*/stderr.txt"),
        *LOGS.glob("logs/*.log"),
        *LOGS.glob("logs/*.txt"),
    ]
    for path in sorted(paths):
        folder = path.parent
        documents = {
            p: read(p)
            for p in sorted(folder.glob("*"))
            if path.name == "stderr.txt" and p.suffix in SOURCES
        }
        found = locate(
            parse(path.read_bytes()),
            origin=lambda p: None,
            document=documents.get,
            root=folder,
            cwd=folder,
        )
        name = folder.name if path.name == "stderr.txt" else path.name
        for label, flags in (("", BUILD_FOR_CUDA), (", for HIP", FLAGS)):
            stack = Told(False, flags)
            yield Input(f"{name}{label}", found, Originals(documents), stack)


def offers_of(rule: Rule) -> dict[str, list[str]]:
    """What a rule offers on each input that it speaks on, one line for each offer."""
    return {one.name: lines for one in inputs() if (lines := lines_of(rule, one))}


def lines_of(rule: Rule, one: Input) -> list[str]:
    """What a rule offers on one input."""
    lines = [
        _line(action)
        for diagnostic in one.diagnostics
        for proposal in rule.propose(diagnostic, one.workspace, one.stack)
        if (action := action_of(rule.name, proposal)) is not None
    ]
    return list(dict.fromkeys(lines))


def all_offers() -> dict[str, dict[str, list[str]]]:
    """What all rules offer."""
    return {name: offers_of(rule) for name, rule in RULES.items()}


def _line(action: CodeAction) -> str:
    """Return the action in one line; of its texts, a digest."""
    texts = [action.advice or "", *action.evidence]
    if action.flags is not None:
        texts += [f"+{' '.join(action.flags.add)}", f"-{' '.join(action.flags.remove)}"]
    for change in action.edit.documents if action.edit else ():
        texts += [f"{e.range} {e.new_text}" for e in change.edits]
    # Where the checkout lies is no part of what a rule says.
    said = "\n".join(texts).replace(str(LOGS), "")
    digest = sha256(said.encode()).hexdigest()[:8]
    return f"{action.applicability.word} {action.kind.value}: {action.title} [{digest}]"
