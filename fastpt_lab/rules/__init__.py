"""Fix rules: one module each, found by being here; pure functions of a diagnostic.

A rule is a module with a docstring (a first sentence, then the headings *Why, Safety, Never
offered, Source*) and a function `propose(diagnostic, workspace, stack)` that yields proposals.
Its name is the module's, in kebab-case.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from fastpt_lab.core.action import CodeAction, CudaEffect
from fastpt_lab.core.errors import UnknownNameError
from fastpt_lab.core.guard import attribute_only, same_cuda_view
from fastpt_lab.core.suggest import did_you_mean
from fastpt_lab.core.text import TextDocumentEdit, WorkspaceEdit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import ModuleType

    from fastpt_lab.core.diagnostic import Diagnostic
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.workspace import Workspace
    from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

_HEADING = re.compile(r"^(Why|Safety|Never offered|Source): ?", re.MULTILINE)


class Propose(Protocol):
    """What a rule module has under the name `propose`."""

    def __call__(
        self, diagnostic: Diagnostic, workspace: Workspace, stack: Stack, /
    ) -> Iterator[Proposal]:
        """Yield what could be done about `diagnostic`; nothing if it is not the rule's."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule and its manual, the headings of its docstring."""

    name: str
    summary: str
    why: str
    safety: str
    never_offered: str
    source: str
    propose: Propose


def _rule_of(module: ModuleType) -> Rule:
    parts = _HEADING.split(module.__doc__ or "")
    texts = {parts[i]: " ".join(parts[i + 1].split()) for i in range(1, len(parts), 2)}
    return Rule(
        name=module.__name__.rpartition(".")[2].replace("_", "-"),
        summary=" ".join(parts[0].split()),
        why=texts.get("Why", ""),
        safety=texts.get("Safety", ""),
        never_offered=texts.get("Never offered", ""),
        source=texts.get("Source", ""),
        propose=module.propose,
    )


RULES: dict[str, Rule] = {
    rule.name: rule
    for rule in (
        _rule_of(importlib.import_module(found.name))
        for found in pkgutil.iter_modules(__path__, f"{__name__}.")
        if not found.ispkg
    )
}
"""All rules by name, in alphabetical order."""


def rule(name: str) -> Rule:
    """Return the rule called `name`.

    Raises:
        UnknownNameError: there is none.
    """
    if name not in RULES:
        raise UnknownNameError(
            f"there is no rule {name}",
            next_step=did_you_mean(name, RULES, "`fastpt-lab rules` lists them"),
        )
    return RULES[name]


def actions_for(
    diagnostics: Iterable[Diagnostic], workspace: Workspace, stack: Stack
) -> tuple[CodeAction, ...]:
    """Return what all rules offer, in the order of the diagnostics, with ids `a1`, `a2`, ….

    Equal offers for several diagnostics are one action that answers all of them.
    """
    found: dict[object, CodeAction] = {}
    answered: dict[object, list[str]] = {}
    for diagnostic in diagnostics:
        for known in RULES.values():
            for proposal in known.propose(diagnostic, workspace, stack):
                action = action_of(known.name, proposal)
                if action is None:
                    continue
                key = (action.rule, action.title, action.edit, action.advice, action.flags)
                found.setdefault(key, action)
                ids = answered.setdefault(key, [])
                if diagnostic.id not in ids:
                    ids.append(diagnostic.id)
    return tuple(
        _numbered(action, f"a{number}", tuple(filter(None, answered[key])))
        for number, (key, action) in enumerate(found.items(), start=1)
    )


def _numbered(action: CodeAction, name: str, diagnostics: tuple[str, ...]) -> CodeAction:
    return CodeAction(
        title=action.title,
        rule=action.rule,
        kind=action.kind,
        applicability=action.applicability,
        cuda_effect=action.cuda_effect,
        diagnostics=diagnostics,
        edit=action.edit,
        advice=action.advice,
        flags=action.flags,
        evidence=action.evidence,
        id=name,
    )


def action_of(name: str, proposal: Proposal) -> CodeAction | None:
    """Return the action of a proposal, None if a CUDA compiler would see another program."""
    effect = CudaEffect.NONE
    for file in proposal.files:
        seen = _effect(file)
        if seen is None:
            return None
        if effect is not CudaEffect.ATTRIBUTE_ONLY:
            effect = seen
    edit = WorkspaceEdit(
        documents=tuple(
            TextDocumentEdit(path=file.path, digest=file.document.digest, edits=file.edits)
            for file in proposal.files
        )
    )
    return CodeAction(
        title=proposal.title,
        rule=name,
        kind=proposal.kind,
        applicability=proposal.applicability,
        cuda_effect=effect,
        edit=edit if proposal.files else None,
        advice=proposal.advice,
        flags=proposal.flags,
        evidence=proposal.evidence,
    )


def _effect(file: FileEdits) -> CudaEffect | None:
    before = file.document.text
    after = file.document.apply(file.edits).text
    if same_cuda_view(before, after):
        return CudaEffect.IDENTICAL
    return CudaEffect.ATTRIBUTE_ONLY if attribute_only(before, after) else None
