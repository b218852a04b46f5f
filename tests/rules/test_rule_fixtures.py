from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from needs import need_hipcc, need_nvcc, need_torch
from rule_bench import (
    FIXTURES,
    Case,
    Originals,
    all_cases,
    hipcc,
    hipify_with_torch,
    nvcc,
    scratch,
)

from fastpt_lab.core.action import ActionKind, CodeAction, CudaEffect
from fastpt_lab.core.diagnostic import Diagnostic
from fastpt_lab.core.guard import attribute_only, cuda_view
from fastpt_lab.core.text import Document, Location
from fastpt_lab.fix.apply import apply
from fastpt_lab.fix.journal import Journal
from fastpt_lab.fix.undo import undo
from fastpt_lab.host.files import decode_source
from fastpt_lab.rules import RULES, actions_for
from fastpt_lab.rules.kit.places import occurrences

CASES = all_cases()
SPEAKING = [case for case in CASES if case.speaks]
PLAIN = [case for case in SPEAKING if case.name.startswith("plain")]
NAMES = {case.id: case for case in CASES}


def edits_of(case: Case) -> list[CodeAction]:
    """What the rule of a case offers to edit."""
    actions = actions_for(case.diagnostics(), case.workspace(), case.stack())
    return [a for a in actions if a.rule == case.rule and a.kind is ActionKind.EDIT and a.edit]


def size(action: CodeAction) -> int:
    """How much text an action writes."""
    assert action.edit is not None
    return sum(len(e.new_text) for change in action.edit.documents for e in change.edits)


def fixed(case: Case, *, widest: bool = False) -> dict[Path, Document]:
    """The originals of a case with the first offer made, or the one for all places."""
    documents = dict(case.workspace().documents)
    offers = edits_of(case)
    action = max(offers, key=size) if widest else offers[0]
    assert action.edit is not None
    for change in action.edit.documents:
        assert change.digest == documents[change.path].digest
        documents[change.path] = documents[change.path].apply(change.edits)
    return documents


@pytest.mark.parametrize("case", SPEAKING, ids=lambda c: c.id)
def test_the_edits_give_the_fixed_file(case: Case) -> None:
    for path, document in fixed(case).items():
        wanted = case.fixed(path) if case.fixed(path).exists() else path
        assert document.text.encode(document.encoding) == wanted.read_bytes()


@pytest.mark.parametrize("case", SPEAKING, ids=lambda c: c.id)
def test_a_cuda_compiler_sees_the_same_program(case: Case) -> None:
    before = case.workspace().documents
    effect = edits_of(case)[0].cuda_effect
    for path, document in fixed(case).items():
        if effect is CudaEffect.IDENTICAL:
            assert cuda_view(document.text) == cuda_view(before[path].text)
        else:
            assert effect is CudaEffect.ATTRIBUTE_ONLY
            assert attribute_only(before[path].text, document.text)
        assert document.newline == before[path].newline
        assert "\r" not in document.text.replace("\r\n", "")


@pytest.mark.parametrize("case", [c for c in CASES if not c.speaks], ids=lambda c: c.id)
def test_the_rule_keeps_silent(case: Case) -> None:
    assert case.diagnostics(), "a silent case needs something to be silent about"
    assert edits_of(case) == []


@pytest.mark.parametrize("case", SPEAKING, ids=lambda c: c.id)
def test_a_second_run_offers_nothing(case: Case) -> None:
    documents = fixed(case, widest=True)
    workspace = Originals(documents)
    again = [
        moved
        for diagnostic in case.diagnostics()
        for moved in moved_to(diagnostic, case, documents)
    ]
    actions = actions_for(again, workspace, case.stack())
    assert [a for a in actions if a.rule == case.rule and a.edit] == []


def moved_to(
    diagnostic: Diagnostic, case: Case, documents: dict[Path, Document]
) -> list[Diagnostic]:
    """The same message at each place in the fixed file that has the word it was about."""
    if diagnostic.location is None or diagnostic.location.path not in documents:
        return []
    path = diagnostic.location.path
    before = case.workspace().documents[path]
    word = re.compile(r"\w+").match(before.text, before.offset(diagnostic.location.range.start))
    if word is None:
        return []
    after = documents[path]
    places = occurrences(path, after, (word[0],))
    return [
        replace(
            diagnostic,
            location=Location(path, after.range_of(p.start, p.end)),
            related=tuple(r for r in diagnostic.related if r.location is None),
        )
        for p in places
    ]


@pytest.mark.parametrize("case", SPEAKING, ids=lambda c: c.id)
def test_undo_restores_the_bytes(case: Case, tmp_path: Path) -> None:
    action = edits_of(case)[0]
    assert action.edit is not None
    with scratch(case, tmp_path, fixed=False):
        before = {p: p.read_bytes() for p in tmp_path.iterdir()}
        documents = tuple(
            replace(change, path=tmp_path / change.path.name)
            for change in action.edit.documents
        )
        journal = Journal(tmp_path)
        apply(
            replace(action.edit, documents=documents),
            root=tmp_path,
            journal=journal,
            rule=action.rule,
            attribute_only=action.cuda_effect is CudaEffect.ATTRIBUTE_ONLY,
        )
        assert {p: p.read_bytes() for p in before} != before
        undo(tmp_path)
        assert {p: p.read_bytes() for p in before} == before


@need_hipcc
@need_torch
@pytest.mark.parametrize("case", PLAIN, ids=lambda c: c.id)
def test_the_fixed_file_compiles_for_hip_after_torchs_hipify(
    case: Case, tmp_path: Path
) -> None:
    with scratch(case, tmp_path, fixed=True) as folder:
        hipify_with_torch(folder)
        code, output = hipcc(folder / f"{case.name}.hip", *case.flags)
        assert code == 0, output


@need_nvcc
@pytest.mark.parametrize("case", PLAIN, ids=lambda c: c.id)
def test_the_fixed_file_compiles_for_cuda(case: Case, tmp_path: Path) -> None:
    with scratch(case, tmp_path, fixed=True) as folder:
        code, output = nvcc(folder / f"{case.name}.cu", *case.flags)
        assert code == 0, output


def test_every_rule_has_a_folder_that_speaks_and_is_silent() -> None:
    folders = {p.name.replace("_", "-"): p for p in FIXTURES.glob("[a-z]*") if p.is_dir()}
    editing = {case.rule for case in SPEAKING}
    assert set(folders) <= set(RULES)
    for name in editing:
        mine = [case for case in CASES if case.rule == name]
        texts = [path.read_bytes() for case in mine for path in case.originals]
        assert any(not case.speaks for case in mine), f"{name} has no silent case"
        assert any(case.name.startswith("plain") for case in mine), f"{name} has no plain case"
        assert any(b"\r\n" in text for text in texts), f"{name} has no case with CRLF"
        assert any(not text.isascii() for text in texts), f"{name} has no non-ASCII case"


def test_every_rule_explains_itself() -> None:
    for rule in RULES.values():
        for heading in ("summary", "why", "safety", "never_offered", "source"):
            assert getattr(rule, heading), f"{rule.name} lacks {heading}"
        assert rule.summary.endswith(".")


def test_fixtures_decode() -> None:
    for case in CASES:
        for path in case.originals:
            document, _ = decode_source(path.read_bytes(), path)
            assert document.encoding in ("utf-8", "gb18030")
