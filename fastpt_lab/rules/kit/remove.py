"""Leave whole statements, declarations and includes out under HIP."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastpt_lab.core.action import Applicability
from fastpt_lab.core.code import code_around
from fastpt_lab.core.enclosing import statements_around
from fastpt_lab.core.guard_place import Replacement, place
from fastpt_lab.core.scan import code_tokens, directives, enclosing_directive
from fastpt_lab.core.statement import Statements
from fastpt_lab.rules.kit.places import Place, style_for
from fastpt_lab.rules.kit.proposal import FileEdits, Proposal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fastpt_lab.core.scan import Directive
    from fastpt_lab.core.stack import Stack
    from fastpt_lab.core.text import Document


_COMPARES = frozenset({"==", "!=", "<=", ">="})
_ONLY_READS = frozenset({"c_str", "data", "size", "str", "string", "to_string", "sizeof"})


def statement_at(at: Place) -> tuple[int, int] | None:
    """Return the bounds of the innermost statement around a place; None in a directive."""
    text = at.document.text
    if enclosing_directive(text, at.start) is not None:
        return None
    chain = statements_around(text, at.start, at.end)
    return chain[-1] if chain else None


def removal(at: Place) -> Replacement | None:
    """Return what takes the statement around a place out; None if it is in no statement.

    A lone statement may be all that an `if` or a loop governs: there a `;` stays, or the
    condition would govern what follows.
    """
    text = at.document.text
    if enclosing_directive(text, at.start) is not None:
        return None
    code = code_around(text, at.start)
    span = code.first_at(at.start), code.before(at.end)
    chain = Statements(code).chain(*span)
    if not chain:
        return None
    statement, block = chain[-1]
    alone = len(chain) > 1 and statement == block
    labelled = code.words[statement.first - 1] == ":"
    start, end = code.starts[statement.first], code.ends[statement.end - 1]
    return Replacement(start, end, ";" if alone or labelled else "")


def lost_effects(start: int, end: int, text: str) -> str | None:
    """Return what code that is left out may have done besides, None if it only reads."""
    words = [text[t.start : t.end] for t in code_tokens(text, start, end)]
    for index, word in enumerate(words):
        if word in ("++", "--") or (word.endswith("=") and word not in _COMPARES):
            return f"{word} in what is left out would no longer be carried out"
        called = _called(words, index) if word == "(" else None
        if called is not None and called not in _ONLY_READS:
            return f"{called}() in what is left out would no longer be called"
    return None


def _called(words: Sequence[str], index: int) -> str | None:
    """Return the name before a `(` and its template arguments, None if that is not a call."""
    depth = 0
    while index > 0:
        index -= 1
        word = words[index]
        depth += word.count(">") - word.count("<") if set(word) <= {"<", ">"} else 0
        if depth <= 0 and word != "<":
            return word if word.isidentifier() and not word.endswith("_cast") else None
    return None


def include_at(document: Document, offset: int) -> Directive | None:
    """Return the include that stands on the line of `offset`."""
    found = enclosing_directive(document.text, offset)
    if found is None:
        line = document.position(offset).line
        start = document.offset(document.line_range(line).start)
        end = document.offset(document.line_range(line).end)
        inside = (d for d in directives(document.text) if start <= d.start < end)
        found = next(inside, None)
    return found if found is not None and found.name in ("include", "import") else None


def edited(
    title: str,
    at: Place,
    replacements: Sequence[Replacement],
    stack: Stack,
    *evidence: str,
    doubts: Sequence[str] = (),
) -> Iterator[Proposal]:
    """Yield one guarded proposal for a file: safe if there is no doubt."""
    edits = place(at.document, replacements, style_for(at.document, stack))
    if edits:
        yield Proposal(
            title=title,
            applicability=Applicability.UNSAFE if doubts else Applicability.SAFE,
            evidence=(*doubts, *evidence),
            files=(FileEdits(at.path, at.document, edits),),
        )
