"""The statements and the definition that enclose a place, as offsets into the text."""

from __future__ import annotations

from fastpt_lab.core.code import code_around
from fastpt_lab.core.statement import Statements


def definition_around(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the offsets of the function, variable or type that `text[start:end]` is part of.

    Namespaces, and classes for what stands in their members, are passed through.
    """
    code = code_around(text, start)
    statements = Statements(code)
    span = code.first_at(start), code.before(end)
    for statement, _ in statements.chain(*span):
        inside = any(
            b.first <= span[0] and span[1] <= b.end for b in statements.blocks(statement)
        )
        if not (statements.is_scope(statement) and inside):
            return code.starts[statement.first], code.ends[statement.end - 1]
    return None


def statements_around(text: str, start: int, end: int) -> tuple[tuple[int, int], ...]:
    """Return the offsets of the statements that hold `text[start:end]`, outermost first."""
    code = code_around(text, start)
    chain = Statements(code).chain(code.first_at(start), max(code.before(end), 0))
    return tuple((code.starts[s.first], code.ends[s.end - 1]) for s, _ in chain)
