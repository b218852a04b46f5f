"""The templates of all messages that the sources can say to a user, read out of the sources."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import fastpt_lab
from fastpt_lab.core import errors

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(fastpt_lab.__file__).parent
ERRORS = frozenset(
    name
    for name, value in vars(errors).items()
    if isinstance(value, type) and issubclass(value, errors.FastptError)
)


def _subclasses(trees: list[ast.Module]) -> frozenset[str]:
    """Return the names of all expected failures, those that other rooms derive included."""
    known = set(ERRORS)
    while True:
        more = {
            node.name
            for tree in trees
            for node in ast.walk(tree)
            if isinstance(node, ast.ClassDef)
            and any(isinstance(base, ast.Name) and base.id in known for base in node.bases)
        }
        if more <= known:
            return frozenset(known)
        known |= more


def _texts(node: ast.expr) -> Iterator[str]:
    """Yield the templates that an expression can give, `{}` for each value."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield "".join(
            str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values
        )
    elif isinstance(node, ast.IfExp):
        yield from _texts(node.body)
        yield from _texts(node.orelse)
    elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = list(_texts(node.left)) or ["{}"], list(_texts(node.right)) or ["{}"]
        yield from (first + second for first in left for second in right)


def _said(call: ast.Call, failures: frozenset[str]) -> list[ast.expr]:
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    if name in failures:
        return call.args[:1] + [k.value for k in call.keywords if k.arg == "next_step"]
    return call.args[:1] if name == "say" else []


def templates() -> dict[str, str]:
    """Return every template that has a word of its own, and the file that says it."""
    paths = sorted(PACKAGE.rglob("*.py"))
    trees = [ast.parse(path.read_text("utf-8")) for path in paths]
    failures = _subclasses(trees)
    found: dict[str, str] = {}
    for path, tree in zip(paths, trees, strict=True):
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                for argument in _said(node, failures):
                    for text in _texts(argument):
                        if any(c.isalpha() for c in text.replace("{}", "")):
                            found.setdefault(text, path.relative_to(PACKAGE).as_posix())
    return found
